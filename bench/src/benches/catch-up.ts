import { assertSame, type Bench, type Contestant, judge, lineOf, measureStretch, say } from "../harness.ts";
import { makeAddresses } from "../paid-addresses.ts";
import { control, pay, strangersAddress } from "../payments.ts";
import { type Runner, waitUntil } from "../programs.ts";
import { onStage, type Stage, type StagedDeployment } from "../stage.ts";
import type { Round } from "../verdict.ts";

/** Blocks of one stretch. */
const BLOCKS = 500;
/** Stretches before anything is measured. */
const WARM_UPS = 2;
/** Transfers of USDT in each, of which one in so many blocks pays us. */
const TRANSFERS = 4;
const BLOCKS_PER_PAYMENT = 10;
const ORDERS = 20;
/** Nothing can be final before. */
const BLOCKS_BEFORE = 25;
const bars = { must: 0.5 };

/** How fast a watcher that was away reads what it has missed. */
export const catchUp: Bench = {
  name: "catch-up",
  measures:
    `blocks a second of a watcher that is behind, all proofs on, ${TRANSFERS} transfers in each and a payment to us in ` +
    `one of ${BLOCKS_PER_PAYMENT}, over the same blocks fetched, parsed and proven in a process that does nothing with them`,
  bar: `at least ${bars.must}`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("catch_up");
      const orders = await makeAddresses(deployment, { merchants: 1, ordersEach: ORDERS });
      const blocks = BLOCKS * (WARM_UPS + effort.rounds);
      const first = await fillChain(stage, { orders, blocks });
      const node = await stage.child("caching-node", {
        TRON_NODE_URLS: stage.devchain.url,
        BENCH_HEAD: String(first - 1),
      });
      const env = { TRON_NODE_URLS: `http://127.0.0.1:${node.port}` };
      const watcher = await deployment.serve("watcher", { ...env, TRON_POLL_MS: "100" });
      await waitUntil("the watcher has come to the first block", async () => {
        return (await cursorOf(deployment)) === first - 1;
      });
      const run = () => readOn({ node, deployment });
      const ours: Contestant = { name: "catch-up", pid: watcher.pid, run };
      for (let done = 0; done < WARM_UPS; done += 1) await ours.run({ count: BLOCKS });
      // The node shows these by now, and keeps them.
      const range = { BENCH_FIRST: String(first), BENCH_HEAD: String(first + BLOCKS - 1) };
      const fetcher = await stage.child("fetch-blocks", { ...env, ...range });
      const ceiling: Contestant = { name: "fetch", pid: fetcher.pid, run: fetcher.run };
      await ceiling.run({ count: WARM_UPS * BLOCKS });

      const rounds: Round[] = [];
      const stretch = (one: Contestant) => measureStretch(one, stage.postgresPid, { count: BLOCKS });
      let before = await stretch(ceiling);
      for (let round = 1; round <= effort.rounds; round += 1) {
        const middle = await stretch(ours);
        const after = await stretch(ceiling);
        rounds.push({ before, ours: middle, after });
        say(`  round ${round}: ${lineOf("catch-up", middle)}; ${lineOf("fetch", after)}`);
        before = after;
      }
      const { rows } = await deployment.db.query("select count(*)::int as count from deposits");
      assertSame("deposits", { paid: blocks / BLOCKS_PER_PAYMENT, rows: rows[0].count });
      return { ...judge(rounds, "rate"), unit: "blocks a second", bars };
    }),
};

/** Lets the node show as many blocks more, and waits until the watcher has read them. */
async function readOn({ node, deployment }: { node: Runner; deployment: StagedDeployment }) {
  const from = await cursorOf(deployment);
  const { done } = await node.run({ count: BLOCKS });
  const startedMs = performance.now();
  await waitUntil(
    `the watcher has read ${done} blocks`,
    async () => (await cursorOf(deployment)) === from + done,
    20,
  );
  return { done, elapsedMs: performance.now() - startedMs };
}

async function cursorOf({ db }: StagedDeployment): Promise<number> {
  const { rows } = await db.query("select number::int as number from scan_cursors");
  return rows[0]?.number ?? 0;
}

/** Makes these blocks; answers the number of the first. */
async function fillChain(
  stage: Stage,
  { orders, blocks }: { orders: readonly string[]; blocks: number },
): Promise<number> {
  const { head } = await control<{ head: number }>(stage, "mine", { blocks: BLOCKS_BEFORE });
  const strangers = Array.from({ length: TRANSFERS }, strangersAddress);
  for (let block = 0; block < blocks; block += 1) {
    const order =
      block % BLOCKS_PER_PAYMENT === 0 ? orders[(block / BLOCKS_PER_PAYMENT) % ORDERS] : undefined;
    await pay(stage, order === undefined ? strangers : [order, ...strangers.slice(1)]);
    await control(stage, "mine", { blocks: 1 });
  }
  say(`  ${blocks} blocks are made`);
  return head + 1;
}
