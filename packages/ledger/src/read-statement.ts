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
import { monthBounds } from "./month.ts";
import { listEntries } from "./statement-store.ts";
import { readMonthlyTotals } from "./store.ts";

/**
 * Entries have the start time of their transaction. No entry can be added to a month this long after its end.
 */
const CLOSED_AFTER_MS = 5 * 60_000;
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

export type MonthOfMerchant = { readonly merchantId: MerchantId; readonly month: string };

/** A month of a merchant: one balance for each currency, and a page of entries. */
export type MerchantStatement = MonthOfMerchant & {
  readonly from: Date;
  readonly to: Date;
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
  { merchantId, month }: MonthOfMerchant,
  { now, limit, offset }: { readonly now: Date; readonly limit: number; readonly offset: number },
): Promise<MerchantStatement & { readonly entries: readonly StatementEntry[] }> {
  const bounds = monthBounds(month);
  const question = { merchantId, ...bounds };
  const totals = await readMonthlyTotals(db, merchantId);
  return {
    merchantId,
    month,
    ...bounds,
    isClosed: now.getTime() >= bounds.to.getTime() + CLOSED_AFTER_MS,
    balances: currencies.map((currency) => statementBalance(currency, month, totals)),
    entries: await listEntries(db, question, { limit, offset }),
    entryCount: countStatementEntries(month, totals),
  };
}

/** All entries of a month, oldest first, in constant memory. */
export async function* readEntries(
  db: Queryable,
  { merchantId, month }: MonthOfMerchant,
): AsyncGenerator<StatementEntry> {
  const question = { merchantId, ...monthBounds(month) };
  let after: Awaited<ReturnType<typeof listEntries>>[number]["place"] | undefined;
  do {
    const entries = await listEntries(db, question, { limit: BATCH, after });
    yield* entries;
    after = entries.length === BATCH ? entries.at(-1)?.place : undefined;
  } while (after !== undefined);
}
