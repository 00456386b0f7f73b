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
import { control, otherAddressOf, pay } from "../payments.ts";
import { waitUntil } from "../programs.ts";
import { onStage, type Stage, type StagedDeployment } from "../stage.ts";
import type { Round } from "../verdict.ts";

const MERCHANTS = 100;
const OURS = 1_000;
const TRANSFERS = 4_000;
/** The number of inserts in a round: the kernel counts ticks of 10 ms, too coarse for a single insert. */
const INSERTS = 10;
const bars = { max: 3 };

/** The database's cost of a block full of payments. */
export const bigBlock: Bench = {
  name: "big-block",
  measures:
    "PostgreSQL's CPU for a block of 4,000 transfers of which 1,000 are paid to charges of 100 merchants, read by a " +
    "watcher, over that of one insert of the same 1,000 rows by unnest into a table like deposits, foreign key included",
  bar: `at most ${bars.max}`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("big_block");
      const addresses = await makeAddresses(deployment, {
        merchants: MERCHANTS,
        ordersEach: OURS / MERCHANTS,
      });
      const watcher = await deployment.serve("watcher");
      const block: Contestant = { name: "block", pid: watcher.pid, run: () => readBlock(stage, deployment) };
      const fillBlock = async (): Promise<void> => {
        const strangers = Array.from({ length: TRANSFERS - OURS }, otherAddressOf);
        await pay(stage, [...addresses, ...strangers]);
      };
      await fillBlock();
      await block.run({ count: 1 });
      const child = await stage.child("unnest-insert", deployment.ownerEnv);
      const insert: Contestant = { name: "insert", pid: child.pid, run: child.run };
      await insert.run({ count: INSERTS });

      const rounds: Round[] = [];
      const { postgresPid } = stage;
      let before = await measureStretch(insert, postgresPid, { count: INSERTS });
      for (let round = 1; round <= effort.rounds; round += 1) {
        await fillBlock();
        const ours = await measureStretch(block, postgresPid, { count: 1 });
        const after = await measureStretch(insert, postgresPid, { count: INSERTS });
        rounds.push({ before, ours, after });
        print(`  round ${round}: ${lineOf("block", ours)}; ${lineOf("insert", after)}`);
        before = after;
      }
      const { rows } = await deployment.db.query("select count(*)::int as count from deposits");
      assertSame("deposits", { paid: OURS * (effort.rounds + 1), rows: rows[0].count });
      return { ...outcomeOf(rounds, "postgres"), unit: "µs of PostgreSQL's CPU", bars };
    }),
};

/** Mines the queue and waits until the watcher has read the block. */
async function readBlock(
  stage: Stage,
  { db }: StagedDeployment,
): Promise<{ done: number; elapsedMs: number }> {
  const startedMs = performance.now();
  const { head } = await control<{ head: number }>(stage, "mine", { blocks: 1 });
  await waitUntil(`block ${head} is read`, async () => {
    const { rows } = await db.query("select number from scan_cursors");
    return Number(rows[0]?.number) >= head;
  });
  return { done: 1, elapsedMs: performance.now() - startedMs };
}
