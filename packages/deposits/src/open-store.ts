import {
  type DepositStatus,
  depositMachine,
  openDepositStatuses,
  unconfirmedDepositStatuses,
} from "@daric/domain/deposit";
import { idOf, type MerchantId } from "@daric/domain/ids";
import { join, joinedOf, literals, one, type Queryable, type Sql, sql, tieTo } from "@daric/postgres/sql";

// Open deposits are found by block in `open_deposits`, which names their merchants.

/** The deposits of one merchant in one block with one status. */
export type OpenGroup = {
  readonly merchantId: MerchantId;
  readonly status: DepositStatus;
  readonly blockNumber: number;
  /** how many deposits it has, if known */
  readonly size?: number;
};

/** Map key of an open group: merchant and block. */
export function openGroupKey({
  merchantId,
  blockNumber,
}: Pick<OpenGroup, "merchantId" | "blockNumber">): string {
  return `${merchantId}/${blockNumber}`;
}

/** Open groups in blocks `from` to `to`, both inclusive and optional. */
export type OpenGroupRange = {
  readonly network: string;
  readonly statuses: readonly DepositStatus[];
  readonly from?: number;
  readonly to?: number;
};

const MAX_OPEN_GROUPS = 1_000;
const LAST_ID = idOf("merchant", "ffffffff-ffff-ffff-ffff-ffffffffffff");

/** The kinds of work that wait for blocks to become final. */
export type Waiting = {
  readonly hasUnconfirmed: boolean;
  readonly hasOrphaned: boolean;
  readonly hasUnaccounted: boolean;
  /** the time of the first block that is not solid; undefined where it is not read yet */
  readonly nextTime: Date | undefined;
};

/**
 * Whether deposits up to the `solid` or the `verified` block wait to be confirmed, and orphaned ones to return. Also whether the
 * ledger lacks outflows up to the `verified` block. One statement, because each block asks for all of it.
 */
export async function findWaiting(
  db: Queryable,
  { network, solid, verified }: { network: string; solid: number; verified: number },
): Promise<Waiting> {
  const anyOf = (statuses: readonly DepositStatus[]) =>
    sql`select 1 from open_deposits where network = ${network} and status in (${literals(...statuses)})`;
  const { nextTime, ...waiting } = one(
    await db.query<Omit<Waiting, "nextTime"> & { nextTime: Date | null }>(sql`
      select exists (${anyOf(unconfirmedDepositStatuses)} and block_number <= ${Math.max(solid, verified)}) as "hasUnconfirmed",
        exists (${anyOf(depositMachine.edge("failed").from)}) as "hasOrphaned",
        exists (
          select 1 from open_outflows o join blocks b on b.id = o.block_id and b.orphaned_at is null
          where o.network = ${network} and o.block_number <= ${verified}
        ) as "hasUnaccounted",
        (select time from blocks where network = ${network} and number = ${solid + 1} and orphaned_at is null) as "nextTime"`),
  );
  return { ...waiting, nextTime: nextTime ?? undefined };
}

export async function countOpenDeposits(
  db: Queryable,
  network: string,
): Promise<ReadonlyMap<DepositStatus, number>> {
  const rows = await db.query<{ status: DepositStatus; count: bigint }>(sql`
    select status, count(*) from open_deposits where network = ${network} group by status`);
  const counts = new Map(rows.map(({ status, count }) => [status, Number(count)]));
  return new Map(openDepositStatuses.map((status) => [status, counts.get(status) ?? 0]));
}

/** The open groups of a range by status and block, at most 1,000 per status. */
export function findOpenGroups(db: Queryable, range: OpenGroupRange): Promise<OpenGroup[]> {
  return findPages(db, range, startsOf(range));
}

/** All open groups of a range. */
export async function readOpenGroups(db: Queryable, range: OpenGroupRange): Promise<OpenGroup[]> {
  const found: OpenGroup[] = [];
  let after = startsOf(range);
  while (after.length > 0) {
    const pages = await findPages(db, range, after);
    found.push(...pages);
    const pagesOf = after.map(({ status }) => pages.filter((group) => group.status === status));
    after = pagesOf.flatMap((page) => (page.length === MAX_OPEN_GROUPS ? page.slice(-1) : []));
  }
  return found;
}

