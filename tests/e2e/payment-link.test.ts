import { type ChargeId, idOf } from "@daric/domain/ids";
import { amountFromUnits } from "@daric/domain/money";
import type { LinkTerms } from "@daric/payment-links/payment-link";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aDeposit } from "@daric/testing/charge-builders";
import { aPaymentLink } from "@daric/testing/payment-link-builder";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import {
  type CheckoutStage,
  desk,
  openCheckoutStage,
  phone,
  smallPhone,
  visibleText,
} from "./checkout-stage.ts";

const ONE = 1_000_000n;
const amountOf = (whole: number) => amountFromUnits(BigInt(whole) * ONE);

/** The browser's note about a page that says what is wrong. */
const REFUSED = /^console error: .* status of 4\d\d/;

let stage: CheckoutStage;

beforeAll(async () => {
  stage = await openCheckoutStage();
});
afterAll(() => stage?.close());
afterEach(async () => {
  const faults = await stage.closePages();
  expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([]);
});

const ticket: Partial<LinkTerms> = {
  title: "Ticket for the tasting",
  description: "Saturday, 18:00.\nBring a friend.",
  thanks: "See you on Saturday!",
  amount: amountOf(25),
};
const donation: Partial<LinkTerms> = {
  title: "Donation",
  description: null,
  amount: null,
  minAmount: amountOf(1),
  maxAmount: amountOf(5_000),
  suggestedAmounts: [amountOf(5), amountOf(10), amountOf(25)],
  ask: ["name", "note"],
};

/** The path of the page of a new link. Its merchant has no other, so no open order of another test counts. */
async function aLink(terms: Partial<LinkTerms> = {}): Promise<{ path: string; id: string }> {
  const { id: merchantId } = await aMerchant(stage.context.db, {
    name: "Blue Bottle Books",
    accentColor: "#0b5fff",
    supportEmail: "help@shop.example",
  });
  const { token, id } = await aPaymentLink(stage.context, merchantId, { ...ticket, ...terms });
  return { path: `/l/${token}`, id };
}

const ordersOf = (id: string) =>
  stage.context.owner.query<{ units: bigint; ref: string | null }>(sql`
    select expected_units as units, payer_ref as ref from deposit_addresses where payment_link_id = ${id}`);
const pay = (page: Page) => page.getByRole("button", { name: "Continue to payment" }).click();
const withoutScripts = { javaScriptEnabled: false };

async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(stage.axe);
  return page.evaluate(`axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))`);
}

