import type { ChargeRef } from "@daric/domain/ids";
import type { Transaction } from "@daric/postgres/sql";
import { changeRefund, moveRefund } from "./change-refund.ts";
import type { SealingContext } from "./refund.ts";
import { type LockedRefund, lockOpen } from "./store.ts";

/**
 * Money came to these charges, or their merchant accepted them: their refunds need a person's confirmation before they are paid. Those that are READY
 * are REQUESTED again, and *Pay* is closed. They keep their addresses. One that is SENT needs it if its transfer is lost. The caller holds the charges.
 */
export async function putBackRefunds(
  context: SealingContext,
  tx: Transaction,
  charges: readonly ChargeRef[],
): Promise<void> {
  for (const refund of await lockOpen(tx, charges)) {
    const doubt = { refund, needsConfirmation: "order_changed", frozenUntil: null } as const;
    if (refund.status === "READY") await moveRefund(context, tx, { ...doubt, event: "put_back" });
    else if (isSureOfOrder(refund)) await changeRefund(context, tx, doubt);
  }
}

/** Naming another address ends the doubt about that one, so it must not stand for a doubt about the order. */
function isSureOfOrder({ needsConfirmation }: LockedRefund): boolean {
  return needsConfirmation === null || needsConfirmation === "other_address";
}
