import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestContext } from "../../test/context.ts";
import { aMerchantId, announceDeposit, deliveryRows, depositData } from "../../test/webhook-builders.ts";
import { sql } from "../db/sql.ts";
import { claimDeliveries } from "./claim-deliveries.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { deleteEndpoint } from "./delete-endpoint.ts";
import { enqueueEvents } from "./enqueue-events.ts";
import { recordAttempt } from "./record-attempt.ts";

const ROUNDS = 20;
let context: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

async function anEndpoint() {
  const merchantId = await aMerchantId(context.db);
  const url = "http://127.0.0.1:9/";
  return await createEndpoint(context, { merchantId, url, description: null, eventTypes: undefined });
}

test("deleting waits for an event that is being enqueued, and ends its delivery too", async () => {
  const { id, merchantId } = await anEndpoint();
  const resourceId = uuidv7();
  let deleting: Promise<void> | undefined;
  await context.db.transaction(async (tx) => {
    const data = depositData(resourceId);
    await enqueueEvents(context, tx, [{ merchantId, type: "deposit.confirmed", resourceId, data }]);
    deleting = deleteEndpoint(context, { merchantId, id });
    const first = await Promise.race([deleting.then(() => "deleted"), tx.query(sql`select pg_sleep(0.2)`)]);
    expect(first).not.toBe("deleted");
  });
  await deleting;
  expect(await deliveryRows(context, id)).toMatchObject([
    { status: "EXHAUSTED", last_error: "endpoint_deleted" },
  ]);
});

test("whatever the order of a failing attempt and the deletion, nothing is left waiting", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id, merchantId } = await anEndpoint();
    await announceDeposit(context, merchantId);
    const [claim] = await claimDeliveries(context, 1);
    if (!claim) throw new Error("there was nothing to claim");
    await Promise.all([
      deleteEndpoint(context, { merchantId, id }),
      recordAttempt(context, claim, {
        statusCode: 500,
        snippet: "",
        error: "http_status",
        durationMs: 1,
        attemptedAt: new Date(),
      }),
    ]);
    expect(await deliveryRows(context, id)).toMatchObject([
      { status: "EXHAUSTED", last_error: "endpoint_deleted", attempt_count: 1 },
    ]);
  }
});
