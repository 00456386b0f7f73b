import { unconfirmedDepositStatuses } from "@daric/domain/deposit";
import type { MerchantId } from "@daric/domain/ids";
import { amountFromUnits } from "@daric/domain/money";
import { joinedOf, milliseconds, oneOf, type Queryable, sql } from "@daric/postgres/sql";
import { inLists, inMerchantLists } from "@daric/runtime/fair-rounds";
import type { ReadBlock } from "../block-store.ts";
import type { StoredDeposit } from "./agree.ts";

export type SolidBlock = ReadBlock & {
  /** see `infosDigestOf`; undefined if it has no infos to read */
  readonly infosDigest: string | undefined;
  /** the node of the first reading, if known */
  readonly sourceNode: string | undefined;
};

type BlockRow = {
  number: bigint;
  blockId: string;
  time: Date;
  infosDigest: string | null;
  sourceNode: string | null;
};

const toSolidBlock = ({ number, infosDigest, sourceNode, ...row }: BlockRow): SolidBlock => ({
  ...row,
  number: Number(number),
  infosDigest: infosDigest ?? undefined,
  sourceNode: sourceNode ?? undefined,
});

/** The next blocks of our chain that were read at least `minAgeMs` ago, without a gap. */
export async function findUnverified(
  db: Queryable,
  { network, above, to, minAgeMs, limit }: UnverifiedRange,
): Promise<SolidBlock[]> {
  const rows = await db.query<BlockRow & { isDue: boolean }>(sql`
    select number, id as "blockId", time, infos_digest as "infosDigest", source_node as "sourceNode",
      scanned_at <= now() - ${milliseconds(minAgeMs)} as "isDue"
    from blocks
    where network = ${network} and orphaned_at is null and number > ${above} and number <= ${to}
    order by number limit ${limit}`);
  const end = rows.findIndex(({ isDue }) => !isDue);
  return (end === -1 ? rows : rows.slice(0, end)).map(({ isDue: _, ...row }) => toSolidBlock(row));
}

type UnverifiedRange = {
  readonly network: string;
  readonly above: number;
  readonly to: number;
  readonly minAgeMs: number;
  readonly limit: number;
};

export async function findBlocks(
  db: Queryable,
  { network, numbers }: { network: string; numbers: readonly number[] },
): Promise<SolidBlock[]> {
  if (numbers.length === 0) return [];
  const rows = await db.query<BlockRow>(sql`
    select number, id as "blockId", time, infos_digest as "infosDigest", source_node as "sourceNode" from blocks
    where network = ${network} and orphaned_at is null and number = any(${numbers}::bigint[]) order by number`);
  return rows.map(toSolidBlock);
}

type OpenDeposit = Pick<StoredDeposit, "merchantId" | "id">;
type StoredIn = {
  readonly network: string;
  readonly numbers: readonly number[];
  readonly merchantIds?: readonly MerchantId[] | undefined;
};

/** The stored unconfirmed deposits in these blocks, by block number. `merchantIds` names the merchants, or else all are asked. */
export async function findStored(
  db: Queryable,
  { network, numbers, merchantIds: named }: StoredIn,
): Promise<ReadonlyMap<number, readonly StoredDeposit[]>> {
  const stored = new Map<number, StoredDeposit[]>();
  if (numbers.length === 0) return stored;
  const ofAll = sql`
    select merchant_id as "merchantId", deposit_id as id from open_deposits
    where network = ${network} and status = any(${unconfirmedDepositStatuses})
      and block_number = any(${numbers}::bigint[])`;
  const inList = (list: readonly MerchantId[]) =>
    db.query<OpenDeposit>(sql`${ofAll} and merchant_id ${oneOf(list)}`);
  const open =
    named === undefined
      ? await db.query<OpenDeposit>(ofAll)
      : (await Promise.all(inLists(named).map(inList))).flat();
  for (const list of inMerchantLists(open)) {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    const rows = await db.query<Omit<StoredDeposit, "amount"> & { amount: bigint; blockNumber: bigint }>(sql`
      select d.merchant_id as "merchantId", d.deposit_address_id as "chargeId", d.id, d.tx_id as "txId", d.source,
        d.event_index as "eventIndex", d.address, d.currency, d.units as amount, d.is_merkle_proven as "isMerkleProven",
        d.block_number as "blockNumber"
      from unnest(${merchantIds}::uuid[], ${list.map(({ id }) => id)}::uuid[]) as open (merchant_id, id)
      join deposits d on ${joinedOf(sql`d.merchant_id`, merchantIds)} and d.merchant_id = open.merchant_id and d.id = open.id`);
    for (const { blockNumber, amount, ...row } of rows) {
      const deposits = stored.get(Number(blockNumber)) ?? [];
      stored.set(Number(blockNumber), [...deposits, { ...row, amount: amountFromUnits(amount) }]);
    }
  }
  return stored;
}

/** The CONFIRMED deposits in the transactions of these transfers. */
export async function findConfirmed(
  db: Queryable,
  { network, observed }: { network: string; observed: readonly Pick<StoredDeposit, "merchantId" | "txId">[] },
): Promise<(Pick<StoredDeposit, "id" | "txId" | "source" | "address"> & { units: bigint })[]> {
  const found = [];
  for (const list of inMerchantLists(observed)) {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    const rows = await db.query<
      Pick<StoredDeposit, "id" | "txId" | "source" | "address"> & { units: bigint }
    >(sql`
      select distinct d.id, d.tx_id as "txId", d.source, d.address, d.units
      from unnest(${merchantIds}::uuid[], ${list.map(({ txId }) => txId)}::text[]) as reported (merchant_id, tx_id)
      join deposits d on ${joinedOf(sql`d.merchant_id`, merchantIds)} and d.merchant_id = reported.merchant_id
        and d.tx_id = reported.tx_id and d.network = ${network}
      where d.status = 'CONFIRMED'`);
    found.push(...rows);
  }
  return found;
}

/** The numbers of stored outflows, unsupported and unattributed transfers of contract runs in a block. */
export async function countNonDeposits(
  db: Queryable,
  { network, blockId, merchantIds }: { network: string; blockId: string; merchantIds: readonly string[] },
): Promise<{ outflows: number; unsupported: number; unattributed: number }> {
  const counts = await db.query<{ outflows: bigint; unsupported: bigint; unattributed: bigint }>(sql`
    select
      (select count(*) from outflows where merchant_id = any(${merchantIds}::uuid[]) and block_id = ${blockId} and source <> 'transfer') as outflows,
      (select count(*) from unsupported_transfers where merchant_id = any(${merchantIds}::uuid[]) and block_id = ${blockId} and source <> 'transfer') as unsupported,
      (select count(*) from unattributed_transfers where network = ${network} and block_id = ${blockId} and source <> 'transfer') as unattributed`);
  const [row] = counts;
  return {
    outflows: Number(row?.outflows ?? 0),
    unsupported: Number(row?.unsupported ?? 0),
    unattributed: Number(row?.unattributed ?? 0),
  };
}

/** The lowest blocks above `after`, up to `to`, with unconfirmed deposits. */
export async function findWaitingBlocks(
  db: Queryable,
  { network, to, after, limit }: { network: string; to: number; after: number; limit: number },
): Promise<number[]> {
  const rows = await db.query<{ number: bigint }>(sql`
    select distinct block_number as number from open_deposits
    where network = ${network} and status = any(${unconfirmedDepositStatuses}) and block_number > ${after}
      and block_number <= ${to}
    order by number limit ${limit}`);
  return rows.map(({ number }) => Number(number));
}
