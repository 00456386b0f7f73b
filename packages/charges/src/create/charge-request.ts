import type { Currency } from "@daric/domain/asset";
import type { ApiKeyId, MerchantId, PaymentLinkId, SettlementAccountId } from "@daric/domain/ids";
import type { Metadata } from "@daric/domain/metadata";
import type { Amount } from "@daric/domain/money";

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
  readonly currency: Currency;
  /** in `currency`, or in USD for a fiat price */
  readonly amount: Amount | null;
  readonly isFiatPriced: boolean;
  /** the exact text of an amount in USD */
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
};
