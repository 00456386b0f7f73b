import { setInterval as every } from "node:timers/promises";
import { createOrders, UNCAPPED } from "../charge-requests.ts";
import { withDashboardBrowser } from "../dashboard-browser.ts";
import { fillOrders } from "../fill.ts";
import { openGenerator } from "../generator.ts";
import { type Bench, print, round3 } from "../harness.ts";
import { residentBytesOf } from "../processor-time.ts";
import { onStage } from "../stage.ts";

const SMALL = 10_000;
const LARGE = 1_000_000;
const WARM_UP = 5;
const SAMPLE_MS = 50;
const MEGA = 1_048_576;
const bars = { max: 1.3 };

/** Whether the memory of a download is independent of the length of the list. */
export const dashboardExport: Bench = {
  name: "dashboard-export",
  measures:
    `the most memory (RSS) of the process that streams 10^6 payments as CSV over that of ${WARM_UP} downloads of ` +
    `${SMALL} before`,
  bar: `at most ${bars.max} times`,
  run: ({ orders }) =>
    onStage(async (stage) => {
      const deployment = await stage.open("dashboard_export");
      const [small, large] = [await deployment.merchant(...UNCAPPED), await deployment.merchant(...UNCAPPED)];
      const filling = await deployment.serve("api");
      const generator = await openGenerator(filling.port, 1);
      for (const merchant of [small, large]) await createOrders(generator, merchant, 1);
      generator.close();
      await filling.stop();
      const many = Math.min(LARGE, orders);
      await fillOrders(deployment.db, [large], many - 1);
      // The small list is a part of the large one: the newest rows, by a range of time.
      const times = await deployment.db.query(
        "select created_at from deposit_addresses where merchant_id = $1 order by id desc offset $2 limit 1",
        [large.id, Math.min(SMALL, many) - 1],
      );
      const from = times.rows[0].created_at.toISOString();
      await deployment.db.query("vacuum analyze");
      print(`  ${many} orders are filled`);
      const service = await deployment.serve("api");
      return withDashboardBrowser(deployment, service, async (dashboard) => {
        const { page } = await dashboard.enter(large.id);
        const cookies = await page.context().cookies();
        const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
        const path = `${dashboard.origin}/dashboard/v1/exports/payments?format=csv&merchantId=${large.id}`;
        const measurePeak = async (url: string) => peakOf(service.pid, () => countLines(url, cookie));
        let ceiling = 0;
        for (let count = 0; count < WARM_UP; count += 1)
          ceiling = Math.max(ceiling, (await measurePeak(`${path}&from=${from}`)).peakMb);
        const { lines, peakMb, seconds } = await measurePeak(path);
        if (lines !== many + 1) throw new Error(`${lines} lines came instead of ${many + 1}`);
        print(
          `  ${lines} lines in ${seconds.toFixed(1)} s; ${peakMb.toFixed(0)} MB, ${ceiling.toFixed(0)} MB before`,
        );
        return {
          ratio: round3(peakMb / ceiling),
          ours: round3(peakMb),
          ceiling: round3(ceiling),
          unit: "MB",
          rounds: 1,
          bars,
          cpu: { ratio: 0, ours_us: 0, ceiling_us: 0, pg_us: 0 },
          isInconclusive: false,
        };
      });
    }),
};

/** The most resident memory of a process while the work runs. */
async function peakOf(pid: number, work: () => Promise<number>) {
  const begun = performance.now();
  const sampling = new AbortController();
  let peakMb = residentBytesOf(pid) / MEGA;
  const sampler = (async () => {
    for await (const _ of every(SAMPLE_MS, undefined, { signal: sampling.signal }))
      peakMb = Math.max(peakMb, residentBytesOf(pid) / MEGA);
  })().catch(() => undefined);
  const lines = await work();
  sampling.abort();
  await sampler;
  return { lines, peakMb, seconds: (performance.now() - begun) / 1_000 };
}

async function countLines(url: string, cookie: string): Promise<number> {
  const response = await fetch(url, { headers: { cookie } });
  if (!response.ok || response.body === null) throw new Error(`the download was refused: ${response.status}`);
  let lines = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>)
    for (const byte of chunk) if (byte === 10) lines += 1;
  return lines;
}
