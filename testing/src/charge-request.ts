import type { ChargeRequest } from "@daric/server/charges/charge-request";
import { amountFromUnits } from "@daric/server/domain/money";

/** What a caller asks for: an order of 25 USDT and nothing else, unless said otherwise. */
export function aChargeRequest(
  caller: Pick<ChargeRequest, "merchantId" | "apiKeyId">,
  overrides: Partial<ChargeRequest> = {},
): ChargeRequest {
  return {
    ...caller,
    currency: "USDT",
    amount: amountFromUnits(25_000_000n),
    isFiatPriced: false,
    fiatAmount: null,
    orderRef: null,
    label: null,
    successUrl: null,
    cancelUrl: null,
    metadata: null,
    customerRef: null,
    settlementAccountId: null,
    ...overrides,
  };
}
