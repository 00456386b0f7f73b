import type { Currency } from "./asset.ts";
import { type Amount, smaller, subtract, zero } from "./money.ts";

/** What is paid to whom out of one deposit address. */
export type SettlementSplit<C extends Currency = Currency> = {
  readonly operator: Amount<C>;
  readonly merchant: Amount<C>;
};

/**
 * Splits the content of a deposit address. Once the fees that the operator is owed reach `threshold`, which is worth a transfer
 * of its own, the operator gets them out of this content, as far as it goes; the rest is the merchant's. Below the threshold all of it
 * is.
 *
 * So the operator never gets more than is owed. A deposit's fee is never above the deposit, so that where nothing lies unswept
 * the operator is owed less than `threshold`.
 */
export function splitContent<C extends Currency>({
  owed,
  content,
  threshold,
}: {
  /** what the operator is owed, less what is on its way to it */
  owed: Amount<C>;
  content: Amount<NoInfer<C>>;
  /** above zero */
  threshold: Amount<NoInfer<C>>;
}): SettlementSplit<C> {
  const operator = owed > zero && owed >= threshold ? smaller(owed, content) : zero;
  return { operator, merchant: subtract(content, operator) };
}
