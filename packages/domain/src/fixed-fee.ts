import { type Currency, currencies } from "./asset.ts";
import type { Amount } from "./money.ts";

/** The field of a merchant's terms with the fixed fee of charges in a coin, as `feeFixedUsdt`. */
export type FixedFeeField<C extends Currency = Currency> = `feeFixed${Capitalize<Lowercase<C>>}`;

/** The fixed fees of a merchant, by their fields. */
export type FixedFees = { readonly [C in Currency as FixedFeeField<C>]: Amount<C> };

export function fixedFeeField<C extends Currency>(currency: C): FixedFeeField<C> {
  return `feeFixed${currency.charAt(0)}${currency.slice(1).toLowerCase()}` as FixedFeeField<C>;
}

/** A value for the fixed fee of each coin, by its field. */
export function perFixedFee<T>(make: (currency: Currency) => T): Readonly<Record<FixedFeeField, T>> {
  const entries = currencies.map((currency) => [fixedFeeField(currency), make(currency)]);
  return Object.fromEntries(entries) as Record<FixedFeeField, T>;
}
