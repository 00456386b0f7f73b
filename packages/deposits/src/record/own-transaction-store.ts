import type { ChargeId, MerchantId } from "@daric/domain/ids";
import type { Amount } from "@daric/domain/money";
import { sql, type Transaction } from "@daric/postgres/sql";

/** A transaction that one of our addresses sent, so that its key has signed it; or that the gas wallet sent to it. */
export type OwnTransaction = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly txId: string;
  readonly address: string;
  /** the most TRX that its fees burnt, which no transfer shows */
  readonly maxBurnt: Amount<"TRX">;
  /** sun that it returned to the address without a transfer, as one node reports it */
  readonly returned: bigint;
  /** sent by the gas wallet: `returned` is what it brought */
  readonly isTopUp: boolean;
};

/**
 * Stores the transactions that our addresses sent in one block, or moves them to this block. Of several reports about `returned` the
 * largest counts: no root proves it, and a smaller one could hide an invented deposit.
 */
export async function recordOwnTransactions(
  tx: Transaction,
  { network, block, own }: OwnTransactionsOfBlock,
): Promise<void> {
  if (own.length === 0) return;
  await tx.query(sql`
    insert into own_transactions (merchant_id, network, tx_id, deposit_address_id, address, most_burnt, returned,
      is_top_up, block_number, block_id)
    select merchant_id, ${network}, tx_id, charge_id, address, most_burnt, returned, is_top_up, ${block.number}::bigint,
      ${block.blockId}
    from unnest(
      ${own.map(({ merchantId }) => merchantId)}::uuid[], ${own.map(({ chargeId }) => chargeId)}::uuid[],
      ${own.map(({ txId }) => txId)}::text[], ${own.map(({ address }) => address)}::text[],
      ${own.map(({ maxBurnt }) => maxBurnt)}::numeric[], ${own.map(({ returned }) => returned)}::numeric[],
      ${own.map(({ isTopUp }) => isTopUp)}::boolean[]
    ) as seen (merchant_id, charge_id, tx_id, address, most_burnt, returned, is_top_up)
    order by merchant_id, tx_id
    on conflict (merchant_id, network, tx_id) do update set
      most_burnt = excluded.most_burnt,
      returned = case when own_transactions.block_id = excluded.block_id
        then greatest(own_transactions.returned, excluded.returned) else excluded.returned end,
      block_number = excluded.block_number, block_id = excluded.block_id`);
}

type OwnTransactionsOfBlock = {
  readonly network: string;
  readonly block: { readonly number: number; readonly blockId: string };
  readonly own: readonly OwnTransaction[];
};
