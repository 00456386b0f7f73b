import { currencies } from "@daric/domain/asset";
import type { MerchantId } from "@daric/domain/ids";
import { type MerchantBalance, merchantBalance } from "@daric/domain/merchant-balance";
import {
  countStatementEntries,
  type StatementBalance,
  type StatementEntry,
  statementBalance,
} from "@daric/domain/statement";
import type { Queryable } from "@daric/postgres/sql";
import { findBalanceFacts } from "./balance-store.ts";
import { type BoundMonth, boundMonth, isMonthClosed, type MonthOfMerchant } from "./month.ts";
import { readMonthTotals } from "./month-totals.ts";
import { listEntries } from "./statement-store.ts";

const BATCH = 1_000;

/**
 * The balances of a merchant, one for each currency. Call it in one snapshot, so that all parts belong to one moment.
 */
export async function readMerchantBalances(
  db: Queryable,
  merchantId: MerchantId,
): Promise<MerchantBalance[]> {
  const facts = await findBalanceFacts(db, merchantId);
  return currencies.map((currency) => merchantBalance(currency, facts));
}

/** A month of a merchant: one balance for each currency, and a page of entries. */
export type MerchantStatement = BoundMonth & {
  /** the month is over, and its entries do not change any more */
  readonly isClosed: boolean;
  readonly balances: readonly StatementBalance[];
  readonly entryCount: number;
};

/**
 * A month with one page of its entries. Call it in one snapshot, so that the sums stay right while deposits are
 * confirmed.
 */
export async function readStatement(
  db: Queryable,
  question: MonthOfMerchant,
  { now, limit, offset }: { readonly now: Date; readonly limit: number; readonly offset: number },
): Promise<MerchantStatement & { readonly entries: readonly StatementEntry[] }> {
  const month = await boundMonth(db, question);
  const totals = await readMonthTotals(db, month);
  return {
    ...month,
    isClosed: isMonthClosed(month, now),
    balances: currencies.map((currency) => statementBalance(currency, month.month, totals)),
    entries: await listEntries(db, month, { limit, offset }),
    entryCount: countStatementEntries(month.month, totals),
  };
}

/** All entries of a month, oldest first, in constant memory. */
export async function* readEntries(db: Queryable, question: MonthOfMerchant): AsyncGenerator<StatementEntry> {
  const month = await boundMonth(db, question);
  let after: Awaited<ReturnType<typeof listEntries>>[number]["place"] | undefined;
  do {
    const entries = await listEntries(db, month, { limit: BATCH, after });
    yield* entries;
    after = entries.length === BATCH ? entries.at(-1)?.place : undefined;
  } while (after !== undefined);
}
