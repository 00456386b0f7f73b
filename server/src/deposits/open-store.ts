import { joinedOf, literals, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import {
  type DepositStatus,
  depositMachine,
  openDepositStatuses,
  unconfirmedDepositStatuses,
} from "../domain/deposit.ts";
import type { MerchantId } from "../domain/ids.ts";
import { inLists } from "../runtime/fair-rounds.ts";
import { globally } from "../runtime/global-statements.ts";

// Deposits that are not final are found by what the chain knows of them: their block. `open_deposits` says whose they are.

/** The deposits of one merchant in one block that have one status. */
export type OpenGroup = {
  readonly merchantId: MerchantId;
  readonly status: DepositStatus;
  readonly blockNumber: number;
};

/** What tells an open group, and the one that a deposit was in, from the others. */
export function openGroupKey({ merchantId, blockNumber }: Omit<OpenGroup, "status">): string {
  return `${merchantId}/${blockNumber}`;
}

/** Pockets in blocks `from` to `to`, both included; without a bound where none is given. */
export type OpenGroupRange = {
  readonly network: string;
  readonly statuses: readonly DepositStatus[];
  readonly from?: number;
  readonly to?: number;
};

/** So many open groups are looked up at once. */
const MAX_OPEN_GROUPS = 1_000;
const LAST_UUID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** What waits for blocks to become final. */
export type Waiting = {
  readonly toBeConfirmed: boolean;
  readonly toComeBack: boolean;
  readonly toBeAccounted: boolean;
};

/**
 * What may be settled, in one look: whether deposits wait up to this block to be confirmed, whether any wait, wherever they
 * were, for their payment to come back, and whether the ledger lacks outflows up to the `verified` block.
 */
export async function findWaiting(
  db: Queryable,
  { network, to, verified }: { network: string; to: number; verified: number },
): Promise<Waiting> {
  const anyOf = (statuses: readonly DepositStatus[]) =>
    sql`select from open_deposits where network = ${network} and status in (${literals(...statuses)})`;
  return one(
    await db.query<Waiting>(
      globally(
        "unaccounted-outflows",
        sql`
          select exists (${anyOf(unconfirmedDepositStatuses)} and block_number <= ${to}) as "toBeConfirmed",
            exists (${anyOf(depositMachine.edge("failed").from)}) as "toComeBack",
            exists (
              select from outflows o join blocks b on b.id = o.block_id and b.orphaned_at is null
              where o.network = ${network} and o.block_number <= ${verified} and not o.is_accounted
            ) as "toBeAccounted"`,
      ),
    ),
  );
}

/** How many deposits are not final, by status; of a status that none has, zero. */
export async function countOpenDeposits(
  db: Queryable,
  network: string,
): Promise<ReadonlyMap<DepositStatus, number>> {
  const rows = await db.query<{ status: DepositStatus; count: bigint }>(sql`
    select status, count(*) from open_deposits where network = ${network} group by status`);
  const counts = new Map(rows.map(({ status, count }) => [status, Number(count)]));
  return new Map(openDepositStatuses.map((status) => [status, counts.get(status) ?? 0]));
}

/** The open groups of a range, those of the oldest blocks first within a status; some thousand where there are more. */
export async function findOpenGroups(db: Queryable, range: OpenGroupRange): Promise<OpenGroup[]> {
  const pages: OpenGroup[][] = [];
  for (const status of range.statuses) pages.push(await findPage(db, { ...range, status }));
  return pages.flat();
}

/** All open groups of a range, in lists that one statement can be about. */
export async function* listOpenGroups(
  db: Queryable,
  range: OpenGroupRange,
): AsyncGenerator<readonly OpenGroup[]> {
  for (const status of range.statuses) {
    let after: OpenGroup | undefined;
    do {
      const page = await findPage(db, { ...range, status, after });
      yield* inLists(page);
      after = page.length === MAX_OPEN_GROUPS ? page.at(-1) : undefined;
    } while (after !== undefined);
  }
}

/** Goes from open_group to open group by index, so that it costs what there are of them, however many deposits they hold. */
async function findPage(
  db: Queryable,
  { network, status, from = 0, to = Number.MAX_SAFE_INTEGER, after }: PageRange,
): Promise<OpenGroup[]> {
  const [block, merchantId] = [after?.blockNumber ?? from - 1, after?.merchantId ?? LAST_UUID];
  const next = (above: Sql) => sql`
    select block_number, merchant_id from open_deposits
    where network = ${network} and status = ${status} and (block_number, merchant_id) > ${above}
      and block_number <= ${to}
    order by block_number, merchant_id limit 1`;
  const rows = await db.query<{ merchantId: MerchantId; blockNumber: bigint }>(sql`
    with recursive open_group as (
      (${next(sql`(${block}::bigint, ${merchantId}::uuid)`)})
      union all
      select next.* from open_group
      cross join lateral (${next(sql`(open_group.block_number, open_group.merchant_id)`)}) next
    )
    select merchant_id as "merchantId", block_number as "blockNumber" from open_group limit ${MAX_OPEN_GROUPS}`);
  return rows.map((row) => ({ ...row, blockNumber: Number(row.blockNumber), status }));
}

type PageRange = Omit<OpenGroupRange, "statuses"> & {
  readonly status: DepositStatus;
  readonly after?: OpenGroup | undefined;
};

/** Whose some open groups are. */
export function merchantsOf(groups: readonly OpenGroup[]): MerchantId[] {
  return groups.map(({ merchantId }) => merchantId);
}

/**
 * The rows of `deposits` (d) in these open groups and one of these statuses that `condition` selects, `limitEach` of an open group
 * at most; held until the transaction ends. The status is looked at last, so that rows are found by their key alone.
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
  return sql`
    select held.* from unnest(
      ${groups.map(({ merchantId }) => merchantId)}::uuid[], ${groups.map(({ status }) => status)}::text[],
      ${groups.map(({ blockNumber }) => blockNumber)}::bigint[]
    ) as open_group (merchant_id, status, block_number)
    cross join lateral (
      select d.* from open_deposits o
      join deposits d on ${joinedOf(sql`d.merchant_id`, merchantsOf(groups))} and d.merchant_id = o.merchant_id and d.id = o.deposit_id
      where o.network = ${network} and ${joinedOf(sql`o.merchant_id`, merchantsOf(groups))} and o.merchant_id = open_group.merchant_id
        and o.status = open_group.status and o.block_number = open_group.block_number and ${condition}
      limit ${limitEach ?? null}
      for update of d
    ) held
    where held.status in (${literals(...statuses)})`;
}

/**
 * Part of a statement that changes deposits: a data-modifying CTE's text that keeps who is open. `after` is a query of
 * whole rows of `deposits` of these merchants as they are now, all open or all final.
 */
export function changedOpen(merchantIds: readonly MerchantId[], after: Sql, isOpen: boolean): Sql {
  if (!isOpen)
    return sql`
      delete from open_deposits o using (${after}) d
      where o.network = d.network and ${joinedOf(sql`o.merchant_id`, merchantIds)} and o.merchant_id = d.merchant_id
        and o.deposit_id = d.id`;
  return sql`
    insert into open_deposits (network, status, block_number, merchant_id, deposit_id, is_merkle_proven)
    select network, status, block_number, merchant_id, id, is_merkle_proven from (${after}) d
    on conflict (network, merchant_id, deposit_id) do update
    set status = excluded.status, block_number = excluded.block_number, is_merkle_proven = excluded.is_merkle_proven`;
}
