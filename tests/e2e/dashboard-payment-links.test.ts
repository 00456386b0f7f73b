import { readFile } from "node:fs/promises";
import { sealPayer } from "@daric/charges/payer";
import { sql } from "@daric/postgres/sql";
import { aSettlementAccount } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { ownersDatabase } from "@daric/testing/owners-database";
import { aPaymentLink } from "@daric/testing/payment-link-builder";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { SOON_MS } from "./checkout-stage.ts";
import { type DashboardStage, openDashboardStage } from "./dashboard-stage.ts";

let stage: DashboardStage;
beforeAll(async () => {
  stage = await openDashboardStage();
});
afterAll(() => stage?.close());
afterEach(async () => expect((await stage.closePages()).join("\n")).toBe(""));

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name, exact: true }).waitFor({ timeout: SOON_MS });
const copied = (page: Page) => page.evaluate<string>("navigator.clipboard.readText()");
/** The value beside a name on the page. */
const factOf = (page: Page, name: string) =>
  page
    .locator(".facts div", { has: page.getByText(name, { exact: true }) })
    .locator("dd")
    .innerText();

const aLink = (title = "Concert ticket") => aPaymentLink(stage.context, stage.merchant.id, { title });

describe("a payment link", () => {
  it("within bounds is made beside its preview once its faults are mended, and stands in the list", async () => {
    await aSettlementAccount(stage.context.db, stage.merchant.id);
    const wallet = await aSettlementAccount(stage.context.db, stage.merchant.id, { label: "Savings" });
    const page = await stage.enter(await stage.person("developer"), "/payment-links");
    await page.getByText("No payment link yet").waitFor({ timeout: SOON_MS });
    await page.getByRole("link", { name: "Create payment link" }).first().click();
    await heading(page, "Create payment link");
    await page.getByLabel("Title").fill("Support our library");
    await page.getByLabel("The price is set by").selectOption("The customer");
    await page.getByLabel("Price in").selectOption("USD");
    await page.getByLabel(/^At least/).fill("10");
    await page.getByLabel(/^At most/).fill("5");
    await page.getByLabel("Suggested amount 1").fill("20.00");
    await page.getByText("More options").click();
    await page.getByLabel(/^Page after payment/).fill("shop");
    await page.getByLabel("Wallet").selectOption(wallet.id);
    await page.getByText("More options").click();
    await button(page, "Create payment link").click();
    await page.locator(".fault").first().waitFor({ timeout: SOON_MS });
    expect(await page.evaluate("document.activeElement.name")).toBe("maxAmount");
    expect(await page.locator(".fault").filter({ visible: true }).allInnerTexts()).toEqual([
      "The largest amount is below the least one.",
      "Each suggested amount must be within the bounds.",
      "Enter a whole web address, like https://shop.example/page.",
    ]);
    await page.getByLabel(/^At most/).fill("1,000");
    await page.getByLabel(/^Page after payment/).fill("");
    const preview = await page.locator(".preview").innerText();
    for (const text of ["Blue Bottle Books", "Support our library", "10.00–1,000.00 USD", "20.00 USD"])
      expect(preview).toContain(text);
    await button(page, "Create payment link").click();
    await heading(page, "Support our library");
    await page.getByText("Payments of this link").waitFor({ timeout: SOON_MS });
    expect(await factOf(page, "Wallet")).toContain(wallet.id.slice(0, 6));
    await page.goto(`${stage.origin}/dashboard/payment-links?status=active`);
    const row = page.locator("tbody tr", { hasText: "Support our library" });
    await row.waitFor({ timeout: SOON_MS });
    expect(await row.innerText()).toContain("10.00–1,000.00 USD");
    await row.getByRole("button", { name: "Copy the link" }).click();
    expect(await copied(page)).toMatch(new RegExp(`^${stage.origin}/l/[\\w-]{40}$`));
  });

  it("is in any currency that can be priced, and shows its decimals, also while its markets are closed", async () => {
    const page = await stage.enter(await stage.person("developer"), "/payment-links/new");
    const choice = page.getByLabel("Price in");
    await page.getByText("EUR · Euro, paid in USDT").waitFor({ state: "attached", timeout: SOON_MS });
    expect(await choice.locator("option").allInnerTexts()).toEqual([
      "USDT",
      "TRX",
      "USD · US Dollar, paid in USDT",
      "EUR · Euro, paid in USDT",
      "JPY · Japanese Yen, markets are closed now",
    ]);
    await page.getByLabel("Title").fill("Poster");
    await choice.selectOption("JPY");
    await page.getByLabel(/^Amount/).fill("1500");
    await page.locator(".preview", { hasText: "1,500 JPY" }).waitFor({ timeout: SOON_MS });
    await button(page, "Create payment link").click();
    await heading(page, "Poster");
    expect(await factOf(page, "Price")).toBe("1,500 JPY");
  });

  it("is paused, resumed and changed, and a stock of no number is refused beside its field", async () => {
    const { id } = await aLink();
    const page = await stage.enter(await stage.person("developer"), `/payment-links/${id}`);
    await button(page, "Pause").click();
    await button(page, "Resume").waitFor({ timeout: SOON_MS });
    expect(await factOf(page, "Status")).toBe("Paused");
    await button(page, "Resume").click();
    await button(page, "Pause").waitFor({ timeout: SOON_MS });
    await button(page, "Change").click();
    const dialog = page.getByRole("dialog", { name: "Change" });
    await dialog.getByLabel("Title").fill("Concert ticket, Sunday");
    await dialog.getByLabel(/^Number of payments/).fill("many");
    await dialog.getByLabel(/^Takes orders until/).fill("2020-01-01T12:00");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.locator(".fault").first().waitFor({ timeout: SOON_MS });
    expect(await page.evaluate("document.activeElement.name")).toBe("maxPayments");
    await dialog.getByLabel(/^Number of payments/).fill("100");
    await dialog.getByRole("button", { name: "Save" }).click();
    const past = dialog.locator(".fault", { hasText: "Choose a time that is not over yet." });
    await past.waitFor({ timeout: SOON_MS });
    await dialog.getByLabel(/^Takes orders until/).fill("");
    await dialog.getByRole("button", { name: "Save" }).click();
    await heading(page, "Concert ticket, Sunday");
    expect(await factOf(page, "Paid orders")).toBe("0 of 100");
  });

  it("changed by another person meanwhile is not overwritten, and what was typed is kept", async () => {
    const { id } = await aLink();
    const mine = await stage.enter(await stage.person("admin"), `/payment-links/${id}`);
    await button(mine, "Change").click();
    const dialog = mine.getByRole("dialog", { name: "Change" });
    await dialog.getByLabel("Title").fill("Mine");
    await stage.context.db.query(
      sql`update payment_links set title = 'Theirs', updated_at = now() where merchant_id = ${stage.merchant.id} and id = ${id}`,
    );
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Another person changed this meanwhile").waitFor({ timeout: SOON_MS });
    await dialog.getByText("Stored by another person meanwhile: Theirs").waitFor({ timeout: SOON_MS });
    expect(await dialog.getByLabel("Title").inputValue()).toBe("Mine");
  });

  it("is seen by a viewer, who can neither make nor change one", async () => {
    const { id } = await aLink();
    const page = await stage.enter(await stage.person("viewer"), "/payment-links");
    await page.getByRole("link", { name: "Concert ticket" }).first().waitFor({ timeout: SOON_MS });
    expect(await page.getByRole("link", { name: "Create payment link" }).count()).toBe(0);
    await page.goto(`${stage.origin}/dashboard/payment-links/${id}`);
    await button(page, "Copy a message").waitFor({ timeout: SOON_MS });
    expect([await button(page, "Pause").count(), await button(page, "Change").count()]).toEqual([0, 0]);
    await page.goto(`${stage.origin}/dashboard/payment-links/new`);
    await page.getByText("Your role does not allow this.").waitFor({ timeout: SOON_MS });
  });
});

