import { sql, type Transaction } from "@daric/postgres/sql";
import type { Currency } from "../../domain/asset.ts";
import type { TransferSource } from "../../domain/deposit.ts";
import type { ChargeId, MerchantId } from "../../domain/ids.ts";
import type { Amount } from "../../domain/money.ts";

export type Outflow = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly txId: string;
  readonly source: TransferSource;
  readonly eventIndex: number;
  readonly address: string;
  readonly toAddress: string;
  readonly currency: Currency;
  readonly units: Amount;
  /** whether the block's root proves it, so that the address's key has signed it */
  readonly isMerkleProven: boolean;
};

/**
 * Stores the outflows of one block, and returns the new ones. One that is stored in another block moves to this one; one that is
 * stored in this block stays. Of several with the same key the first counts.
 */
export async function recordOutflows(
  tx: Transaction,
  { network, block, outflows: moved }: OutflowsOfBlock,
): Promise<Outflow[]> {
  if (moved.length === 0) return [];
  const places = new Set(moved.map(identityOf));
  const outflows = moved.filter((outflow) => places.delete(identityOf(outflow)));
  const rows = await tx.query<Identity & { isNew: boolean }>(sql`
    insert into outflows (merchant_id, deposit_address_id, network, tx_id, source, event_index, address, to_address, currency,
      units, is_merkle_proven, block_number, block_id)
    select merchant_id, charge_id, ${network}, tx_id, source, event_index, address, to_address, currency, units, is_merkle_proven,
      ${block.number}::bigint, ${block.blockId}
    from unnest(
      ${outflows.map(({ merchantId }) => merchantId)}::uuid[], ${outflows.map(({ chargeId }) => chargeId)}::uuid[],
      ${outflows.map(({ txId }) => txId)}::text[], ${outflows.map(({ source }) => source)}::text[],
      ${outflows.map(({ eventIndex }) => eventIndex)}::integer[], ${outflows.map(({ address }) => address)}::text[],
      ${outflows.map(({ toAddress }) => toAddress)}::text[], ${outflows.map(({ currency }) => currency)}::text[],
      ${outflows.map(({ units }) => units)}::bigint[], ${outflows.map(({ isMerkleProven }) => isMerkleProven)}::boolean[]
    ) as seen (merchant_id, charge_id, tx_id, source, event_index, address, to_address, currency, units, is_merkle_proven)
    order by merchant_id, tx_id, source, event_index, address
    on conflict (merchant_id, network, tx_id, source, event_index, address) do update set
      to_address = excluded.to_address, currency = excluded.currency, units = excluded.units,
      is_merkle_proven = excluded.is_merkle_proven, block_number = excluded.block_number, block_id = excluded.block_id
    where outflows.merchant_id = excluded.merchant_id and outflows.block_id <> excluded.block_id
    returning merchant_id as "merchantId", tx_id as "txId", source, event_index as "eventIndex", address, xmax = 0 as "isNew"`);
  const isNew = new Set(rows.filter((row) => row.isNew).map(identityOf));
  return outflows.filter((outflow) => isNew.has(identityOf(outflow)));
}

type OutflowsOfBlock = {
  readonly network: string;
  readonly block: { readonly number: number; readonly blockId: string };
  readonly outflows: readonly Outflow[];
};

type Identity = Pick<Outflow, "merchantId" | "txId" | "source" | "eventIndex" | "address">;

function identityOf({ merchantId, txId, source, eventIndex, address }: Identity): string {
  return [merchantId, txId, source, eventIndex, address].join("/");
}
