import { type Database, sql } from "@daric/postgres/sql";
import { toJson } from "./config.ts";
import type { Destination, EntryTimes } from "./destinations.ts";
import type { SigningRequest } from "./policy.ts";
import type { SigningOutcome } from "./sign-request.ts";

/** Requests without a result that expire after this time, oldest first. */
export function findPending(db: Database, afterMs: number, limit: number): Promise<SigningRequest[]> {
  return db.query(sql`
    select id, kind, merchant_id as "merchantId", derivation_index::float8 as "index", address,
      checkout_token as "checkoutToken", address_mac as "addressMac", currency, recipient, destination, units,
      fee_limit as "feeLimit", block_number as "blockNumber", block_id as "blockId",
      floor(extract(epoch from block_time) * 1000)::float8 as "blockTimeMs",
      floor(extract(epoch from expires_at) * 1000)::float8 as "expiresAtMs"
    from signing_requests
    where expires_at > to_timestamp(${afterMs / 1_000}::float8)
      and not exists (select from signing_results where request_id = signing_requests.id)
    order by created_at, id
    limit ${limit}`);
}

/** Stores the result of a request; the first one stays. */
export async function saveOutcome(db: Database, requestId: string, outcome: SigningOutcome): Promise<void> {
  const signed = outcome.refusal === undefined ? outcome : undefined;
  const transaction = signed && Buffer.from(signed.transaction);
  await db.query(sql`
    insert into signing_results (request_id, tx_id, transaction, refusal)
    values (${requestId}, ${signed?.txId}, ${transaction}, ${outcome.refusal})
    on conflict (request_id) do nothing`);
}

/** Reports an entry of the operator's list to the service, once. Citus refuses `on conflict` to a role that may not update. */
export async function saveDestination(db: Database, entry: Destination, seen: EntryTimes): Promise<void> {
  const { counter, merchantId, name, address, feeCeiling, isAdditional = false, permissions } = entry;
  const known = await db.query(sql`select counter from signer_destinations where counter = ${counter}`);
  if (known.length > 0) return;
  const ceiling: unknown = JSON.parse(toJson(feeCeiling));
  const [seenAt, actsFrom] = [new Date(seen.seenMs), new Date(seen.actsFromMs)];
  await db.query(sql`
    insert into signer_destinations (counter, merchant_id, name, address, fee_ceiling, seen_at, acts_from, is_additional, permissions)
    values (${counter}, ${merchantId}, ${name}, ${address}, ${ceiling}, ${seenAt}, ${actsFrom}, ${isAdditional}, ${permissions})`);
}

/** Rewrites the row with the signer's state. It reads no column, since the signer's role may not. */
export async function saveState(db: Database, state: object): Promise<void> {
  const changed = await db.query(
    sql`update signer_state set seen_at = now(), state = ${state} returning 1 as n`,
  );
  if (changed.length === 0)
    await db.query(sql`insert into signer_state (seen_at, state) values (now(), ${state})`);
}
