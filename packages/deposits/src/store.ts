import type { Currency } from "@daric/domain/asset";
import {
  type Confirmation,
  type DepositStatus,
  depositMachine,
  type FailureReason,
  offChainDepositStatuses,
  type StuckReason,
  type TransferSource,
} from "@daric/domain/deposit";
import type { ChargeId, DepositId, MerchantId, QuoteId } from "@daric/domain/ids";
import { type Amount, amountFromUnits } from "@daric/domain/money";
import { joinedOf, literals, replanned, type Sql, sql, type Transaction, tieTo } from "@daric/postgres/sql";
import { counted } from "@daric/totals/list-store";
import { changedSums, dueBy, isDustIn, isDustOf, shareRoundedUp } from "@daric/totals/sums-store";
import type { ReadBlock } from "./block-store.ts";
import { logged, logMoves } from "./history-store.ts";
import { changedOpen } from "./open-store.ts";

export type Deposit = {
  readonly id: DepositId;
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly txId: string;
  readonly source: TransferSource;
  readonly eventIndex: number;
  readonly address: string;
  readonly fromAddress: string | null;
  readonly currency: Currency;
  readonly amount: Amount;
  readonly status: DepositStatus;
  readonly blockNumber: number;
  readonly blockId: string;
  readonly blockTime: Date;
  readonly txExpiresAt: Date | null;
  readonly isMerkleProven: boolean;
  readonly requiredConfirmations: number;
  readonly finalConfirmations: number | null;
  readonly late: boolean;
  readonly pastWindow: boolean;
  readonly unmatched: boolean;
  /** too small to count, compared with the charge's due */
  readonly dust: boolean;
  /** the applicable quote; null if the charge is not priced in fiat, or the deposit is unmatched */
  readonly quoteId: QuoteId | null;
  readonly stuckReason: StuckReason | null;
  readonly failureReason: FailureReason | null;
  readonly detectedAt: Date;
  readonly confirmedAt: Date | null;
  readonly failedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type ChangedDeposit = Deposit & {
  readonly previousStatus: DepositStatus;
  /** an operator accepted it in its block */
  readonly isAccepted: boolean;
};

export type ConfirmedDeposit = Deposit & Confirmation;

/** @throws Error unless the deposit is CONFIRMED. */
export function asConfirmed<D extends Deposit>(deposit: D): D & Confirmation {
  const { status, confirmedAt, finalConfirmations } = deposit;
  if (status !== "CONFIRMED" || confirmedAt === null || finalConfirmations === null)
    throw new Error(`deposit ${deposit.id} is not confirmed`);
  return { ...deposit, status, confirmedAt, finalConfirmations };
}

/** A transfer to one of our addresses in a block, before it is recorded. */
export type ObservedTransfer = Pick<
  Deposit,
  | "id"
  | "merchantId"
  | "chargeId"
  | "txId"
  | "source"
  | "eventIndex"
  | "address"
  | "fromAddress"
  | "currency"
  | "amount"
  | "txExpiresAt"
  | "isMerkleProven"
>;

export type Scope = { readonly network: string; readonly epoch: bigint };

export const depositColumns: Sql = sql`
  d.id, d.merchant_id as "merchantId", d.deposit_address_id as "chargeId", d.tx_id as "txId", d.source,
  d.event_index as "eventIndex", d.address, d.from_address as "fromAddress", d.currency, d.units as "amount",
  d.status, d.block_number as "blockNumber", d.block_id as "blockId", d.block_time as "blockTime",
  d.tx_expires_at as "txExpiresAt", d.is_merkle_proven as "isMerkleProven", d.required_confirmations as "requiredConfirmations",
  d.final_confirmations as "finalConfirmations", d.late, d.past_window as "pastWindow", d.unmatched,
  ${isDustIn(sql`d.`)} as dust, d.quote_id as "quoteId", d.stuck_reason as "stuckReason", d.failure_reason as "failureReason",
  d.detected_at as "detectedAt", d.confirmed_at as "confirmedAt", d.failed_at as "failedAt", d.created_at as "createdAt",
  d.updated_at as "updatedAt"`;

export type DepositRow = Omit<Deposit, "amount" | "blockNumber"> & { amount: bigint; blockNumber: bigint };

export function toDeposit(row: DepositRow): Deposit {
  return { ...row, amount: amountFromUnits(row.amount), blockNumber: Number(row.blockNumber) };
}

export function observedTransferRows(observed: readonly ObservedTransfer[]): Sql {
  return sql`
    select * from unnest(
      ${observed.map(({ id }) => id)}::uuid[], ${observed.map(({ merchantId }) => merchantId)}::uuid[],
      ${observed.map(({ chargeId }) => chargeId)}::uuid[], ${observed.map(({ txId }) => txId)}::text[],
      ${observed.map(({ source }) => source)}::text[], ${observed.map(({ eventIndex }) => eventIndex)}::integer[],
      ${observed.map(({ address }) => address)}::text[],
      ${observed.map(({ fromAddress }) => fromAddress)}::text[],
      ${observed.map(({ currency }) => currency)}::text[], ${observed.map(({ amount }) => amount)}::bigint[],
      ${observed.map(({ txExpiresAt }) => txExpiresAt)}::timestamptz[],
      ${observed.map(({ isMerkleProven }) => isMerkleProven)}::boolean[]
    ) with ordinality as seen (id, merchant_id, charge_id, tx_id, source, event_index, address, from_address, currency,
      units, tx_expires_at, is_merkle_proven, place)`;
}

/**
 * Inserts deposits of one block as DETECTED, for at most 200 merchants, with everything derived from them. Known ones are left out.
 * So is one whose transfer stands in another block of our chain as a payment to another address of the merchant.
 *
 * Lateness follows from the charge's times under a row lock. The charge's newest quote applies until `assignQuotes`. The offset makes
 * each row look up its own transaction: a join looks as cheap by the merchant alone while the table is small.
 */
export async function insertDeposits(
  tx: Transaction,
  scope: Scope,
  { observed, block, requiredConfirmations }: NewDeposits,
): Promise<Deposit[]> {
  const merchantIds = observed.map(({ merchantId }) => merchantId);
  const after = sql`select * from d`;
  const tie = tieTo(merchantIds);
  const insertion = sql`
    with d as (
      insert into deposits (merchant_id, id, deposit_address_id, network, tx_id, source, event_index, address,
        from_address, currency, units, status, block_number, block_id, block_time, tx_expires_at,
        is_merkle_proven, required_confirmations, late, past_window, unmatched, dust, quote_id, share)
      select charge.merchant_id, seen.id, charge.id, ${scope.network}, seen.tx_id, seen.source, seen.event_index,
        seen.address, seen.from_address, seen.currency, seen.units, ${depositMachine.initial}, ${block.number}::bigint,
        ${block.blockId}, ${block.time}::timestamptz, seen.tx_expires_at, seen.is_merkle_proven,
        ${requiredConfirmations}::integer,
        coalesce(${block.time} > charge.expires_at, false), coalesce(${block.time} > charge.late_until, false),
        seen.currency <> charge.currency,
        ${isDustOf({ units: sql`seen.units`, currency: sql`seen.currency`, due: sql`case when seen.currency = charge.currency then ${dueBy(sql`charge`)} end` })},
        case when seen.currency = charge.currency then charge.newest_quote_id end,
        case when seen.currency = charge.currency and charge.newest_quote_id is not null
          then ${shareRoundedUp(sql`seen.units`, dueBy(sql`charge`))} end
      from (${observedTransferRows(observed)}) seen
      join deposit_addresses charge on ${joinedOf(sql`charge.merchant_id`, merchantIds)}
        and charge.merchant_id = seen.merchant_id and charge.id = seen.charge_id
      where not exists (
        select from deposits other
        where ${joinedOf(sql`other.merchant_id`, merchantIds)} and other.merchant_id = seen.merchant_id
          and other.tx_id = seen.tx_id and other.network = ${scope.network} and other.source = seen.source
          and other.event_index = seen.event_index and other.address <> seen.address
          and other.block_id <> ${block.blockId} and other.status not in (${literals(...offChainDepositStatuses)})
        offset 0)
      order by seen.place
      for key share of charge
      on conflict do nothing
      returning *
    ), logged as (
${logged(
  "detected",
  scope,
  sql`select merchant_id, id as deposit_id, null as from_status, status as to_status, block_number, block_id, units from d`,
)}
    ), summed as (${changedSums({ before: sql`select * from d where false`, after, tie })}
    ), opened as (${changedOpen(merchantIds, after, true)}
    ), totals as (${counted(
      "deposits",
      sql`select merchant_id, array[status, currency] as facets, 1 as delta from d`,
      tie,
    )})
    select ${depositColumns} from d`;
  const deposits = (await tx.query<DepositRow>(replanned(insertion))).map(toDeposit);
  const moved = deposits.map((deposit) => ({ ...deposit, previousStatus: null }));
  await logMoves(tx, scope, { event: "detected", moved });
  return deposits;
}

export type NewDeposits = {
  readonly observed: readonly ObservedTransfer[];
  readonly block: ReadBlock;
  readonly requiredConfirmations: number;
};
