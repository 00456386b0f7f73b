import { assets, currencies } from "@daric/domain/asset";
import { depositMachine, offChainDepositStatuses, openDepositStatuses } from "@daric/domain/deposit";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { WHOLE_SHARE } from "@daric/domain/money";
import {
  empty,
  join,
  literals,
  type Naming,
  oneOf,
  type Queryable,
  type Sql,
  sql,
  type Tie,
  unnamed,
  untied,
} from "@daric/postgres/sql";

const isOpen = sql`status in (${literals(...openDepositStatuses)})`;
const isConfirmed = sql`not unmatched and status = ${literals(depositMachine.edge("finalized").to)}`;
const isDetected = sql`status = ${literals(depositMachine.initial)}`;

/** The least amount of a coin that counts. */
function boundOf(currency: Sql): Sql {
  const cases = currencies.map(
    (code) => sql`when ${currency} = ${literals(code)} then ${assets[code].dust}::bigint`,
  );
  return sql`case ${join(cases, " ")} end`;
}

/**
 * SQL condition: a deposit of so many units is dust, as `isDust` of `domain/deposit.ts` says. `due` is null for money of another
 * currency, and without an amount.
 */
export function isDustOf({ units, currency, due }: { units: Sql; currency: Sql; due: Sql }): Sql {
  const bound = boundOf(currency);
  return sql`(${units} < ${bound} and not coalesce(${due} > 0 and ${due} < ${bound}, false))`;
}

/** SQL condition: deposits are dust, also those from before this was recorded. `row` is their alias with its dot, or empty. */
export function isDustIn(row: Sql = empty): Sql {
  return sql`coalesce(${row}dust, ${row}units < ${boundOf(sql`${row}currency`)})`;
}
/** Deposits from before it was recorded count as they did. */
const isCounted = sql`dust is not true`;
/** SQL condition: the charge waits for this deposit. Dust does not count. */
const isHolding = sql`not unmatched and ${isOpen} and not ${isDustIn()}`;
/** SQL condition: the money of a deposit is in the chain. */
export const isInChain = sql`status not in (${literals(...offChainDepositStatuses)})`;

/** The due of a row, which is a quote or a charge: `dueOf` in SQL. */
export function dueBy(row: Sql): Sql {
  return sql`coalesce(${row}.pay_units, ${row}.expected_units)`;
}

/** The share of a due that these units are, in 10^-18, rounded up; null without a due. */
export function shareRoundedUp(units: Sql, due: Sql): Sql {
  return sql`div(${units}::numeric * ${WHOLE_SHARE}::numeric + (${due} - 1), ${due})`;
}

/** The sums over rows of deposits, each row counted `sign` times. This is their only definition. */
const added = sql`
  coalesce(sum(sign * units) filter (where ${isConfirmed}), 0) as confirmed,
  coalesce(sum(sign * units) filter (where ${isConfirmed} and not late), 0) as confirmed_on_time,
  coalesce(sum(sign * units) filter (where ${isConfirmed} and not past_window and ${isCounted}), 0) as confirmed_in_window,
  coalesce(sum(sign * units) filter (where not unmatched and ${isOpen}), 0) as pending,
  coalesce(sum(sign * share) filter (where ${isConfirmed} and ${isCounted}), 0) as confirmed_share,
  coalesce(sum(sign * share) filter (where ${isConfirmed} and not late and ${isCounted}), 0) as confirmed_on_time_share,
  coalesce(sum(sign * share) filter (where ${isConfirmed} and not past_window and ${isCounted}), 0)
    as confirmed_in_window_share,
  coalesce(sum(sign * share) filter (where ${isOpen} and ${isCounted}), 0) as pending_share,
  coalesce(sum(sign * units) filter (where unmatched and ${isInChain}), 0) as unmatched,
  coalesce(sum(sign * units) filter (where ${isConfirmed} and dust), 0) as dust,
  coalesce(sum(sign * units) filter (where ${isConfirmed} and not late and dust), 0) as dust_on_time,
  coalesce(sum(sign * units) filter (where not unmatched and ${isOpen} and dust), 0) as dust_pending,
  coalesce(sum(sign * units) filter (where unmatched and ${isInChain} and dust), 0) as dust_unmatched,
  coalesce(sum(sign) filter (where ${isInChain} and dust), 0)::integer as dust_deposits,
  coalesce(sum(sign) filter (where ${isHolding} and ${isDetected}), 0)::integer as detected,
  coalesce(sum(sign) filter (where ${isHolding} and not ${isDetected}), 0)::integer as confirming,
  coalesce(sum(sign) filter (where ${isHolding} and not late), 0)::integer as open_on_time,
  coalesce(sum(sign) filter (where ${isOpen}), 0)::integer as open`;

/** The first deposit of the merchant's list. */
const newest = sql`
  (array_agg(id order by created_at desc, id desc))[1] as newest_deposit_id, max(created_at) as newest_deposit_at`;

type ChangedDeposits = { readonly before: Sql; readonly after: Sql; readonly tie?: Tie };

/**
 * The text of a CTE that updates the sums of charges in the statement that changes their deposits. `before` and `after` are
 * queries of whole rows of `deposits`; a new deposit is in `after` alone. Those of a CTE come with their `tie`. A charge without a row has zero in every sum.
 */
