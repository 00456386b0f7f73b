import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { desk, SOON_MS } from "../checkout-stage.ts";
import { type AccessibilityStage, openAccessibilityStage } from "./surfaces.ts";
import { treeOf } from "./tree.ts";

const READING_MS = 500;
const MAX_READINGS = 10;

let stage: AccessibilityStage;

beforeAll(async () => {
  stage = await openAccessibilityStage();
});
afterAll(() => stage?.close());
afterEach(async () => expect((await stage.closePages()).join("\n")).toBe(""));

const asItIs = async () => {};
const search = async (page: Page) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search" }).fill("A-1043");
  await page.getByRole("option", { name: /A-1043/ }).waitFor({ timeout: SOON_MS });
};
const refused = async (page: Page) => {
  await page.getByLabel("Your TRON address").fill("0x52908400098527886E0F7030069857D2E4169EE7");
  await page.getByRole("button", { name: "Check the address" }).click();
  await page.getByRole("alert").waitFor({ timeout: SOON_MS });
};

/** The tree once two readings are alike: a part of a page may come after its heading. */
async function settledTreeOf(page: Page): Promise<string> {
  let tree = await treeOf(page);
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    await page.waitForTimeout(READING_MS);
    const next = await treeOf(page);
    if (next === tree) return tree;
    tree = next;
  }
  return tree;
}

/** A change of a page that is wanted is written by `vitest run --update`, and read by a person. */
describe("the browser's accessibility tree, with the roles, names and states of everything, is the reviewed one", () => {
  it.each([
    ["checkout, awaiting", asItIs, "checkout"],
    ["checkout, paid", asItIs, "checkout-paid"],
    ["payment link", asItIs, "payment-link"],
    ["claim", refused, "claim-refused"],
    ["dashboard, payments/one", asItIs, "dashboard-payment"],
    ["dashboard, home", search, "dashboard-search"],
    ["dashboard, ask-for-payment", asItIs, "dashboard-form"],
  ] as const)("of %s", async (name, act, file) => {
    const page = await stage.show(name, desk);
    await act(page);
    await expect(await settledTreeOf(page)).toMatchFileSnapshot(`trees/${file}.txt`);
  });

  it("of the sign-in", async () => {
    const page = await stage.open("/sign-in");
    await page.getByLabel("E-mail").waitFor({ timeout: SOON_MS });
    await expect(await settledTreeOf(page)).toMatchFileSnapshot("trees/sign-in.txt");
  });
});
