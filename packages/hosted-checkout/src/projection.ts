import type { ShownCharge } from "@daric/charges/charge";
import { checkoutState } from "@daric/domain/charge-state";
import { type CheckoutDeposit, type CheckoutRecord, receivedOf } from "@daric/domain/checkout";
import { currentConfirmations } from "@daric/domain/deposit";
import { formatAmount, formatAmountOrNull } from "@daric/domain/money";
import { amountRequested, paymentState } from "@daric/domain/order";
import type { CheckoutProjection } from "./schema.ts";

/** The service's own settings. A logo comes from our own address, so that no third party sees the payer. */
type ProjectedBy = { readonly requiredConfirmations: number; readonly publicBaseUrl: string | undefined };

/**
 * The public view for the holder of a token, with exactly the contract's keys. The state counts confirmed
 * money inside the late window. `amountReceived` and `paymentState` count confirmed and pending money. The
 * shown deposit is the newest that can still change, else the newest.
 */
export function projectCheckout(
  charge: ShownCharge,
  record: CheckoutRecord,
  { requiredConfirmations, publicBaseUrl }: ProjectedBy,
): CheckoutProjection {
  const { name, logoId, accentColor } = record.merchant;
  return {
    state: checkoutState(charge),
    merchant: {
      name,
      logoUrl:
        logoId === null || publicBaseUrl === undefined ? null : `${publicBaseUrl}/checkout/logos/${logoId}`,
      accentColor,
    },
    order: projectOrder(charge),
    payment: {
      address: charge.address,
      chain: charge.chain,
      expiresAt: isoOrNull(charge.expiresAt),
    },
    status: projectStatus(charge, record.deposits[0], requiredConfirmations),
  };
}

function projectOrder(charge: ShownCharge): CheckoutProjection["order"] {
  return {
    ref: charge.orderRef,
    amount: formatAmountOrNull(charge.expectedAmount),
    payAmount: formatAmountOrNull(amountRequested(charge.terms.due)),
    currency: charge.currency,
    feeMode: charge.feeMode,
    successUrl: charge.successUrl,
    cancelUrl: charge.cancelUrl,
    fiatCurrency: charge.fiatCurrency,
    fiatAmount: charge.fiatAmount,
    quoteRate: charge.quote?.rate ?? null,
    quoteExpiresAt: isoOrNull(charge.quote?.expiresAt ?? null),
  };
}

function projectStatus(
  charge: ShownCharge,
  deposit: CheckoutDeposit | undefined,
  requiredConfirmations: number,
): CheckoutProjection["status"] {
  return {
    depositStatus: deposit?.status ?? null,
    confirmations: deposit === undefined ? 0 : currentConfirmations(deposit),
    requiredConfirmations: deposit?.requiredConfirmations ?? requiredConfirmations,
    amountReceived: formatAmount(receivedOf(charge)),
    paymentState: paymentState(charge.terms, charge.credited),
    txHash: deposit?.txId ?? null,
    confirmedAt: isoOrNull(deposit?.confirmedAt ?? null),
  };
}

function isoOrNull(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}
