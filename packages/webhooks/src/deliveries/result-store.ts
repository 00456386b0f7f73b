import { deliveryMachine } from "@daric/domain/webhook-delivery";
import { type Database, joinedOf, milliseconds, replanned, type Sql, sql } from "@daric/postgres/sql";
import { isSharded } from "@daric/postgres/tenants";
import { counted } from "@daric/totals/list-store";
import { knownHealth } from "../queue/health-store.ts";
import { countedAttempts } from "./attempt-count-store.ts";
import { saveOnServer } from "./cluster-result-store.ts";
import { changeDeliveries } from "./count-store.ts";
import { type ClaimedDelivery, movesFrom } from "./delivery-store.ts";
import {
  type AttemptResult,
  changedBy,
  type FailingEndpoint,
  heldAfter,
  heldForNext,
  insertedAttempts,
  isOurs,
  type Recorded,
} from "./result-rows-store.ts";

const claimed = deliveryMachine.edge("claimed");

const failing = sql`
  select merchant_id as "merchantId", endpoint_id as "endpointId", must_wait as "mustWait", is_hopeless as "isHopeless"
  from health where must_wait or is_hopeless`;

/**
 * Records attempts and the new states of their deliveries, and the health of their endpoints, each only while its
 * lease is ours. Returns the failing endpoints. At most 200 merchants.
 */
export async function saveAttempts(
  db: Database,
  results: readonly AttemptResult[],
): Promise<readonly FailingEndpoint[]> {
  if (isSharded()) return (await saveOnServer(db, results)).failing;
  return db.query<FailingEndpoint>(replanned(saveStatement(results)));
}

/** Like {@link saveAttempts}, but returns the recorded attempts. */
export async function saveEachAttempt(
  db: Database,
  results: readonly AttemptResult[],
): Promise<readonly Recorded[]> {
  if (isSharded()) return (await saveOnServer(db, results)).recorded;
  return db.query<Recorded>(
    replanned(saveStatement(results, sql`select id as "deliveryId", status from delivery`)),
  );
}

/**
 * The statement of {@link saveAttempts}, exported to test its plan. A delivery whose next attempt would come after its
 * end is spent.
 */
export function saveStatement(results: readonly AttemptResult[], answer: Sql = failing): Sql {
  const merchantIds = results.map(({ claim }) => claim.merchantId);
  return sql`
    with ${changedBy(results)},
    counts as (${counted("webhook_deliveries", movesFrom(sql`${claimed.to}::text`))}),
    ${knownHealth(merchantIds)},
    attempts_by_hour as (${countedAttempts(sql`delivery`)})
    ${heldAfter(results)},
    attempts as (${insertedAttempts(sql`delivery`)})
    ${answer}`;
}

/** Releases claims without an attempt, as if they had never been made. At most 200 merchants. */
export async function releaseClaims(
  db: Database,
  claims: readonly ClaimedDelivery[],
  delayMs: number,
): Promise<void> {
  await changeDeliveries(db, releasedBy(claims, delayMs), {
    statusBefore: sql`${claimed.to}::text`,
    also: sql`, ${heldForNext(claims.map(({ merchantId }) => merchantId))}`,
  });
}

function releasedBy(claims: readonly ClaimedDelivery[], delayMs: number): Sql {
  const merchantIds = claims.map(({ merchantId }) => merchantId);
  return sql`
    result as (
      select * from unnest(
        ${merchantIds}::uuid[],
        ${claims.map(({ deliveryId }) => deliveryId)}::uuid[],
        ${claims.map(({ leaseNumber }) => leaseNumber)}::bigint[],
        ${claims.map(({ statusBefore }) => statusBefore)}::text[])
        as result (merchant_id, delivery_id, lease_number, status)),
    delivery as (
      update webhook_deliveries delivery set
        status = result.status, lease_until = null, attempt_count = attempt_count - 1, updated_at = now(),
        next_attempt_at = now() + ${milliseconds(delayMs)}
      from result
      where ${joinedOf(sql`delivery.merchant_id`, merchantIds)} and ${isOurs([claimed.to])}
      returning delivery.merchant_id, delivery.endpoint_id, delivery.status, delivery.next_attempt_at)`;
}
