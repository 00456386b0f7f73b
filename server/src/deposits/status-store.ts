import { empty, literals, type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import {
  type DepositEvent,
  type DepositStatus,
  depositMachine,
  type StuckReason,
  unconfirmedDepositStatuses,
} from "../domain/deposit.ts";
import { changedSums } from "../sums/sums-store.ts";
import type { ReadBlock } from "./block-store.ts";
import {
  asConfirmed,
  type ChangedDeposit,
  type ConfirmedDeposit,
  type DepositRow,
  depositColumns,
  type Scope,
  type Sighting,
  toDeposit,
} from "./store.ts";

// Each function moves deposits along one edge of the machine and answers those that moved, by block.

/** Of a deposit `d` whose block left the chain: it waits for its end. */
const isLost = sql`d.status in (${literals(...depositMachine.edge("failed").from)})`;

/** A later block follows the block of a deposit. */
export async function buryDeposits(
  tx: Transaction,
  scope: Scope,
  { below }: { below: number },
): Promise<ChangedDeposit[]> {
  return move(tx, scope, { event: "buried", where: sql`d.block_number < ${below}` });
}

/** The blocks above a height left the chain. */
export async function orphanDeposits(
  tx: Transaction,
  scope: Scope,
  { above }: { above: number },
): Promise<ChangedDeposit[]> {
  return move(tx, scope, { event: "orphaned", where: sql`d.block_number > ${above}` });
}

/**
 * Takes the first `limit` deposits that have the required confirmations at height `head`, at or below the solid block,
 * in a block of our chain.
 */
export async function finalizeDeposits(
  tx: Transaction,
  scope: Scope,
  { solid, head, limit }: { solid: ReadBlock; head: number; limit: number },
): Promise<(ConfirmedDeposit & ChangedDeposit)[]> {
  const { from } = depositMachine.edge("finalized");
  const moved = await move(tx, scope, {
    event: "finalized",
    where: sql`d.id = any(array(
      select final.id from deposits final
      join blocks b on b.id = final.block_id and b.orphaned_at is null
      where final.network = ${scope.network} and final.status in (${literals(...from)})
        and final.block_number <= ${solid.number}
        and final.block_number + final.required_confirmations - 1 <= ${head}
      order by final.block_number, final.id limit ${limit}))`,
    set: sql`, confirmed_at = now(), final_confirmations = ${head} - changed.block_number + 1`,
  });
  return moved.map(asConfirmed);
}

/** Solidity keeps deposits waiting that are in blocks made before `madeBefore` and above the solid one. */
export async function stallDeposits(
  tx: Transaction,
  scope: Scope,
  { solid, madeBefore }: { solid: ReadBlock; madeBefore: Date },
): Promise<ChangedDeposit[]> {
  return move(tx, scope, {
    event: "stalled",
    where: sql`d.block_time < ${madeBefore} and d.block_number > ${solid.number}`,
    stuckReason: "solidity",
  });
}

/** The chain has a deposit again whose block had left it: amount and recipient are read anew. */
export async function includeAgain(
  tx: Transaction,
  scope: Scope,
  sighting: Sighting,
): Promise<ChangedDeposit | undefined> {
  const [deposit] = await move(tx, scope, {
    event: "included",
    where: sql`d.tx_id = ${sighting.txId} and d.source = ${sighting.source}
      and d.event_index = ${sighting.eventIndex}`,
    set: sql`, merchant_id = ${sighting.merchantId}, deposit_address_id = ${sighting.chargeId},
      address = ${sighting.address}, from_address = ${sighting.fromAddress}, currency = ${sighting.currency},
      units = ${sighting.amount}, block_number = ${sighting.blockNumber}, block_id = ${sighting.blockId},
      block_time = ${sighting.blockTime}, tx_expires_at = ${sighting.txExpiresAt}, late = ${sighting.late},
      past_window = ${sighting.pastWindow}, unmatched = ${sighting.unmatched}, unpaid_block_id = null, failed_at = null, failure_reason = null`,
  });
  return deposit;
}

/** Takes the first `limit` deposits whose transaction is in a block up to the solid one, which did not pay them. */
export async function failUnpaid(
  tx: Transaction,
  scope: Scope,
  { solid, limit }: { solid: ReadBlock; limit: number },
): Promise<ChangedDeposit[]> {
  return move(tx, scope, {
    event: "failed",
    where: firstLost(scope, { where: isUnpaidUpTo(solid), limit }),
    set: sql`, failed_at = now(), failure_reason = 'failed_on_chain'`,
  });
}

/** Takes the first `limit` deposits whose transaction was over before the solid block, and can enter no later one. */
export async function failDropped(
  tx: Transaction,
  scope: Scope,
  { solid, droppedAfterMs, limit }: { solid: ReadBlock; droppedAfterMs: number; limit: number },
): Promise<ChangedDeposit[]> {
  return move(tx, scope, {
    event: "failed",
    where: firstLost(scope, { where: isDroppedBy(solid, droppedAfterMs), limit }),
    set: sql`, failed_at = now(), failure_reason = 'dropped'`,
  });
}

/** Whether `failUnpaid` or `failDropped` would move any deposit if this block of ours were solid. */
export async function hasDepositsToFail(
  db: Queryable,
  { network, solid, droppedAfterMs }: { network: string; solid: ReadBlock; droppedAfterMs: number },
): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from deposits d
    where d.network = ${network} and ${isLost}
      and (${isUnpaidUpTo(solid)} or ${isDroppedBy(solid, droppedAfterMs)}) limit 1`);
  return rows.length > 0;
}

/** Whether any deposit in a block up to a height is on its way to CONFIRMED. */
export async function hasDepositsToConfirm(
  db: Queryable,
  input: { network: string; upTo: number },
): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from deposits
    where network = ${input.network} and block_number <= ${input.upTo}
      and status in (${literals(...unconfirmedDepositStatuses)}) limit 1`);
  return rows.length > 0;
}

