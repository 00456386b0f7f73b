import { type FiatCurrency, fiats } from "./fiat.ts";
import { DECIMALS, parseAmount, WHOLE_SHARE } from "./money.ts";

/** The place of a deposit in its order: the shares of the due (10^-18) that the confirmed deposits before it and it itself paid. */
export type PaidShare = { readonly before: bigint; readonly own: bigint };

/**
 * The part of an order's price that a deposit paid, in minor units of the price's currency: its share of `fiatAmount` by its own quote. Each
 * is the difference of two rounded sums, so the prices of an exactly paid order's deposits add up to its price.
 *
 * @throws Error unless the amount is a decimal; the service has validated it.
 */
export function depositPrice(
  { fiatCurrency, fiatAmount }: { readonly fiatCurrency: FiatCurrency; readonly fiatAmount: string },
  { before, own }: PaidShare,
): bigint {
  const price = parseAmount(fiatAmount);
  if (price === undefined) throw new Error("a price that was not validated");
  const step = 10n ** BigInt(DECIMALS - fiats[fiatCurrency].decimals);
  const upTo = (share: bigint) => {
    const divisor = WHOLE_SHARE * step;
    return (price * share + divisor / 2n) / divisor;
  };
  return upTo(before + own) - upTo(before);
}
