import type { EndpointId, MerchantId } from "@daric/domain/ids";
import type { Verdict } from "@daric/domain/webhook-delivery";
import type { NetworkAccess } from "@daric/egress/guarded-dial";
import { type Database, type Sql, sql } from "@daric/postgres/sql";
import { setClusterServers, spreadTenants } from "@daric/postgres/tenants";
import { anApiKey } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import {
  aBacklog,
  aMerchantId,
  anEndpointRow,
  claimAsIdle,
  deliveryRows,
  eventually,
} from "@daric/testing/webhook-builders";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createAttempts } from "./attempts.ts";
import type { ClaimedDelivery } from "./delivery-store.ts";
import { maintainDeliveries } from "./maintain-deliveries.ts";
import { createResultRecorder, type HeldResult } from "./record-results.ts";
import type { Attempt, AttemptResult } from "./result-rows-store.ts";
import { releaseClaims, saveAttempts } from "./result-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;

beforeAll(async () => {
  context = await createTestContext();
});
afterEach(() => {
  spreadTenants(undefined);
  setClusterServers({ serverOf: new Map(), hung: new Set() });
});
afterAll(() => context.close());

const attempt: Attempt = {
  statusCode: 503,
  snippet: 'ö "quoted" \\ {1,2}',
  error: "http_status",
  durationMs: 7,
  attemptedAt: new Date("2026-01-02T03:04:05.678Z"),
  url: "https://a.example",
  signatures: Buffer.from([0, 1, 255]),
  answerHeaders: "retry-after: 30",
};
const accepted: Attempt = { ...attempt, statusCode: 200, error: null };
const VERDICTS: readonly (readonly [Attempt, Verdict])[] = [
  [accepted, { event: "accepted", delayMs: null }],
  [attempt, { event: "rejected", delayMs: 60_000 }],
  [attempt, { event: "spent", delayMs: null }],
  [
    { ...attempt, statusCode: 429, pauseMs: 30_000 },
    { event: "rejected", delayMs: 30_000, isUncounted: true },
  ],
];

/** Nothing is sent. */
const ACCESS: NetworkAccess = {
  resolve: () => expect.fail("no host is looked up"),
  dial: () => expect.fail("no host is dialled"),
};

/** So many that one merchant may hold all claims. */
const SLOTS = 16;

async function anEndpoint(): Promise<{ merchantId: MerchantId; id: EndpointId }> {
  const merchantId = await aMerchantId(context.db);
  await anApiKey(context, merchantId);
  return { merchantId, id: await anEndpointRow(context.db, merchantId) };
}

/** Ends a delivery in each way, gives one back and leaves one; returns what was written. */
async function worked(db: Database) {
  const { merchantId, id } = await anEndpoint();
  await aBacklog(context, { merchantId, id }, VERDICTS.length + 1);
  const claims = await claimAsIdle({ ...context, db }, SLOTS);
  expect(claims).toHaveLength(VERDICTS.length + 1);
  const results = VERDICTS.map(
    ([made, verdict], index): AttemptResult => ({
      claim: claims[index] as ClaimedDelivery,
      attempt: made,
      verdict,
    }),
  );
  const failing = await saveAttempts(db, results);
  // A second one comes too late for its lease.
  expect(await saveAttempts(db, results)).toEqual([]);
  await releaseClaims(db, claims.slice(VERDICTS.length), 3_600_000);
  await maintainDeliveries({ ...context, db }, [merchantId]);
  const rowsOf = (rows: Sql) => context.db.query(rows);
  return {
    failing: failing.map(({ mustWait, isHopeless }) => ({ mustWait, isHopeless })),
    deliveries: await rowsOf(sql`
      select status, attempt_count, pauses, last_status_code, last_error, lease_until is null as is_free,
        round(extract(epoch from next_attempt_at - updated_at)) as next
      from webhook_deliveries where merchant_id = ${merchantId} order by last_status_code, status`),
    attempts: await rowsOf(sql`
      select to_jsonb(attempt) - '{merchant_id,delivery_id}'::text[] as row
      from webhook_attempts attempt where merchant_id = ${merchantId} order by status_code, url`),
    health: await rowsOf(sql`
      select last_success_at is null as is_without, failing_since, failed_attempts, paused_since,
        round(extract(epoch from paused_until - now())) > 20 as is_paused
      from endpoint_health where merchant_id = ${merchantId}`),
    hours: await rowsOf(sql`
      select hour, duration_class, attempts, accepted from endpoint_attempt_counts where merchant_id = ${merchantId}`),
    counts: await rowsOf(sql`
      select facets, sum(rows) as rows from list_counts where merchant_id = ${merchantId} group by 1 order by 1`),
    queue: await rowsOf(sql`
      select round(extract(epoch from due_at - now())) > 20 as is_later from endpoint_queue where merchant_id = ${merchantId}`),
  };
}

