import { type Currency, perCurrency } from "@daric/domain/asset";
import { ApiError } from "@daric/domain/errors";
import type { FindRate, Rate } from "@daric/domain/rate";

/** 1 USDT is 0.9997 USD, so 1 USD is 1.0004 USDT; 1 TRX is 0.25 USD. */
const USD_E8 = { ...perCurrency(() => 100_000_000n), USDT: 99_970_000n, TRX: 25_000_000n };

/** In currencies other than USD the prices are the same. */
export function aRate(currency: Currency, overrides: Partial<Rate> = {}): Rate {
  return {
    currency,
    fiatCurrency: "USD",
    priceE8: USD_E8[currency],
    source: "alpha+beta+gamma",
    fetchedAt: new Date(),
    ...overrides,
  };
}

export const freshRates: FindRate = async (currency, fiatCurrency) => aRate(currency, { fiatCurrency });

export const noRates: FindRate = async () => {
  throw new ApiError("RATE_UNAVAILABLE", { retryAfterSeconds: 7 });
};
