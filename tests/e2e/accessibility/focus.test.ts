import { isNight } from "@daric/testing/at-night";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { desk, SOON_MS } from "../checkout-stage.ts";
import { focusedName, tabTo } from "../keyboard.ts";
import { at400Percent, stopsOf } from "./measures.ts";
import { type AccessibilityStage, openAccessibilityStage } from "./surfaces.ts";

let stage: AccessibilityStage;

beforeAll(async () => {
  stage = await openAccessibilityStage();
});
afterAll(() => stage?.close());
afterEach(async () => expect((await stage.closePages()).join("\n")).toBe(""));

/** By day a page with a list, one with many buttons, and a form; at night every page of the dashboard. */
const daily = ["payments", "payments/one", "settings"].map((page) => `dashboard, ${page}`);

describe("the focus", () => {
  it("is marked by a line, and no part lies over it: forwards on a desk, and backwards at 400 % below the bar that stays", async () => {
    const faults: string[] = [];
    const surfaces = stage.dashboard.filter(({ name }) => isNight || daily.includes(name));
    for (const surface of [...stage.public, ...surfaces]) {
      const page = await stage.show(surface, desk);
      const forwards = await stopsOf(page);
      await page.setViewportSize(at400Percent);
      const backwards = await stopsOf(page, "Shift+Tab");
      for (const { name, isSeen, isMarked } of [...forwards, ...backwards]) {
        if (!isSeen) faults.push(`${surface.name}: ${name} is hidden`);
        if (!isMarked) faults.push(`${surface.name}: ${name} has no line`);
      }
      expect(Math.min(forwards.length, backwards.length), surface.name).toBeGreaterThanOrEqual(4);
      await page.context().close();
    }
    expect(faults).toEqual([]);
  }, 300_000);

  it.each([
    ["checkout, awaiting", ["Copy amount", "Copy address", "I have paid, but it does not show"]],
    [
      "checkout, paid",
      ["Write to Blue Bottle Books", "Copy transaction id", "Print receipt", "Back to Blue Bottle Books"],
    ],
    [
      "payment link",
      [
        "5.00 USDT",
        "Another amount in USDT",
        "Your name",
        "A note to Blue Bottle Books (optional)",
        "Continue to payment",
      ],
    ],
    ["claim", ["Your TRON address", "Check the address"]],
  ])("goes through the %s in the order of reading", async (name, order) => {
    const page = await stage.show(name, desk);
    const stops = (await stopsOf(page)).map((stop) => stop.name);
    expect(stops.slice(0, order.length)).toEqual(order);
  });

  it("stays in a dialog of the dashboard, and returns to the button that opened it", async () => {
    const page = await stage.show("dashboard, payments/one", desk);
    await tabTo(page, /^Close$/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ timeout: SOON_MS });
    for (let pressed = 0; pressed < 12; pressed += 1) {
      await page.keyboard.press("Tab");
      expect(
        await page.evaluate(
          "document.activeElement === document.body || document.activeElement.closest('dialog') !== null",
        ),
      ).toBe(true);
    }
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached", timeout: SOON_MS });
    expect(await focusedName(page)).toBe("Close");
  });

  it("moves into the page that was chosen, from the menu and from the commands", async () => {
    const page = await stage.show("dashboard, home", desk);
    await tabTo(page, /^Payment links$/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Payment links" }).waitFor({ timeout: SOON_MS });
    expect(await page.evaluate("document.activeElement.id")).toBe("content");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("People");
    await page.getByRole("option", { name: /^People/ }).waitFor({ timeout: SOON_MS });
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "People" }).waitFor({ timeout: SOON_MS });
    expect(await page.evaluate("document.activeElement.id")).toBe("content");
  });

  it("leaves the menu behind by the first stop of a page of the dashboard", async () => {
    const page = await stage.show("dashboard, home", desk);
    await page.keyboard.press("Tab");
    expect(await focusedName(page)).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true);
  });
});
