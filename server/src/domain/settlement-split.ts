import type { Currency } from "./asset.ts";
import { type Amount, smaller, subtract, zero } from "./money.ts";

/** The payments out of one deposit address. */
export type SettlementSplit<C extends Currency = Currency> = {
  readonly operator: Amount<C>;
  readonly merchant: Amount<C>;
};

/**
 * Splits the content of a deposit address. Once the operator's unpaid fees reach `threshold`, the operator gets them out of this
 * content, as far as it goes; the rest is the merchant's. Below the threshold all of it is the merchant's.
 *
 * So the operator never gets more than is owed. A deposit's fee is never above the deposit, so that where nothing lies unswept
 * the operator is owed less than `threshold`.
 */
export function splitContent<C extends Currency>({
  owed,
  content,
  threshold,
}: {
  /** the operator's unpaid fees, without those in flight */
  owed: Amount<C>;
  content: Amount<NoInfer<C>>;
  /** above zero */
  threshold: Amount<NoInfer<C>>;
}): SettlementSplit<C> {
  const operator = owed > zero && owed >= threshold ? smaller(owed, content) : zero;
  return { operator, merchant: subtract(content, operator) };
}
