import type { Page } from "playwright-core";
import { createOrders, UNCAPPED } from "../charge-requests.ts";
import { type DashboardBrowser, withDashboardBrowser } from "../dashboard-browser.ts";
import { fillOrders } from "../fill.ts";
import { openGenerator } from "../generator.ts";
import { type Bench, print, round3 } from "../harness.ts";
import { onStage } from "../stage.ts";
import { spreadOf } from "../verdict.ts";

const SMALL = 100;
const LARGE = 1_000_000;
const OPENS = 15;
const WARM_UP = 3;
const SOON_MS = 60_000;
const bars = { max: 1.2 };

/** Measures the time from the tap on the link to the paint of the first row. The page has not cached the list. */
const OPEN = `new Promise((resolve) => {
  const began = performance.now();
  const seen = new MutationObserver(() => {
    if (document.querySelector("main .rows.is-virtual [data-row]") === null) return;
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
  });
  seen.observe(document.body, { childList: true, subtree: true });
  document.querySelector('.nav-link[href="/dashboard/payments"]').click();
})`;

/** Whether the time to open a list is independent of its length. */
export const dashboardList: Bench = {
  name: "dashboard-list",
  measures:
    `opening the list of payments of a merchant with 10^6 orders over one with ${SMALL}, in the browser: from the ` +
    `tap to the paint of the first row, the median of ${OPENS} of each in turn`,
  bar: `at most ${bars.max} times`,
  run: ({ orders }) =>
    onStage(async (stage) => {
      const deployment = await stage.open("dashboard_list");
      const [small, large] = [await deployment.merchant(...UNCAPPED), await deployment.merchant(...UNCAPPED)];
      const filling = await deployment.serve("api");
      const generator = await openGenerator(filling.port, 1);
      await createOrders(generator, small, SMALL);
      await createOrders(generator, large, 1);
      generator.close();
      await filling.stop();
      const many = Math.min(LARGE, orders);
      await fillOrders(deployment.db, [large], many - 1);
      await deployment.db.query("vacuum analyze");
      print(`  ${many} orders are filled`);
      const service = await deployment.serve("api");
      return withDashboardBrowser(deployment, service, async (dashboard) => {
        const pages = [await homeOf(dashboard, small.id), await homeOf(dashboard, large.id)] as const;
        const times: [number[], number[]] = [[], []];
        for (let open = 0; open < WARM_UP + OPENS; open += 1) {
          // The sides take turns at being first, so that the order has no effect.
          for (const side of open % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
            const ms = await opened(pages[side], dashboard);
            if (open >= WARM_UP) times[side].push(ms);
          }
        }
        await printFilters(pages, [small.id, large.id]);
        const [smallTimes, largeTimes] = [spreadOf(times[0]), spreadOf(times[1])];
        print(`  ${SMALL}: ${smallTimes.median.toFixed(1)} ms; ${many}: ${largeTimes.median.toFixed(1)} ms`);
        return {
          ratio: round3(largeTimes.median / smallTimes.median),
          ours: round3(largeTimes.median),
          ceiling: round3(smallTimes.median),
          unit: "ms",
          rounds: OPENS,
          bars,
          cpu: { ratio: 0, ours_us: 0, ceiling_us: 0, pg_us: 0 },
          isInconclusive: false,
        };
      });
    }),
};

/** The filters that `/v1` does not have. */
const FILTERS = ["payment=paid", "payment=short", "reference=F-9", `from=${new Date(0).toISOString()}`];

/** Prints how long the service takes for the first page of each filter, with 10^6 orders and with few. */
async function printFilters(pages: readonly [Page, Page], ids: readonly [string, string]): Promise<void> {
  for (const filter of FILTERS) {
    const medians = [];
    for (const side of [0, 1] as const)
      medians.push(
        await pages[side].evaluate<number>(`(async () => {
          const times = [];
          for (let round = 0; round < ${OPENS}; round += 1) {
            const began = performance.now();
            await (await fetch("/dashboard/v1/payments?${filter}", { headers: { "x-daric-merchant": "${ids[side]}" } })).json();
            times.push(performance.now() - began);
          }
          return times.sort((one, other) => one - other)[${OPENS >> 1}];
        })()`),
      );
    const [few = 0, many = 0] = medians;
    print(
      `  the first page of ${filter}: ${few.toFixed(1)} ms with ${SMALL}, ${many.toFixed(1)} ms with many`,
    );
  }
}

async function homeOf(dashboard: DashboardBrowser, merchantId: string): Promise<Page> {
  const { page } = await dashboard.enter(merchantId);
  return page;
}

/** Opens the list from a page that has not loaded it before. */
async function opened(page: Page, { origin }: DashboardBrowser): Promise<number> {
  await page.goto(`${origin}/dashboard/people`);
  await page.locator("main table").waitFor({ timeout: SOON_MS });
  await page.waitForLoadState("networkidle");
  return page.evaluate<number>(OPEN);
}
