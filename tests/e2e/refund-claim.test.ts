import { askForRefund } from "@daric/charges/close/ask-for-refund";
import { sql } from "@daric/postgres/sql";
import { moveRefund } from "@daric/refunds/change-refund";
import { claimRefund } from "@daric/refunds/claim-refund";
import { claimToken } from "@daric/refunds/claim-token";
import type { Refund } from "@daric/refunds/refund";
import { findRefund, lockRefund } from "@daric/refunds/store";
import { isNight } from "@daric/testing/at-night";
import { aMerchant, anAddress } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
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

/** The browser's note about a page that says what is wrong. */
const REFUSED = /^console error: .* status of 4\d\d/;
const SENDER = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";

let stage: CheckoutStage;
let chain: TestChain;
let known: string;

beforeAll(async () => {
  chain = await startTestChain();
  stage = await openCheckoutStage(chain);
  known = chain.devchain.payer.address;
});
afterAll(async () => {
  await stage?.close();
  await chain?.stop();
});
afterEach(async () => {
  const faults = await stage.closePages();
  expect(faults.filter((fault) => !REFUSED.test(fault))).toEqual([]);
});

/** A refund of what came too much for an order of 25 USDT. */
async function aRefund(received = "30"): Promise<Refund> {
  const { db } = stage.context;
  const { id: merchantId } = await aMerchant(db, {
    name: "Blue Bottle Books",
    accentColor: "#0b5fff",
    supportEmail: "help@shop.example",
  });
  const charge = await aCharge(db, { merchantId, amount: "25", orderRef: "A-1042" });
  await aDeposit(db, { chargeId: charge.id, amount: received, fromAddress: SENDER });
  return askForRefund(stage.context, {
    ...{ merchantId, id: charge.id, amount: null, fiatAmount: null, currency: null, refundRef: null },
    ...{ reason: null, address: null, askedBy: null, apiKeyId: null },
  });
}
const pathOf = (refund: Refund) => `/r/${claimToken(stage.context, refund)}`;
const claimed = async (refund: Refund) => {
  const token = claimToken(stage.context, refund);
  return (await claimRefund(stage.context, { token, address: known, vet: async () => undefined })).refund;
};
const move = (refund: Refund, change: Omit<Parameters<typeof moveRefund>[2], "refund">) =>
  stage.context.db.transaction(async (tx) => {
    const locked = (await lockRefund(tx, refund)) ?? expect.fail("no refund");
    return moveRefund(stage.context, tx, { ...change, refund: locked });
  });
const sent = async () =>
  move(await claimed(await aRefund()), { event: "seen", txId: "5e".repeat(32), sentAt: new Date() });

async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(stage.axe);
  return page.evaluate(`axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))`);
}

it.each([
  ["a phone", phone],
  ["a phone without scripts", { ...phone, javaScriptEnabled: false }],
  ["a desktop", desk],
])(
  "on %s a payer names an address, mends a typing error, compares it in groups, and confirms it",
  async (_, device) => {
    const refund = await aRefund();
    const page = await stage.open(pathOf(refund), device);
    await visibleText(page, "Where should Blue Bottle Books send it?");
    await page
      .getByLabel("Your TRON address")
      .fill(`${known.slice(0, -1)}${known.endsWith("a") ? "b" : "a"}`);
    await page.getByRole("button", { name: "Check the address" }).click();
    await visibleText(page, "A character is wrong. Copy the whole address again.");
    await page.getByLabel("Your TRON address").fill(` ${known} `);
    await page.getByRole("button", { name: "Check the address" }).click();
    await visibleText(page, "Is this your address?");
    expect(await page.locator("main .address span").allTextContents()).toEqual(known.match(/.{1,4}/g));
    await page.getByRole("link", { name: "Take another address" }).click();
    await page.getByLabel("Your TRON address").fill(known);
    await page.getByRole("button", { name: "Check the address" }).click();
    await page.getByRole("button", { name: "Yes, send it there" }).click();
    await visibleText(page, "Your address is saved");
    await page.reload();
    await visibleText(page, "Your address is saved");
    const { merchantId, id } = refund;
    expect(await findRefund(stage.context.db, { merchantId, id })).toMatchObject({
      status: "READY",
      address: known,
      refusedAddresses: 1,
    });
  },
);

it("a double click on the confirmation takes one address", async () => {
  const refund = await aRefund();
  const page = await stage.open(pathOf(refund), { ...desk, javaScriptEnabled: false });
  await page.getByLabel("Your TRON address").fill(known);
  await page.getByRole("button", { name: "Check the address" }).click();
  await page.getByRole("button", { name: "Yes, send it there" }).dblclick();
  await visibleText(page, "Your address is saved");
});

/** The page in each of its states. */
const states: readonly (readonly [
  name: string,
  open: (page: Page) => Promise<unknown>,
  refund: () => Promise<Refund>,
])[] = [
  ["asks", async () => {}, () => aRefund()],
  ["proposes the sender", async () => {}, () => aRefund("500")],
  ["refuses", (page) => type(page, "0x52908400098527886E0F7030069857D2E4169EE7"), () => aRefund()],
  ["compares", (page) => type(page, anAddress()), () => aRefund("500")],
  ["waits", async () => {}, async () => claimed(await aRefund("500"))],
  ["is ready", async () => {}, async () => claimed(await aRefund())],
  ["is sent", async () => {}, sent],
  [
    "is paid",
    async () => {},
    async () => {
      const refund = await sent();
      return move(refund, { event: "completed", completedAt: new Date(), paidUnits: refund.units });
    },
  ],
  [
    "has expired",
    async () => {},
    async () => {
      const refund = await aRefund();
      await stage.context.owner.query(sql`
        update refunds set claim_until = now() where merchant_id = ${refund.merchantId} and id = ${refund.id}`);
      return refund;
    },
  ],
];

async function type(page: Page, address: string): Promise<void> {
  const another = page.locator("details > summary");
  if ((await another.count()) > 0) await another.click();
  await page.locator("#address").fill(address);
  await page.locator("form:has(#address) button").click();
  await page.locator("#fault, .notes").waitFor();
}

const devices = [
  ["English on a small phone, dark", "", { ...smallPhone, colorScheme: "dark" as const }],
  ["Arabic on a phone", "?lang=ar", { ...phone, colorScheme: "light" as const }],
  ["English on a desktop", "", { ...desk, colorScheme: "light" as const }],
  ["Arabic on a desktop, dark", "?lang=ar", { ...desk, colorScheme: "dark" as const }],
] as const;

it.each(devices.slice(0, isNight ? undefined : 1))(
  "the page has no fault of accessibility and nothing beside its edge in any state: %s",
  async (_, query, device) => {
    for (const [name, act, refundOf] of states) {
      const page = await stage.open(`${pathOf(await refundOf())}${query}`, device);
      await act(page);
      expect([name, await violationsOf(page)]).toEqual([name, []]);
      const { width } = device.viewport;
      expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, width]);
      await page.close();
    }
  },
);
