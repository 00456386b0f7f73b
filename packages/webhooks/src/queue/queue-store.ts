import type { EndpointId, MerchantId } from "@daric/domain/ids";
import { deliveryMachine } from "@daric/domain/webhook-delivery";
import {
  type Database,
  empty,
  joinedOf,
  laterBy,
  literals,
  milliseconds,
  one,
  oneOf,
  type Queryable,
  type Sql,
  sql,
} from "@daric/postgres/sql";

/** The most merchants of one look at the queue. */
export const MERCHANTS_AT_ONCE = 200;
/** The longest interval between checks of parked deliveries, so that a shorter WEBHOOK_PARKED_FOR is obeyed. */
const PARKED_POLL_MS = 3_600_000;

const isWaiting = sql`status in (${literals(...deliveryMachine.edge("claimed").from)})`;
const isLeased = sql`status in (${literals(...deliveryMachine.edge("lapsed").from)})`;

/**
 * Part of a statement that creates endpoints, given as a query of (merchant_id, endpoint_id): their entries,
 * nothing due.
 */
export function insertedQueue(endpoints: Sql): Sql {
  return sql`insert into endpoint_queue (merchant_id, endpoint_id) ${endpoints}`;
}

/**
 * Part of a statement that schedules deliveries of these merchants: two CTEs. `due` is a query of (merchant_id,
 * endpoint_id, due_at).
 * Locks the endpoints' entries and moves `due_at` earlier where necessary, so that no process moves it past
 * uncommitted work. Concurrent writers block only when both move it earlier.
 */
export function rescheduledSooner(merchantIds: readonly MerchantId[], due: Sql): Sql {
  const isTheirs = joinedOf(sql`queue.merchant_id`, merchantIds);
  return sql`
    queue_held as (
      select held.* from (
        select queue.merchant_id, queue.endpoint_id, queue.due_at as held_at, due.due_at
        from (select merchant_id, endpoint_id, min(due_at) as due_at from (${due}) due group by 1, 2) due
        join endpoint_queue queue
          on queue.merchant_id = due.merchant_id and queue.endpoint_id = due.endpoint_id
        where ${isTheirs}
        order by queue.merchant_id, queue.endpoint_id for key share of queue) held),
    queue_lowered as (
      update endpoint_queue queue set due_at = least(queue.due_at, held.due_at)
      from queue_held held
      where ${isTheirs} and queue.merchant_id = held.merchant_id and queue.endpoint_id = held.endpoint_id
        and held.held_at > held.due_at)`;
}

/** Part of a statement that enables or deletes an endpoint, given as a query of (merchant_id, endpoint_id). */
export function insertedChange(endpoints: Sql): Sql {
  return sql`insert into endpoint_changes (merchant_id, endpoint_id) ${endpoints}`;
}

export type DueWork = {
  /** merchants with a due endpoint, at most 200 */
  readonly merchantIds: readonly MerchantId[];
  /** the wait until the next endpoint is due; undefined without one */
  readonly nextMs: number | undefined;
};

/**
 * Finds merchants with due endpoints: first those not `busy`, then by id from `after` on and around, so that
 * repeated calls reach every merchant. `of` are the only ones that are looked at.
 */
export async function findDueWork(
  db: Queryable,
  {
    after,
    busy = [],
    of,
  }: { after: MerchantId | undefined; busy?: readonly MerchantId[]; of?: readonly MerchantId[] },
): Promise<DueWork> {
  const isTheirs = of && sql`merchant_id ${oneOf(of)}`;
  const andTheirs = isTheirs ? sql`and ${isTheirs}` : empty;
  const row = one(
    await db.query<{ merchantIds: MerchantId[]; nextMs: number | null }>(sql`
      with due as (
        select merchant_id from endpoint_queue where due_at <= now() ${andTheirs}
        union select merchant_id from endpoint_changes ${isTheirs ? sql`where ${isTheirs}` : empty}),
      chosen as (
        select merchant_id, row_number() over (order by merchant_id = any(${busy}::uuid[]),
          coalesce(merchant_id <= ${after ?? null}::uuid, false), merchant_id) as place
        from due order by place limit ${MERCHANTS_AT_ONCE}),
      later as (
        select min(due_at) as due_at from endpoint_queue where due_at > now() and due_at < 'infinity' ${andTheirs})
      select coalesce(array_agg(merchant_id order by place) filter (where merchant_id is not null), '{}') as "merchantIds",
        extract(epoch from max(later.due_at) - now())::float8 * 1000 as "nextMs"
      from later left join chosen on true`),
  );
  return { merchantIds: row.merchantIds, nextMs: row.nextMs ?? undefined };
}

