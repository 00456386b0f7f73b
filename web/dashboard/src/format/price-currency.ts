import { type FiatCurrency, fiats } from "@daric/domain/fiat";
import type { PricingCurrency } from "@daric/sdk/contract";
import type { Input } from "../api/operations.ts";
import { language, words } from "../words/words.ts";
import { oncePerLanguage } from "./once-per-language.ts";

type Body = Input<"POST /v1/payment-links">["body"];

/** A currency of prices, and whether its markets are closed now. */
export type Priceable = Pick<PricingCurrency, "code" | "sources" | "resting">;

/** Offered while the list of currencies is away or empty. */
const DOLLAR: Priceable = { code: "USD", sources: ["any"], resting: false };

const names = oncePerLanguage((tag) => new Intl.DisplayNames(tag, { type: "currency" }));

/** The code of a currency and its name in the language of the pages: `EUR · Euro`. */
export function currencyName(code: string): string {
  return `${code} · ${names(language).of(code) ?? code}`;
}

export type PriceOptions = {
  /** the names of the choices by code, the coins first */
  readonly options: Readonly<Record<string, string>>;
  /** codes of currencies that have no rate until their markets open */
  readonly resting: readonly string[];
};

/**
 * The coins, and the currencies that this deployment can price. The chosen one stays: without it, the browser would choose another one
 * unseen.
 */
export function priceOptions(
  coins: readonly string[],
  list: readonly Priceable[] = [],
  chosen?: string,
): PriceOptions {
  const { ask } = words.work;
  const offered = (list.length === 0 ? [DOLLAR] : list).filter(
    ({ code, sources }) => sources.length > 0 || code === chosen,
  );
  const nameOf = ({ code, resting }: Priceable) =>
    (resting ? ask.priceResting : ask.priceFiat)({ currency: currencyName(code), coin: coins[0] ?? "" });
  return {
    options: Object.fromEntries([
      ...coins.map((coin) => [coin, coin]),
      ...offered.map((one) => [one.code, nameOf(one)]),
    ]),
    resting: offered.filter(({ resting }) => resting).map(({ code }) => code),
  };
}

/** The unit of a price as a request names it: a coin, or a currency that is converted. */
export function priceUnit(price: string | undefined): Pick<Body, "currency" | "pricingCurrency"> {
  if (price === undefined) return {};
  return isFiat(price) ? { pricingCurrency: price } : { currency: price as NonNullable<Body["currency"]> };
}

function isFiat(code: string): code is FiatCurrency {
  return Object.hasOwn(fiats, code);
}
