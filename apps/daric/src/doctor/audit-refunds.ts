import type { MerchantId } from "@daric/domain/ids";
import { returnedFeeId } from "@daric/ledger/book-returned-fees";
import type { Queryable } from "@daric/postgres/sql";
import { refundAddressMac, refundMac } from "@daric/refunds/refund";
import { transferMac } from "@daric/refunds/transfer-store";
import { isSameMac } from "@daric/runtime/mac";
import type { ChargeRange } from "./id-range.ts";
import { MAX_SAMPLES, type Violation } from "./invariant.ts";
import {
  type CheckedRefund,
  type CheckedTransfer,
  findOverpromised,
  listCheckedAddresses,
  listCheckedRefunds,
  listCheckedTransfers,
  listReturnedFees,
  type ReturnedEntry,
} from "./refund-check-store.ts";

type RefundScope = { readonly merchantIds: readonly MerchantId[] } & ChargeRange;

/**
 * Finds violations in the refunds of a range of charges: their sums, their transfers, and the fee shares that went back. Codes are
 * compared where the integrity key is given.
 */
export async function findRefundViolations(
  db: Queryable,
  scope: RefundScope,
  integrityKey: Buffer | undefined,
): Promise<Violation[]> {
  const returned = await listReturnedFees(db, scope);
  const refunds = await listCheckedRefunds(db, scope);
  if (refunds.length + returned.length === 0) return [];
  const named = { merchantIds: scope.merchantIds, refundIds: refunds.map(({ id }) => id) };
  const transfers = await listCheckedTransfers(db, named);
  return [
    ...(await findOverpromised(db, scope)),
    ...unpaid(refunds, transfers),
    ...unearned(refunds, returned),
    ...(integrityKey === undefined
      ? []
      : forged(integrityKey, { refunds, transfers, addresses: await listCheckedAddresses(db, named) })),
  ];
}

/** COMPLETED refunds without the one final transfer that they name, and final transfers of refunds that are not COMPLETED. */
function unpaid(refunds: readonly CheckedRefund[], transfers: readonly CheckedTransfer[]): Violation[] {
  const final = new Map<string, CheckedTransfer[]>();
  for (const transfer of transfers)
    if (transfer.status === "FINAL")
      final.set(transfer.refundId, [...(final.get(transfer.refundId) ?? []), transfer]);
  const isPaid = ({ id, merchantId, txId, paidUnits, currency }: CheckedRefund) => {
    const [transfer, ...others] = final.get(id) ?? [];
    return (
      transfer !== undefined &&
      others.length === 0 &&
      transfer.merchantId === merchantId &&
      transfer.txId === txId &&
      transfer.currency === currency &&
      transfer.units === paidUnits
    );
  };
  const completed = refunds.filter(({ status }) => status === "COMPLETED");
  const others = refunds.filter(({ status }) => status !== "COMPLETED");
  return [
    ...violationsOf(
      "COMPLETED refund without one final transfer of its amount",
      completed.filter((refund) => !isPaid(refund)),
    ),
    ...violationsOf(
      "refund with a final transfer that is not COMPLETED",
      others.filter(({ id }) => final.has(id)),
    ),
  ];
}

/** Fee shares that went back for no COMPLETED refund. */
function unearned(refunds: readonly CheckedRefund[], returned: readonly ReturnedEntry[]): Violation[] {
  const earned = new Set(
    refunds.filter(({ status }) => status === "COMPLETED").map(({ id }) => returnedFeeId(id)),
  );
  return violationsOf(
    "fee share that went back for no COMPLETED refund",
    returned.filter(({ id }) => !earned.has(id)),
  );
}

type Sealed = {
  readonly refunds: readonly CheckedRefund[];
  readonly transfers: readonly CheckedTransfer[];
  readonly addresses: Awaited<ReturnType<typeof listCheckedAddresses>>;
};

function forged(key: Buffer, { refunds, transfers, addresses }: Sealed): Violation[] {
  const context = { config: { integrity: { key } } };
  const rows = transfers.filter((transfer) => !isSameMac(transfer.mac, transferMac(context, transfer)));
  const watched = addresses.filter((row) => !isSameMac(row.mac, refundAddressMac(context, row)));
  return [
    ...violationsOf(
      "refund that is not as the service wrote it",
      refunds.filter((refund) => !isSameMac(refund.mac, refundMac(context, refund))),
    ),
    ...violationsOf(
      "transfer of a refund that is not as the service wrote it",
      rows.map(({ txId }) => ({ id: txId })),
    ),
    ...violationsOf(
      "address of a refund that is not as the service wrote it",
      watched.map(({ refundId, address }) => ({ id: `${refundId} ${address}` })),
    ),
  ];
}

function violationsOf(what: string, rows: readonly { readonly id: string }[]): Violation[] {
  if (rows.length === 0) return [];
  const samples = rows.slice(0, MAX_SAMPLES).map(({ id }) => id);
  return [{ invariant: "I27", what, count: rows.length, samples }];
}