/**
 * Notes of deposits whose block left the chain that a block has their transaction and did not pay them. To be called
 * once the block's own transfers are recorded. The note counts for as long as that block is in the chain, and until
 * the next one.
 */
export async function noteUnpaid(
  tx: Transaction,
  input: { network: string; blockId: string; txIds: readonly string[] },
): Promise<void> {
  await tx.query(sql`
    update deposits d set unpaid_block_id = ${input.blockId}
    where d.network = ${input.network} and ${isLost} and d.tx_id = any(${input.txIds})`);
}

function firstLost(scope: Scope, { where, limit }: { where: Sql; limit: number }): Sql {
  return sql`d.id = any(array(
    select d.id from deposits d
    where d.network = ${scope.network} and ${isLost} and ${where}
    order by d.block_number, d.id limit ${limit}))`;
}

function isUnpaidUpTo(solid: ReadBlock): Sql {
  return sql`exists (
    select from blocks b
    where b.id = d.unpaid_block_id and b.orphaned_at is null and b.number <= ${solid.number})`;
}

/**
 * The expiration is what a node said, and no hash covers what we read of it: it counts only as far as consensus lets a
 * transaction live (24 h: java-tron MAXIMUM_TIME_UNTIL_EXPIRATION).
 */
function isDroppedBy(solid: ReadBlock, droppedAfterMs: number): Sql {
  return sql`least(d.tx_expires_at,
    d.block_time + ${droppedAfterMs}::float8 * interval '1 millisecond') < ${solid.time}`;
}

/**
 * Moves every deposit that `where` names (alias d) along one edge, in one statement that also writes the history. Rows
 * in a status that has no such edge are left alone. Answers the changed rows with their status before.
 */
async function move(
  tx: Transaction,
  scope: Scope,
  change: { event: DepositEvent; where: Sql; set?: Sql; stuckReason?: StuckReason },
): Promise<ChangedDeposit[]> {
  const { from, to } = depositMachine.edge(change.event);
  const rows = await tx.query<DepositRow & { previousStatus: DepositStatus }>(sql`
    with before as (
      select d.* from deposits d
      where d.network = ${scope.network} and d.status in (${literals(...from)}) and ${change.where}
      for update
    ), d as (
      update deposits changed
      set status = ${to}, stuck_reason = ${change.stuckReason ?? null}, updated_at = now() ${change.set ?? empty}
      from before where changed.merchant_id = before.merchant_id and changed.id = before.id
      returning changed.*, before.status as previous_status
    ), logged as (
      insert into deposit_events (merchant_id, deposit_id, event, from_status, to_status, block_number, block_id, units,
        leader_epoch)
      select merchant_id, id, ${change.event}, previous_status, status, block_number, block_id, units, ${scope.epoch}
      from d order by block_number, id
    ), summed as (${changedSums(sql`select * from before`, sql`select * from d`)})
    select ${depositColumns}, d.previous_status as "previousStatus" from d order by d.block_number, d.id`);
  return rows.map((row) => ({ ...toDeposit(row), previousStatus: row.previousStatus }));
}
