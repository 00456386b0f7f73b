import {
  type DepositEvent,
  type DepositStatus,
  depositMachine,
  isOpen,
  type StuckReason,
} from "@daric/domain/deposit";
import type { MerchantId } from "@daric/domain/ids";
import {
  empty,
  joinedOf,
  literals,
  milliseconds,
  oneOf,
  type Queryable,
  replanned,
  type Sql,
  sql,
  type Transaction,
  tieTo,
} from "@daric/postgres/sql";
import { inLists } from "@daric/runtime/fair-rounds";
import { counted } from "@daric/totals/list-store";
import { changedSums, dueBy, isDustOf, shareRoundedUp } from "@daric/totals/sums-store";
import type { ReadBlock } from "./block-store.ts";
import { logged, logMoves } from "./history-store.ts";
import { changedOpen, depositsIn, merchantsOf, type OpenGroup, readOpenGroups } from "./open-store.ts";
import {
  type ChangedDeposit,
  type Deposit,
  type DepositRow,
  depositColumns,
  type ObservedTransfer,
  observedTransferRows,
  type Scope,
  toDeposit,
} from "./store.ts";
import { isUncertain } from "./unpaid-store.ts";

// Each function moves deposits along one edge of the machine and returns them by block. A statement takes at most 200 open groups.

const confirmingEdge = depositMachine.edge("buried");
const orphanedEdge = depositMachine.edge("orphaned");
const lost = depositMachine.edge("failed");

/** Marks deposits with a later block as CONFIRMING. Without `groups` all open groups are scanned. */
export async function markConfirming(
  tx: Transaction,
  scope: Scope,
  { below, groups }: { below: number; groups?: readonly OpenGroup[] | undefined },
): Promise<ChangedDeposit[]> {
  return moveAll(tx, scope, { event: "buried", statuses: confirmingEdge.from, to: below - 1, groups });
}

export async function orphanDeposits(
  tx: Transaction,
  scope: Scope,
  { above }: { above: number },
): Promise<ChangedDeposit[]> {
  return moveAll(tx, scope, { event: "orphaned", statuses: orphanedEdge.from, from: above + 1 });
}

export type Share = { readonly groups: readonly OpenGroup[]; readonly limitEach: number };

/** Fails deposits whose transaction is in a block up to the solid one that did not pay them. */
export async function failUnpaid(
  tx: Transaction,
  scope: Scope,
  { groups, limitEach, solid }: Share & { solid: ReadBlock },
): Promise<ChangedDeposit[]> {
  return moveIn(tx, scope, {
    event: "failed",
    groups,
    limitEach,
    condition: isUnpaidUpTo(solid),
    set: sql`, failed_at = now(), failure_reason = 'failed_on_chain'`,
  });
}

/** Fails deposits whose transaction has expired before the solid block. */
export async function failDropped(
  tx: Transaction,
  scope: Scope,
  { groups, limitEach, solid, droppedAfterMs }: Share & { solid: ReadBlock; droppedAfterMs: number },
): Promise<ChangedDeposit[]> {
  return moveIn(tx, scope, {
    event: "failed",
    groups,
    limitEach,
    condition: isDroppedBy(solid, droppedAfterMs),
    set: sql`, failed_at = now(), failure_reason = 'dropped'`,
  });
}

/** Fails the deposits that an operator rejected: to us their block, which stays in our chain, does not pay them. */
export async function failRejected(tx: Transaction, scope: Scope, share: Share): Promise<ChangedDeposit[]> {
  return moveIn(tx, scope, {
    ...share,
    event: "rejected",
    condition: sql`d.decision = 'rejected'`,
    set: sql`, failed_at = now(), failure_reason = 'rejected', unpaid_block_id = changed.block_id`,
  });
}

export async function hasDepositsToFail(
  db: Queryable,
  { network, solid, droppedAfterMs }: { network: string; solid: ReadBlock; droppedAfterMs: number },
): Promise<boolean> {
  for (const groups of inLists(await readOpenGroups(db, { network, statuses: lost.from }))) {
    const rows = await db.query(sql`
      select 1 from open_deposits o
      join deposits d on ${joinedOf(sql`d.merchant_id`, merchantsOf(groups))} and d.merchant_id = o.merchant_id and d.id = o.deposit_id
      where o.network = ${network} and o.merchant_id ${oneOf(merchantsOf(groups))} and o.status in (${literals(...lost.from)})
        and (${isUnpaidUpTo(solid)} or ${isDroppedBy(solid, droppedAfterMs)}) limit 1`);
    if (rows.length > 0) return true;
  }
  return false;
}

