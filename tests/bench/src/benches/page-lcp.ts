import type { CDPSession, Page } from "playwright-core";
import { type Bench, print, round3 } from "../harness.ts";
import { type Payer, withPayer } from "../payer.ts";
import { control } from "../payments.ts";
import { spreadOf } from "../verdict.ts";

const LOADS = 9;
/** A cheap phone on a slow line: 1.6 Mbit/s down, half of that up. */
const SLOWER_CPU = 4;
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 100_000 };
const SETTLE_MS = 1_000;
const PAID_WITHIN_MS = 60_000;
const FINAL_AFTER_BLOCKS = 20;
const bars = { max: 1, lcpMs: 600, shiftAtLoad: 0.02, shiftOfPayment: 0.05 };

/** The page's own rendering figures. */
type RenderingFigures = { readonly lcpMs: number; readonly element: string; readonly shift: number };

/** A script for the page, installed before the first paint: it keeps the browser's paint times and layout shifts. */
const WATCH = `
  window.drawing = { lcpMs: 0, element: "", shift: 0 };
  new PerformanceObserver((list) => { for (const { startTime, element } of list.getEntries())
    Object.assign(window.drawing, { lcpMs: startTime, element: element?.className ?? "" }); })
    .observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.drawing.shift += value; })
    .observe({ type: "layout-shift", buffered: true });`;

/** How soon a payer sees the amount, and whether the layout shifts. */
export const pageLcp: Bench = {
  name: "page-lcp",
  measures:
    `the largest contentful paint of the payer's page, which is the amount, in the median of ${LOADS} loads at ` +
    "4x CPU, 1.6 Mbit/s and 150 ms; the layout shift at load and over a whole payment; the same loads of a payment link with every part",
  bar: `each at most ${bars.lcpMs} ms; shifts of at most ${bars.shiftAtLoad} and ${bars.shiftOfPayment}`,
  run: () =>
    withPayer("page_lcp", async (payer) => {
      const drawings = await drawingsOf(payer);
      const paid = await shiftOfPayment(payer);
      print(`  a whole payment: shift ${paid.toFixed(4)}`);
      print("  the page of a payment link");
      const linkDrawings = await drawingsOf({ ...payer, url: payer.linkUrl });
      const medianOf = (loads: readonly RenderingFigures[]) =>
        spreadOf(loads.map(({ lcpMs }) => lcpMs)).median;
      const [median, ofLink] = [medianOf(drawings), medianOf(linkDrawings)];
      print(`  medians: ${Math.round(median)} ms, ${Math.round(ofLink)} ms of the link`);
      const atLoad = Math.max(...[...drawings, ...linkDrawings].map(({ shift }) => shift));
      const isAmount = drawings.every(({ element }) => element.split(" ").includes("amount"));
      return {
        ratio: round3(median / bars.lcpMs),
        ours: round3(median),
        ceiling: bars.lcpMs,
        unit: "ms",
        rounds: LOADS,
        bars,
        holds: isAmount && ofLink <= bars.lcpMs && atLoad <= bars.shiftAtLoad && paid <= bars.shiftOfPayment,
        cpu: { ratio: 0, ours_us: 0, ceiling_us: 0, pg_us: 0 },
        isInconclusive: false,
      };
    }),
};

async function drawingsOf(payer: Payer): Promise<RenderingFigures[]> {
  const drawings: RenderingFigures[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    const { page } = await open(payer);
    const drawing = await drawingOf(page);
    print(`  ${Math.round(drawing.lcpMs)} ms, ${drawing.element}, shift ${drawing.shift.toFixed(4)}`);
    drawings.push(drawing);
    await page.context().close();
  }
  return drawings;
}

async function open({ openPage: loadPage, url }: Payer): Promise<{ page: Page; devtools: CDPSession }> {
  const { page, devtools } = await loadPage();
  await page.addInitScript(WATCH);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", LINE);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER_CPU });
  await page.goto(url, { waitUntil: "load" });
  return { page, devtools };
}

async function drawingOf(page: Page): Promise<RenderingFigures> {
  await page.waitForTimeout(SETTLE_MS);
  return page.evaluate<RenderingFigures>("window.drawing");
}

/** Pays the order while its page is open, block by block, until the page shows it. */
async function shiftOfPayment(payer: Payer): Promise<number> {
  const { page } = await open(payer);
  const state = (name: string) =>
    page.locator(`main[data-state="${name}"]`).waitFor({ timeout: PAID_WITHIN_MS });
  await state("awaiting");
  await control(payer.stage, "faucet", { address: payer.address, usdt: "25.5" });
  await control(payer.stage, "mine", { blocks: 1 });
  await state("confirming");
  await page.waitForTimeout(SETTLE_MS);
  await control(payer.stage, "mine", { blocks: FINAL_AFTER_BLOCKS });
  await state("paid");
  return (await drawingOf(page)).shift;
}
