import { type ChargeEvent, type ChargeKind, type ChargeStatus, chargeMachine } from "@daric/domain/charge";
import type { ChargeId, ChargeRef, MerchantId } from "@daric/domain/ids";
import {
  empty,
  joinedOf,
  laterBy,
  literals,
  maybeOne,
  milliseconds,
  oneOf,
  type Queryable,
  type Sql,
  sql,
  type Transaction,
  tieTo,
} from "@daric/postgres/sql";
import { byMerchantLists, inMerchantLists } from "@daric/runtime/fair-rounds";
import { counted } from "@daric/totals/list-store";
import { named } from "./charge-store.ts";
import { loweredArchiving } from "./due-store.ts";

// Every status move of a charge is one statement that also updates the list's totals.

/** A charge after a move or a lock. */
export type ChargeStanding = ChargeRef & { readonly kind: ChargeKind; readonly status: ChargeStatus };

/** A locked charge. `paidAt` is when an order was first paid, `restOf` the order that it is a rest of. */
export type LockedCharge = ChargeStanding & {
  readonly paidAt: Date | null;
  readonly restOf: ChargeId | null;
};

/** Locks a row until the transaction ends, so that one transaction at a time reads its status and sums. */
export async function lockCharge(tx: Transaction, ref: ChargeRef): Promise<LockedCharge | undefined> {
  return maybeOne(
    await tx.query<LockedCharge>(sql`
      select merchant_id as "merchantId", id, kind, status, paid_at as "paidAt", rest_of as "restOf"
      from deposit_addresses charge
      where ${named([ref])} for no key update`),
  );
}

/** A locked order. `now` is this transaction's time. */
export type LockedOrder = LockedCharge & { readonly now: Date };

/** Locks the orders among the rows, like `lockCharge`. */
export async function lockOrders(tx: Transaction, refs: readonly ChargeRef[]): Promise<LockedOrder[]> {
  return byMerchantLists(refs, (list) =>
    tx.query<LockedOrder>(sql`
      select merchant_id as "merchantId", id, kind, status, paid_at as "paidAt", rest_of as "restOf", now() as now
      from deposit_addresses charge
      where ${named(list)} and kind = 'order'
      order by merchant_id, id for no key update`),
  );
}

/** Archives a charge for its merchant. An ARCHIVED one stays unchanged. */
export async function archiveByMerchant(tx: Transaction, ref: ChargeRef): Promise<void> {
  await move(tx, { event: "archived", merchantIds: [ref.merchantId], chosen: chosenBy([ref]) });
}

/** Accepts the received money as full payment of these orders. Call it once in the life of an order. */
export async function acceptOrders(
  tx: Transaction,
  refs: readonly ChargeRef[],
  reason: string | null,
): Promise<void> {
  for (const list of inMerchantLists(refs))
    await move(tx, {
      event: "accepted",
      merchantIds: merchantsOf(list),
      chosen: chosenBy(list),
      set: sql`, accepted_at = now(), accept_reason = ${reason}`,
    });
}

/**
 * Archives paid orders, and records the time of payment unless it is known. Returns those that moved: an
 * order archived before stays unchanged.
 */
export async function archivePaid(tx: Transaction, refs: readonly ChargeRef[]): Promise<ChargeStanding[]> {
  return byMerchantLists(refs, (list) =>
    move(tx, {
      event: "paid",
      merchantIds: merchantsOf(list),
      chosen: chosenBy(list),
      set: sql`, paid_at = coalesce(charge.paid_at, clock.now)`,
    }),
  );
}

/** Records the time of payment of orders that stay in their status. */
export async function markPaid(tx: Transaction, refs: readonly ChargeRef[]): Promise<void> {
  for (const list of inMerchantLists(refs))
    await tx.query(sql`
      update deposit_addresses charge set paid_at = now(), updated_at = now()
      where ${named(list)} and paid_at is null`);
}

const expired = chargeMachine.edge("expired");
const quiet = chargeMachine.edge("quiet");

/**
 * The condition that a `charge` is active, past its expiry at `chainTime`, and without a pending deposit that
 * came in time.
 */
const isOverdue = (chainTime: Date, merchantIds: readonly MerchantId[]) => sql`
  charge.status in (${literals(...expired.from)}) and charge.expires_at < ${chainTime}
    and not exists (
      select from charge_sums sums
      where ${joinedOf(sql`sums.merchant_id`, merchantIds)} and sums.merchant_id = charge.merchant_id
        and sums.deposit_address_id = charge.id and sums.open_on_time > 0)`;