/** Makes endpoints due that were enabled or deleted. A locked entry is skipped, and its change stays. */
export async function rescheduleChanged(db: Queryable, merchantIds: readonly MerchantId[]): Promise<void> {
  const of = oneOf(merchantIds);
  await db.query(sql`
    with changes as (
      select merchant_id, endpoint_id, id from endpoint_changes where merchant_id ${of}),
    free as (
      select held.* from (
        select queue.merchant_id, queue.endpoint_id from endpoint_queue queue
        where queue.merchant_id ${of}
          and (queue.merchant_id, queue.endpoint_id) in (select merchant_id, endpoint_id from changes)
        for no key update skip locked) held),
    woken as (
      update endpoint_queue queue set due_at = least(queue.due_at, now()) from free
      where queue.merchant_id ${of} and queue.merchant_id = free.merchant_id and queue.endpoint_id = free.endpoint_id)
    delete from endpoint_changes change using free, changes
    where change.merchant_id ${of} and change.merchant_id = free.merchant_id and change.endpoint_id = free.endpoint_id
      and changes.merchant_id = change.merchant_id and changes.endpoint_id = change.endpoint_id and changes.id = change.id`);
}

/**
 * Moves the entries of endpoints without due work to their next due time; returns how many. Locked entries are
 * skipped, since their holder is adding work.
 */
export async function rescheduleLater(
  db: Pick<Database, "transaction">,
  merchantIds: readonly MerchantId[],
  { parkedForMs }: { parkedForMs: number },
): Promise<number> {
  const first = dueAgain(merchantIds, parkedForMs);
  return db.transaction(async (tx) => {
    const locked = await tx.query<{ merchantId: MerchantId; endpointId: EndpointId }>(sql`
      select queue.merchant_id as "merchantId", queue.endpoint_id as "endpointId"
      from endpoint_queue queue ${first}
      where queue.merchant_id ${oneOf(merchantIds)} and queue.due_at <= now() and again.due_at > now()
      for update of queue skip locked`);
    if (locked.length === 0) return 0;
    // A separate statement sees all commits before the lock.
    await tx.query(sql`
      update endpoint_queue raised set due_at = again.due_at
      from endpoint_queue queue ${first}
      where queue.merchant_id ${oneOf(merchantIds)}
        and (queue.merchant_id, queue.endpoint_id) in (select * from unnest(
          ${locked.map((queue) => queue.merchantId)}::uuid[], ${locked.map((queue) => queue.endpointId)}::uuid[]))
        and raised.merchant_id ${oneOf(merchantIds)} and raised.merchant_id = queue.merchant_id
        and raised.endpoint_id = queue.endpoint_id
        and again.due_at > queue.due_at`);
    return locked.length;
  });
}

/**
 * Joins `again.due_at` to `queue`: the next time at which an endpoint needs work. Deliveries of a deleted endpoint
 * end at once, those of a disabled one after the parking time or their four days. One that asked for a pause is due at its end. A suspended one is due at its next
 * attempt, and stays due during one, since its success frees the others.
 */
function dueAgain(merchantIds: readonly MerchantId[], parkedForMs: number): Sql {
  const earliest = (column: Sql, state: Sql): Sql => sql`
    (select ${column} from webhook_deliveries
     where ${joinedOf(sql`merchant_id`, merchantIds)} and merchant_id = endpoint.merchant_id
       and endpoint_id = endpoint.id and ${state}
     order by ${column} limit 1)`;
  return sql`
    join webhook_endpoints endpoint on endpoint.merchant_id = queue.merchant_id
      and endpoint.id = queue.endpoint_id and endpoint.merchant_id ${oneOf(merchantIds)}
    left join endpoint_health health on health.merchant_id = queue.merchant_id
      and health.endpoint_id = queue.endpoint_id and ${joinedOf(sql`health.merchant_id`, merchantIds)}
    cross join lateral (
      select ${earliest(sql`next_attempt_at`, isWaiting)} as waiting, ${earliest(sql`lease_until`, isLeased)} as leased,
        ${earliest(sql`expires_at`, isWaiting)} as expiring) first
    cross join (select now() as now) clock
    cross join lateral (
      select coalesce(least(
        case when first.waiting is null then first.waiting
          when endpoint.is_active then least(
            greatest(first.waiting, health.paused_until, case when first.leased is null then health.probe_at end), first.expiring)
          when endpoint.deleted_at is not null then '-infinity'
          else least(${laterBy(sql`first.waiting`, milliseconds(parkedForMs))},
            ${laterBy(sql`clock.now`, milliseconds(PARKED_POLL_MS))}, first.expiring) end,
        first.leased), 'infinity') as due_at) again`;
}
