import type { Charge } from "../charges/charge.ts";
import { chargeEventData } from "../charges/charge-event-data.ts";
import { type DepositStatus, isDust } from "../domain/deposit.ts";
import { type RefKey, refKey } from "../domain/ids.ts";
import { formatAmount } from "../domain/money.ts";
import type { DepositEventData } from "../domain/webhook-event.ts";
import type { NewWebhookEvent } from "../webhooks/events/enqueue-events.ts";
import type { ChangedDeposit, ConfirmedDeposit, Deposit } from "./store.ts";

type Charges = ReadonlyMap<RefKey<"charge">, Charge>;

/** A deposit that has just come into its status; from none where it is seen for the first time. */
export type MovedDeposit = Deposit & {
  readonly previousStatus: DepositStatus | null;
  /** how often it had come into its block then, where the same transaction has moved it on since */
  readonly occurrence?: number | undefined;
};

/** What the changes of a deposit are called on their way to money. */
const typeOfStatus = {
  DETECTED: "deposit.detected",
  CONFIRMING: "deposit.confirming",
  STUCK: "deposit.stuck",
  REORG_PENDING: "deposit.reorged",
  FAILED: "deposit.failed",
} as const satisfies Partial<Record<DepositStatus, NewWebhookEvent["type"]>>;

/** The types of the events of deposits that are not CONFIRMED. */
export const unconfirmedEventTypes = Object.values(typeOfStatus);

/**
 * What the change of a deposit is called; undefined where nothing is said of it: dust and money in the other currency
 * are announced when they are final, and CONFIRMED is announced by `depositConfirmedEvent`.
 */
export function unconfirmedEventType({
  status,
  amount,
  currency,
  unmatched,
}: Deposit): (typeof unconfirmedEventTypes)[number] | undefined {
  const isQuiet = status === "CONFIRMED" || unmatched || isDust({ currency, amount });
  return isQuiet ? undefined : typeOfStatus[status];
}

/** How a change of a deposit is told. */
type EventContext = {
  readonly type: (typeof unconfirmedEventTypes)[number];
  readonly charges: Charges;
  readonly confirmations: number;
  /** how often the deposit has come into the block that it is in, or was in last; 1 at first */
  readonly occurrence: number;
};

/** The event of a deposit that this transaction has just moved, and that is not CONFIRMED. */
export function unconfirmedEvent(deposit: MovedDeposit, context: EventContext): NewWebhookEvent {
  const { type, charges, confirmations, occurrence } = context;
  return {
    type,
    merchantId: deposit.merchantId,
    resourceId: deposit.id,
    idempotencyKey: idempotencyKeyOf(deposit, occurrence),
    data: { ...depositEventData(deposit, { charges, confirmations }), confirmedAt: null },
  };
}

/**
 * What tells this change from others of its type: the block, why the deposit waits, and, where the block left the chain
 * and came back, which time this is. All of it follows from the chain, so that a database that was restored says the same.
 */
function idempotencyKeyOf({ blockId, stuckReason }: Deposit, occurrence: number): string {
  return [
    blockId,
    ...(stuckReason === null ? [] : [stuckReason]),
    ...(occurrence > 1 ? [occurrence] : []),
  ].join(" ");
}

/**
 * The event of a deposit that this transaction has just confirmed: `deposit.confirmed`, or `deposit.unmatched` of money
 * in the other currency, which pays nothing.
 */
export function depositConfirmedEvent(
  deposit: ConfirmedDeposit & ChangedDeposit,
  charges: Charges,
): NewWebhookEvent {
  return {
    type: deposit.unmatched ? "deposit.unmatched" : "deposit.confirmed",
    merchantId: deposit.merchantId,
    resourceId: deposit.id,
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
  const charge = charges.get(refKey({ merchantId: deposit.merchantId, id: deposit.chargeId }));
  if (charge === undefined) throw new Error(`no charge was loaded for deposit ${deposit.id}`);
  return {
    depositId: deposit.id,
    ...chargeEventData(charge),
    // What the chain paid, whatever the row of the charge says.
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
