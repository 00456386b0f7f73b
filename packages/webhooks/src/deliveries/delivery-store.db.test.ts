import type { DeliveryId, EndpointId, MerchantId } from "@daric/domain/ids";
import {
  deliveryMachine,
  type Verdict,
  type WebhookDeliveryStatus,
  webhookDeliveryStatuses,
} from "@daric/domain/webhook-delivery";
import { sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import {
  aBacklog,
  aMerchantId,
  anEndpointRow,
  claimAsIdle,
  deliveryRows,
} from "@daric/testing/webhook-builders";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ClaimedDelivery, type DeliveryClaim, listLapsedClaims } from "./delivery-store.ts";
import { expireAbandoned, resumeParked } from "./expiry-store.ts";
import { lockDelivery, makeWaitingDue, resendEnded } from "./resend-store.ts";
import { releaseClaims, saveEachAttempt } from "./result-store.ts";

const LIMIT = 500;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let endpointId: EndpointId;
beforeAll(async () => {
  context = await createTestContext();
  merchantId = await aMerchantId(context.db);
});
afterAll(() => context.close());
beforeEach(async () => {
  // Takes the endpoints of earlier tests out of the queue.
  await context.db.query(sql`update webhook_endpoints set is_active = false`);
  endpointId = await anEndpointRow(context.db, merchantId);
  await oneOfEach();
});

/** A delivery of each status; waiting ones are due, and the leases of claimed ones have lapsed. */
async function oneOfEach(): Promise<void> {
  await aBacklog(context, { merchantId, id: endpointId }, webhookDeliveryStatuses.length);
  const rows = await deliveryRows(context, endpointId);
  for (const [index, status] of webhookDeliveryStatuses.entries()) {
    const isWaiting = status === "PENDING" || status === "FAILED";
    await context.owner.query(sql`
      update webhook_deliveries set status = ${status}, created_at = now() - interval '1 hour',
        next_attempt_at = ${isWaiting ? new Date(Date.now() - 60_000) : null},
        lease_until = ${status === "SENDING" ? new Date(0) : null},
        attempt_count = 1
      where id = ${rows[index]?.id ?? ""}`);
  }
}

/** The status changes that this work makes. */
async function movesOf(work: (rows: readonly DeliveryClaim[]) => Promise<unknown>): Promise<string[]> {
  const before = await deliveryRows(context, endpointId);
  await work(before.map(claimOf));
  const after = new Map((await deliveryRows(context, endpointId)).map(({ id, status }) => [id, status]));
  return before
    .filter(({ id, status }) => after.get(id) !== status)
    .map(({ id, status }) => `${status} -> ${after.get(id)}`)
    .toSorted();
}

/** Compares the statements with the edges of the state machine. */
function expectAlong(event: (typeof deliveryMachine.events)[number], moves: readonly string[]): void {
  const { from, to } = deliveryMachine.edge(event);
  expect(from.map((status) => `${status} -> ${to}`).toSorted()).toEqual(moves);
}

it("a claim takes waiting deliveries, tried before or not, and returns the former status", async () => {
  let claims: ClaimedDelivery[] = [];
  const moves = await movesOf(async () => {
    claims = await claimAsIdle(context, 16);
  });
  expect(moves).toEqual(["FAILED -> SENDING", "PENDING -> SENDING"]);
  expectAlong("claimed", moves);
  expect(claims.map(({ statusBefore }) => statusBefore).toSorted()).toEqual(["FAILED", "PENDING"]);
});

it("a released claim leaves the delivery as it was before", async () => {
  const moves = await movesOf(async () => {
    for (const claim of await claimAsIdle(context, 16)) await releaseClaims(context.db, [claim], 0);
  });
  expect(moves).toEqual([]);
});

it("only a claimed delivery can be released", async () => {
  const moves = await movesOf(async (claims) => {
    for (const claim of claims) await release(claim, "PENDING");
  });
  expect(moves).toEqual(["SENDING -> PENDING"]);
});

