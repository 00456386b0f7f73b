import type { ChargeId, LedgerTransactionId, MerchantId, RefundId } from "@daric/domain/ids";
import { amountFromUnits } from "@daric/domain/money";
import { literals, oneOf, type Queryable, sql } from "@daric/postgres/sql";
import type { RefundAddress, SealedRefund } from "@daric/refunds/refund";
import { sealedRefundColumns } from "@daric/refunds/store";
import { type SealedTransfer, sealedTransferColumns } from "@daric/refunds/transfer-store";
import { hexToAddress } from "@daric/tron/address";
import type { ChargeRange } from "./id-range.ts";
import type { Violation } from "./invariant.ts";
import { findViolations } from "./violation-store.ts";

type RefundScope = { readonly merchantIds: readonly MerchantId[] } & ChargeRange;

/** A refund as its code covers it. */
export type CheckedRefund = SealedRefund & { readonly mac: Buffer };

/** Coins of charges whose refunds promise more than came. A canceled refund that was paid all the same is beyond every promise. */
export function findOverpromised(
  db: Queryable,
  { merchantIds, after, upTo }: RefundScope,
): Promise<Violation[]> {
  return findViolations(db, {
    sample: sql`promised.deposit_address_id || ' ' || promised.currency`,
    faults: [
      [
        "I27",
        "deposit address whose refunds of a coin promise more than is confirmed",
        sql`promised.units > came.units`,
      ],
    ],
    from: sql`(
      select merchant_id, deposit_address_id, currency, sum(least(units, coalesce(paid_units, units))) as units from refunds
      where merchant_id ${oneOf(merchantIds)} and status <> ${literals("CANCELED")} and canceled_at is null
        and deposit_address_id > ${after}::uuid and deposit_address_id <= ${upTo}::uuid
      group by merchant_id, deposit_address_id, currency
    ) promised cross join lateral (
      select coalesce(sum(d.units), 0) as units from deposits d
      where d.merchant_id = promised.merchant_id and d.deposit_address_id = promised.deposit_address_id
        and d.currency = promised.currency and d.status = ${literals("CONFIRMED")}
    ) came`,
  });
}

/** The refunds of a range of charges. */
export async function listCheckedRefunds(
  db: Queryable,
  { merchantIds, after, upTo }: RefundScope,
): Promise<CheckedRefund[]> {
  type Row = Omit<CheckedRefund, "units" | "paidUnits"> & { units: bigint; paidUnits: bigint | null };
  const rows = await db.query<Row>(sql`
    select ${sealedRefundColumns}, mac
    from refunds refund where merchant_id ${oneOf(merchantIds)}
      and deposit_address_id > ${after}::uuid and deposit_address_id <= ${upTo}::uuid
    order by merchant_id, id`);
  return rows.map(({ units, paidUnits, ...row }) => ({
    ...row,
    units: amountFromUnits(units),
    paidUnits: paidUnits === null ? null : amountFromUnits(paidUnits),
  }));
}

/** A transfer that was given to a refund, as its code covers it. */
export type CheckedTransfer = SealedTransfer & { readonly mac: Buffer };

type Refunds = { readonly merchantIds: readonly MerchantId[]; readonly refundIds: readonly RefundId[] };

/** The transfers that were given to these refunds. */
export async function listCheckedTransfers(
  db: Queryable,
  { merchantIds, refundIds }: Refunds,
): Promise<CheckedTransfer[]> {
  const rows = await db.query<Omit<CheckedTransfer, "units"> & { units: bigint }>(sql`
    select ${sealedTransferColumns}, given.mac
    from refund_transfers given
    where given.merchant_id = any(${merchantIds}::uuid[]) and given.refund_id = any(${refundIds}::uuid[])`);
  return rows.map(({ units, ...row }) => ({ ...row, units: amountFromUnits(units) }));
}

/** The addresses that these refunds were READY with, each with its code. */
export async function listCheckedAddresses(
  db: Queryable,
  { merchantIds, refundIds }: Refunds,
): Promise<(RefundAddress & { readonly mac: Buffer })[]> {
  type Row = Omit<RefundAddress, "address" | "units" | "headNumber"> & { readonly mac: Buffer } & {
    readonly address: Buffer;
    readonly units: bigint;
    readonly headNumber: bigint;
  };
  const rows = await db.query<Row>(sql`
    select merchant_id as "merchantId", refund_id as "refundId", address, currency, units, head_number as "headNumber", mac
    from refund_addresses where merchant_id = any(${merchantIds}::uuid[]) and refund_id = any(${refundIds}::uuid[])`);
  return rows.map(({ address, units, headNumber, ...row }) => ({
    ...row,
    address: hexToAddress(`41${address.toString("hex")}`),
    units: amountFromUnits(units),
    headNumber: Number(headNumber),
  }));
}

/** A fee share that went back to its merchant. */
export type ReturnedEntry = { readonly id: LedgerTransactionId; readonly chargeId: ChargeId };

/** The fee shares that went back for charges of the range. */
export function listReturnedFees(
  db: Queryable,
  { merchantIds, after, upTo }: RefundScope,
): Promise<ReturnedEntry[]> {
  return db.query<ReturnedEntry>(sql`
    select transaction_id as id, deposit_address_id as "chargeId" from ledger_entries
    where merchant_id ${oneOf(merchantIds)} and kind = 'fee_returned'
      and deposit_address_id > ${after}::uuid and deposit_address_id <= ${upTo}::uuid`);
}
