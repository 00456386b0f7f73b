import type { ChargeRequest } from "@daric/charges/create/charge-request";
import { amountFromUnits } from "@daric/domain/money";

/** A request for an order of 25 USDT. */
export function aChargeRequest(
  caller: Pick<ChargeRequest, "merchantId" | "apiKeyId">,
  overrides: Partial<ChargeRequest> = {},
): ChargeRequest {
  return {
    ...caller,
    currency: "USDT",
    amount: amountFromUnits(25_000_000n),
    fiatCurrency: null,
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