export function changedSums({ before, after, tie = untied }: ChangedDeposits): Sql {
  const isNewer = sql`coalesce((excluded.newest_deposit_at, excluded.newest_deposit_id)
    > (sums.newest_deposit_at, sums.newest_deposit_id), true)`;
  const columns = sql`merchant_id, deposit_address_id, id, units, share, currency, status, unmatched, late,
    past_window, dust, block_time, created_at`;
  return sql`
    insert into charge_sums as sums (merchant_id, deposit_address_id, confirmed, confirmed_on_time, confirmed_in_window,
      pending, confirmed_share, confirmed_on_time_share, confirmed_in_window_share, pending_share, unmatched, dust, dust_on_time, dust_pending,
      dust_unmatched, dust_deposits, detected, confirming, open_on_time, open, newest_deposit_id, newest_deposit_at, newest_block_time)
    select ${tie.tenant}, deposit_address_id, ${added}, ${newest}, max(block_time) filter (where sign = 1 and ${isCounted})
    from (
      select 1 as sign, ${columns} from (${after}) deposit
      union all
      select -1, ${columns} from (${before}) deposit
    ) moved ${tie.join}
    group by ${tie.tenant}, deposit_address_id
    on conflict (merchant_id, deposit_address_id) do update set
      confirmed = sums.confirmed + excluded.confirmed,
      confirmed_on_time = sums.confirmed_on_time + excluded.confirmed_on_time,
      confirmed_in_window = sums.confirmed_in_window + excluded.confirmed_in_window,
      pending = sums.pending + excluded.pending,
      confirmed_share = sums.confirmed_share + excluded.confirmed_share,
      confirmed_on_time_share = sums.confirmed_on_time_share + excluded.confirmed_on_time_share,
      confirmed_in_window_share = sums.confirmed_in_window_share + excluded.confirmed_in_window_share,
      pending_share = sums.pending_share + excluded.pending_share,
      unmatched = sums.unmatched + excluded.unmatched,
      dust = sums.dust + excluded.dust,
      dust_on_time = sums.dust_on_time + excluded.dust_on_time,
      dust_pending = sums.dust_pending + excluded.dust_pending,
      dust_unmatched = sums.dust_unmatched + excluded.dust_unmatched,
      dust_deposits = sums.dust_deposits + excluded.dust_deposits,
      detected = sums.detected + excluded.detected,
      confirming = sums.confirming + excluded.confirming,
      open_on_time = sums.open_on_time + excluded.open_on_time,
      open = sums.open + excluded.open,
      newest_deposit_id = case when ${isNewer} then excluded.newest_deposit_id else sums.newest_deposit_id end,
      newest_deposit_at = case when ${isNewer} then excluded.newest_deposit_at else sums.newest_deposit_at end,
      newest_block_time = greatest(sums.newest_block_time, excluded.newest_block_time)`;
}

/**
 * SQL query of one row: the rest that stands for its first order. It is the newest of the family that is open, or that got or may get
 * money. `first` is the id of the first order; `columns` are of a `rest` with its sums `got`. `of` names the merchant of a table.
 */
export function standingRest(
  columns: Sql,
  { merchantId, first, of = unnamed }: { merchantId: Sql; first: Sql; of?: Naming },
): Sql {
  return sql`
    select ${columns} from deposit_addresses rest
    left join charge_sums got
      on ${of(sql`got.merchant_id`)} and got.merchant_id = rest.merchant_id and got.deposit_address_id = rest.id
    where ${of(sql`rest.merchant_id`)} and rest.merchant_id = ${merchantId} and rest.rest_of = ${first}
      and (rest.status = 'ACTIVE' or got.confirmed - got.dust > 0 or got.detected > 0 or got.confirming > 0)
    order by rest.id desc limit 1`;
}

export type WrongSums = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly kept: unknown;
  readonly counted: unknown;
};

/** The charges of these merchants whose stored sums differ from their deposits. The list is empty unless there is a bug. */
export async function findWrongSums(db: Queryable, merchantIds: readonly MerchantId[]): Promise<WrongSums[]> {
  const of = oneOf(merchantIds);
  return db.query<WrongSums>(sql`
    select charge.merchant_id as "merchantId", charge.id as "chargeId",
      to_jsonb(kept) as kept, to_jsonb(counted) as counted
    from deposit_addresses charge
    left join charge_sums kept
      on kept.merchant_id = charge.merchant_id and kept.deposit_address_id = charge.id
    cross join lateral (
      select ${added}, ${newest}, max(block_time) filter (where ${isCounted}) as newest_block_time
      from (
        select 1 as sign, * from deposits
        where deposits.merchant_id = charge.merchant_id and deposit_address_id = charge.id
      ) deposit
    ) counted
    where charge.merchant_id ${of}
      and (to_jsonb(kept) @> to_jsonb(counted) - 'newest_block_time') is not true
      and (kept.merchant_id is not null or counted.newest_deposit_id is not null)
      or charge.merchant_id ${of} and kept.newest_block_time < counted.newest_block_time`);
}