it("on a distributed database deliveries end as on one server, and no insert there reads a CTE, which would ask every server", async () => {
  const onOneServer = await worked(context.db);
  expect(onOneServer.attempts).toHaveLength(VERDICTS.length);
  const texts: string[] = [];
  const noting = (db: Database): Database => ({
    ...db,
    query: (statement) => {
      texts.push(statement.text);
      return db.query(statement);
    },
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          ...tx,
          query: (statement) => {
            texts.push(statement.text);
            return tx.query(statement);
          },
        }),
      ),
  });
  spreadTenants((merchantId) => merchantId);
  expect(await worked(noting(context.db))).toEqual(onOneServer);
  expect(texts.filter((text) => /\binsert into webhook_attempts\b/.test(text))).toHaveLength(1);
  expect(texts.filter((text) => /\bwith\b[\s\S]*\binsert into\b/.test(text))).toEqual([]);
});

/** Two merchants with due deliveries, the second on a server that hangs. */
async function withHungServer() {
  const [served, hung] = [await anEndpoint(), await anEndpoint()];
  for (const endpoint of [served, hung]) await aBacklog(context, endpoint, 2);
  spreadTenants((merchantId) => merchantId);
  const serverOf = new Map([
    [String(served.merchantId), "one:5432"],
    [String(hung.merchantId), "two:5432"],
  ]);
  const hang = () => setClusterServers({ serverOf, hung: new Set(["two:5432"]) });
  return { served, hung, hang };
}

it("while a server hangs, the deliveries of the other servers' merchants are claimed, and those of its own wait", async () => {
  const { served, hung, hang } = await withHungServer();
  hang();
  const claims = await claimAsIdle(context, SLOTS);
  expect(claims.map(({ merchantId }) => merchantId)).toEqual([served.merchantId, served.merchantId]);
  setClusterServers({ serverOf: new Map(), hung: new Set() });
  expect((await claimAsIdle(context, SLOTS)).map(({ merchantId }) => merchantId)).toEqual([
    hung.merchantId,
    hung.merchantId,
  ]);
});

it("results for a server that hangs hold up no others, and are recorded when it answers", async () => {
  const { served, hung, hang } = await withHungServer();
  const claims = await claimAsIdle(context, SLOTS);
  expect(claims).toHaveLength(4);
  hang();
  const recorder = createResultRecorder(context, () => {});
  const isOfHung = (claim: ClaimedDelivery) => claim.merchantId === hung.merchantId;
  const inTurn = [...claims.filter(isOfHung), ...claims.filter((claim) => !isOfHung(claim))];
  // Each is a list of its own, and as many as are recorded at once wait for the server.
  for (const claim of inTurn) {
    recorder.add(heldResult(claim));
    await new Promise(setImmediate);
  }
  const statusesOf = async ({ id }: { id: EndpointId }) =>
    (await deliveryRows(context, id)).map(({ status }) => status);
  await eventually(async () => (await statusesOf(served)).join() === "DELIVERED,DELIVERED");
  expect(await statusesOf(hung)).toEqual(["SENDING", "SENDING"]);
  setClusterServers({ serverOf: new Map(), hung: new Set() });
  await recorder.drain();
  expect(await statusesOf(hung)).toEqual(["DELIVERED", "DELIVERED"]);
});

it("claims of a server that hangs hold up no release of others", async () => {
  // The first of both in the order in which lists are released hangs.
  const { served: hung, hung: served } = await withHungServer();
  const serverOf = new Map([
    [String(hung.merchantId), "one:5432"],
    [String(served.merchantId), "two:5432"],
  ]);
  const claims = await claimAsIdle(context, SLOTS);
  setClusterServers({ serverOf, hung: new Set(["one:5432"]) });
  const attempts = createAttempts(context, { access: ACCESS, onProgress: () => {} });
  await attempts.stop();
  attempts.start(claims, context.clock.monotonicMs());
  await attempts.stop();
  expect((await deliveryRows(context, served.id)).map(({ status }) => status)).toEqual([
    "PENDING",
    "PENDING",
  ]);
  expect((await deliveryRows(context, hung.id)).map(({ status }) => status)).toEqual(["SENDING", "SENDING"]);
});

function heldResult(claim: ClaimedDelivery): HeldResult {
  const leaseUntilMs = context.clock.monotonicMs() + 60_000;
  return { merchantId: claim.merchantId, claim, attempt: accepted, leaseUntilMs };
}
