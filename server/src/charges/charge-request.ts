import type { Currency } from "../domain/asset.ts";
import type { ApiKeyId, MerchantId, SettlementAccountId } from "../domain/ids.ts";
import type { Metadata } from "../domain/metadata.ts";
import type { Amount } from "../domain/money.ts";

/** A request for a charge. Null stands for what was not given. */
export type ChargeRequest = {
  readonly merchantId: MerchantId;
  /** the key that asked */
  readonly apiKeyId: ApiKeyId;
  readonly currency: Currency;
  /** in `currency`, or in USD where that is the pricing currency */
  readonly amount: Amount | null;
  readonly isFiatPriced: boolean;
  /** the amount exactly as it was written, where it is in USD */
  readonly fiatAmount: string | null;
  /** of a receive address: the customer who pays to it */
  readonly customerRef: string | null;
  readonly orderRef: string | null;
  readonly label: string | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly settlementAccountId: SettlementAccountId | null;
  readonly metadata: Metadata | null;
};
