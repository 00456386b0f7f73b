import { depositMachine } from "@daric/domain/deposit";
import { isAtMostOnce, type WebhookEventType, webhookEventTypes } from "@daric/domain/webhook-event";
import { literals, oneOf, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { type DepositScope, isAmong } from "./deposit-check-store.ts";
import { MIN_KEPT } from "./history-check-store.ts";
import { byKey } from "./violation-store.ts";

const [confirming, finalized] = [depositMachine.edge("buried"), depositMachine.edge("finalized")];
/** The three steps to confirmation of nearly every deposit. */
const wasDetected = sql`event = 'detected' and from_status is null and to_status = ${literals(depositMachine.initial)}`;
const wasConfirming = sql`event = 'buried' and from_status = ${literals(depositMachine.initial)} and to_status = ${literals(confirming.to)}`;
const wasFinalized = sql`event = 'finalized' and from_status = ${literals(confirming.to)} and to_status = ${literals(finalized.to)}`;

/** Events that happen at most once, one bit each: their sum equals their union if none repeats. */
const onceOnly = webhookEventTypes.filter(isAtMostOnce);
const bitOf = (...types: readonly WebhookEventType[]) =>
  sql`${types.reduce((bits, type) => bits | (1 << onceOnly.indexOf(type)), 0)}::integer`;
const bit = sql(
  [`case `, ...onceOnly.slice(1).map(() => " "), " else 0 end"],
  ...onceOnly.map((type) => sql`when type = ${type} then ${bitOf(type)}`),
);
const depositKinds = bitOf("deposit.confirmed", "deposit.unmatched");

/**
 * The ids of a range that need detailed checks: every deposit except ordinary confirmed ones that one pass
 * over deposits, history and events found correct. Also ids with a history or an event but without a deposit.
 */
export async function listSuspects(db: Queryable, scope: DepositScope): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select coalesce(d.id, step.id, sent.id) as id
    from (${settled(scope)}) d
    full join (${histories(scope)}) step using (merchant_id, id)
    full join (${announced(scope)}) sent using (merchant_id, id)
    where (
      d.is_settled
        and (d.is_quiet and sent.id is null or sent.is_sent_once
        and sent.kinds & ${depositKinds} = case when d.unmatched then ${bitOf("deposit.unmatched")} else ${bitOf("deposit.confirmed")} end)
        and (step.id is null and d.is_old or step.is_ordinary and step.units = d.units and step.block_id = d.block_id)
    ) is not true
    union all
    select deposit_id from open_deposits
    where network = ${scope.network} and merchant_id ${oneOf(scope.merchantIds)} and ${isAmong(sql`deposit_id`, scope)}`);
  return [...new Set(rows.map(({ id }) => id))];
}

/**
 * The deposits, and whether each is correctly confirmed, in a block of our chain and at its charge's address.
 */
function settled({ network, merchantIds, ...scope }: DepositScope): Sql {
  return sql`
    select d.merchant_id, d.id, d.units, d.block_id, d.unmatched, d.unmatched and d.dust is true as is_quiet, d.updated_at <= now() - ${MIN_KEPT} as is_old,
      d.network = ${network} and d.status = ${literals(finalized.to)} and d.confirmed_at is not null
        and d.block_number <= (select solid_number from scan_cursors where network = ${network})
        and d.final_confirmations >= d.required_confirmations
        and charge.address = d.address and block.id = d.block_id as is_settled
    from deposits d
    left join lateral (
      select id from blocks
      where network = ${network} and number = d.block_number and orphaned_at is null ${byKey}
    ) block on true
    left join lateral (
      select address from deposit_addresses charge
      where charge.merchant_id = d.merchant_id and charge.id = d.deposit_address_id ${byKey}
    ) charge on true
    where d.merchant_id ${oneOf(merchantIds)} and ${isAmong(sql`d.id`, scope)}`;
}

/** The summary of each deposit's history. */
function histories({ merchantIds, ...scope }: DepositScope): Sql {
  return sql`
    select merchant_id, deposit_id as id,
      count(*) = 3 and min(id) filter (where ${wasDetected}) < min(id) filter (where ${wasConfirming})
        and min(id) filter (where ${wasConfirming}) < min(id) filter (where ${wasFinalized})
        and min(leader_epoch) = max(leader_epoch) as is_ordinary,
      min(units) filter (where ${wasFinalized}) as units,
      min(block_id collate "C") filter (where ${wasFinalized}) as block_id
    from deposit_events
    where merchant_id ${oneOf(merchantIds)} and ${isAmong(sql`deposit_id`, scope)}
    group by merchant_id, deposit_id`;
}

/** The events of each deposit, and of each charge with a repeated event. */
function announced({ merchantIds, ...scope }: DepositScope): Sql {
  return sql`
    select merchant_id, resource_id as id, bit_or(bit) as kinds, sum(bit) = bit_or(bit) as is_sent_once
    from (
      select merchant_id, resource_id, ${bit} as bit from webhook_events
      where merchant_id ${oneOf(merchantIds)} and ${isAmong(sql`resource_id`, scope)} offset 0
    ) event
    group by merchant_id, resource_id
    having sum(bit) <> bit_or(bit) or bit_or(bit) & ${depositKinds} <> 0`;
}
