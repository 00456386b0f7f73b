import { ApiError } from "@daric/domain/errors";
import { type RefundStatus, refundMachine } from "@daric/domain/refund";
import type { Transaction } from "@daric/postgres/sql";
import type { ContextOf } from "@daric/runtime/context";
import type { AlarmMetrics } from "@daric/runtime/metrics";
import { watchAddress } from "./address-store.ts";
import {
  isRefundOurs,
  type Refund,
  type RefundRef,
  type RefundState,
  refundAddressMac,
  refundMac,
  type SealingContext,
} from "./refund.ts";
import { findHeadNumber, type LockedRefund, lockRefund, updateRefund } from "./store.ts";

export type RefundContext = SealingContext & {
  readonly log: ContextOf["log"];
  readonly metrics: Pick<AlarmMetrics, "alarms">;
};

type Change = Partial<Omit<RefundState, "status">> & Partial<Pick<Refund, "reason">>;

/** Whether the service wrote the row. If not, it raises an alarm: the refund is not shown, paid or recognised. */
export function requireOurs(context: RefundContext, refund: Refund): boolean {
  if (isRefundOurs(context, refund)) return true;
  context.metrics.alarms.inc({ alarm: "refund_refused" });
  context.log.error(
    { event: "refund_refused", refund_id: refund.id, merchant_id: refund.merchantId },
    "the row of a refund is not as the service wrote it: the refund is not shown, paid or recognised",
  );
  return false;
}

/**
 * Locks a refund of the merchant.
 *
 * @throws NOT_FOUND if there is none; REFUND_CLOSED if its row is not as the service wrote it.
 */
export async function lockOurRefund(
  context: RefundContext,
  tx: Transaction,
  ref: RefundRef,
): Promise<LockedRefund> {
  const refund = await lockRefund(tx, ref);
  if (refund === undefined) throw new ApiError("NOT_FOUND");
  if (!requireOurs(context, refund))
    throw new ApiError("REFUND_CLOSED", {
      message: "The refund was changed by another program: the operator has an alarm about it.",
    });
  return refund;
}

/** Writes changed columns of a locked refund that stays in its status. */
export async function changeRefund<R extends Refund>(
  context: SealingContext,
  tx: Transaction,
  { refund, ...change }: Change & { readonly refund: R },
): Promise<R> {
  return write(context, tx, { ...refund, ...change });
}

/**
 * Moves a locked refund along an edge of its machine, with changed columns.
 *
 * @throws REFUND_CLOSED if its status has no such edge.
 */
export async function moveRefund<R extends Refund>(
  context: SealingContext,
  tx: Transaction,
  { refund, event, ...change }: Change & { readonly refund: R; readonly event: RefundMove },
): Promise<R> {
  const { from, to } = refundMachine.edge(event);
  if (!isIn(from, refund.status)) throw new ApiError("REFUND_CLOSED", { message: closedMessage(refund) });
  return write(context, tx, { ...refund, ...change, status: to });
}

type RefundMove = (typeof refundMachine.events)[number];

/** Makes a refund READY once it has an address and nothing about it is in doubt. From the next block on a transfer to the address may be it. */
export async function makeReadyIfSure<R extends Refund & { readonly now: Date }>(
  context: SealingContext,
  tx: Transaction,
  refund: R,
): Promise<R> {
  const { merchantId, id: refundId, status, address, currency, units, needsConfirmation, now } = refund;
  if (status !== "REQUESTED" || address === null || needsConfirmation !== null) return refund;
  const headNumber = await findHeadNumber(tx);
  const watched = { merchantId, refundId, address, currency, units, headNumber };
  await watchAddress(tx, { ...watched, mac: refundAddressMac(context, watched) });
  const readyCount = refund.readyCount + 1;
  return moveRefund(context, tx, { refund, event: "readied", readyCount, headNumber, readyAt: now });
}

function isIn(statuses: readonly RefundStatus[], status: RefundStatus): boolean {
  return statuses.includes(status);
}

function closedMessage({ status }: Refund): string {
  const words = {
    REQUESTED: "The refund waits for an address or for a confirmation.",
    READY: "The refund is ready to be paid.",
    SENT: "A transaction of the refund is on the chain already.",
    COMPLETED: "The refund is paid already.",
    CANCELED: "The refund is canceled.",
  };
  return words[status];
}

async function write<R extends Refund>(context: SealingContext, tx: Transaction, refund: R): Promise<R> {
  const written = { ...refund, mac: refundMac(context, refund) };
  await updateRefund(tx, written);
  return written;
}
