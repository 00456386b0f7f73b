import {
  assertSame,
  type Bench,
  type Contestant,
  lineOf,
  measureStretch,
  outcomeOf,
  print,
} from "../harness.ts";
import { makeAddresses } from "../paid-addresses.ts";
import { control } from "../payments.ts";
import { type Runner, waitUntil } from "../programs.ts";
import { onStage, type StagedDeployment } from "../stage.ts";
import type { Round } from "../verdict.ts";

/** 24 minutes of the chain. */
const BLOCKS = 480;
/** The number of unmeasured stretches before the first round. */
const WARM_UPS = 1;
const BLOCKS_PER_PAYMENT = 10;
const ORDERS = 20;
/** The first blocks of a chain, which are not final. */
const BLOCKS_BEFORE = 25;
const bars = { must: 0.5 };

/** The speed of a watcher that catches up. */
export const catchUp: Bench = {
  name: "catch-up",
  measures:
    "blocks a second of a watcher that is behind, all proofs on, 383 transactions in each and a payment to us in one of " +
    `${BLOCKS_PER_PAYMENT}, over the same blocks fetched and parsed in a process that proves nothing and forgets them`,
  bar: `at least ${bars.must}`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("catch_up");
      const orders = await makeAddresses(deployment, { merchants: 1, ordersEach: ORDERS });
      const blocks = BLOCKS * (WARM_UPS + effort.rounds);
      const { head } = await control<{ head: number }>(stage, "mine", { blocks: BLOCKS_BEFORE });
      const node = await stage.child("full-chain-node", {
        TRON_NODE_URLS: stage.devchain.url,
        BENCH_KEPT: String(BLOCKS),
        BENCH_BLOCKS_PER_PAYMENT: String(BLOCKS_PER_PAYMENT),
        BENCH_PAYEES: orders.join(","),
        BENCH_USDT: stage.devchain.usdtContract,
      });
      const env = { TRON_NODE_URLS: `http://127.0.0.1:${node.port}` };
      const watcher = await deployment.serve("watcher", { ...env, TRON_POLL_MS: "100" });
      await waitUntil("the watcher has come to the first block", async () => {
        return (await cursorOf(deployment)) === head;
      });
      const ours = { name: "catch-up", pid: watcher.pid, run: () => readOn({ node, deployment }) };
      for (let done = 0; done < WARM_UPS; done += 1) await ours.run();
      // The node serves these blocks by now.
      const range = { BENCH_FIRST: String(head + 1), BENCH_HEAD: String(head + BLOCKS) };
      const fetching = await stage.child("fetch-blocks", { ...env, ...range });
      const ceiling = { name: "fetch and parse", pid: fetching.pid, run: fetching.run };
      await ceiling.run({ count: WARM_UPS * BLOCKS });

      const rounds: Round[] = [];
      const stretch = (contestant: Contestant) =>
        measureStretch(contestant, stage.postgresPid, { count: BLOCKS });
      let before = await stretch(ceiling);
      for (let round = 1; round <= effort.rounds; round += 1) {
        const middle = await stretch(ours);
        const after = await stretch(ceiling);
        rounds.push({ before, ours: middle, after });
        print(`  round ${round}: ${lineOf(ours.name, middle)}; ${lineOf(ceiling.name, after)}`);
        before = after;
      }
      const { rows } = await deployment.db.query("select count(*)::int as count from deposits");
      assertSame("deposits", { paid: blocks / BLOCKS_PER_PAYMENT, rows: rows[0].count });
      const outcome = outcomeOf(rounds, "rate");
      return { ...outcome, unit: "blocks a second", bars };
    }),
};

/** Lets the node serve a stretch of new blocks, and waits until the watcher has read them. */
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
