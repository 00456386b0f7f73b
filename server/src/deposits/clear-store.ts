import { joinedOf, type Queryable, sql } from "@daric/postgres/sql";
import { depositMachine, type TransferSource, unconfirmedDepositStatuses } from "../domain/deposit.ts";
import type { ChargeId, DepositId, MerchantId } from "../domain/ids.ts";
import { type Amount, amountFromUnits, type Currency } from "../domain/money.ts";
import { inMerchantLists } from "../runtime/fair-rounds.ts";

/** A deposit in our chain that no root covers and that is not confirmed. */
export type UncoveredDeposit = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly id: DepositId;
  readonly txId: string;
  readonly source: TransferSource;
  readonly eventIndex: number;
  readonly address: string;
  readonly currency: Currency;
  readonly amount: Amount;
  readonly blockNumber: number;
  readonly blockId: string;
  /** nothing that was read in its block or later was stored before, but for what a fork has moved there */
  readonly readAt: Date;
  readonly isStuck: boolean;
  /** whether it was added to a block that had been read without it */
  readonly isLate: boolean;
};

/** How many are looked at one by one. */
export type LookLimits = {
  /** more wait for the first to be done */
  readonly page: number;
  /** beside these at the same addresses; what is more there is added up (`findOthers`) */
  readonly beside: number;
};
const LIMITS: LookLimits = { page: 1_000, beside: 10_000 };

/** Where a page of STUCK deposits ends. */
export type StuckPlace = { readonly blockNumber: bigint; readonly id: DepositId };

const BELOW_ALL_BLOCKS = -1n;
const BELOW_ALL_IDS = "00000000-0000-0000-0000-000000000000";

/**
 * The uncovered deposits in our chain that are not confirmed, the oldest blocks first; of very many those that are not STUCK, and
 * then the STUCK ones behind a place, with what else waits at their addresses. Answers where these end, unless there are no
 * more, and whether nothing is left out at these addresses.
 */
export async function findUncovered(
  db: Queryable,
  { network, after, limits = LIMITS }: Uncovered,
): Promise<{ uncovered: UncoveredDeposit[]; end: StuckPlace | undefined; isWhole: boolean }> {
  const open = await db.query<OpenDeposit & StuckPlace & { isStuck: boolean }>(sql`
    select merchant_id as "merchantId", deposit_id as id, block_number as "blockNumber", status = 'STUCK' as "isStuck"
    from open_deposits
    where network = ${network} and not is_covered and status = any(${unconfirmedDepositStatuses})
      and (status <> 'STUCK' or (block_number, deposit_id) > (${after?.blockNumber ?? BELOW_ALL_BLOCKS}, ${after?.id ?? BELOW_ALL_IDS}::uuid))
    order by status = 'STUCK', block_number, deposit_id limit ${limits.page}`);
  const last = open[limits.page - 1];
  const end = last?.isStuck ? last : undefined;
  const page = await readAllUncovered(db, open);
  if (last === undefined && after === undefined) return { uncovered: page, end, isWhole: true };
  return { ...(await addCompanions(db, { network, page, most: limits.beside })), end };
}

type Uncovered = {
  readonly network: string;
  readonly after?: StuckPlace | undefined;
  readonly limits?: LookLimits | undefined;
};

/**
 * What else waits at the same addresses: of what one holds nothing can be judged without the rest. Of very many those that are
 * not STUCK come first.
 */
