import { joinedOf, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import {
  depositMachine,
  offChainDepositStatuses,
  type TransferSource,
  unconfirmedDepositStatuses,
} from "../domain/deposit.ts";
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

/** So many are looked at; more wait for the first to be done. */
const MAX_UNCOVERED = 1_000;

/** The uncovered deposits in our chain that are not confirmed, the oldest blocks first; of very many those that are not STUCK. */
export async function findUncovered(db: Queryable, network: string): Promise<UncoveredDeposit[]> {
  const open = await db.query<OpenDeposit>(sql`
    select merchant_id as "merchantId", deposit_id as id from open_deposits
    where network = ${network} and not is_covered and status = any(${unconfirmedDepositStatuses})
    order by status = 'STUCK', block_number limit ${MAX_UNCOVERED}`);
  return readAllUncovered(db, open);
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

/** One address and one currency, from a block on. */
export type Purse = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly address: string;
  readonly currency: Currency;
  readonly from: number;
  readonly readAt: Date;
};

/** The same purse from the first block on. */
export function wholeOf(purse: Purse): Purse {
  return { ...purse, from: 0, readAt: new Date(0) };
}

/** What our blocks show of a purse, in units of its currency. */
export type PurseMovement = {
  /** came and is beyond doubt (covered, or confirmed), or came back by a transaction of the address itself */
  readonly came: bigint;
  readonly left: bigint;
  /** what the fees of the address's own transactions took at most: never of a token */
  readonly mostBurnt: bigint;
};

/**
 * What our blocks show to have come to purses up to one height and to have left them up to another, in their order; of 200
 * merchants at most. A transaction lives for a day at most, so that nothing stored earlier than that before a purse was read
 * can have moved into its blocks.
 */
export async function findMovements(
  db: Queryable,
  { network, purses, cameTo, leftTo, isProven = false }: MovementsOf,
): Promise<PurseMovement[]> {
  if (purses.length === 0) return [];
  const merchantIds = purses.map(({ merchantId }) => merchantId);
  const rows = await db.query<Record<keyof PurseMovement, string>>(sql`
    select (coming.units + own.returned)::text as came, leaving.units::text as left, own.burnt::text as "mostBurnt"
    from unnest(${merchantIds}::uuid[], ${purses.map(({ chargeId }) => chargeId)}::uuid[],
      ${purses.map(({ address }) => address)}::text[], ${purses.map(({ currency }) => currency)}::text[],
      ${purses.map(({ from }) => from)}::bigint[], ${purses.map(({ readAt }) => readAt)}::timestamptz[]
    ) with ordinality as purse (merchant_id, charge_id, address, currency, from_number, read_at, place)
    cross join lateral (
      select coalesce(sum(d.units), 0) as units from deposits d
      where ${joinedOf(sql`d.merchant_id`, merchantIds)} and d.merchant_id = purse.merchant_id
        and d.deposit_address_id = purse.charge_id and d.unmatched = any('{false,true}')
        and d.created_at >= purse.read_at - interval '1 day' and d.network = ${network} and d.currency = purse.currency
        and d.block_number between purse.from_number and ${cameTo}
        and (d.is_covered or d.confirmed_at is not null) and d.status <> all(${offChainDepositStatuses})
    ) coming
    cross join lateral (
      select coalesce(sum(o.units), 0) as units from outflows o
      where ${joinedOf(sql`o.merchant_id`, merchantIds)} and o.merchant_id = purse.merchant_id
        and o.address = purse.address and o.block_number between purse.from_number and ${leftTo} and o.network = ${network}
        and o.currency = purse.currency and (o.is_covered or not ${isProven}) and ${isInChain(sql`o.block_id`)}
    ) leaving
    cross join lateral (
      select coalesce(sum(t.returned), 0) as returned,
        coalesce(sum(t.most_burnt) filter (where t.block_number <= ${leftTo}), 0) as burnt
      from own_transactions t
      where ${joinedOf(sql`t.merchant_id`, merchantIds)} and t.merchant_id = purse.merchant_id
        and t.address = purse.address and t.block_number between purse.from_number and ${cameTo}
        and t.network = ${network} and purse.currency = 'TRX' and ${isInChain(sql`t.block_id`)}
    ) own
    order by purse.place`);
  return rows.map(({ came, left, mostBurnt }) => ({
    came: BigInt(came),
    left: BigInt(left),
    mostBurnt: BigInt(mostBurnt),
  }));
}

const isInChain = (blockId: Sql) =>
  sql`exists (select from blocks b where b.id = ${blockId} and b.orphaned_at is null)`;

type MovementsOf = {
  readonly network: string;
  readonly purses: readonly Purse[];
  readonly cameTo: number;
  readonly leftTo: number;
  /** of what left, only what the roots of blocks cover */
  readonly isProven?: boolean;
};
