import type { Currency } from "./asset.ts";
import { type Amount, smaller, subtract, zero } from "./money.ts";

/** The payments out of one deposit address. */
export type SettlementSplit<C extends Currency = Currency> = {
  readonly operator: Amount<C>;
  readonly merchant: Amount<C>;
};

/**
 * Splits the content of a deposit address. Once the operator's unpaid fees reach `threshold`, this content pays them
 * first; the merchant gets the rest. Below the threshold the merchant gets all of it.
 *
 * So the operator never gets more than it is owed. A deposit's fee never exceeds the deposit. So once all addresses
 * are swept, the operator is owed less than `threshold`.
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
