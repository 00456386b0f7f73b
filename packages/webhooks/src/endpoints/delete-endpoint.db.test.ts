import { idOf } from "@daric/domain/ids";
import { createTestContext } from "@daric/testing/context";
import {
  aMerchantId,
  announceDeposit,
  claimOne,
  deliveryRows,
  depositData,
  runMaintenance,
} from "@daric/testing/webhook-builders";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expireAbandonedDeliveries } from "../deliveries/maintain-deliveries.ts";
import { recordAttempt } from "../deliveries/record-results.ts";
import { enqueueEvents } from "../events/enqueue-events.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { deleteEndpoint } from "./delete-endpoint.ts";

const ROUNDS = 20;
let context: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

async function anEndpoint() {
  const merchantId = await aMerchantId(context.db);
  const url = "http://127.0.0.1:9/";
  return createEndpoint(context, { merchantId, url, description: null, eventTypes: undefined });
}

it("deleting does not wait for an event that is being enqueued, and its delivery still ends", async () => {
  const { id, merchantId } = await anEndpoint();
  const resourceId = idOf("deposit", uuidv7());
  await context.db.transaction(async (tx) => {
    const data = depositData(resourceId);
    await enqueueEvents(context, tx, [{ merchantId, type: "deposit.confirmed", resourceId, data }]);
    await deleteEndpoint(context, { merchantId, id });
    await runMaintenance(context, expireAbandonedDeliveries);
  });
  expect(await deliveryRows(context, id)).toMatchObject([{ status: "PENDING" }]);
  await runMaintenance(context, expireAbandonedDeliveries);
  expect(await deliveryRows(context, id)).toMatchObject([
    { status: "EXHAUSTED", last_error: "endpoint_deleted", next_attempt_at: null },
  ]);
});

it("a failing attempt and a deletion in any order leave no delivery waiting", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id, merchantId } = await anEndpoint();
    await announceDeposit(context, merchantId);
    const claim = await claimOne(context);
    const attempt = { statusCode: 500, snippet: "", error: "http_status", durationMs: 1 } as const;
    await Promise.all([
      deleteEndpoint(context, { merchantId, id }),
      runMaintenance(context, expireAbandonedDeliveries),
      recordAttempt(context, claim, { ...attempt, attemptedAt: new Date() }),
    ]);
    await runMaintenance(context, expireAbandonedDeliveries);
    expect(await deliveryRows(context, id)).toMatchObject([
      { status: "EXHAUSTED", last_error: "endpoint_deleted", attempt_count: 1, last_status_code: 500 },
    ]);
  }
});
