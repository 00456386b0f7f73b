import { type EndpointId, idOf, type MerchantId } from "@daric/domain/ids";
import { type Sql, sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { aBacklog, aMerchantId, anEndpointRow } from "@daric/testing/webhook-builders";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageStatement } from "./delivery-log-store.ts";
import type { DeliveryClaim } from "./delivery-store.ts";
import { saveStatement } from "./result-store.ts";
import { claimStatement } from "./waiting-store.ts";

const MANY = 5_000;
const DONE = new Error("looked at");
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let endpointId: EndpointId;
let merchantIds: MerchantId[];
beforeAll(async () => {
  context = await createTestContext();
  merchantIds = [];
  for (let count = 0; count < 20; count++) {
    const owner = await aMerchantId(context.db);
    const id = await anEndpointRow(context.db, owner);
    await aBacklog(context, { merchantId: owner, id }, count === 0 ? 4 * MANY : MANY / 20);
    merchantIds.push(owner);
    if (count > 0) continue;
    [merchantId, endpointId] = [owner, id];
  }
  await context.db.query(sql`
    update webhook_deliveries set status = 'DELIVERED', next_attempt_at = null
    where endpoint_id = ${endpointId} and id < '80000000-0000-0000-0000-000000000000'`);
});
afterAll(() => context.close());

/** The plan of a statement, which is rolled back. */
async function planOf(statement: Sql): Promise<string> {
  let plan = "";
  await context.db
    .transaction(async (tx) => {
      const lines = await tx.query<{ "QUERY PLAN": string }>(
        sql`explain (analyze, costs off, timing off, summary off) ${statement}`,
      );
      plan = lines.map((line) => line["QUERY PLAN"]).join("\n");
      throw DONE;
    })
    .catch((error: unknown) => {
      if (error !== DONE) throw error;
    });
  return plan;
}

const saving = (claims: readonly DeliveryClaim[]) =>
  saveStatement(
    claims.map((claim) => ({
      claim,
      attempt: {
        statusCode: 500,
        snippet: null,
        error: "http_status",
        durationMs: 1,
        attemptedAt: new Date(),
      },
      verdict: { event: "rejected", delayMs: 5_000 },
    })),
  );
const claiming = (of: readonly MerchantId[]) =>
  claimStatement({
    merchantIds: of,
    limit: 32,
    free: 32,
    held: new Map(),
    rooms: new Map(),
    perEndpoint: 8,
    leaseMs: 45_000,
  });

/** Claims some deliveries. */
async function underWay(count: number): Promise<DeliveryClaim[]> {
  const rows = await context.db.query<{ id: string; lease: bigint }>(sql`
    update webhook_deliveries set status = 'SENDING', next_attempt_at = null, attempt_count = 1,
      lease_until = now() + interval '1 minute'
    where merchant_id = ${merchantId} and id in (
      select id from webhook_deliveries where merchant_id = ${merchantId} and status <> 'DELIVERED' limit ${count})
    returning id, lease_number as lease`);
  return rows.map(({ id, lease }) => ({
    merchantId,
    endpointId,
    deliveryId: idOf("delivery", id),
    leaseNumber: lease,
    attempt: 1,
    scheduleStep: 1,
    mayPause: true,
    eventType: "deposit.confirmed",
    wasResent: false,
  }));
}

it("a claim reads no more than it may take before the first statistics", async () => {
  expect(await planOf(claiming(merchantIds.slice(0, 1)))).not.toMatch(
    /Rows Removed by (Join )?Filter: \d{3,}/,
  );
});

describe.each([
  ["nothing is under way", false],
  ["much is under way, of which the statistics know nothing", true],
])("when %s", (_when, isBusy) => {
  beforeAll(async () => {
    await context.owner.query(sql`analyze`);
    if (isBusy)
      await context.db.query(sql`
        update webhook_deliveries set status = 'SENDING', next_attempt_at = null, lease_until = now() + interval '1 minute'
        where merchant_id = ${merchantIds[1] ?? merchantId} or merchant_id = ${merchantIds[2] ?? merchantId}`);
  });

  it.each([1, 100])("%s results find their deliveries by their keys only", async (count) => {
    const plan = await planOf(saving(await underWay(count)));
    expect(plan).toMatch(/Index Scan using webhook_deliveries_pkey on webhook_deliveries/);
    expect(plan).not.toMatch(/webhook_deliveries_(leased|due|newest)/);
    expect(plan).not.toMatch(/Seq Scan on webhook_deliveries/);
    expect(plan).not.toMatch(/Rows Removed by (Join )?Filter: \d{3,}/);
  });

  it.each([1, 20])(
    "a claim among %s merchants reads no more than it may take, for any backlog",
    async (count) => {
      const plan = await planOf(claiming(merchantIds.slice(0, count)));
      expect(plan).toMatch(/webhook_deliveries_due/);
      expect(plan).not.toMatch(/Seq Scan on webhook_(deliveries|events)/);
      expect(plan).not.toMatch(/Rows Removed by (Join )?Filter: \d{3,}/);
      const rows = [...plan.matchAll(/actual rows=(\d+)/g)].map((match) => Number(match[1]));
      expect(Math.max(...rows)).toBeLessThan((2 * MANY) / 20);
    },
  );
});

it("a page of the log reads its own rows only, also by status and by reference", async () => {
  const planOfPage = (filter: object) =>
    planOf(
      pageStatement(
        { merchantId, status: undefined, referenceId: undefined, ...filter },
        { limit: 20, offset: 0 },
      ),
    );
  const plans = [
    await planOfPage({}),
    await planOfPage({ status: "PENDING" }),
    await planOfPage({ status: "FAILED" }),
  ];
  for (const plan of plans) {
    expect(plan).toMatch(/Index Scan (Backward )?using webhook_deliveries_/);
    expect(plan).not.toMatch(/Sort|Rows Removed by Filter: \d{2,}/);
  }
  const byReference = await planOfPage({ referenceId: idOf("deposit", merchantId) });
  expect(byReference).toMatch(/webhook_events_merchant_id_resource_id_sequence_key/);
  expect(byReference).toMatch(/Index Scan using webhook_deliveries_/);
  // The few endpoints are all read, to see whether the reference is one of them.
  const others = byReference.replace(/Scan on webhook_endpoints .*?Rows Removed by Filter: \d+/s, "");
  expect(others).not.toMatch(/Rows Removed by Filter: \d{2,}/);
});
