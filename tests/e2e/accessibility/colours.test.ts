import { mkdir } from "node:fs/promises";
import { aDeposit } from "@daric/testing/charge-builders";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { desk, SOON_MS } from "../checkout-stage.ts";
import { type AccessibilityStage, openAccessibilityStage } from "./surfaces.ts";

let stage: AccessibilityStage;

beforeAll(async () => {
  stage = await openAccessibilityStage();
});
afterAll(() => stage?.close());
afterEach(async () => expect((await stage.closePages()).join("\n")).toBe(""));

const forced = { ...desk, forcedColors: "active", colorScheme: "dark" } as const;

/** A picture of one part: the eye sees a difference where two are not equal. */
const pictureOf = (part: Locator) => part.screenshot({ animations: "disabled" });

/** The lightest and the darkest of a part's pixels, from 0 to 255. */
async function rangeOf(page: Page, part: Locator): Promise<{ darkest: number; lightest: number }> {
  const picture = `data:image/png;base64,${(await pictureOf(part)).toString("base64")}`;
  const other = await page.context().browser()?.newPage();
  if (other === undefined) return expect.fail("no browser");
  const range = await other.evaluate<{ darkest: number; lightest: number }>(`(async () => {
    const image = new Image();
    image.src = ${JSON.stringify(picture)};
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    let [darkest, lightest] = [255, 0];
    for (let at = 0; at < data.length; at += 4) {
      const light = (data[at] + data[at + 1] + data[at + 2]) / 3;
      [darkest, lightest] = [Math.min(darkest, light), Math.max(lightest, light)];
    }
    return { darkest, lightest };
  })()`);
  await other.context().close();
  return range;
}

describe("in forced colours", () => {
  it("the chosen amount of a payment link differs from the others, and the focus from the choice", async () => {
    const page = await stage.show("payment link", forced);
    const first = page.locator(".choices label").first();
    const chosen = await pictureOf(first);
    await page.getByRole("radio").first().focus();
    await page.keyboard.press("ArrowRight");
    expect(await pictureOf(first)).not.toEqual(chosen);
    const second = page.locator(".choices label").nth(1);
    const withFocus = await second.evaluate(
      (label) => getComputedStyle(label.lastElementChild as Element).outlineStyle,
    );
    await page.getByLabel("Your name").focus();
    const without = await second.evaluate(
      (label) => getComputedStyle(label.lastElementChild as Element).outlineStyle,
    );
    expect([withFocus, without]).toEqual(["solid", "none"]);
  });

  it.each([
    ["checkout, awaiting", ".qr-code"],
    ["dashboard, payment-links/one", ".qr svg"],
  ])("the QR code of the %s stays dark on white, so that a camera reads it", async (name, code) => {
    const page = await stage.show(name, forced);
    const { darkest, lightest } = await rangeOf(page, page.locator(code).first());
    expect(darkest).toBeLessThan(40);
    expect(lightest).toBe(255);
  });

  it("the command that Enter follows differs from the others", async () => {
    const page = await stage.show("dashboard, home", forced);
    await page.keyboard.press("Control+k");
    const option = page.getByRole("option", { name: /^Home/ });
    await option.waitFor({ timeout: SOON_MS });
    const chosen = await pictureOf(option);
    await page.keyboard.press("ArrowDown");
    expect(await pictureOf(option)).not.toEqual(chosen);
  });

  it.runIf(process.env.LOOK)(
    "a picture of every page is written into the folder of LOOK",
    async () => {
      const folder = process.env.LOOK ?? "";
      await mkdir(folder, { recursive: true });
      for (const surface of [...stage.public, ...stage.dashboard]) {
        const page = await stage.show(surface, forced);
        await page.screenshot({ path: `${folder}/${surface.name.replace(/\W+/g, "-")}.png`, fullPage: true });
        await page.context().close();
      }
    },
    300_000,
  );
});

describe("movement", () => {
  /** Running animations with the milliseconds of their whole life; null has no end. */
  const lives = (page: Page) =>
    page.evaluate<(number | null)[]>(
      "document.getAnimations().map((animation) => { const { endTime } = animation.effect.getComputedTiming(); return Number.isFinite(endTime) ? endTime : null; })",
    );
  const confirming = async () => {
    const order = await stage.anOrder();
    await aDeposit(stage.context.db, { chargeId: order.id, amount: "25.5", status: "CONFIRMING" });
    return { name: "", path: `/c/${order.checkoutToken}`, shows: "Payment found" };
  };

  it("beside the texts of a payer ends within five seconds", async () => {
    for (const surface of [stage.surface("checkout, awaiting"), await confirming()]) {
      const page = await stage.show(surface, { ...desk, reducedMotion: "no-preference" });
      const found = await lives(page);
      expect(found).not.toEqual([]);
      expect(found.filter((life) => life === null || life > 5_000)).toEqual([]);
    }
  });

  it("is absent for a reader that prefers none", async () => {
    const surfaces = [...stage.public, await confirming(), stage.surface("dashboard, home")];
    for (const surface of surfaces) {
      const page = await stage.show(surface, { ...desk, reducedMotion: "reduce" });
      expect([surface.name, await lives(page)]).toEqual([surface.name, []]);
    }
  });
});