/** Whether `expireOverdue` would find any row of these merchants. */
export async function hasOverdue(
  db: Queryable,
  { merchantIds, chainTime }: { merchantIds: readonly MerchantId[]; chainTime: Date },
): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from deposit_addresses charge
    where charge.merchant_id ${oneOf(merchantIds)} and ${isOverdue(chainTime, merchantIds)} limit 1`);
  return rows.length > 0;
}

/**
 * The rows that one statement closes: `limitEach` of each of these merchants, 200 at most, the longest due
 * first.
 */
export type Closing = {
  readonly merchantIds: readonly MerchantId[];
  /** the time of the newest verified block */
  readonly chainTime: Date;
  readonly limitEach: number;
};

/**
 * Expires overdue rows. They may be archived after `archiveAfterMs` without a deposit and the end of their
 * late window.
 */
export async function expireOverdue(
  tx: Transaction,
  { merchantIds, chainTime, limitEach, archiveAfterMs }: Closing & { archiveAfterMs: number },
): Promise<ChargeStanding[]> {
  return move(tx, {
    event: "expired",
    merchantIds,
    chosen: eachOf(
      merchantIds,
      sql`${isOverdue(chainTime, merchantIds)} order by charge.expires_at limit ${limitEach}`,
    ),
    set: sql`, archives_at = greatest(${laterBy(sql`charge.expires_at`, milliseconds(archiveAfterMs))}, charge.late_until)`,
    also: sql`, archive_queue as (${loweredArchiving(sql`select merchant_id, archives_at from charge`, tieTo(merchantIds))})`,
  });
}

/**
 * Postpones due rows with recent deposits: to `archiveAfterMs` after the newest deposit, or after `chainTime`
 * if one is not final.
 */
export async function putOffArchiving(
  tx: Transaction,
  { merchantIds, chainTime, limitEach, archiveAfterMs }: Closing & { archiveAfterMs: number },
): Promise<number> {
  const quietAfter = milliseconds(archiveAfterMs);
  const rows = await tx.query(sql`
    update deposit_addresses charge set archives_at = loud.quiet_from
    from (${eachOf(merchantIds, sql`${isDue(chainTime)} order by charge.archives_at limit ${limitEach}`)}) due
    cross join lateral (
      select case when sums.detected + sums.confirming > 0 then ${chainTime}::timestamptz else sums.newest_block_time end
        + ${quietAfter} as quiet_from
      from charge_sums sums
      where ${joinedOf(sql`sums.merchant_id`, merchantIds)} and sums.merchant_id = due.merchant_id
        and sums.deposit_address_id = due.id
    ) loud
    where ${joinedOf(sql`charge.merchant_id`, merchantIds)} and charge.merchant_id = due.merchant_id and charge.id = due.id
      and loud.quiet_from > ${chainTime}
    returning charge.id`);
  return rows.length;
}

/** Archives expired rows that are due, without an open deposit or one younger than `archiveAfterMs`. */
export async function archiveQuiet(
  tx: Transaction,
  { merchantIds, chainTime, limitEach, archiveAfterMs }: Closing & { archiveAfterMs: number },
): Promise<ChargeStanding[]> {
  const isQuiet = sql`${isDue(chainTime)} and not exists (
    select from charge_sums sums
    where ${joinedOf(sql`sums.merchant_id`, merchantIds)} and sums.merchant_id = charge.merchant_id
      and sums.deposit_address_id = charge.id and (sums.detected + sums.confirming > 0 or sums.newest_block_time + ${milliseconds(archiveAfterMs)} > ${chainTime}))`;
  return move(tx, {
    event: "quiet",
    merchantIds,
    chosen: eachOf(merchantIds, sql`${isQuiet} order by charge.archives_at limit ${limitEach}`),
  });
}

const isDue = (chainTime: Date) => sql`
  charge.status in (${literals(...quiet.from)}) and charge.archives_at < ${chainTime}`;

function merchantsOf(refs: readonly ChargeRef[]): MerchantId[] {
  return refs.map(({ merchantId }) => merchantId);
}

/** The rows of these refs, locked in a fixed order. */
function chosenBy(refs: readonly ChargeRef[]): Sql {
  return sql`
    select held.* from (
      select merchant_id, id, status from deposit_addresses charge where ${named(refs)}
      order by merchant_id, id for no key update
    ) held`;
}

/** Of each merchant the rows that `condition` (on `charge`) selects, without locked ones. */
function eachOf(merchantIds: readonly MerchantId[], condition: Sql): Sql {
  return sql`
    select held.* from unnest(${merchantIds}::uuid[]) as merchant (id)
    cross join lateral (
      select charge.merchant_id, charge.id, charge.status from deposit_addresses charge
      where ${joinedOf(sql`charge.merchant_id`, merchantIds)} and charge.merchant_id = merchant.id and ${condition}
      for no key update skip locked
    ) held`;
}

/**
 * Moves the `chosen` rows (merchant_id, id, status), which are locked, along one edge. Rows in a status without such an edge
 * stay unchanged. The locked status is compared: by the row's own the planner may read a partial index for each row.
 * `also` is a further CTE over the moved rows `charge`. The client of a click is kept while the order is ACTIVE alone.
 */
async function move(
  tx: Transaction,
  change: {
    event: ChargeEvent;
    merchantIds: readonly MerchantId[];
    chosen: Sql;
    set?: Sql;
    also?: Sql;
  },
): Promise<ChargeStanding[]> {
  const { from, to } = chargeMachine.edge(change.event);
  return tx.query<ChargeStanding>(sql`
    with before as (${change.chosen}), charge as (
      update deposit_addresses charge set status = ${to}, click_client = null, updated_at = now() ${change.set ?? empty}
      from before, (select now() as now) clock
      where ${joinedOf(sql`charge.merchant_id`, change.merchantIds)} and charge.merchant_id = before.merchant_id
        and charge.id = before.id and before.status in (${literals(...from)})
      returning charge.*, before.status as previous_status
    ) ${change.also ?? empty}, totals as (${counted(
      "deposit_addresses",
      sql`
        select merchant_id, array[kind, previous_status, chain] as facets, -1 as delta from charge
        union all select merchant_id, array[kind, status, chain], 1 from charge`,
      tieTo(change.merchantIds),
    )})
    select merchant_id as "merchantId", id, kind, status from charge`);
}
