import { fillDeliveries, releaseDeliveries } from "./fill.ts";
import type { Done } from "./generator.ts";
import { type Contestant, print } from "./harness.ts";
import { type Program, type Runner, waitUntil } from "./programs.ts";
import type { Stage, StagedDeployment } from "./stage.ts";

/** Merchants of one stretch, and endpoints of each. */
export const MERCHANTS = 10;
export const ENDPOINTS_EACH = 4;
/** The longest stretch that is waited for. */
const WITHIN_MS = 120_000;

/** The body of a confirmed deposit, of the usual size. */
export const BODY = JSON.stringify({
  id: "00000000-0000-0000-0000-000000000000",
  event: "deposit.confirmed",
  environment: "live",
  createdAt: "2026-01-01T00:00:00.000Z",
  sequence: 1,
  data: { note: "x".repeat(640) },
});

export type Endpoint = { readonly merchantId: string; readonly id: string };

/** Endpoints of new merchants, made by the API. */
export async function makeEndpoints(
  deployment: StagedDeployment,
  { port }: Program,
  { merchants, each, url }: { merchants: number; each: number; url: string },
): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = [];
  for (let merchant = 0; merchant < merchants; merchant += 1) {
    const { id: merchantId, apiKey } = await deployment.merchant();
    for (let made = 0; made < each; made += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/webhooks/endpoints`, {
        method: "POST",
        headers: { "x-api-key": apiKey, "content-type": "application/json" },
        body: JSON.stringify({ url }),
      });
      if (!answer.ok) throw new Error(`no endpoint: ${answer.status} ${await answer.text()}`);
      const { data } = (await answer.json()) as { data: { id: string } };
      endpoints.push({ merchantId, id: data.id });
    }
  }
  return endpoints;
}

export type Receiver = Runner<Done, { readonly hits: number; readonly withinMs: number }>;

export function startWebhookReceiver(stage: Stage): Promise<Receiver> {
  return stage.child<Done, { hits: number; withinMs: number }>("webhook-receiver", {});
}

/** The deliveries of one stretch: filled before it, and hidden from the worker until then. */
export type Batch = { readonly endpoints: readonly Endpoint[]; readonly count: number };

export async function fillBatch({ db }: StagedDeployment, { endpoints, count }: Batch): Promise<void> {
  await fillDeliveries(db, { endpoints, count, body: BODY });
}

/**
 * The service's worker: a stretch releases the next batch and ends with its last hit. Afterwards each has one row that is
 * DELIVERED and one attempt.
 */
export function deliveringBatches(
  deployment: StagedDeployment,
  { worker, receiver, batches }: { worker: Program; receiver: Receiver; batches: readonly Batch[] },
): Contestant {
  const left = batches.values();
  return {
    name: "daric",
    pid: worker.pid,
    run: async () => {
      const { value: batch } = left.next();
      if (batch === undefined) throw new Error("no batch of deliveries is left");
      const waiting = receiver.run({ hits: batch.count, withinMs: WITHIN_MS });
      await releaseDeliveries(deployment.db, batch.endpoints);
      const done = await waiting;
      await waitUntil(
        "each delivery is recorded",
        async () => (await countDelivered(deployment, batch)) === done.done,
      );
      return done;
    },
  };
}

async function countDelivered({ db }: StagedDeployment, { endpoints }: Batch): Promise<number> {
  const { rows } = await db.query(
    `select coalesce(sum(rows), 0)::int as count from list_counts
     where list = 'webhook_deliveries' and facets[1] = 'DELIVERED' and merchant_id = any($1)`,
    [[...new Set(endpoints.map(({ merchantId }) => merchantId))]],
  );
  return rows[0].count;
}

/** @throws Error if hits, DELIVERED rows and attempts differ */
export async function countTruth({ db }: StagedDeployment, hits: number): Promise<Record<string, number>> {
  const { rows } = await db.query(
    `select (select count(*)::int from webhook_deliveries where status = 'DELIVERED') as delivered,
       (select count(*)::int from webhook_attempts) as attempts`,
  );
  print(`  ${hits} hits`);
  return { hits, delivered: rows[0].delivered, attempts: rows[0].attempts };
}
