import type { Currency } from "@daric/domain/asset";
import { ApiError } from "@daric/domain/errors";
import type { MerchantId } from "@daric/domain/ids";
import { PAY_FREEZE_MS } from "@daric/domain/refund";
import type { Transaction } from "@daric/postgres/sql";
import { changeRefund, lockOurRefund, requireOurs } from "./change-refund.ts";
import type { ActingContext } from "./context.ts";
import type { Refund, RefundRef } from "./refund.ts";
import { type LockedRefund, lockRefunds } from "./store.ts";
import { listReady } from "./task-store.ts";

/** A file has at most so many refunds. */
const MAX_IN_FILE = 500;

/**
 * Opens *Pay*: the refund to be paid, whose address and amount stay for half an hour.
 *
 * @throws NOT_FOUND; REFUND_CLOSED if it is not READY.
 */
export async function openPay(context: ActingContext, ref: RefundRef): Promise<Refund> {
  return context.db.transaction(async (tx) => {
    const refund = await lockOurRefund(context, tx, ref);
    if (refund.status !== "READY")
      throw new ApiError("REFUND_CLOSED", { message: "The refund is not ready to be paid." });
    return freeze(context, tx, refund);
  });
}

/** Refunds to be paid together. `openedBefore`: how many of them a person may be paying already. */
export type PayList = { readonly refunds: readonly Refund[]; readonly openedBefore: number };

/**
 * Opens *Pay* of all READY refunds of a coin, at most 500 of the oldest. Their addresses and amounts stay for half an hour. A row that the service did
 * not write is left out.
 */
export async function openPayList(
  context: ActingContext,
  wanted: { readonly merchantId: MerchantId; readonly currency: Currency },
): Promise<PayList> {
  return context.db.transaction(async (tx) => {
    const locked = await lockRefunds(tx, await listReady(tx, { ...wanted, limit: MAX_IN_FILE }));
    const payable = locked.filter((refund) => refund.status === "READY" && requireOurs(context, refund));
    const refunds: Refund[] = [];
    for (const refund of payable) refunds.push(await freeze(context, tx, refund));
    const isOpen = ({ frozenUntil, now }: LockedRefund) => frozenUntil !== null && frozenUntil > now;
    return { refunds, openedBefore: payable.filter(isOpen).length };
  });
}

function freeze(context: ActingContext, tx: Transaction, refund: LockedRefund): Promise<LockedRefund> {
  return changeRefund(context, tx, {
    refund,
    frozenUntil: new Date(refund.now.getTime() + PAY_FREEZE_MS),
  });
}
