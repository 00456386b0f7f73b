import { sql, type Transaction } from "@daric/postgres/sql";
import type { ChargeId, MerchantId } from "../../domain/ids.ts";
import type { Amount } from "../../domain/money.ts";

/** A transaction that an address of ours owns, whatever it did: whoever has the address's key has signed it. */
export type OwnTransaction = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly txId: string;
  readonly address: string;
  /** what its fees took of the address's TRX at most, which no transfer shows */
  readonly mostBurnt: Amount<"TRX">;
  /** sun that it brought back to the address by no transfer, by the word of one node */
  readonly returned: bigint;
};

/**
 * Keeps what our addresses signed in one block, in one statement; what is there already is of this block from now on. Of what
 * came back the most counts that was ever told of one block: no root covers it, and to tell less would make room for what
 * was made up.
 */
export async function recordOwnTransactions(
  tx: Transaction,
  { network, block, own }: OwnTransactionsOfBlock,
): Promise<void> {
  if (own.length === 0) return;
  await tx.query(sql`
    insert into own_transactions (merchant_id, network, tx_id, deposit_address_id, address, most_burnt, returned,
      block_number, block_id)
    select merchant_id, ${network}, tx_id, charge_id, address, most_burnt, returned, ${block.number}::bigint, ${block.blockId}
    from unnest(
      ${own.map(({ merchantId }) => merchantId)}::uuid[], ${own.map(({ chargeId }) => chargeId)}::uuid[],
      ${own.map(({ txId }) => txId)}::text[], ${own.map(({ address }) => address)}::text[],
      ${own.map(({ mostBurnt }) => mostBurnt)}::numeric[], ${own.map(({ returned }) => returned)}::numeric[]
    ) as seen (merchant_id, charge_id, tx_id, address, most_burnt, returned)
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
