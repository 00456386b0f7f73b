import { type Bench, type Contestant, compare } from "../harness.ts";
import { makeAddresses } from "../paid-addresses.ts";
import { control, pay } from "../payments.ts";
import { waitUntil } from "../programs.ts";
import { onStage } from "../stage.ts";
import { subscribe } from "../webhook-scene.ts";

const DEPOSITS = 100;
const CONFIRMATIONS = 3;
/**
 * Each rollback leaves its rows as dead entries of the same keys, so a round has few stretches, each followed by a
 * vacuum.
 */
const STRETCHES_EACH_ROUND = 5;
const bars = { most: 1.2 };

/** The cost of events and deliveries for the transaction that they announce. */
export const outboxCost: Bench = {
  name: "outbox-cost",
  measures:
    `CPU of the transaction that confirms and books ${DEPOSITS} deposits of one merchant, with an event and a delivery of each, ` +
    "over the same without; both are rolled back",
  bar: `at most ${bars.most}`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("outbox_cost");
      const addresses = await makeAddresses(deployment, { merchants: 1, ordersEach: DEPOSITS });
      await subscribe(deployment, "http://127.0.0.1:9/");
      const watcher = await deployment.serve("watcher", { TRON_POLL_MS: "100" });
      await pay(stage, addresses);
      await control(stage, "mine", { blocks: CONFIRMATIONS });
      const { db } = deployment;
      await waitUntil("the payments are confirming", async () => {
        const { rowCount } = await db.query("select from deposits where status = 'CONFIRMING'");
        return rowCount === DEPOSITS;
      });
      await watcher.stop();
      await db.query(
        `insert into deposit_checks (merchant_id, deposit_id, name, block_id, result, detail)
         select merchant_id, id, 'quorum', block_id, 'passed', 'enough nodes agree' from deposits
         on conflict (merchant_id, deposit_id, name) do update set result = excluded.result, block_id = excluded.block_id`,
      );
      await db.query("vacuum analyze");
      const contestant = async (name: string, outbox: string): Promise<Contestant> => {
        const { pid, run } = await stage.child("confirm-deposits", {
          ...deployment.env,
          BENCH_OUTBOX: outbox,
        });
        return { name, pid, run, prepare: () => db.query("vacuum") };
      };
      const [ceiling, ours] = [await contestant("without", ""), await contestant("with events", "1")];
      const comparison = { ceiling, ours, measure: "cpu", postgresPid: stage.postgresPid } as const;
      const outcome = await compare(comparison, {
        ...effort,
        rounds: effort.rounds * STRETCHES_EACH_ROUND,
        seconds: effort.seconds / STRETCHES_EACH_ROUND,
        warmUp: Math.ceil(effort.warmUp / DEPOSITS),
      });
      return { ...outcome, unit: "µs of CPU a transaction", bars };
    }),
};
