import {
  type Amount,
  amountFromUnits,
  formatAmount,
  formatAmountOrNull,
  subtract,
} from "@daric/domain/money";
import { amountRequested, isPaidLate, paymentState } from "@daric/domain/order";
import type { ChargeData, OrderEventData } from "@daric/domain/webhook-event";
import type { ToldCharge } from "@daric/messages/announce";
import type { Charge } from "./charge.ts";
import type { EventDeposit } from "./charge-store.ts";

/** The facts about the charge of an event that messages to people need. */
export function toldOf({ id, sealedCustomerEmail, apiKeyId, kind }: Charge): ToldCharge {
  const hasCustomerEmail = kind === "order" && sealedCustomerEmail !== null;
  return { id, hasCustomerEmail, isByPerson: apiKeyId === null };
}

/** The charge's part of every deposit and order event. Sums are confirmed sums of all time. */
export function chargeEventData(charge: Charge): ChargeData {
  const credited = charge.confirmed.total;
  return {
    depositAddressId: charge.id,
    address: charge.address,
    orderRef: charge.orderRef,
    label: charge.label,
    chain: charge.chain,
    currency: charge.currency,
    orderAmount: formatAmountOrNull(charge.expectedAmount),
    payAmount: formatAmountOrNull(charge.payAmount),
    amountReceived: formatAmount(charge.received.total),
    difference: formatAmountOrNull(differenceFromDue(charge, credited)),
    paymentState: paymentState(charge.terms, credited),
    feeMode: charge.feeMode,
    metadata: charge.metadata,
    fiatCurrency: charge.fiatCurrency,
    fiatAmount: charge.fiatAmount,
    quoteRate: charge.quote?.rate ?? null,
    paymentLinkId: charge.paymentLinkId,
    payerRef: charge.payerRef,
  };
}

/**
 * The data of an `order.*` event. `paidAt` is when the confirmed deposits first added up to paid, else null. `isRefPaid`: another
 * charge of its reference is paid. `completes`: with it the order is paid that it is a rest of.
 */
export function orderEventData(
  charge: Charge,
  received: {
    paidAt: Date | null;
    deposits: readonly EventDeposit[];
    isRefPaid: boolean;
    completes: boolean;
  },
): OrderEventData {
  return {
    ...chargeEventData(charge),
    paidLate: isPaidLate(charge.terms, charge.confirmed),
    expiresAt: charge.expiresAt?.toISOString() ?? null,
    paidAt: received.paidAt?.toISOString() ?? null,
    deposits: received.deposits.map((deposit) => ({
      depositId: deposit.id,
      txHash: deposit.txId,
      amount: formatAmount(amountFromUnits(deposit.units)),
      confirmedAt: deposit.confirmedAt.toISOString(),
    })),
    orderRefPaid: received.isRefPaid,
    restOf: charge.restOf,
    restCompletes: received.completes,
  };
}

/** Credited money less the due. Without a fixed amount no payment is short or over. */
export function differenceFromDue(charge: Charge, credited: Amount): Amount | null {
  const requested = amountRequested(charge.terms.due);
  return requested === null ? null : subtract(credited, requested);
}