type Start = Pick<OpenGroup, "merchantId" | "status" | "blockNumber">;

function startsOf({ statuses, from = 0 }: OpenGroupRange): Start[] {
  return statuses.map((status) => ({ status, blockNumber: from - 1, merchantId: LAST_ID }));
}

/**
 * The groups after each of these, a page per status, in one statement. They come in the order of the index that holds them: the cost
 * depends on the deposits of these groups alone.
 */
async function findPages(
  db: Queryable,
  { network, to = Number.MAX_SAFE_INTEGER }: OpenGroupRange,
  after: readonly Start[],
): Promise<OpenGroup[]> {
  // A lateral page for each row of a list is refused by a distributed database.
  const pages = after.map(
    ({ status, blockNumber, merchantId }, place) => sql`(
      select status, merchant_id, block_number, count(*) as size, ${place}::integer as place from open_deposits
      where network = ${network} and status = ${status}
        and (block_number, merchant_id) > (${blockNumber}::bigint, ${merchantId}::uuid) and block_number <= ${to}
      group by status, block_number, merchant_id order by block_number, merchant_id limit ${MAX_OPEN_GROUPS})`,
  );
  const rows = await db.query<{
    status: DepositStatus;
    merchantId: MerchantId;
    blockNumber: bigint;
    size: bigint;
  }>(sql`
    select status, merchant_id as "merchantId", block_number as "blockNumber", size
    from (${join(pages, " union all ")}) page
    order by place, block_number, merchant_id`);
  return rows.map((row) => ({ ...row, blockNumber: Number(row.blockNumber), size: Number(row.size) }));
}

export function merchantsOf(groups: readonly OpenGroup[]): MerchantId[] {
  return groups.map(({ merchantId }) => merchantId);
}

/**
 * The rows of `deposits` (d) in these open groups with one of these statuses and `condition`, at most `limitEach` per group. They
 * are locked until the transaction ends. Each is found by its key whatever the statistics: neither the lock nor the offset lets
 * the planner join in another order. The status is compared last, so that the key alone finds the rows.
 */
export function depositsIn(
  network: string,
  groups: readonly OpenGroup[],
  {
    statuses,
    condition,
    limitEach,
  }: { statuses: readonly DepositStatus[]; condition: Sql; limitEach?: number | undefined },
): Sql {
  const of = (column: Sql) => joinedOf(column, merchantsOf(groups));
  return sql`
    select held.* from unnest(
      ${groups.map(({ merchantId }) => merchantId)}::uuid[], ${groups.map(({ status }) => status)}::text[],
      ${groups.map(({ blockNumber }) => blockNumber)}::bigint[]
    ) as open_group (merchant_id, status, block_number)
    cross join lateral (
      select found.* from (
        select o.merchant_id, o.deposit_id from open_deposits o
        where o.network = ${network} and ${of(sql`o.merchant_id`)} and o.merchant_id = open_group.merchant_id
          and o.status = open_group.status and o.block_number = open_group.block_number offset 0
      ) o
      cross join lateral (
        select d.* from deposits d
        where ${of(sql`d.merchant_id`)} and d.merchant_id = o.merchant_id and d.id = o.deposit_id and ${condition} for update
      ) found
      limit ${limitEach ?? null}
    ) held
    where held.status in (${literals(...statuses)})`;
}

/** The text of a CTE that updates `open_deposits`. `after` selects the changed rows of `deposits`, all open or all final. */
export function changedOpen(merchantIds: readonly MerchantId[], after: Sql, isOpen: boolean): Sql {
  if (!isOpen)
    return sql`
      delete from open_deposits o using (${after}) d
      where o.network = d.network and ${joinedOf(sql`o.merchant_id`, merchantIds)} and o.merchant_id = d.merchant_id
        and o.deposit_id = d.id`;
  const tie = tieTo(merchantIds);
  return sql`
    insert into open_deposits (network, status, block_number, merchant_id, deposit_id, is_merkle_proven)
    select network, status, block_number, ${tie.tenant}, id, is_merkle_proven from (${after}) d ${tie.join}
    on conflict (network, merchant_id, deposit_id) do update
    set status = excluded.status, block_number = excluded.block_number, is_merkle_proven = excluded.is_merkle_proven`;
}