/**
 * Moves deposits whose block had left the chain into the block that has them again, and reads their amounts anew. A transfer that
 * pays another address now is another deposit. The charge's newest quote applies until `assignQuotes`.
 */
export async function includeAgain(
  tx: Transaction,
  scope: Scope,
  { observed, block }: { observed: readonly ObservedTransfer[]; block: ReadBlock },
): Promise<ChangedDeposit[]> {
  const merchantIds = observed.map(({ merchantId }) => merchantId);
  return move(tx, scope, {
    event: "included",
    merchantIds,
    before: sql`select * from (
      select d.*, seen.from_address as seen_from, seen.currency as seen_currency, seen.units as seen_units,
        seen.tx_expires_at as seen_until, seen.is_merkle_proven as seen_proven, charge.currency as charge_currency, charge.expires_at, charge.late_until,
        charge.newest_quote_id, case when charge.newest_quote_id is not null
          then ${shareRoundedUp(sql`seen.units`, dueBy(sql`charge`))} end as newest_share,
        ${isDustOf({ units: sql`seen.units`, currency: sql`seen.currency`, due: sql`case when seen.currency = charge.currency then ${dueBy(sql`charge`)} end` })} as seen_dust
      from (${observedTransferRows(observed)}) seen
      join deposits d on ${joinedOf(sql`d.merchant_id`, merchantIds)} and d.merchant_id = seen.merchant_id and d.id = seen.id
      join deposit_addresses charge on ${joinedOf(sql`charge.merchant_id`, merchantIds)}
        and charge.merchant_id = d.merchant_id and charge.id = d.deposit_address_id
      offset 0 for update of d for key share of charge) held
      where held.status in (${literals(...depositMachine.edge("included").from)})
        and held.decision is distinct from 'rejected'`,
    set: sql`, from_address = before.seen_from, currency = before.seen_currency, units = before.seen_units,
      block_number = ${block.number}, block_id = ${block.blockId}, block_time = ${block.time},
      tx_expires_at = before.seen_until, is_merkle_proven = before.seen_proven,
      decision = case when ${isAcceptedIn(block)} then before.decision end, late = coalesce(${block.time} > before.expires_at, false),
      past_window = coalesce(${block.time} > before.late_until, false),
      unmatched = before.seen_currency <> before.charge_currency, dust = before.seen_dust,
      quote_id = case when before.seen_currency = before.charge_currency then before.newest_quote_id end,
      share = case when before.seen_currency = before.charge_currency then before.newest_share end, unpaid_block_id = null, failed_at = null,
      failure_reason = null`,
  });
}

/** An operator's decision applies to one block. */
function isAcceptedIn({ blockId }: ReadBlock): Sql {
  return sql`(before.decision is not null and before.block_id = ${blockId})`;
}

function isUnpaidUpTo(solid: ReadBlock): Sql {
  return sql`not ${isUncertain} and exists (
    select from blocks b
    where b.id = d.unpaid_block_id and b.orphaned_at is null and b.number <= ${solid.number})`;
}

/**
 * The signed expiration counts only as far as consensus lets a transaction live (24 h: java-tron MAXIMUM_TIME_UNTIL_EXPIRATION).
 * That is also the assumed life without an expiration. A transaction in our chain has not expired, even if it paid nothing.
 */
function isDroppedBy(solid: ReadBlock, droppedAfterMs: number): Sql {
  return sql`least(d.tx_expires_at,
    d.block_time + ${milliseconds(droppedAfterMs)}) < ${solid.time}
    and not (${isUncertain} and exists (
      select from blocks b where b.id = d.unpaid_block_id and b.orphaned_at is null))`;
}

type Change = {
  readonly event: DepositEvent;
  readonly set?: Sql;
  readonly stuckReason?: StuckReason;
};

