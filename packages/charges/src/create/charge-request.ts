import type { Currency } from "@daric/domain/asset";
import { ApiError } from "@daric/domain/errors";
import type { FiatCurrency } from "@daric/domain/fiat";
import type { ApiKeyId, MerchantId, PaymentLinkId, PersonId, SettlementAccountId } from "@daric/domain/ids";
import type { Metadata } from "@daric/domain/metadata";
import type { Amount } from "@daric/domain/money";
import type { SealEmail } from "../customer-email.ts";

/** The error of a fiat price without a positive amount. */
export function noFiatAmount(fiatCurrency: FiatCurrency): ApiError {
  return new ApiError(fiatCurrency === "USD" ? "USD_AMOUNT_REQUIRED" : "FIAT_AMOUNT_REQUIRED");
}

/** A click on a payment link. */
export type LinkClick = {
  readonly linkId: PaymentLinkId;
  readonly payerRef: string | null;
  /** what the payer typed, see `payer.ts`; sealed once the order has its token */
  readonly sealedPayer: Buffer | null;
  /** names the click, so that repeating it makes no other order */
  readonly attempt: string | null;
  /** a keyed hash of the client's address */
  readonly client: Buffer;
};

/** A request for a charge. Missing fields are null. */
export type ChargeRequest = {
  readonly merchantId: MerchantId;
  /** the key of the request; null for a person's */
  readonly apiKeyId: ApiKeyId | null;
  /** the person who makes it, or made its payment link or its first order; without one a key does */
  readonly createdBy?: PersonId | null | undefined;
  readonly currency: Currency;
  /** in `currency`, or in `fiatCurrency` for a fiat price */
  readonly amount: Amount | null;
  /** of the price; null for one in the coin itself */
  readonly fiatCurrency: FiatCurrency | null;
  /** the exact text of an amount in `fiatCurrency` */
  readonly fiatAmount: string | null;
  /** of a receive address: its customer */
  readonly customerRef: string | null;
  readonly orderRef: string | null;
  readonly label: string | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly settlementAccountId: SettlementAccountId | null;
  readonly metadata: Metadata | null;
  /** the click on a payment link that makes this order; such orders are inserted apart from others */
  readonly click?: LinkClick | undefined;
  /** from now on; without it the lifetime of the merchant counts */
  readonly lifetimeSeconds?: number | undefined;
  /** the address of its payer */
  readonly sealEmail?: SealEmail | undefined;
};
