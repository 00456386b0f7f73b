import { type Amount, DECIMALS } from "./money.ts";

/** The currencies of prices, with their decimals by ISO 4217. `packages/rates/src/fiat-markets.ts` says where each can be priced. */
export const fiats = {
  USD: { decimals: 2 },
  ARS: { decimals: 2 },
  AUD: { decimals: 2 },
  BRL: { decimals: 2 },
  CAD: { decimals: 2 },
  CHF: { decimals: 2 },
  EGP: { decimals: 2 },
  EUR: { decimals: 2 },
  GBP: { decimals: 2 },
  INR: { decimals: 2 },
  JPY: { decimals: 0 },
  KRW: { decimals: 0 },
  LBP: { decimals: 2 },
  MXN: { decimals: 2 },
  NGN: { decimals: 2 },
  PLN: { decimals: 2 },
  TRY: { decimals: 2 },
} as const satisfies Readonly<Record<string, { readonly decimals: 0 | 2 | 3 }>>;

/** The code of a currency of prices, ISO 4217. */
export type FiatCurrency = keyof typeof fiats;

/** A currency other than the dollar: its rate is the price of USDT in it. */
export type LocalCurrency = Exclude<FiatCurrency, "USD">;

export const fiatCurrencies = Object.keys(fiats) as readonly FiatCurrency[];
export const localCurrencies = fiatCurrencies.filter((code) => code !== "USD");

/** Whether an amount has no more decimals than the currency. */
export function isInUnitsOf(currency: FiatCurrency, amount: Amount): boolean {
  return amount % unitOf(currency) === 0n;
}

/** The currency's smallest unit, in 10^-6, as amounts count. */
export function unitOf(currency: FiatCurrency): bigint {
  return 10n ** BigInt(DECIMALS - fiats[currency].decimals);
}
