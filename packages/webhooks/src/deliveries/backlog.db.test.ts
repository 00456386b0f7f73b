import type { EndpointId, MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { isNight } from "@daric/testing/at-night";
import { createTestContext } from "@daric/testing/context";
import { aBacklog, aMerchantId, anEndpointRow } from "@daric/testing/webhook-builders";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findBacklog } from "./backlog-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

async function aWaitingEndpoint(
  count: number,
  state: { isActive?: boolean; isDeleted?: boolean } = {},
): Promise<{ merchantId: MerchantId; id: EndpointId }> {
  const merchantId = await aMerchantId(context.db);
  const id = await anEndpointRow(context.db, merchantId, state);
  if (count > 0) await aBacklog(context, { merchantId, id }, count);
  return { merchantId, id };
}

it("due deliveries of active endpoints count as due, of disabled ones as parked, of deleted ones as neither", async () => {
  expect(await findBacklog(context.db)).toEqual({
    due: 0,
    parked: 0,
    oldestDueSeconds: 0,
    suspendedEndpoints: 0,
  });
  await aWaitingEndpoint(0);
  await aWaitingEndpoint(300);
  await aWaitingEndpoint(2_000);
  await aWaitingEndpoint(500, { isActive: false });
  await aWaitingEndpoint(40, { isDeleted: true });
  const { oldestDueSeconds, ...counts } = await findBacklog(context.db);
  expect(counts).toEqual({ due: 2_300, parked: 500, suspendedEndpoints: 0 });
  expect(oldestDueSeconds).toBeGreaterThan(2);
  expect(oldestDueSeconds).toBeLessThan(60);
});

it.runIf(isNight)("at most 10,000 deliveries of one endpoint are counted", async () => {
  await aWaitingEndpoint(10_050);
  expect((await findBacklog(context.db)).due).toBe(12_300);
});

it("deliveries of a suspended endpoint are not due, and it is counted", async () => {
  const { due, parked } = await findBacklog(context.db);
  const { merchantId, id } = await aWaitingEndpoint(30);
  await context.db.query(sql`
    insert into endpoint_health (merchant_id, endpoint_id, failing_since, failed_attempts, probe_at)
    values (${merchantId}, ${id}, now(), 5, now() + interval '1 minute')`);
  expect(await findBacklog(context.db)).toMatchObject({ due, parked: parked + 30, suspendedEndpoints: 1 });
});
