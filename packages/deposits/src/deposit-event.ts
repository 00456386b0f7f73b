import type { Charge } from "@daric/charges/charge";
import { chargeEventData, toldOf } from "@daric/charges/charge-event-data";
import type { DepositStatus } from "@daric/domain/deposit";
import { type RefKey, refKey } from "@daric/domain/ids";
import { formatAmount } from "@daric/domain/money";
import type { DepositEventData } from "@daric/domain/webhook-event";
import type { NewWebhookEvent } from "@daric/webhooks/events/enqueue-events";
import type { ChangedDeposit, ConfirmedDeposit, Deposit } from "./store.ts";

type Charges = ReadonlyMap<RefKey<"charge">, Charge>;

/** A deposit after a change of status; `previousStatus` is null for a new one. */
export type MovedDeposit = Deposit & {
  readonly previousStatus: DepositStatus | null;
};

/** CONFIRMED has its own event, see {@link depositConfirmedEvent}. */
const typeOfStatus = {
  DETECTED: "deposit.detected",
  CONFIRMING: "deposit.confirming",
  STUCK: "deposit.stuck",
  REORG_PENDING: "deposit.reorged",
  FAILED: "deposit.failed",
} as const satisfies Partial<Record<DepositStatus, NewWebhookEvent["type"]>>;

export const unconfirmedEventTypes = Object.values(typeOfStatus);
/** Those that reading a block causes: a deposit gets stuck at its verification alone. */
export const scannedEventTypes = unconfirmedEventTypes.filter((type) => type !== "deposit.stuck");

/** The event of an unconfirmed deposit. Dust and unmatched money have none: they are announced when they are final. */
export function unconfirmedEventType({
  status,
  unmatched,
  dust,
}: Deposit): (typeof unconfirmedEventTypes)[number] | undefined {
  const isQuiet = status === "CONFIRMED" || unmatched || dust;
  return isQuiet ? undefined : typeOfStatus[status];
}

type EventContext = {
  readonly type: (typeof unconfirmedEventTypes)[number];
  readonly charges: Charges;
  readonly confirmations: number;
  /** how often the deposit has come into its current or last block; 1 the first time */
  readonly occurrence: number;
};

export function unconfirmedEvent(deposit: MovedDeposit, context: EventContext): NewWebhookEvent {
  const { type, charges, confirmations, occurrence } = context;
  return {
    type,
    merchantId: deposit.merchantId,
    resourceId: deposit.id,
    idempotencyKey: idempotencyKeyOf(deposit, occurrence),
    told: toldOf(chargeOf(deposit, charges)),
    data: { ...depositEventData(deposit, { charges, confirmations }), confirmedAt: null },
  };
}

/**
 * Distinguishes this change from others of its type: the block, the stuck reason, and the occurrence in that block. None is random
 * or a time, so a restored database computes the same key for the same change.
 */
function idempotencyKeyOf({ blockId, stuckReason }: Deposit, occurrence: number): string {
  return [
    blockId,
    ...(stuckReason === null ? [] : [stuckReason]),
    ...(occurrence > 1 ? [occurrence] : []),
  ].join(" ");
}

/**
 * The event of a deposit that this transaction has confirmed: `deposit.confirmed`, or `deposit.unmatched` for money of another
 * coin. Dust of another coin has none.
 */
export function depositConfirmedEvent(
  deposit: ConfirmedDeposit & ChangedDeposit,
  charges: Charges,
): NewWebhookEvent | undefined {
  if (deposit.unmatched && deposit.dust) return undefined;
  return {
    type: deposit.unmatched ? "deposit.unmatched" : "deposit.confirmed",
    merchantId: deposit.merchantId,
    resourceId: deposit.id,
    told: toldOf(chargeOf(deposit, charges)),
    data: {
      ...depositEventData(deposit, { charges, confirmations: deposit.finalConfirmations }),
      status: deposit.status,
      confirmedAt: deposit.confirmedAt.toISOString(),
    },
  };
}

function depositEventData(
  deposit: MovedDeposit,
  { charges, confirmations }: { charges: Charges; confirmations: number },
): Omit<DepositEventData, "confirmedAt"> {
  const charge = chargeOf(deposit, charges);
  return {
    depositId: deposit.id,
    ...chargeEventData(charge),
    // The address that the chain paid, even if the charge's row was changed.
    address: deposit.address,
    amount: formatAmount(deposit.amount),
    currency: deposit.currency,
    txHash: deposit.txId,
    eventIndex: deposit.eventIndex,
    blockNumber: deposit.blockNumber,
    blockHash: deposit.blockId,
    confirmations,
    requiredConfirmations: deposit.requiredConfirmations,
    status: deposit.status,
    previousStatus: deposit.previousStatus,
    late: deposit.late,
    unmatched: deposit.unmatched,
    detectedAt: deposit.detectedAt.toISOString(),
  };
}

function chargeOf({ merchantId, chargeId, id }: Deposit, charges: Charges): Charge {
  const charge = charges.get(refKey({ merchantId, id: chargeId }));
  if (charge === undefined) throw new Error(`no charge was loaded for deposit ${id}`);
  return charge;
}
