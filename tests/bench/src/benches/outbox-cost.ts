import { ORDER_AMOUNT } from "../charge-requests.ts";
import type { SettledBlocks } from "../children/settle-blocks.ts";
import type { Done, Extent } from "../generator.ts";
import { assertSame, type Bench, type Contestant, compare } from "../harness.ts";
import { makeAddresses } from "../paid-addresses.ts";
import { control, pay } from "../payments.ts";
import { waitUntil } from "../programs.ts";
import { onStage, type Stage, type StagedDeployment } from "../stage.ts";
import { subscribe } from "../webhook-scene.ts";

/** The payments of a block. */
const PAYMENTS = 100;
/** The blocks of a stretch. */
const BLOCKS = 20;
/** Repetitions of a block that are rolled back: before the first stretch of a side, and before each. */
const REHEARSALS = { first: 100, each: 15 };
/** The events of each payment. */
const EVENT_TYPES = ["deposit.confirmed", "order.paid"];
const bars = { max: 1.2 };

/** The cost of events and deliveries for the transaction that they announce. */
export const outboxCost: Bench = {
  name: "outbox-cost",
  measures:
    `CPU of the watcher's transaction for a block in which ${PAYMENTS} orders of one merchant are paid, with an event and a ` +
    `delivery of each ${EVENT_TYPES.join(" and ")}, over the same without their rows`,
  bar: `at most ${bars.max}`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("outbox_cost");
      const ordersEach = (2 * effort.rounds + 3) * BLOCKS * PAYMENTS;
      const unpaid = (await makeAddresses(deployment, { merchants: 1, ordersEach })).values();
      await subscribe(deployment, "http://127.0.0.1:9/", EVENT_TYPES);
      const contestant = async (name: string, outbox: string): Promise<Contestant> => {
        const env = { ...deployment.env, BENCH_OUTBOX: outbox };
        const child = await stage.child<Done, SettledBlocks>("settle-blocks", env);
        const prepare = async (rehearsals = REHEARSALS.each): Promise<void> => {
          await openBlocks(stage, deployment, unpaid);
          await deployment.db.query("vacuum analyze");
          await child.run({ rehearsals });
          await deployment.db.query("vacuum");
        };
        const run = async (extent: Extent): Promise<Done> => {
          // The blocks of the warm-up stay settled, since plans for empty tables suit no others.
          if ("count" in extent) await prepare(REHEARSALS.first);
          return child.run({ rehearsals: 0 });
        };
        return { name, pid: child.pid, run, prepare: () => prepare() };
      };
      const [ceiling, ours] = [await contestant("without", ""), await contestant("with events", "1")];
      const comparison = { ceiling, ours, measure: "cpu", postgresPid: stage.postgresPid } as const;
      const outcome = await compare(comparison, effort);
      const rows = async (table: string) => (await deployment.db.query(`select from ${table}`)).rowCount ?? 0;
      assertSame("rows", {
        expected: (effort.rounds + 1) * BLOCKS * PAYMENTS * EVENT_TYPES.length,
        events: await rows("webhook_events"),
        bodies: await rows("webhook_event_bodies"),
        deliveries: await rows("webhook_deliveries"),
      });
      return { ...outcome, unit: "µs of CPU a transaction", bars };
    }),
};

/** Has the next orders paid, and their payments read. Nothing settles them. */
async function openBlocks(
  stage: Stage,
  deployment: StagedDeployment,
  unpaid: Iterator<string>,
): Promise<void> {
  const { db } = deployment;
  const watcher = await deployment.serve("watcher", { TRON_POLL_MS: "100", REQUIRED_CONFIRMATIONS: "1000" });
  for (let block = 0; block < BLOCKS; block += 1) {
    const addresses = Array.from({ length: PAYMENTS }, () => unpaid.next().value as string);
    await pay(stage, addresses, ORDER_AMOUNT);
    await control(stage, "mine", { blocks: 1 });
  }
  await control(stage, "mine", { blocks: 1 });
  await waitUntil("the payments are confirming", async () => {
    const { rowCount } = await db.query("select from deposits where status = 'CONFIRMING'");
    return rowCount === BLOCKS * PAYMENTS;
  });
  await watcher.stop();
  // The settling process takes the lease, and writes the checks.
  for (const table of ["leases", "deposit_checks"]) await db.query(`delete from ${table}`);
}
