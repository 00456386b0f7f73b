import type { Currency } from "@daric/domain/asset";
import type { ApiKeyId, MerchantId, SettlementAccountId } from "@daric/domain/ids";
import type { Metadata } from "@daric/domain/metadata";
import type { Amount } from "@daric/domain/money";

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
  /** from now on; without it the lifetime of the merchant counts */
  readonly lifetimeSeconds?: number | undefined;
};
