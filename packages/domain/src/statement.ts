import type { Currency } from "./asset.ts";
import type { ChargeId, DepositId } from "./ids.ts";
import type { LedgerTotal } from "./ledger.ts";
import { type MerchantMovements, merchantMovements } from "./merchant-balance.ts";
import { type Amount, add, subtract } from "./money.ts";

/** The kinds of a statement's entries. */
export const statementKinds = [
  "deposit",
  "unmatched",
  "fee",
  "fixed_fee",
  "fee_returned",
  "sweep",
  "outflow",
] as const;
export type StatementKind = (typeof statementKinds)[number];

/** One line of the `merchant` account. */
export type StatementEntry = {
  readonly bookedAt: Date;
  readonly kind: StatementKind;
  readonly currency: Currency;
  /** the change of the balance; negative if it decreases */
  readonly amount: Amount;
  readonly chargeId: ChargeId;
  readonly orderRef: string | null;
  /** null for money that leaves an address */
  readonly depositId: DepositId | null;
  readonly txHash: string | null;
};

/** The total of one calendar month (`2026-11`, UTC), and the number of its lines. */
export type MonthlyTotal = LedgerTotal & { readonly month: string; readonly lines: number };

/**
 * A month of one currency. `opening` + `confirmed` − `fees` − `settled` = `closing`, the debt to the merchant at its
 * end.
 */
export type StatementBalance = MerchantMovements & {
  readonly currency: Currency;
  readonly opening: Amount;
  readonly closing: Amount;
};

/** The balance of one currency in a month, of all totals of a merchant. */
export function statementBalance(
  currency: Currency,
  month: string,
  totals: readonly MonthlyTotal[],
): StatementBalance {
  const opening = owedOf(
    merchantMovements(
      currency,
      totals.filter((total) => total.month < month),
    ),
  );
  const movements = merchantMovements(
    currency,
    totals.filter((total) => total.month === month),
  );
  return { currency, opening, ...movements, closing: add(opening, owedOf(movements)) };
}

/** The number of entries of a merchant's statement. */
export function countStatementEntries(month: string, totals: readonly MonthlyTotal[]): number {
  return totals
    .filter((total) => total.month === month && [total.debit, total.credit].includes("merchant"))
    .reduce((sum, { lines }) => sum + lines, 0);
}

function owedOf({ confirmed, fees, settled }: MerchantMovements): Amount {
  return subtract(subtract(confirmed, fees), settled);
}
