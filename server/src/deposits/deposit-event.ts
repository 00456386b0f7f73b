import type { Charge } from "../charges/charge.ts";
import { chargeEventData } from "../charges/charge-event-data.ts";
import { type RefKey, refKey } from "../domain/ids.ts";
import { formatAmount } from "../domain/money.ts";
import type { NewWebhookEvent } from "../webhooks/events/enqueue-events.ts";
import type { ChangedDeposit, ConfirmedDeposit } from "./store.ts";

/**
 * The event of a deposit that this transaction has just confirmed: `deposit.confirmed`, or `deposit.unmatched` of money
 * in the other currency, which pays nothing.
 */
export function depositConfirmedEvent(
  deposit: ConfirmedDeposit & ChangedDeposit,
  charges: ReadonlyMap<RefKey<"charge">, Charge>,
): NewWebhookEvent {
  const charge = charges.get(refKey({ merchantId: deposit.merchantId, id: deposit.chargeId }));
  if (charge === undefined) throw new Error(`no charge was loaded for deposit ${deposit.id}`);
  return {
    type: deposit.unmatched ? "deposit.unmatched" : "deposit.confirmed",
    merchantId: deposit.merchantId,
    resourceId: deposit.id,
    data: {
      depositId: deposit.id,
      ...chargeEventData(charge),
      amount: formatAmount(deposit.amount),
      currency: deposit.currency,
      txHash: deposit.txId,
      eventIndex: deposit.eventIndex,
      blockNumber: deposit.blockNumber,
      blockHash: deposit.blockId,
      confirmations: deposit.finalConfirmations,
      requiredConfirmations: deposit.requiredConfirmations,
      status: deposit.status,
      previousStatus: deposit.previousStatus,
      late: deposit.late,
      unmatched: deposit.unmatched,
      detectedAt: deposit.detectedAt.toISOString(),
      confirmedAt: deposit.confirmedAt.toISOString(),
    },
  };
}
