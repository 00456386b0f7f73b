import type { Currency } from "./asset.ts";
import { type FiatCurrency, fiats } from "./fiat.ts";
import { type Amount, DECIMALS, PRICE_DECIMALS } from "./money.ts";
import { type Rate, throughTether } from "./rate.ts";

/** A stored rate values money of a block if its minute is at most this much older than that of the block. */
export const MAX_BOOK_RATE_AGE_MS = 5 * 60_000;

/** Money in the currency of a merchant's books, at a rate of its time. */
export type BookValue = {
  readonly currency: FiatCurrency;
  /** in the currency's minor units (ISO 4217): cents, or yen; negative for negative money */
  readonly amount: bigint;
  /** units of the currency for 1 unit of the coin, in 10^-8 */
  readonly rateE8: bigint;
  /** the sources of the rate: `bitstamp+coinbase+kraken` */
  readonly sources: string;
  /** the oldest minute whose rate is behind it */
  readonly at: Date;
};

/** The rates of one moment, undefined where none is known. `fetchedAt` is their minute. `local`: of USDT in a currency other than USD. */
export type RatesOfMoment = Readonly<Record<"coin" | "local" | "tether", Rate | undefined>>;

/** The rate of a coin in the currency of books; undefined unless each of its parts is known. */
export function bookRate(
  currency: Currency,
  bookCurrency: FiatCurrency,
  { coin, local, tether }: RatesOfMoment,
): Rate | undefined {
  if (bookCurrency === "USD") return coin;
  if (currency === "USDT") return local;
  return coin && local && tether && throughTether(coin, { local, tether });
}

/** The worth of money at a rate, rounded half up to the currency's minor unit. The value of −x is −(value of x). */
export function bookValue(units: Amount, { fiatCurrency, priceE8, source, fetchedAt }: Rate): BookValue {
  const worth = (units < 0n ? -units : units) * priceE8;
  const step = 10n ** BigInt(DECIMALS + PRICE_DECIMALS - fiats[fiatCurrency].decimals);
  const rounded = (worth + step / 2n) / step;
  const amount = units < 0n ? -rounded : rounded;
  return { currency: fiatCurrency, amount, rateE8: priceE8, sources: source, at: fetchedAt };
}

/** The decimal of a value, with all decimals of its currency: `19.90`, `-0.05`, `1204` yen. */
export function formatBookAmount({ currency, amount }: Pick<BookValue, "currency" | "amount">): string {
  const { decimals } = fiats[currency];
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0");
  const [whole, fraction] = [
    digits.slice(0, digits.length - decimals),
    digits.slice(digits.length - decimals),
  ];
  return `${amount < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
