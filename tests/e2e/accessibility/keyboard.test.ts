import { aDeposit } from "@daric/testing/charge-builders";
import { PASSWORD } from "@daric/testing/people";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { desk, SOON_MS } from "../checkout-stage.ts";
import { focusedName, tabTo } from "../keyboard.ts";
import { heard, hearPage } from "./measures.ts";
import { type AccessibilityStage, openAccessibilityStage } from "./surfaces.ts";

let stage: AccessibilityStage;

beforeAll(async () => {
  stage = await openAccessibilityStage();
});
afterAll(() => stage?.close());
/** The browser notes that a page says what is wrong. */
afterEach(async () =>
  expect((await stage.closePages()).filter((fault) => !/status of 4\d\d/.test(fault))).toEqual([]),
);

const clipboard = (page: Page) => page.evaluate<string>("navigator.clipboard.readText()");
const says = (page: Page, text: string | RegExp) =>
  page.locator("main").getByText(text).first().waitFor({ timeout: SOON_MS });
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { level: 1, name }).waitFor({ timeout: SOON_MS });
const press = async (page: Page, name: RegExp, key = "Enter") => {
  await tabTo(page, name);
  await page.keyboard.press(key);
};
const isHeard = (page: Page, text: string | RegExp) =>
  expect.poll(() => heard(page), { timeout: SOON_MS }).toContainEqual(expect.stringMatching(text));

describe("by the keyboard alone a payer", () => {
  it("copies amount and address, looks a transaction up, and hears each answer and the payment", async () => {
    const order = await stage.anOrder();
    const page = await stage.visit(`/c/${order.checkoutToken}`, desk);
    await says(page, "Waiting for your payment");
    await hearPage(page);
    await press(page, /^Copy amount$/);
    await isHeard(page, /^Copied$/);
    expect(await clipboard(page)).toBe("25.5");
    await press(page, /^Copy address$/, "Space");
    await expect.poll(() => clipboard(page)).toBe(order.address);
    await press(page, /^I have paid/);
    await tabTo(page, /^Transaction ID/);
    await page.keyboard.type("not an id");
    await page.keyboard.press("Enter");
    await isHeard(page, /transaction/i);
    await aDeposit(stage.context.db, { chargeId: order.id, amount: "25.5" });
    await isHeard(page, /^Paid\. 25\.50\sUSDT received\./);
    await tabTo(page, /^Print receipt$/);
  });

  it("chooses an amount of a payment link, writes a name, and comes to the page of the order", async () => {
    const page = await stage.show("payment link", desk);
    await tabTo(page, /^5\.00/);
    await page.keyboard.press("ArrowRight");
    expect(await focusedName(page)).toMatch(/^10\.00/);
    await tabTo(page, /^Your name$/);
    await page.keyboard.type("Ada");
    await page.keyboard.press("Enter");
    await says(page, "Waiting for your payment");
    await says(page, "10.00");
  });

  it("hears what is wrong with an address, mends it, compares it and confirms it", async () => {
    const page = await stage.visit(await stage.aClaim(), desk);
    await tabTo(page, /^Your TRON address$/);
    await page.keyboard.type(stage.knownAddress.slice(0, -1));
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor({ timeout: SOON_MS });
    await tabTo(page, /^Your TRON address$/);
    await page.keyboard.press("Control+a");
    await page.keyboard.type(stage.knownAddress);
    await press(page, /^Check the address$/);
    await says(page, "Is this your address?");
    await press(page, /^Yes, send it there$/);
    await says(page, "Your address is saved");
  });
});

describe("by the keyboard alone a person of the merchant", () => {
  it("pastes a password, and signs in without a puzzle", async () => {
    const page = await stage.open("/sign-in", desk);
    await tabTo(page, /^E-mail$/);
    await page.keyboard.type(stage.owner.email);
    await tabTo(page, /^Password$/);
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(PASSWORD)})`);
    await page.keyboard.press("Control+v");
    await page.keyboard.press("Enter");
    await heading(page, "Home");
  });

  it("opens a payment from the list, and hears that its link was copied", async () => {
    const page = await stage.show("dashboard, payments", desk);
    await tabTo(page, /^A-/);
    const first = await focusedName(page);
    await page.keyboard.press("j");
    expect(await focusedName(page)).not.toBe(first);
    await page.keyboard.press("k");
    expect(await focusedName(page)).toBe(first);
    await page.keyboard.press("Enter");
    await heading(page, /^A-/);
    await page.getByRole("button", { name: "Copy the page's link" }).waitFor({ timeout: SOON_MS });
    await hearPage(page);
    await press(page, /^Copy the page's link$/);
    await isHeard(page, /^Copied$/);
    expect(await clipboard(page)).toContain(`${stage.origin}/c/`);
  });

  it("makes a payment link, and comes to its page", async () => {
    const page = await stage.show("dashboard, payment-links/new", desk);
    await tabTo(page, /^Title$/);
    await page.keyboard.type("Tasting");
    await tabTo(page, /^Amount/);
    await page.keyboard.type("12.5");
    await page.keyboard.press("Enter");
    await heading(page, "Tasting");
  });

  it("hears that a setting was saved", async () => {
    const page = await stage.show("dashboard, security", desk);
    await hearPage(page);
    await tabTo(page, /^Your name/);
    await page.keyboard.type(" Lovelace");
    await page.keyboard.press("Enter");
    await isHeard(page, /^Saved$/);
  });

  it("moves nothing by a letter or a sign, as spoken words are, while no row of a list has the focus", async () => {
    const page = await stage.show("dashboard, payments", desk);
    const { url, focus } = { url: page.url(), focus: await focusedName(page) };
    for (const key of "abcdefghijklmnopqrstuvwxyz0123456789/?.,-") await page.keyboard.press(key);
    expect([page.url(), await focusedName(page)]).toEqual([url, focus]);
    expect(await page.locator("dialog").count()).toBe(0);
  });
});
