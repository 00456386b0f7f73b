import type { ChargeRef } from "@daric/domain/ids";
import type { Transaction } from "@daric/postgres/sql";
import { endWatch } from "./address-store.ts";
import { changeRefund, moveRefund, type RefundContext, requireOurs } from "./change-refund.ts";
import { putBackRefunds } from "./put-back.ts";
import type { Refund } from "./refund.ts";
import { type LockedRefund, listChargesOf, lockRefundedCharges, lockRefunds } from "./store.ts";
import {
  type FinalTip,
  type GivenTransfer,
  giveTransfer,
  isTransferOurs,
  listOver,
  transferMac,
} from "./transfer-store.ts";

/** Transfers that are ended in one transaction. */
const MAX_ENDED_AT_ONCE = 200;

/** The refunds that their transfers completed, and those that are READY again without one. */
type EndedTransfers = {
  readonly completed: Refund[];
  readonly ready: Refund[];
  readonly isMoreWaiting: boolean;
};

/**
 * Ends transfers of refunds by a verified block. One at or below it completes its refund, a canceled one too, with what the chain moved. One that
 * left the chain and can land no more leaves its refund READY again. The caller announces both.
 */
export async function endRefundTransfers(
  context: RefundContext,
  tx: Transaction,
  { network, tip }: { readonly network: string; readonly tip: FinalTip },
): Promise<EndedTransfers> {
  const over = await listOver(tx, network, { ...tip, limit: MAX_ENDED_AT_ONCE });
  const ours = over.filter((transfer) => isTransferOurs(context, transfer));
  const refs = ours.map(({ merchantId, refundId: id }) => ({ merchantId, id }));
  const unlocked = await lockCharged(tx, refs);
  const refunds = new Map(
    unlocked.filter((refund) => requireOurs(context, refund)).map((refund) => [refund.id, refund]),
  );
  const [completed, ready]: [Refund[], Refund[]] = [[], []];
  const surprised: ChargeRef[] = [];
  for (const { isInChain, ...transfer } of ours) {
    const refund = refunds.get(transfer.refundId);
    if (refund === undefined || refund.txId !== transfer.txId) continue;
    const ended: GivenTransfer = { ...transfer, status: isInChain ? "FINAL" : "DROPPED" };
    await giveTransfer(tx, { ...ended, mac: transferMac(context, ended) });
    if (isInChain) {
      completed.push(await complete(context, tx, { refund, transfer }));
      if (refund.status === "CANCELED")
        surprised.push({ merchantId: refund.merchantId, id: refund.chargeId });
    } else ready.push(...(await giveBack(context, tx, refund)));
  }
  // Its money may have been promised again.
  await putBackRefunds(context, tx, surprised);
  return { completed, ready, isMoreWaiting: over.length === MAX_ENDED_AT_ONCE && completed.length > 0 };
}

/** Locks these refunds, after their charges: others lock in this order too. */
async function lockCharged(
  tx: Transaction,
  refs: Parameters<typeof lockRefunds>[1],
): Promise<LockedRefund[]> {
  if (refs.length === 0) return [];
  await lockRefundedCharges(tx, await listChargesOf(tx, refs));
  return lockRefunds(tx, refs);
}

async function complete(
  context: RefundContext,
  tx: Transaction,
  { refund, transfer }: { readonly refund: LockedRefund; readonly transfer: GivenTransfer },
): Promise<Refund> {
  await endWatch(tx, refund);
  return moveRefund(context, tx, {
    refund,
    event: "completed",
    paidUnits: transfer.units,
    address: transfer.toAddress,
    completedAt: refund.now,
    needsConfirmation: null,
  });
}

/**
 * A refund whose order changed while its transfer was on the way needs a confirmation first; one that was asked again, an address. Returns one that is
 * READY again.
 */
async function giveBack(
  context: RefundContext,
  tx: Transaction,
  refund: LockedRefund,
): Promise<LockedRefund[]> {
  const cleared = { refund, txId: null, sentAt: null } as const;
  if (refund.status === "CANCELED") {
    await changeRefund(context, tx, cleared);
    return [];
  }
  const again = { readyCount: refund.readyCount + 1, readyAt: refund.now };
  const ready = await moveRefund(context, tx, { ...cleared, ...again, event: "returned" });
  if (ready.needsConfirmation === null && ready.address !== null) return [ready];
  await moveRefund(context, tx, { refund: ready, event: "put_back" });
  return [];
}