it.each([
  ["a phone", phone],
  ["a phone without scripts", { ...phone, ...withoutScripts }],
  ["a desktop", desk],
])(
  "on %s one click leads to the page of an order, which knows where the payer came from",
  async (_, device) => {
    const { path, id } = await aLink();
    const page = await stage.open(`${path}?ref=mail-7`, device);
    await page.getByText("Ticket for the tasting").waitFor();
    await pay(page);
    await visibleText(page, "Waiting for your payment");
    expect(new URL(page.url()).pathname).toMatch(/^\/c\//);
    expect(await ordersOf(id)).toEqual([{ units: 25n * ONE, ref: "mail-7" }]);
  },
);

it("the page of the order names what is sold, and thanks a payer who has paid", async () => {
  const { path, id } = await aLink({ ask: [] });
  const page = await stage.open(path, { ...desk, ...withoutScripts });
  await pay(page);
  await visibleText(page, "Ticket for the tasting");
  expect(await page.getByText("See you on Saturday!").count()).toBe(0);
  const [order] = await stage.context.owner.query<{ id: ChargeId }>(sql`
    select id from deposit_addresses where payment_link_id = ${id}`);
  await aDeposit(stage.context.db, { chargeId: order?.id ?? idOf("charge", ""), amount: "25" });
  await page.reload();
  await visibleText(page, "See you on Saturday!");
});

it("a double click makes one order", async () => {
  const { path, id } = await aLink();
  const page = await stage.open(path, { ...desk, ...withoutScripts });
  await page.getByRole("button", { name: "Continue to payment" }).dblclick();
  await visibleText(page, "Waiting for your payment");
  expect(await ordersOf(id)).toHaveLength(1);
});

it("a payer takes a suggested amount, or types another one, which counts", async () => {
  const { path, id } = await aLink(donation);
  const page = await stage.open(path);
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("radio", { name: "10.00" }).check();
  await pay(page);
  await visibleText(page, "Waiting for your payment");
  await page.goBack();
  await page.goto(`${stage.origin}${path}?amount=40`);
  await page.getByLabel("Your name").fill("Ada");
  await pay(page);
  await visibleText(page, "Waiting for your payment");
  expect((await ordersOf(id)).map(({ units }) => units).sort()).toEqual([10n * ONE, 40n * ONE]);
});

it.each([
  ["", "Enter an amount."],
  ["0.5", "The least amount is 1.00 USDT."],
  ["5001", "The largest amount is 5 000.00 USDT."],
  ["ten", "Enter the amount as a number, like 25.5."],
])("typed %j the page says: %s", async (typed, text) => {
  const { path, id } = await aLink({ ...donation, suggestedAmounts: [], ask: [] });
  const page = await stage.open(path, withoutScripts);
  await page.getByLabel("Amount in USDT").fill(typed);
  await pay(page);
  const fault = page.getByRole("alert");
  expect((await fault.textContent())?.replace(/[\u00a0\u202f]/g, " ")).toBe(text);
  expect(await page.getByLabel("Amount in USDT").inputValue()).toBe(typed);
  expect(await page.getByLabel("Amount in USDT").getAttribute("aria-invalid")).toBe("true");
  expect(await ordersOf(id)).toEqual([]);
});

it("an amount is read in the language of the page: 1.500,5 in Spanish", async () => {
  const { path, id } = await aLink({ ...donation, ask: [] });
  const page = await stage.open(`${path}?lang=es`);
  await page.getByLabel("Otro importe").fill("1.500,5");
  await page.getByRole("button", { name: "Continuar al pago" }).click();
  await visibleText(page, "Esperando su pago");
  expect(await ordersOf(id)).toMatchObject([{ units: 1_500_500_000n }]);
});

it.each([
  ["a paused link", sql`is_active = false`, "This link takes no more orders"],
  ["a link past its end", sql`expires_at = now()`, "This link takes no more orders"],
  ["a link without places", sql`max_payments = 1`, "Sold out"],
])("%s says so, and names the shop's contact", async (_, change, text) => {
  const { path, id } = await aLink();
  const page = await stage.open(path);
  await pay(page);
  await visibleText(page, "Waiting for your payment");
  await stage.context.owner.query(sql`update payment_links set ${change} where id = ${id}`);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await page.goto(`${stage.origin}${path}`);
  await visibleText(page, text);
  const contact = page.getByRole("link", { name: "Write to Blue Bottle Books" });
  expect(await contact.getAttribute("href")).toBe(
    "mailto:help@shop.example?subject=Ticket%20for%20the%20tasting",
  );
  expect(await page.getByRole("button").count()).toBe(0);
});

it("markup and links of a merchant are text", async () => {
  const title = `<b>Free</b> https://evil.example "'><img src=x onerror=alert(1)>`;
  const { path } = await aLink({ title, description: `<script>alert(1)</script>` });
  const page = await stage.open(path);
  expect(await page.locator("h2").textContent()).toBe(title);
  expect(await page.locator("main a, main img[src=x], main script").count()).toBe(0);
});

it.each([
  ["English on a small phone", "", smallPhone],
  ["Arabic on a phone", "?lang=ar", phone],
  ["English on a desktop", "", desk],
])("the page has no fault of accessibility and nothing beside its edge: %s", async (_, query, device) => {
  for (const terms of [{}, donation, { ...donation, pricingCurrency: "USD" as const }]) {
    const { path } = await aLink(terms);
    const page = await stage.open(`${path}${query}`, device);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    if (process.env.LOOK)
      await page.screenshot({ path: `${process.env.LOOK}/${Date.now()}.png`, fullPage: true });
  }
});

it("the page is at most 14 kB and one request besides a logo", async () => {
  const { path } = await aLink(donation);
  const answer = await fetch(`${stage.origin}${path}`, { headers: { "accept-encoding": "gzip" } });
  const headers = [...answer.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  expect(Number(answer.headers.get("content-length")) + headers).toBeLessThanOrEqual(14_000);
});
