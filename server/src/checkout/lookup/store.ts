import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";
import type { Currency } from "../../domain/asset.ts";
import type { ConfirmationFacts } from "../../domain/deposit.ts";
import type { ChargeRef } from "../../domain/ids.ts";
import { type Amount, amountFromUnits } from "../../domain/money.ts";

/** More than that of one transaction tell a payer nothing new. */
const MAX_ARRIVALS = 50;

/** What one transaction brought to an address; without money where it was a token that is none. */
export type Arrived = { readonly money: ArrivedMoney | undefined };

type ArrivedMoney = ConfirmationFacts & {
  readonly amount: Amount;
  readonly currency: Currency;
  readonly unmatched: boolean;
  readonly requiredConfirmations: number;
};

/** How far a network was read; 0 where nothing was yet. */
export async function findReadHeight(db: Queryable, network: string): Promise<number> {
  const row = maybeOne(
    await db.query<{ number: bigint }>(sql`select number from scan_cursors where network = ${network}`),
  );
  return Number(row?.number ?? 0n);
}

type DepositOfTx = Omit<ArrivedMoney, "amount" | "blockNumber" | "headNumber"> & {
  readonly units: bigint;
  readonly blockNumber: bigint;
};

/**
 * What the address of a charge got by this transaction, as far as the chain was read; `headNumber` as it was read before. What other
 * charges got is not looked at: an answer that depends on it would tell whose address it is.
 */
export async function findArrivals(
  db: Queryable,
  transaction: ChargeRef & { readonly txId: string },
  headNumber: number,
): Promise<Arrived[]> {
  const here = sql`
    merchant_id = ${transaction.merchantId} and deposit_address_id = ${transaction.id} and tx_id = ${transaction.txId}`;
  const deposits = await db.query<DepositOfTx>(sql`
    select units, currency, status, unmatched, block_number as "blockNumber",
      required_confirmations as "requiredConfirmations", final_confirmations as "finalConfirmations"
    from deposits where ${here} order by id limit ${MAX_ARRIVALS}`);
  const tokens = await db.query(sql`
    select from unsupported_transfers where ${here} and address is not null limit 1`);
  return [
    ...deposits.map(({ units, blockNumber, ...facts }) => ({
      money: { ...facts, amount: amountFromUnits(units), blockNumber: Number(blockNumber), headNumber },
    })),
    ...tokens.map(() => ({ money: undefined })),
  ];
}
