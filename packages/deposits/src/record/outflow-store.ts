import type { Currency } from "@daric/domain/asset";
import type { TransferSource } from "@daric/domain/deposit";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import type { SweepRecipient } from "@daric/domain/ledger";
import { type Amount, amountFromUnits } from "@daric/domain/money";
import { sql, type Transaction, tieTo } from "@daric/postgres/sql";
import { byMerchantLists } from "@daric/runtime/fair-rounds";

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
  const stored = await byMerchantLists(outflows, (list) =>
    storeOutflows(tx, { network, block, outflows: list }),
  );
  const isNew = new Set(stored.filter((row) => row.isNew).map(identityOf));
  return outflows.filter((outflow) => isNew.has(identityOf(outflow)));
}

function storeOutflows(
  tx: Transaction,
  { network, block, outflows }: OutflowsOfBlock,
): Promise<(Identity & { isNew: boolean })[]> {
  const merchantIds = outflows.map(({ merchantId }) => merchantId);
  const tie = tieTo(merchantIds);
  return tx.query(sql`
    with stored as (
      insert into outflows (merchant_id, deposit_address_id, network, tx_id, source, event_index, address, to_address, currency,
        units, is_merkle_proven, block_number, block_id)
      select merchant_id, charge_id, ${network}, tx_id, source, event_index, address, to_address, currency, units, is_merkle_proven,
        ${block.number}::bigint, ${block.blockId}
      from unnest(
        ${merchantIds}::uuid[], ${outflows.map(({ chargeId }) => chargeId)}::uuid[],
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
      returning *, xmax = 0 as is_new
    ), opened as (
      insert into open_outflows (network, block_number, block_id, merchant_id, tx_id, source, event_index, address)
      select network, block_number, block_id, ${tie.tenant}, tx_id, source, event_index, address from stored ${tie.join}
      on conflict (merchant_id, network, tx_id, source, event_index, address) do update set
        block_number = excluded.block_number, block_id = excluded.block_id
    )
    select merchant_id as "merchantId", tx_id as "txId", source, event_index as "eventIndex", address, is_new as "isNew"
    from stored`);
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

/** An outflow that the ledger has just received. */
export type AccountedOutflow = Outflow & {
  readonly network: string;
  readonly blockNumber: number;
  /** a sweep of ours explains it */
  readonly isSwept: boolean;
  /** the owner of the wallet that received it */
  readonly payee: SweepRecipient | "unknown";
};

/** The oldest outflows of our chain, up to a height, that the ledger does not have; of all merchants. */
export async function findUnaccounted(
  tx: Transaction,
  { network, upTo, limit }: { network: string; upTo: number; limit: number },
): Promise<Identity[]> {
  return tx.query<Identity>(sql`
    select o.merchant_id as "merchantId", o.tx_id as "txId", o.source, o.event_index as "eventIndex", o.address
    from open_outflows o join blocks b on b.id = o.block_id and b.orphaned_at is null
    where o.network = ${network} and o.block_number <= ${upTo}
    order by o.block_number limit ${limit}`);
}

/** Records that the ledger has these outflows, and returns them. */
export async function takeUnaccounted(
  tx: Transaction,
  network: string,
  outflows: readonly Identity[],
): Promise<AccountedOutflow[]> {
  const rows = await tx.query<Omit<AccountedOutflow, "units" | "blockNumber"> & Units>(sql`
    with taken as (
      delete from open_outflows o using unnest(
        ${outflows.map(({ merchantId }) => merchantId)}::uuid[], ${outflows.map(({ txId }) => txId)}::text[],
        ${outflows.map(({ source }) => source)}::text[], ${outflows.map(({ eventIndex }) => eventIndex)}::integer[],
        ${outflows.map(({ address }) => address)}::text[]
      ) as found (merchant_id, tx_id, source, event_index, address)
      where o.merchant_id = found.merchant_id and o.network = ${network} and o.tx_id = found.tx_id and o.source = found.source
        and o.event_index = found.event_index and o.address = found.address
      returning o.*
    )
    select o.merchant_id as "merchantId", o.deposit_address_id as "chargeId", o.network, o.tx_id as "txId", o.source,
      o.event_index as "eventIndex", o.address, o.to_address as "toAddress", o.currency, o.units,
      o.is_merkle_proven as "isMerkleProven", o.block_number as "blockNumber",
      exists (
        select 1 from sweep_transactions t where t.merchant_id = o.merchant_id and t.tx_id = o.tx_id
      ) as "isSwept",
      case
        when exists (
          select 1 from settlement_accounts a where a.merchant_id = o.merchant_id and a.address = o.to_address
        ) then 'merchant'
        when o.to_address in (
          select address from signer_destinations where merchant_id = 'operator' and address is not null
        ) then 'operator'
        else 'unknown'
      end as payee
    from taken
    join outflows o on o.merchant_id = taken.merchant_id and o.network = taken.network and o.tx_id = taken.tx_id
      and o.source = taken.source and o.event_index = taken.event_index and o.address = taken.address`);
  return rows.map((row) => ({
    ...row,
    units: amountFromUnits(row.units),
    blockNumber: Number(row.blockNumber),
  }));
}

type Units = { readonly units: bigint; readonly blockNumber: bigint };