/** Moves the deposits of a range with `condition` (on d), in `groups` or else in all open groups. */
export async function moveAll(
  tx: Transaction,
  scope: Scope,
  { groups: known, condition = () => sql`true`, ...change }: Moving,
): Promise<ChangedDeposit[]> {
  const moved: ChangedDeposit[] = [];
  const all = known ?? (await readOpenGroups(tx, { ...change, network: scope.network }));
  for (const groups of inLists(all)) {
    moved.push(
      ...(await moveIn(tx, scope, { ...change, groups, condition: condition(merchantsOf(groups)) })),
    );
  }
  return moved;
}

type Moving = Change & {
  readonly statuses: readonly DepositStatus[];
  readonly from?: number;
  readonly to?: number;
  readonly condition?: (merchantIds: readonly MerchantId[]) => Sql;
  readonly limitEach?: number;
  readonly groups?: readonly OpenGroup[] | undefined;
};

export async function moveIn(
  tx: Transaction,
  scope: Scope,
  {
    groups,
    condition,
    limitEach,
    ...change
  }: Change & Partial<Share> & { groups: readonly OpenGroup[]; condition: Sql },
): Promise<ChangedDeposit[]> {
  const { from: statuses } = depositMachine.edge(change.event);
  const before = depositsIn(scope.network, groups, { statuses, condition, limitEach });
  return move(tx, scope, { ...change, before, merchantIds: merchantsOf(groups) });
}

/**
 * Moves deposits along one edge in one statement, with history, sums, totals and open groups. `before` selects the locked rows, each
 * in a status that has the edge.
 */
async function move(
  tx: Transaction,
  scope: Scope,
  change: Change & { before: Sql; merchantIds: readonly MerchantId[] },
): Promise<ChangedDeposit[]> {
  const { to } = depositMachine.edge(change.event);
  const { merchantIds } = change;
  const [before, after] = [sql`select * from before`, sql`select * from d`];
  const tie = tieTo(merchantIds);
  const moving = sql`
    with before as (${change.before}), d as (
      update deposits changed
      set status = ${to}, stuck_reason = ${change.stuckReason ?? null}, updated_at = now() ${change.set ?? empty}
      from before where ${joinedOf(sql`changed.merchant_id`, merchantIds)} and changed.merchant_id = before.merchant_id
        and changed.id = before.id
      returning changed.*, before.status as previous_status, before.currency as previous_currency
    ), logged as (
${logged(
  change.event,
  scope,
  sql`
        select merchant_id, id as deposit_id, previous_status as from_status, status as to_status, block_number, block_id, units
        from d order by block_number, id`,
)}
    ), summed as (${changedSums({ before, after, tie })}
    ), opened as (${changedOpen(merchantIds, after, isOpen(to))}
    ), totals as (${counted(
      "deposits",
      sql`
        select merchant_id, array[previous_status, previous_currency] as facets, -1 as delta from d
        union all select merchant_id, array[status, currency], 1 from d`,
      tie,
    )})
    select ${depositColumns}, d.previous_status as "previousStatus", d.decision is not distinct from 'accepted' as "isAccepted" from d order by d.block_number, d.id`;
  const rows = await tx.query<DepositRow & { previousStatus: DepositStatus; isAccepted: boolean }>(
    replanned(moving),
  );
  const moved = rows.map((row) => ({
    ...toDeposit(row),
    previousStatus: row.previousStatus,
    isAccepted: row.isAccepted,
  }));
  await logMoves(tx, scope, { event: change.event, moved });
  return moved;
}

/** How often each of these deposits (of at most 200 merchants) has come into its current or last block. */
export async function countOccurrences(db: Queryable, deposits: readonly Deposit[]): Promise<number[]> {
  const merchantIds = deposits.map(({ merchantId }) => merchantId);
  const rows = await db.query<{ count: bigint }>(sql`
    select count(came.id)
    from unnest(${merchantIds}::uuid[], ${deposits.map(({ id }) => id)}::uuid[],
      ${deposits.map(({ blockId }) => blockId)}::text[]) with ordinality as d (merchant_id, id, block_id, place)
    left join deposit_events came on ${joinedOf(sql`came.merchant_id`, merchantIds)} and came.merchant_id = d.merchant_id
      and came.deposit_id = d.id and came.block_id = d.block_id and came.to_status = ${depositMachine.initial}
    group by d.place order by d.place`);
  return rows.map(({ count }) => Number(count));
}