async function addCompanions(
  db: Queryable,
  { network, page, most }: { network: string; page: readonly UncoveredDeposit[]; most: number },
): Promise<{ uncovered: UncoveredDeposit[]; isWhole: boolean }> {
  const open: OpenDeposit[] = [];
  let isWhole = true;
  for (const list of inMerchantLists(page)) {
    const merchantIds = [...new Set(list.map(({ merchantId }) => merchantId))];
    const chargeIds = [...new Set(list.map(({ chargeId }) => chargeId))];
    // From what is open of these merchants, once: of what came to an address ever there may be very much. The limit of one keeps
    // the planner to the key of each.
    const rows = await db.query<OpenDeposit>(sql`
      select o.merchant_id as "merchantId", o.deposit_id as id from unnest(${merchantIds}::uuid[]) as paid (merchant_id)
      join open_deposits o on ${joinedOf(sql`o.merchant_id`, merchantIds)} and o.merchant_id = paid.merchant_id
        and o.network = ${network} and not o.is_covered and o.status = any(${unconfirmedDepositStatuses})
        and o.deposit_id <> all(${list.map(({ id }) => id)}::uuid[])
      cross join lateral (
        select d.deposit_address_id as charge_id from deposits d
        where ${joinedOf(sql`d.merchant_id`, merchantIds)} and d.merchant_id = o.merchant_id and d.id = o.deposit_id limit 1
      ) paid_to
      where paid_to.charge_id = any(${chargeIds}::uuid[])
      order by o.status = 'STUCK', o.block_number, o.deposit_id limit ${most}`);
    open.push(...rows);
    isWhole &&= rows.length < most;
  }
  const uncovered = [...page, ...(await readAllUncovered(db, open))];
  return { uncovered: uncovered.toSorted((a, b) => a.blockNumber - b.blockNumber), isWhole };
}

/** What a quorum compares in these blocks, however much it is: of what is not confirmed all but native transfers that a root covers. */
export async function findComparableIn(
  db: Queryable,
  { network, blocks }: { network: string; blocks: readonly { readonly number: number }[] },
): Promise<UncoveredDeposit[]> {
  if (blocks.length === 0) return [];
  const numbers = blocks.map(({ number }) => number);
  const open = await db.query<OpenDeposit>(sql`
    select merchant_id as "merchantId", deposit_id as id from open_deposits
    where network = ${network} and status = any(${unconfirmedDepositStatuses})
      and block_number = any(${numbers}::bigint[])`);
  return readAllUncovered(db, open);
}

type OpenDeposit = { readonly merchantId: MerchantId; readonly id: DepositId };

async function readAllUncovered(db: Queryable, open: readonly OpenDeposit[]): Promise<UncoveredDeposit[]> {
  const found: UncoveredDeposit[] = [];
  for (const list of inMerchantLists(open)) found.push(...(await readUncovered(db, list)));
  return found.toSorted((a, b) => a.blockNumber - b.blockNumber);
}

async function readUncovered(db: Queryable, list: readonly OpenDeposit[]): Promise<UncoveredDeposit[]> {
  const merchantIds = list.map(({ merchantId }) => merchantId);
  const rows = await db.query<
    Omit<UncoveredDeposit, "amount" | "blockNumber"> & { amount: bigint; blockNumber: bigint }
  >(sql`
    select d.merchant_id as "merchantId", d.deposit_address_id as "chargeId", d.id, d.tx_id as "txId", d.source,
      d.event_index as "eventIndex", d.address, d.currency, d.units as amount, d.block_number as "blockNumber",
      d.block_id as "blockId", least(d.created_at, d.block_time) as "readAt", d.status = 'STUCK' as "isStuck",
      exists (
        select from blocks b where b.network = d.network and b.orphaned_at is null
          and b.number in (d.block_number, d.block_number + 1) and b.scanned_at < came.at
      ) as "isLate"
    from unnest(${merchantIds}::uuid[], ${list.map(({ id }) => id)}::uuid[]) as open (merchant_id, id)
    join deposits d on ${joinedOf(sql`d.merchant_id`, merchantIds)} and d.merchant_id = open.merchant_id and d.id = open.id
    cross join lateral (
      select coalesce(max(event.created_at), d.created_at) as at from deposit_events event
      where ${joinedOf(sql`event.merchant_id`, merchantIds)} and event.merchant_id = d.merchant_id
        and event.deposit_id = d.id and event.block_id = d.block_id and event.to_status = ${depositMachine.initial}
    ) came
    where not d.is_covered or d.source = 'log'`);
  return rows.map((row) => ({
    ...row,
    amount: amountFromUnits(row.amount),
    blockNumber: Number(row.blockNumber),
  }));
}
