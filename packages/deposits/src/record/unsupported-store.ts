import type { TransferSource } from "@daric/domain/deposit";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { empty, type Queryable, sql, type Transaction } from "@daric/postgres/sql";

/** An unsupported token that was sent to one of our addresses. It is never credited. */
export type UnsupportedArrival = {
  readonly id: string;
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly txId: string;
  readonly source: TransferSource;
  readonly eventIndex: number;
  readonly address: string;
  readonly fromAddress: string;
  /** the contract in base58, or `trc10:` and the token's id */
  readonly contract: string;
  readonly rawValue: bigint;
};

/** Stores unsupported transfers of one block, each once, and returns the new ones. */
export async function insertUnsupported(
  tx: Transaction,
  { network, block, arrivals }: ArrivalsOfBlock,
): Promise<UnsupportedArrival[]> {
  if (arrivals.length === 0) return [];
  const rows = await tx.query<{ id: string }>(sql`
    insert into unsupported_transfers (merchant_id, id, deposit_address_id, network, tx_id, source, event_index, address,
      from_address, contract, raw_value, block_number, block_id)
    select merchant_id, id, charge_id, ${network}, tx_id, source, event_index, address, from_address, contract, raw_value,
      ${block.number}::bigint, ${block.blockId}
    from unnest(
      ${arrivals.map(({ merchantId }) => merchantId)}::uuid[], ${arrivals.map(({ id }) => id)}::uuid[],
      ${arrivals.map(({ chargeId }) => chargeId)}::uuid[], ${arrivals.map(({ txId }) => txId)}::text[],
      ${arrivals.map(({ source }) => source)}::text[], ${arrivals.map(({ eventIndex }) => eventIndex)}::integer[],
      ${arrivals.map(({ address }) => address)}::text[], ${arrivals.map(({ fromAddress }) => fromAddress)}::text[],
      ${arrivals.map(({ contract }) => contract)}::text[], ${arrivals.map(({ rawValue }) => String(rawValue))}::text[]
    ) as seen (merchant_id, id, charge_id, tx_id, source, event_index, address, from_address, contract, raw_value)
    order by merchant_id, id
    on conflict do nothing
    returning id`);
  const isNew = new Set(rows.map(({ id }) => id));
  return arrivals.filter(({ id }) => isNew.has(id));
}

type ArrivalsOfBlock = {
  readonly network: string;
  readonly block: { readonly number: number; readonly blockId: string };
  readonly arrivals: readonly UnsupportedArrival[];
};

export type ListedUnsupported = Omit<UnsupportedArrival, "rawValue" | "id"> & {
  readonly rawValue: string;
  readonly blockNumber: number;
  readonly isInChain: boolean;
  readonly createdAt: Date;
};

type UnsupportedFilter = {
  readonly merchantId: MerchantId;
  readonly txId?: string | undefined;
  readonly chargeId?: ChargeId;
  readonly limit: number;
};

/** The newest unsupported transfers to a merchant; with a filter, only those of one transaction or to one charge. */
export async function listUnsupported(
  db: Queryable,
  { merchantId, txId, chargeId, limit }: UnsupportedFilter,
): Promise<ListedUnsupported[]> {
  const rows = await db.query<Omit<ListedUnsupported, "blockNumber"> & { blockNumber: bigint }>(sql`
    select u.merchant_id as "merchantId", u.deposit_address_id as "chargeId", u.tx_id as "txId", u.source,
      u.event_index as "eventIndex", u.address, u.from_address as "fromAddress", u.contract, u.raw_value as "rawValue",
      u.block_number as "blockNumber", coalesce(b.orphaned_at is null, true) as "isInChain", u.created_at as "createdAt"
    from unsupported_transfers u
    left join blocks b on b.id = u.block_id
    where u.merchant_id = ${merchantId} ${txId === undefined ? empty : sql`and u.tx_id = ${txId}`}
      ${chargeId === undefined ? empty : sql`and u.deposit_address_id = ${chargeId}`}
    order by u.created_at desc, u.id desc limit ${limit}`);
  return rows.map((row) => ({ ...row, blockNumber: Number(row.blockNumber) }));
}
