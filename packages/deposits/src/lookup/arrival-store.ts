import type { Currency } from "@daric/domain/asset";
import type { ConfirmationFacts } from "@daric/domain/deposit";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { type Amount, amountFromUnits } from "@daric/domain/money";
import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";
import { wanted } from "@daric/totals/list-store";

/** More arrivals of one transaction give a person no new information. */
const MAX_ARRIVALS = 50;

/** A payment of one transaction to a charge; without money for a token that is not accepted. */
export type Arrived = { readonly chargeId: ChargeId; readonly money: ArrivedMoney | undefined };

type ArrivedMoney = Omit<ConfirmationFacts, "headNumber"> & {
  readonly amount: Amount;
  readonly currency: Currency;
  readonly unmatched: boolean;
  readonly dust: boolean;
  readonly requiredConfirmations: number;
};

/** The newest read block of a network; 0 before the first. */
export async function findReadHeight(db: Queryable, network: string): Promise<number> {
  const row = maybeOne(
    await db.query<{ number: bigint }>(sql`select number from scan_cursors where network = ${network}`),
  );
  return Number(row?.number ?? 0n);
}

type Arriving = {
  readonly merchantId: MerchantId;
  /** without them every charge of the merchant */
  readonly chargeIds?: readonly ChargeId[];
  readonly txId: string;
};
type DepositOfTx = Omit<ArrivedMoney, "amount" | "blockNumber"> & {
  readonly chargeId: ChargeId;
  readonly units: bigint;
  readonly blockNumber: bigint;
};

/**
 * The payments of a transaction to a merchant's charges, in the blocks read so far. Others are not read: an answer that depends on
 * them would reveal the owner of an address.
 */
export async function findArrivals(
  db: Queryable,
  { merchantId, chargeIds, txId }: Arriving,
): Promise<Arrived[]> {
  const here = sql`merchant_id = ${merchantId} and tx_id = ${txId}
    ${wanted(chargeIds, (ids) => sql`and deposit_address_id = any(${ids}::uuid[])`)}`;
  const deposits = await db.query<DepositOfTx>(sql`
    select deposit_address_id as "chargeId", units, currency, status, unmatched, dust is true as dust,
      block_number as "blockNumber", required_confirmations as "requiredConfirmations",
      final_confirmations as "finalConfirmations"
    from deposits where ${here} order by source, event_index limit ${MAX_ARRIVALS}`);
  const tokens = await db.query<{ chargeId: ChargeId }>(sql`
    select deposit_address_id as "chargeId" from unsupported_transfers
    where ${here} and address is not null order by source, event_index limit ${MAX_ARRIVALS}`);
  return [
    ...deposits.map(({ chargeId, units, blockNumber, ...facts }) => ({
      chargeId,
      money: { ...facts, amount: amountFromUnits(units), blockNumber: Number(blockNumber) },
    })),
    ...tokens.map(({ chargeId }) => ({ chargeId, money: undefined })),
  ];
}
