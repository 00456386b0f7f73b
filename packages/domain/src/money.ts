import type { Currency } from "./asset.ts";

declare const amountBrand: unique symbol;
/**
 * Money in minor units (10^-6 of its currency). Made only by the functions of this file. An amount of one currency does
 * not mix with one of another; `Amount` alone is one whose currency only its row knows.
 */
export type Amount<C extends Currency = Currency> = bigint & { readonly [amountBrand]: C };

export type AnyAmount = Amount<never>;

/** Of every amount, of coins and of currencies. */
export const DECIMALS = 6;
const RATE_DECIMALS = 10;
/** Of prices of a coin in a fiat currency. */
export const PRICE_DECIMALS = 8;
const UNITS_PER_ONE = 1_000_000n;
const UNITS_PER_CENT = 10_000n;
const BASIS_POINTS = 10_000n;
/** An amount as text in answers. The patterns have no flags, because the OpenAPI document repeats them. */
export const AMOUNT_PATTERN = /^(0|[1-9][0-9]{0,11})(\.[0-9]{1,6})?$/;
/** An amount as text in requests: zeros may follow the decimals, up to 64 characters in all. */
export const SENT_AMOUNT_PATTERN = /^(0|[1-9][0-9]{0,11})(\.[0-9]{1,6}0{0,45})?$/;

/** A rate as text in answers: 4 decimals in USD, 10 in other currencies. */
export const RATE_PATTERN = /^(0|[1-9][0-9]{0,11})(\.[0-9]{1,10})?$/;

/** The share that equals the whole due. Shares are in 10^-18. */
export const WHOLE_SHARE = 10n ** 18n;

export const zero = inEveryCurrency(0n);

/** Brands minor units from the database, whose currency is in another column. */
export function amountFromUnits(units: bigint): Amount {
  return units as Amount;
}

export function amountIn<C extends Currency>(_currency: C, units: bigint): Amount<C> {
  return units as Amount<C>;
}

export function inEveryCurrency(units: bigint): AnyAmount {
  return units as AnyAmount;
}

/**
 * Reads a decimal with at most 12 integer and 6 fraction digits. Zeros at the end of a fraction have no meaning. Any other
 * text (sign, exponent, blank, leading zero, one significant decimal too many) gives undefined: money is refused, never rounded.
 */
export function parseAmount(text: string): Amount | undefined {
  if (!SENT_AMOUNT_PATTERN.test(text)) return undefined;
  const [whole = "0", fraction = ""] = text.split(".");
  const decimals = fraction.slice(0, DECIMALS).padEnd(DECIMALS, "0");
  return amountFromUnits(BigInt(whole) * UNITS_PER_ONE + BigInt(decimals));
}

/** A decimal with at most 2 significant decimals, in hundredths; undefined for any other text. */
export function parseHundredths(text: string): bigint | undefined {
  const amount = parseAmount(text);
  return amount === undefined || amount % UNITS_PER_CENT !== 0n ? undefined : amount / UNITS_PER_CENT;
}

/** The canonical decimal: no trailing zeros, no exponent. A negative difference keeps its sign. */
export function formatAmount(amount: Amount): string {
  return formatDecimal(amount, DECIMALS);
}

export function formatAmountOrNull(amount: Amount | null): string | null {
  return amount === null ? null : formatAmount(amount);
}

/** The decimal of a rate in 10^-10: units of a coin for 1 unit of a fiat currency. */
export function formatRate(rateE10: bigint): string {
  return formatDecimal(rateE10, RATE_DECIMALS);
}

/** Reads what {@link formatRate} wrote. */
export function parseRate(text: string): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(RATE_DECIMALS, "0"));
}

/** The decimal of a price in 10^-8: units of a fiat currency for 1 unit of a coin. */
export function formatPrice(priceE8: bigint): string {
  return formatDecimal(priceE8, PRICE_DECIMALS);
}

function formatDecimal(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/(?<!0)0+$/, "");
  const sign = units < 0n ? "-" : "";
  return `${sign}${digits.slice(0, -decimals)}${fraction === "" ? "" : `.${fraction}`}`;
}

export function add<C extends Currency>(a: Amount<C>, b: Amount<NoInfer<C>>): Amount<C> {
  return (a + b) as Amount<C>;
}

/** The difference, which may be negative. */
export function subtract<C extends Currency>(a: Amount<C>, b: Amount<NoInfer<C>>): Amount<C> {
  return (a - b) as Amount<C>;
}

export function smaller<C extends Currency>(a: Amount<C>, b: Amount<NoInfer<C>>): Amount<C> {
  return a < b ? a : b;
}

export function larger<C extends Currency>(a: Amount<C>, b: Amount<NoInfer<C>>): Amount<C> {
  return a > b ? a : b;
}

/** The amount with at most two decimals, rounded up in favour of the receiver. */
export function centsRoundedUp<C extends Currency>(amount: Amount<C>): Amount<C> {
  return (((amount + UNITS_PER_CENT - 1n) / UNITS_PER_CENT) * UNITS_PER_CENT) as Amount<C>;
}

/** A share of a non-negative amount in basis points (1 = 0.01 %), rounded down. */
export function shareRoundedDown<C extends Currency>(amount: Amount<C>, basisPoints: number): Amount<C> {
  return ((amount * BigInt(basisPoints)) / BASIS_POINTS) as Amount<C>;
}

/**
 * The amount that shares of a due (10^-18) are worth, rounded down once for their sum. Each share was rounded up, so
 * amounts that were divided by this same due give back their exact sum.
 */
export function creditedRoundedDown<C extends Currency>(shares: bigint, due: Amount<C>): Amount<C> {
  return ((shares * due) / WHOLE_SHARE) as Amount<C>;
}

/** The smallest gross that leaves at least `net` after a share of `basisPoints`: rounded up in favour of the merchant. */
export function grossUpRoundedUp<C extends Currency>(net: Amount<C>, basisPoints: number): Amount<C> {
  const divisor = BASIS_POINTS - BigInt(basisPoints);
  return ((net * BASIS_POINTS + divisor - 1n) / divisor) as Amount<C>;
}
