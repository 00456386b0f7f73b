import { setTimeout as sleep } from "node:timers/promises";
import { disableEndpoints, releaseDeliveries } from "../fill-webhooks.ts";
import type { Done } from "../generator.ts";
import { assertSame, type Bench, compare, print } from "../harness.ts";
import { onStage, type StagedDeployment } from "../stage.ts";
import {
  type Batch,
  countRecorded,
  countsOf,
  deliveringBatches,
  fillBatch,
  makeBatch,
  makeEndpoints,
  startCountingReceiver,
} from "../webhook-scene.ts";

const DEAD_ENDPOINTS = 50;
/** An attempt at a dead endpoint lasts 15 s. */
const SETTLE_EVERY_MS = 500;
const bars = { must: 0.9 };

/** The cost of one merchant's dead endpoints for the others. */
export const webhooksIsolation: Bench = {
  name: "webhooks-isolation",
  measures:
    "deliveries a second of 10 merchants while another merchant has as many for 50 endpoints that never answer, at the origin " +
    "of the healthy ones, over the same without that merchant",
  bar: `at least ${bars.must}`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("webhooks_isolation");
      const receiver = await startCountingReceiver(stage);
      const origin = `http://127.0.0.1:${receiver.port}`;
      const api = await deployment.serve("api", { WEBHOOK_ENDPOINTS_PER_MERCHANT: String(DEAD_ENDPOINTS) });
      const [quiet, attacked, dead]: [Batch[], Batch[], Batch[]] = [[], [], []];
      const counts = countsOf(effort);
      for (const count of counts) {
        const made = { merchants: 1, each: DEAD_ENDPOINTS, url: `${origin}/dead` };
        dead.push(await fillBatch(deployment, await makeEndpoints(deployment, api, made), count));
        attacked.push(await makeBatch(deployment, { api, url: `${origin}/`, count }));
      }
      // The first and the last stretch are quiet.
      for (const count of [...counts, counts.at(-1) ?? 0])
        quiet.push(await makeBatch(deployment, { api, url: `${origin}/`, count }));
      await api.stop();
      await deployment.db.query("vacuum analyze");
      const parts = { worker: await deployment.serve("webhooks"), receiver };
      const ceiling = deliveringBatches(deployment, { ...parts, name: "in quiet", batches: quiet });
      const beside = besideDead(deployment, dead);
      const ours = deliveringBatches(deployment, {
        ...parts,
        name: "beside them",
        batches: attacked,
        beside,
      });
      const comparison = { ceiling, ours, measure: "rate", postgresPid: stage.postgresPid } as const;
      const outcome = await compare(comparison, effort);
      assertSame("deliveries", await countRecorded(deployment, [...quiet, ...attacked]));
      return { ...outcome, unit: "deliveries/s", bars };
    }),
};

/** Releases the next dead batch before a stretch, and afterwards disables its endpoints until nothing is sent to them. */
function besideDead(deployment: StagedDeployment, dead: readonly Batch[]) {
  const left = dead.values();
  return async (stretch: () => Promise<Done>): Promise<Done> => {
    const { value: batch } = left.next();
    if (batch === undefined) throw new Error("no dead batch is left");
    await releaseDeliveries(deployment.db, batch.endpoints);
    const done = await stretch();
    await disableEndpoints(deployment.db, batch.endpoints);
    const { rows } = await deployment.db.query(
      "select count(*) filter (where status <> 'PENDING')::int as tried from webhook_deliveries where merchant_id = $1",
      [batch.endpoints[0]?.merchantId],
    );
    print(`  ${rows[0].tried} of ${batch.count} deliveries to dead endpoints were tried`);
    if (rows[0].tried === 0) throw new Error("nothing was sent to the dead endpoints");
    while (await isSending(deployment)) await sleep(SETTLE_EVERY_MS);
    return done;
  };
}

async function isSending({ db }: StagedDeployment): Promise<boolean> {
  const { rowCount } = await db.query("select from webhook_deliveries where status = 'SENDING' limit 1");
  return rowCount === 1;
}
