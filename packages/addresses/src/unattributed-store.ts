import type { Currency } from "@daric/domain/asset";
import type { TransferSource } from "@daric/domain/deposit";
import { empty, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import { isSharded } from "@daric/postgres/tenants";
import { findCharged } from "./directory-store.ts";

export type UnattributedTransfer = {
  readonly network: string;
  readonly txId: string;
  readonly source: TransferSource;
  readonly eventIndex: number;
  /** the 20 bytes of the receiving address */
  readonly bytes: Buffer;
  readonly fromAddress: string | null;
  readonly currency: Currency;
  readonly units: bigint;
  readonly blockNumber: number;
  readonly blockId: string;
  readonly blockTime: Date;
};

/** Stores transfers of one block to addresses without a merchant, or updates their block. Returns the new ones. */
export async function recordUnattributed(
  tx: Transaction,
  transfers: readonly UnattributedTransfer[],
): Promise<UnattributedTransfer[]> {
  if (transfers.length === 0) return [];
  const rows = await tx.query<
    Pick<UnattributedTransfer, "txId" | "source" | "eventIndex"> & { isNew: boolean }
  >(sql`
    insert into unattributed_transfers (network, tx_id, source, event_index, address, from_address, currency, units,
      block_number, block_id, block_time)
    select * from unnest(
      ${transfers.map(({ network }) => network)}::text[], ${transfers.map(({ txId }) => txId)}::text[],
      ${transfers.map(({ source }) => source)}::text[], ${transfers.map(({ eventIndex }) => eventIndex)}::integer[],
      ${transfers.map(({ bytes }) => bytes)}::bytea[],
      ${transfers.map(({ fromAddress }) => fromAddress)}::text[],
      ${transfers.map(({ currency }) => currency)}::text[], ${transfers.map(({ units }) => units)}::bigint[],
      ${transfers.map(({ blockNumber }) => blockNumber)}::bigint[],
      ${transfers.map(({ blockId }) => blockId)}::text[],
      ${transfers.map(({ blockTime }) => blockTime)}::timestamptz[])
    on conflict (network, tx_id, source, event_index, address) do update set
      block_number = excluded.block_number, block_id = excluded.block_id, block_time = excluded.block_time,
      units = excluded.units
    returning tx_id as "txId", source, event_index as "eventIndex", xmax = 0 as "isNew"`);
  const known = new Set(rows.filter(({ isNew }) => !isNew).map(identityOf));
  return transfers.filter((transfer) => !known.has(identityOf(transfer)));
}

/** These transfers without those that were stored as money of no merchant, which the first reading of their block reported. */
export async function withoutReported<T extends Pick<UnattributedTransfer, "txId" | "source" | "eventIndex">>(
  tx: Transaction,
  network: string,
  transfers: readonly T[],
): Promise<T[]> {
  if (transfers.length === 0) return [];
  const rows = await tx.query<Pick<UnattributedTransfer, "txId" | "source" | "eventIndex">>(sql`
    select tx_id as "txId", source, event_index as "eventIndex" from unattributed_transfers
    where network = ${network} and tx_id = any(${transfers.map(({ txId }) => txId)}::text[])`);
  const reported = new Set(rows.map(identityOf));
  return transfers.filter((transfer) => !reported.has(identityOf(transfer)));
}

function identityOf({
  txId,
  source,
  eventIndex,
}: Pick<UnattributedTransfer, "txId" | "source" | "eventIndex">): string {
  return `${txId}/${source}/${eventIndex}`;
}

/** The transfers to an address that came while it belonged to no merchant, in the order of their blocks. */
export async function listUnattributedTo(
  db: Queryable,
  { network, bytes }: { network: string; bytes: Buffer },
): Promise<Pick<UnattributedTransfer, "txId" | "currency" | "units" | "blockNumber">[]> {
  const rows = await db.query<{ txId: string; currency: Currency; units: bigint; blockNumber: bigint }>(sql`
    select tx_id as "txId", currency, units, block_number as "blockNumber" from unattributed_transfers
    where network = ${network} and address = ${bytes} order by block_number, tx_id, event_index`);
  return rows.map((row) => ({ ...row, blockNumber: Number(row.blockNumber) }));
}

/** A transfer to an address of ours without an order in this database, for example after a restore of an older backup. */
export type FoundMoney = Pick<UnattributedTransfer, "txId" | "bytes" | "currency" | "units"> & {
  readonly blockNumber: bigint;
  /** the xpub that the address is derived from, and the last step of its path */
  readonly xpub: string;
  readonly derivationIndex: bigint;
};

/** The newest such transfers of a network, at most `limit`: all, or those to an address, or those of a transaction. */
export async function listFoundMoney(
  db: Queryable,
  { network, bytes, txId, limit }: { network: string; bytes?: Buffer; txId?: string; limit: number },
): Promise<FoundMoney[]> {
  const all = await db.query<FoundMoney>(sql`
    select found.tx_id as "txId", found.address as bytes, found.currency, found.units,
      found.block_number as "blockNumber", key.xpub, directory.derivation_index as "derivationIndex"
    from unattributed_transfers found
    join address_directory directory on directory.address = found.address
    join account_keys key on key.id = directory.account_key_id
    where found.network = ${network} and directory.charge_id is null
      ${bytes === undefined ? empty : sql`and found.address = ${bytes}`}
      ${txId === undefined ? empty : sql`and found.tx_id = ${txId}`}
    order by found.block_number desc, found.tx_id, found.event_index
    ${isSharded() ? empty : sql`limit ${limit}`}`);
  if (!isSharded()) return all;
  // The directory does not name the charge there, so the limit comes after it.
  const charged = await findCharged(
    db,
    all.map((transfer) => transfer.bytes),
  );
  return all.filter((transfer) => !charged.has(transfer.bytes.toString("hex"))).slice(0, limit);
}
