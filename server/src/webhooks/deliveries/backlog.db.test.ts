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
): Promise<void> {
  const merchantId = await aMerchantId(context.db);
  const id = await anEndpointRow(context.db, merchantId, state);
  if (count > 0) await aBacklog(context, { merchantId, id }, count);
}

it("due deliveries of active endpoints count as due, of disabled ones as parked, of deleted ones as neither", async () => {
  expect(await findBacklog(context.db)).toEqual({ due: 0, parked: 0, oldestDueSeconds: 0 });
  await aWaitingEndpoint(0);
  await aWaitingEndpoint(300);
  await aWaitingEndpoint(2_000);
  await aWaitingEndpoint(500, { isActive: false });
  await aWaitingEndpoint(40, { isDeleted: true });
  const { oldestDueSeconds, ...counts } = await findBacklog(context.db);
  expect(counts).toEqual({ due: 2_300, parked: 500 });
  expect(oldestDueSeconds).toBeGreaterThan(2);
  expect(oldestDueSeconds).toBeLessThan(60);
});

it("at most 10,000 deliveries of one endpoint are counted", async () => {
  await aWaitingEndpoint(10_050);
  expect((await findBacklog(context.db)).due).toBe(12_300);
});
