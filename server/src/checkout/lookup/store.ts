import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";
import type { ConfirmationFacts } from "../../domain/deposit.ts";
import type { ChargeId, MerchantId } from "../../domain/ids.ts";
import { type Amount, amountFromUnits, type Currency } from "../../domain/money.ts";

/** More than that of one transaction tell a payer nothing new. */
const MAX_ARRIVALS = 50;

/** What one transaction brought to an address of a merchant; without money where it was a token that is none. */
export type Arrived = {
  readonly chargeId: ChargeId;
  readonly address: string;
  readonly money: ArrivedMoney | undefined;
};

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
  readonly chargeId: ChargeId;
  readonly address: string;
  readonly units: bigint;
  readonly blockNumber: bigint;
};

/** What a merchant's addresses got by this transaction, as far as the chain was read; `headNumber` as it was read before. */
export async function findArrivals(
  db: Queryable,
  asked: { readonly merchantId: MerchantId; readonly txId: string },
  headNumber: number,
): Promise<Arrived[]> {
  const { merchantId, txId } = asked;
  const deposits = await db.query<DepositOfTx>(sql`
    select deposit_address_id as "chargeId", address, units, currency, status, unmatched,
      block_number as "blockNumber", required_confirmations as "requiredConfirmations",
      final_confirmations as "finalConfirmations"
    from deposits where merchant_id = ${merchantId} and tx_id = ${txId}
    order by id limit ${MAX_ARRIVALS}`);
  const tokens = await db.query<Pick<DepositOfTx, "chargeId" | "address">>(sql`
    select deposit_address_id as "chargeId", address from unsupported_transfers
    where merchant_id = ${merchantId} and tx_id = ${txId} and address is not null
    order by id limit ${MAX_ARRIVALS}`);
  return [
    ...deposits.map(({ chargeId, address, units, blockNumber, ...facts }) => ({
      chargeId,
      address,
      money: { ...facts, amount: amountFromUnits(units), blockNumber: Number(blockNumber), headNumber },
    })),
    ...tokens.map((token) => ({ ...token, money: undefined })),
  ];
}
