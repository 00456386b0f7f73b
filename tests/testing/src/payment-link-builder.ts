import type { MerchantId } from "@daric/domain/ids";
import { createLink } from "@daric/payment-links/create-link";
import type { LinkTerms, PaymentLink } from "@daric/payment-links/payment-link";
import type { TestContext } from "./context.ts";

const terms: LinkTerms = {
  title: "Concert ticket",
  description: null,
  thanks: null,
  amount: null,
  minAmount: null,
  maxAmount: null,
  currency: "USDT",
  pricingCurrency: null,
  suggestedAmounts: [],
  maxPayments: null,
  expiresAt: null,
  ask: [],
  orderRefPrefix: null,
  successUrl: null,
  cancelUrl: null,
  settlementAccountId: null,
  metadata: null,
};

/** A payment link on which the payer chooses any amount of USDT. */
export function aPaymentLink(
  { db, checkoutKey }: Pick<TestContext, "db" | "checkoutKey">,
  merchantId: MerchantId,
  { createdBy = null, ...overrides }: Partial<LinkTerms & Pick<PaymentLink, "createdBy">> = {},
): Promise<PaymentLink> {
  const maker = { merchantId, createdBy };
  return createLink({ db, checkoutKey, now: new Date() }, maker, { ...terms, ...overrides });
}