describe("of a payment link", () => {
  it("the message, the QR code and the button's code are ready to take away", async () => {
    const link = await aLink('Tea & <b>"Biscuits"</b>');
    const url = `${stage.origin}/l/${link.token}`;
    const page = await stage.enter(await stage.person("viewer"), `/payment-links/${link.id}`);
    await button(page, "Copy a message").click();
    expect(await copied(page)).toBe(`${link.title}\nPay here:\n${url}`);
    const fileOf = async (name: string) => {
      const download = page.waitForEvent("download");
      await page.getByRole("link", { name }).click();
      const file = await download;
      return [file.suggestedFilename(), await readFile(await file.path())] as const;
    };
    const [svgName, svg] = await fileOf("QR code as SVG");
    expect([svgName.endsWith(".svg"), svg.toString().slice(0, 40)]).toEqual([
      true,
      '<svg xmlns="http://www.w3.org/2000/svg" ',
    ]);
    const [pngName, png] = await fileOf("QR code as PNG");
    expect([pngName.endsWith(".png"), png.subarray(1, 4).toString()]).toEqual([true, "PNG"]);
    expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(1_200);
    await button(page, "Copy the code").click();
    expect(await copied(page)).toContain("Pay: Tea &amp; &lt;b&gt;&quot;Biscuits&quot;&lt;/b&gt;</a>");
    await page.getByLabel("Where to").selectOption("Markdown");
    await button(page, "Copy the code").click();
    expect(await copied(page)).toBe(String.raw`[Pay\: Tea \& \<b\>\"Biscuits\"\<\/b\>](${url})`);
  });

  it("the poster is one page of A4 with what is sold, its price and the code, and nothing of the dashboard", async () => {
    const { id } = await aLink();
    const page = await stage.enter(await stage.person("viewer"), `/payment-links/${id}/poster`);
    await page.locator(".poster .qr").waitFor({ timeout: SOON_MS });
    const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString("latin1");
    expect(pdf.match(/\/Type ?\/Page\b/g)).toHaveLength(1);
    expect(pdf).toMatch(/\/MediaBox ?\[0 0 59[45]\.\d+ 84[12]\.\d+\]/);
    await page.emulateMedia({ media: "print" });
    const printed = await page.locator("body").innerText();
    expect(printed.split("\n").filter(Boolean)[0]).toBe("Blue Bottle Books");
    for (const text of ["Concert ticket", "Scan to pay", "You pay in USDT on TRON.", "/l/"])
      expect(printed).toContain(text);
    expect(await button(page, "Print").isVisible()).toBe(false);
  });

  it("the payments are listed alone, and what their customers typed is shown as such", async () => {
    const { id } = await aLink();
    const { context, merchant } = stage;
    const order = await aCharge(context.db, { merchantId: merchant.id, orderRef: "T-7", label: "Ticket" });
    await aCharge(context.db, { merchantId: merchant.id, orderRef: "A-1" });
    const payer = sealPayer(context.config.webhooks.masterKey, order, { name: "<b>Eve</b>", note: "Row 1" });
    await ownersDatabase(context.db).query(sql`
      update deposit_addresses set payment_link_id = ${id}, payer_ref = 'newsletter-7', payer = ${payer}
      where merchant_id = ${merchant.id} and id = ${order.id}`);
    const page = await stage.enter(await stage.person("support"), `/payment-links/${id}`);
    await page.getByRole("link", { name: "All payments" }).click();
    await heading(page, "Payments");
    await page.locator("[data-row]", { hasText: "T-7" }).waitFor({ timeout: SOON_MS });
    expect(await page.locator("[data-row]").count()).toBe(1);
    await page.locator("[data-row]", { hasText: "T-7" }).click();
    await page.getByRole("heading", { name: "Typed by the customer" }).waitFor({ timeout: SOON_MS });
    await page.getByText("Anyone can type this. It proves nothing.").waitFor();
    expect([await factOf(page, "Name"), await factOf(page, "Note")]).toEqual(["<b>Eve</b>", "Row 1"]);
    await page.getByRole("link", { name: "newsletter-7" }).click();
    await page.getByTitle("Remove").click();
    await page.locator("[data-row]", { hasText: "A-1" }).waitFor({ timeout: SOON_MS });
  });
});
