import { isNight } from "@daric/testing/at-night";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { desk, smallPhone } from "../checkout-stage.ts";
import { at200Percent, at400Percent, lossesOf, spaceText } from "./measures.ts";
import { type AccessibilityStage, openAccessibilityStage, type Surface } from "./surfaces.ts";

let stage: AccessibilityStage;

beforeAll(async () => {
  stage = await openAccessibilityStage();
});
afterAll(() => stage?.close());
afterEach(async () => expect((await stage.closePages()).join("\n")).toBe(""));

/** By day figures, a list, a story and a form of the dashboard; at night every page. */
const daily = ["home", "payments", "payments/one", "payment-links/new"].map((page) => `dashboard, ${page}`);
const surfaces = (): Surface[] => [
  ...stage.public,
  ...stage.dashboard.filter(({ name }) => isNight || daily.includes(name)),
];

it("no text is cut and no part is scrolled sideways at 200 %, at 400 % and with the text spacing of WCAG 1.4.12", async () => {
  const windows = { "200 %": at200Percent, "400 %": at400Percent, "100 %, spaced": desk.viewport };
  const lost: Record<string, string[]> = {};
  for (const surface of surfaces()) {
    const page = await stage.show(surface, desk);
    for (const [zoom, size] of Object.entries(windows)) {
      await page.setViewportSize(size);
      if (zoom.endsWith("spaced")) await spaceText(page);
      const found = await lossesOf(page);
      if (found.length > 0) lost[`${surface.name} at ${zoom}`] = found;
    }
    await page.context().close();
  }
  expect(lost).toEqual({});
}, 300_000);

it("a page of payers has room for this spacing on a small phone too", async () => {
  for (const surface of stage.public) {
    const page = await stage.show(surface, smallPhone);
    await spaceText(page);
    expect([surface.name, ...(await lossesOf(page))]).toEqual([surface.name]);
    await page.context().close();
  }
});

it("each target is 24 by 24 px, or has that room around it", async () => {
  const small: Record<string, string[]> = {};
  let targets = 0;
  for (const surface of surfaces()) {
    const page = await stage.show(surface, smallPhone);
    await page.evaluate(stage.axe);
    const { fit, faults } = await page.evaluate<{ fit: number; faults: string[] }>(`
      axe.run({ runOnly: { type: "rule", values: ["target-size"] } }).then(({ passes, violations, incomplete }) => ({
        fit: passes.flatMap(({ nodes }) => nodes).length,
        faults: [...violations, ...incomplete].flatMap(({ nodes }) => nodes.map(({ html }) => html)),
      }))`);
    targets += fit;
    if (faults.length > 0) small[surface.name] = faults;
    await page.context().close();
  }
  expect(small).toEqual({});
  expect(targets).toBeGreaterThan(100);
}, 300_000);
