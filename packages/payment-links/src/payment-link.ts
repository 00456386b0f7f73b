import type { Currency } from "@daric/domain/asset";
import { ApiError } from "@daric/domain/errors";
import { fieldRule } from "@daric/domain/field-rule";
import type { MerchantId, PaymentLinkId, PersonId, Ref, SettlementAccountId } from "@daric/domain/ids";
import type { Metadata } from "@daric/domain/metadata";
import type { Amount } from "@daric/domain/money";
import type { LinkAmounts, LinkState, PayerQuestion, Places } from "@daric/domain/payment-link";

/** The terms of a link's orders. Amounts are in `currency`, or in `pricingCurrency` where there is one. */
export type LinkTerms = LinkAmounts & {
  readonly title: string;
  readonly description: string | null;
  /** shown on the page of a paid order */
  readonly thanks: string | null;
  readonly currency: Currency;
  /** offered where the payer chooses */
  readonly suggestedAmounts: readonly Amount[];
  readonly maxPayments: number | null;
  /** the end of new orders; those that exist go on */
  readonly expiresAt: Date | null;
  readonly ask: readonly PayerQuestion[];
  /** the beginning of each order's reference */
  readonly orderRefPrefix: string | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly settlementAccountId: SettlementAccountId | null;
  readonly metadata: Metadata | null;
};

export type PaymentLink = LinkTerms &
  LinkState & {
    readonly id: PaymentLinkId;
    readonly merchantId: MerchantId;
    readonly token: string;
    /** the person who made it; null where a key did */
    readonly createdBy: PersonId | null;
    readonly places: Places;
    readonly createdAt: Date;
    readonly updatedAt: Date;
  };

export type PaymentLinkRef = Ref<"paymentLink">;

/** The fields of a link that may change. None of them reaches an order that exists. */
export type LinkChange = {
  readonly [Field in "title" | "description" | "isActive" | "maxPayments" | "expiresAt"]?:
    | PaymentLink[Field]
    | undefined;
};

const PAST = { path: "expiresAt", message: "must be in the future", rule: fieldRule("future") };

/** @throws VALIDATION_ERROR for an end of new orders that is over already. */
export function requireFuture(expiresAt: Date | null, now: Date): void {
  if (expiresAt !== null && expiresAt <= now) throw new ApiError("VALIDATION_ERROR", { details: [PAST] });
}
