import { formatAmount } from "@daric/domain/money";
import type { Refund } from "@daric/refunds/refund";
import type { View } from "./print.ts";

/** The section of the manual that explains a refund. */
const RUNBOOK = "docs/operations.md#refunds";

/** A refund as `daric find` shows it; never its claim link. */
export function viewOfRefund(refund: Refund): View {
  const { id, status, units, currency, address, needsConfirmation, txId, paidUnits, refundRef } = refund;
  return {
    id,
    status,
    amount: `${formatAmount(units)} ${currency}`,
    address,
    refundRef,
    waitsFor: waitOf(refund),
    needsConfirmation,
    txHash: txId,
    paid: paidUnits && `${formatAmount(paidUnits)} ${currency}`,
    requestedAt: refund.requestedAt.toISOString(),
    readyAt: refund.readyAt?.toISOString() ?? null,
    completedAt: refund.completedAt?.toISOString() ?? null,
    canceledAt: refund.canceledAt?.toISOString() ?? null,
    runbook: RUNBOOK,
  };
}

/** The condition that a refund waits for; null if it is over. */
function waitOf({ status, address, claimUntil }: Refund): string | null {
  if (status === "READY") return "a payment by its merchant";
  if (status === "SENT") return "a final block";
  if (status !== "REQUESTED") return null;
  if (address !== null) return "a confirmation by an owner or admin";
  return claimUntil > new Date()
    ? `an address of the payer, until ${claimUntil.toISOString()}`
    : "a new claim link: the merchant asks the payer again";
}
