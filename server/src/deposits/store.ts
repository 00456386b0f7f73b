import { maybeOne, type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import {
  type Confirmation,
  type DepositStatus,
  depositMachine,
  type FailureReason,
  type StuckReason,
  type TransferSource,
} from "../domain/deposit.ts";
import type { ChargeId, DepositId, MerchantId } from "../domain/ids.ts";
import { type Amount, amountFromUnits, type Currency } from "../domain/money.ts";
import { changedSums } from "../sums/sums-store.ts";

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
  readonly requiredConfirmations: number;
  readonly finalConfirmations: number | null;
  readonly late: boolean;
  readonly pastWindow: boolean;
  readonly unmatched: boolean;
  readonly stuckReason: StuckReason | null;
  readonly failureReason: FailureReason | null;
  readonly detectedAt: Date;
  readonly confirmedAt: Date | null;
  readonly failedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** A deposit that has just moved along an edge of the graph. */
export type ChangedDeposit = Deposit & { readonly previousStatus: DepositStatus };

/** A deposit that is money for good. */
export type ConfirmedDeposit = Deposit & Confirmation;

/**
 * The deposit as one that is CONFIRMED.
 *
 * @throws Error when it is none: whoever asks has just confirmed it.
 */
export function asConfirmed<D extends Deposit>(deposit: D): D & Confirmation {
  const { status, confirmedAt, finalConfirmations } = deposit;
  if (status !== "CONFIRMED" || confirmedAt === null || finalConfirmations === null)
    throw new Error(`deposit ${deposit.id} is not confirmed`);
  return { ...deposit, status, confirmedAt, finalConfirmations };
}

/** What the chain says of a deposit when its block is read. */
export type Sighting = Pick<
  Deposit,
  | "merchantId"
  | "chargeId"
  | "txId"
  | "source"
  | "eventIndex"
  | "address"
  | "fromAddress"
  | "currency"
  | "amount"
  | "blockNumber"
  | "blockId"
  | "blockTime"
  | "txExpiresAt"
  | "late"
  | "pastWindow"
  | "unmatched"
>;

/** Where a change of a deposit is made: which network, and under which epoch of the watcher's lease. */
export type Scope = { readonly network: string; readonly epoch: bigint };

export const depositColumns: Sql = sql`
  d.id, d.merchant_id as "merchantId", d.deposit_address_id as "chargeId", d.tx_id as "txId", d.source,
  d.event_index as "eventIndex", d.address, d.from_address as "fromAddress", d.currency, d.units as "amount",
  d.status, d.block_number as "blockNumber", d.block_id as "blockId", d.block_time as "blockTime",
  d.tx_expires_at as "txExpiresAt", d.required_confirmations as "requiredConfirmations",
  d.final_confirmations as "finalConfirmations", d.late, d.past_window as "pastWindow", d.unmatched, d.stuck_reason as "stuckReason",
  d.failure_reason as "failureReason", d.detected_at as "detectedAt", d.confirmed_at as "confirmedAt",
  d.failed_at as "failedAt", d.created_at as "createdAt", d.updated_at as "updatedAt"`;

export type DepositRow = Omit<Deposit, "amount" | "blockNumber"> & { amount: bigint; blockNumber: bigint };

export function toDeposit(row: DepositRow): Deposit {
  return { ...row, amount: amountFromUnits(row.amount), blockNumber: Number(row.blockNumber) };
}

/** Inserts a deposit as DETECTED, unless its identity is known already: then undefined, and nothing is written. */
export async function insertDeposit(
  tx: Transaction,
  scope: Scope,
  input: { id: DepositId; sighting: Sighting; requiredConfirmations: number },
): Promise<Deposit | undefined> {
  const { sighting } = input;
  const row = maybeOne(
    await tx.query<DepositRow>(sql`
      with d as (
        insert into deposits (id, merchant_id, deposit_address_id, network, tx_id, source, event_index, address,
          from_address, currency, units, status, block_number, block_id, block_time, tx_expires_at,
          required_confirmations, late, past_window, unmatched)
        values (${input.id}, ${sighting.merchantId}, ${sighting.chargeId}, ${scope.network},
          ${sighting.txId}, ${sighting.source}, ${sighting.eventIndex}, ${sighting.address},
          ${sighting.fromAddress}, ${sighting.currency}, ${sighting.amount}, ${depositMachine.initial}, ${sighting.blockNumber},
          ${sighting.blockId}, ${sighting.blockTime}, ${sighting.txExpiresAt}, ${input.requiredConfirmations},
          ${sighting.late}, ${sighting.pastWindow}, ${sighting.unmatched})
        on conflict (network, tx_id, source, event_index) do nothing
        returning *
      ), logged as (
        insert into deposit_events (merchant_id, deposit_id, event, from_status, to_status, block_number, block_id, units,
          leader_epoch)
        select merchant_id, id, 'detected', null, status, block_number, block_id, units, ${scope.epoch} from d
      ), summed as (${changedSums(sql`select * from d where false`, sql`select * from d`)})
      select ${depositColumns} from d`),
  );
  return row && toDeposit(row);
}

/** The charges that own some of these addresses, and what a sighting needs of them. */
export async function findWatchedAddresses(
  db: Queryable,
  addresses: readonly string[],
): Promise<
  {
    id: ChargeId;
    merchantId: MerchantId;
    address: string;
    currency: Currency;
    expiresAt: Date | null;
    lateUntil: Date | null;
  }[]
> {
  return db.query(sql`
    select id, merchant_id as "merchantId", address, currency, expires_at as "expiresAt", late_until as "lateUntil"
    from deposit_addresses where address = any(${addresses})`);
}

/** The block that a deposit of this identity stands in. */
export async function findBlockOfDeposit(
  db: Queryable,
  input: { network: string } & Pick<Sighting, "txId" | "source" | "eventIndex">,
): Promise<string | undefined> {
  const row = maybeOne(
    await db.query<{ blockId: string }>(sql`
      select block_id as "blockId" from deposits
      where network = ${input.network} and tx_id = ${input.txId} and source = ${input.source}
        and event_index = ${input.eventIndex}`),
  );
  return row?.blockId;
}
