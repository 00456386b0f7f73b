import { fillDeliveries, releaseDeliveries } from "./fill-webhooks.ts";
import type { Done } from "./generator.ts";
import type { Contestant, Effort } from "./harness.ts";
import { type Program, type Runner, waitUntil } from "./programs.ts";
import type { Stage, StagedDeployment } from "./stage.ts";

/** Merchants of one stretch, and endpoints of each. */
const MERCHANTS = 10;
const ENDPOINTS_EACH = 4;
/** The deliveries for each second of a measured stretch. */
const EACH_SECOND = 2_000;
/** The longest duration of a stretch. */
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

type Endpoint = { readonly merchantId: string; readonly id: string };

/** The deliveries of one stretch: filled before it, and hidden from the worker until then. */
export type Batch = { readonly endpoints: readonly Endpoint[]; readonly count: number };

/** How many deliveries each stretch has: the warm-up, and then each measured one. */
export function countsOf({ rounds, seconds, warmUp }: Effort): number[] {
  return [warmUp, ...Array<number>(rounds).fill(EACH_SECOND * seconds)];
}

/** Endpoints of new merchants, made by the API. */
export async function makeEndpoints(
  deployment: StagedDeployment,
  api: Program,
  { merchants, each, url }: { merchants: number; each: number; url: string },
): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = [];
  for (let merchant = 0; merchant < merchants; merchant += 1) {
    const { id: merchantId, apiKey } = await deployment.merchant();
    for (let made = 0; made < each; made += 1)
      endpoints.push({ merchantId, id: await postEndpoint(api, { apiKey, url }) });
  }
  return endpoints;
}

/** Creates an endpoint for the only merchant, with an API process that stops afterwards. */
export async function subscribe(
  deployment: StagedDeployment,
  url: string,
  eventTypes: readonly string[] = ["deposit.confirmed"],
): Promise<void> {
  const api = await deployment.serve("api");
  const { rows } = await deployment.db.query("select id from merchants");
  const apiKey = await deployment.apiKeyOf(rows[0].id);
  await postEndpoint(api, { apiKey, url, eventTypes });
  await api.stop();
}

async function postEndpoint(
  { port }: Program,
  { apiKey, ...body }: { apiKey: string; url: string; eventTypes?: readonly string[] },
): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/webhooks/endpoints`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`no endpoint: ${answer.status} ${await answer.text()}`);
  const { data } = (await answer.json()) as { data: { id: string } };
  return data.id;
}

export type CountingReceiver = Runner<Done, { readonly hits: number; readonly withinMs: number }>;

export function startCountingReceiver(stage: Stage): Promise<CountingReceiver> {
  return stage.child<Done, { hits: number; withinMs: number }>("webhook-receiver", {});
}

/** Fills a batch of about this many deliveries, for endpoints of new merchants. */
export async function makeBatch(
  deployment: StagedDeployment,
  { api, url, count }: { api: Program; url: string; count: number },
): Promise<Batch> {
  const made = { merchants: MERCHANTS, each: ENDPOINTS_EACH, url };
  return fillBatch(deployment, await makeEndpoints(deployment, api, made), count);
}

/** Fills a batch of about this many deliveries, equally many for each of these endpoints. */
export async function fillBatch(
  { db }: StagedDeployment,
  endpoints: readonly Endpoint[],
  count: number,
): Promise<Batch> {
  const each = Math.ceil(count / endpoints.length);
  await fillDeliveries(db, { endpoints, each, body: BODY });
  return { endpoints, count: each * endpoints.length };
}

/**
 * A contestant: the service's worker. A stretch releases the next batch and ends with its last request, once each
 * delivery is recorded. `beside` runs around it. The stretch fails unless each delivery was one request.
 */
export function deliveringBatches(
  deployment: StagedDeployment,
  parts: {
    readonly name: string;
    readonly worker: Program;
    readonly receiver: CountingReceiver;
    readonly batches: readonly Batch[];
    readonly beside?: (stretch: () => Promise<Done>) => Promise<Done>;
  },
): Contestant {
  const { name, worker, receiver, batches, beside = (stretch) => stretch() } = parts;
  const left = batches.values();
  return {
    name,
    pid: worker.pid,
    run: () =>
      beside(async () => {
        const { value: batch } = left.next();
        if (batch === undefined) throw new Error("no batch of deliveries is left");
        const waiting = receiver.run({ hits: batch.count, withinMs: WITHIN_MS });
        await releaseDeliveries(deployment.db, batch.endpoints);
        const done = await waiting;
        const isRecorded = async () => (await countDelivered(deployment, batch)) === batch.count;
        await waitUntil("each delivery is recorded", isRecorded);
        const { done: repeated } = await receiver.run({ hits: 0, withinMs: 0 });
        if (done.done + repeated !== batch.count)
          throw new Error(`${done.done + repeated} requests for ${batch.count} deliveries`);
        return done;
      }),
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

/** The recorded deliveries and attempts of these batches, and the number that was filled. */
export async function countRecorded(
  { db }: StagedDeployment,
  batches: readonly Batch[],
): Promise<Record<string, number>> {
  const merchants = [
    ...new Set(batches.flatMap(({ endpoints }) => endpoints.map((endpoint) => endpoint.merchantId))),
  ];
  const { rows } = await db.query(
    `select (select count(*)::int from webhook_deliveries where status = 'DELIVERED' and merchant_id = any($1)) as delivered,
       (select count(*)::int from webhook_attempts where merchant_id = any($1)) as attempts`,
    [merchants],
  );
  return { due: batches.reduce((sum, { count }) => sum + count, 0), ...rows[0] };
}