it.each([
  ["accepted", "DELIVERED"],
  ["rejected", "FAILED"],
  ["spent", "EXHAUSTED"],
  ["lapsed", "FAILED"],
] as const)("an attempt that was %s makes a claimed delivery %s", async (event, status) => {
  const delayMs = status === "FAILED" ? 0 : null;
  const moves = await movesOf(async (claims) => {
    for (const claim of claims) await save(claim, { event, delayMs });
  });
  expect(moves).toEqual([`SENDING -> ${status}`]);
  expectAlong(event, moves);
});

it("only a claimed delivery can lapse", async () => {
  const sending = (await deliveryRows(context, endpointId)).filter(({ status }) => status === "SENDING");
  const lapsed = (await listLapsedClaims(context.db, [merchantId], LIMIT)).filter(
    (claim) => claim.endpointId === endpointId,
  );
  expect(lapsed.map(({ deliveryId }) => deliveryId)).toEqual(sending.map(({ id }) => id));
});

it.each([
  ["waits for a deleted endpoint", sql`deleted_at = now(), is_active = false, secret_ciphertext = null`],
  ["waits too long for a disabled one", sql`is_active = false`],
])("a delivery that %s is EXHAUSTED, tried before or not", async (_what, change) => {
  await context.db.query(sql`update webhook_endpoints set ${change} where id = ${endpointId}`);
  const moves = await movesOf(() =>
    expireAbandoned(context.db, { merchantIds: [merchantId], parkedForMs: 1_000, limit: LIMIT }),
  );
  expect(moves).toEqual(["FAILED -> EXHAUSTED", "PENDING -> EXHAUSTED"]);
  expectAlong("abandoned", moves);
});

it("a delivery parked too long is EXHAUSTED when its endpoint is enabled, tried before or not", async () => {
  await context.db.query(sql`update webhook_endpoints set resumed_at = now() where id = ${endpointId}`);
  const line = { merchantIds: [merchantId], everyMs: 50, aheadMs: 5_000, limit: LIMIT };
  const moves = await movesOf(() => resumeParked(context.db, { ...line, parkedForMs: 1_000 }));
  expect(moves).toEqual(["FAILED -> EXHAUSTED", "PENDING -> EXHAUSTED"]);
  expectAlong("abandoned", moves);
});

it("only an ended delivery is PENDING after a resend", async () => {
  const resent = async (work: typeof resendEnded) =>
    movesOf(async (claims) => {
      for (const { deliveryId: id } of claims)
        await context.db.transaction(async (tx) => {
          const held = await lockDelivery(tx, { merchantId, id });
          await work(tx, held ?? expect.fail());
        });
    });
  expect(await resent(makeWaitingDue)).toEqual([]);
  const moves = await resent(resendEnded);
  expect(moves).toEqual(["DELIVERED -> PENDING", "EXHAUSTED -> PENDING"]);
  expectAlong("resent", moves);
});

function claimOf(row: { id: DeliveryId; lease_number: bigint; attempt_count: number }): DeliveryClaim {
  const { id: deliveryId, lease_number: leaseNumber, attempt_count: attempt } = row;
  return {
    merchantId,
    deliveryId,
    leaseNumber,
    attempt,
    scheduleStep: attempt,
    mayPause: true,
    endpointId,
    eventType: "deposit.confirmed",
    wasResent: false,
  };
}

async function save(claim: DeliveryClaim, verdict: Verdict): Promise<boolean> {
  const attempt = { statusCode: null, snippet: null, error: null, durationMs: 1, attemptedAt: new Date() };
  return (await saveEachAttempt(context.db, [{ claim, attempt, verdict }])).length === 1;
}

async function release(claim: DeliveryClaim, statusBefore: WebhookDeliveryStatus): Promise<void> {
  await releaseClaims(context.db, [{ ...claim, statusBefore } as ClaimedDelivery], 0);
}
