import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";
import type { Currency } from "../../domain/asset.ts";
import type { ConfirmationFacts } from "../../domain/deposit.ts";
import type { ChargeId, ChargeRef } from "../../domain/ids.ts";
import { type Amount, amountFromUnits } from "../../domain/money.ts";
import { MAX_RESTS } from "../../domain/rest.ts";

/** More arrivals of one transaction give a payer no new information. */
const MAX_ARRIVALS = 50;

/** A payment of one transaction to an address; without money for an unsupported token. */
export type Arrived = { readonly money: ArrivedMoney | undefined };

type ArrivedMoney = ConfirmationFacts & {
  readonly amount: Amount;
  readonly currency: Currency;
  readonly unmatched: boolean;
  readonly dust: boolean;
  /** at another order of the family */
  readonly isElsewhere: boolean;
  readonly requiredConfirmations: number;
};

/** The newest read block of a network; 0 before the first. */
export async function findReadHeight(db: Queryable, network: string): Promise<number> {
  const row = maybeOne(
    await db.query<{ number: bigint }>(sql`select number from scan_cursors where network = ${network}`),
  );
  return Number(row?.number ?? 0n);
}

/** The addresses of an order and all of its family. */
export async function findFamilyAddresses(
  db: Queryable,
  { merchantId, id }: ChargeRef,
): Promise<{ readonly id: ChargeId; readonly address: string }[]> {
  const first = sql`(
    select coalesce(rest_of, id) from deposit_addresses where merchant_id = ${merchantId} and id = ${id})`;
  return db.query(sql`
    select id, address from deposit_addresses where merchant_id = ${merchantId} and id = ${first}
    union all
    (select id, address from deposit_addresses where merchant_id = ${merchantId} and rest_of = ${first}
      order by id desc limit ${MAX_RESTS})`);
}

type DepositOfTx = Omit<ArrivedMoney, "amount" | "blockNumber" | "headNumber"> & {
  readonly units: bigint;
  readonly blockNumber: bigint;
};

/**
 * The payments of this transaction to the charge and to its family, in the blocks read so far; `headNumber` was read
 * before. Payments to other charges are not read: an answer that depends on them would reveal the owner of an
 * address.
 */
export async function findArrivals(
  db: Queryable,
  transaction: ChargeRef & { readonly family: readonly ChargeId[]; readonly txId: string },
  headNumber: number,
): Promise<Arrived[]> {
  const here = sql`
    merchant_id = ${transaction.merchantId} and deposit_address_id = any(${transaction.family}::uuid[]) and tx_id = ${transaction.txId}`;
  const deposits = await db.query<DepositOfTx>(sql`
    select units, currency, status, unmatched, dust is true as dust, deposit_address_id <> ${transaction.id} as "isElsewhere", block_number as "blockNumber",
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
