import type { MerchantId } from "@daric/domain/ids";
import { webhookDeliveryStatuses } from "@daric/domain/webhook-delivery";
import { sql } from "@daric/postgres/sql";
import { withinTransaction } from "@daric/postgres/within-transaction";
import { isNight } from "@daric/testing/at-night";
import { createTestContext } from "@daric/testing/context";
import {
  aMerchantId,
  anEndpointRow,
  announceDeposit,
  claimAsIdle,
  deliveryRows,
  runMaintenance,
} from "@daric/testing/webhook-builders";
import { countListed } from "@daric/totals/list-store";
import { afterAll, beforeAll, expect, it } from "vitest";
import { deleteEndpoint } from "../endpoints/delete-endpoint.ts";
import { updateEndpoint } from "../endpoints/update-endpoint.ts";
import { maintainDeliveries } from "./maintain-deliveries.ts";
import { releaseClaims, saveAttempts } from "./result-store.ts";

/** The events of each merchant, and the rounds of each worker. */
const EVENTS = isNight ? 40 : 15;

let context: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  context = await createTestContext({ WEBHOOK_RETRY_SCHEDULE: "0s,1ms,1ms,1ms" });
});
afterAll(() => context.close());

/** The kept and the counted totals by status. */
async function totals(merchantId: MerchantId) {
  const rows = await context.db.query<{ status: string }>(
    sql`select status from webhook_deliveries where merchant_id = ${merchantId}`,
  );
  const counts = await Promise.all(
    webhookDeliveryStatuses.map((status) =>
      countListed(context.db, "webhook_deliveries", { merchantId, facets: [status] }),
    ),
  );
  return {
    counts,
    counted: webhookDeliveryStatuses.map((status) => rows.filter((row) => row.status === status).length),
  };
}

/** Ends claims in turn in each possible way. */
async function workAtRandom(round: number): Promise<void> {
  for (const [index, claim] of (await claimAsIdle(context, 8)).entries()) {
    const attempt = { statusCode: 200, snippet: null, error: null, durationMs: 1, attemptedAt: new Date() };
    const outcome = (round + index) % 5;
    if (outcome === 0) await releaseClaims(context.db, [claim], 0);
    if (outcome === 1)
      await saveAttempts(context.db, [{ claim, attempt, verdict: { event: "accepted", delayMs: null } }]);
    if (outcome === 2)
      await saveAttempts(context.db, [{ claim, attempt, verdict: { event: "rejected", delayMs: 1 } }]);
    if (outcome === 3)
      await saveAttempts(context.db, [{ claim, attempt, verdict: { event: "spent", delayMs: null } }]);
    if (outcome === 4)
      await context.db.query(sql`
        update webhook_deliveries set lease_until = now() - interval '1 second'
        where id = ${claim.deliveryId} and status = 'SENDING'`);
  }
}

it("totals by status are exact after concurrent inserts, claims, results, parking and releases", async () => {
  const merchants = [await aMerchantId(context.db), await aMerchantId(context.db)];
  const endpoints: Parameters<typeof deleteEndpoint>[1][] = [];
  for (const merchantId of merchants)
    for (let count = 0; count < 4; count++)
      endpoints.push({ merchantId, id: await anEndpointRow(context.db, merchantId) });
  const announcing = merchants.map(async (merchantId) => {
    for (let count = 0; count < EVENTS; count++) await announceDeposit(context, merchantId);
  });
  const working = [0, 1, 2].map(async (worker) => {
    for (let round = 0; round < EVENTS; round++) {
      await workAtRandom(worker + round);
      if (round % 5 === worker) await runMaintenance(context, maintainDeliveries);
    }
  });
  const merchantsActs = (async () => {
    for (const [index, endpoint] of endpoints.entries()) {
      await updateEndpoint(context, { ...endpoint, isActive: false });
      if (index % 2 === 0) await updateEndpoint(context, { ...endpoint, isActive: true });
      if (index % 4 === 3) await deleteEndpoint(context, endpoint);
    }
  })();
  await Promise.all([...announcing, ...working, merchantsActs]);
  for (const merchantId of merchants) {
    const { counts, counted } = await totals(merchantId);
    expect(counts).toEqual(counted);
    // One of the four endpoints is deleted meanwhile.
    expect(counted.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(3 * EVENTS);
  }
  expect(await deliveryRows(context, endpoints[0]?.id ?? "")).toHaveLength(EVENTS);
});

it("a rolled-back statement changes no total", async () => {
  const merchantId = await aMerchantId(context.db);
  await anEndpointRow(context.db, merchantId);
  await announceDeposit(context, merchantId);
  const [claim] = await claimAsIdle(context, 1);
  if (!claim) throw new Error("there was nothing to claim");
  const undone = context.db.transaction(async (tx) => {
    await releaseClaims(withinTransaction(tx), [claim], 0);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  const { counts, counted } = await totals(merchantId);
  expect(counts).toEqual(counted);
});
