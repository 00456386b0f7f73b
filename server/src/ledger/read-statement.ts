import type { Database } from "@daric/postgres/sql";
import { currencies } from "../domain/asset.ts";
import type { MerchantId } from "../domain/ids.ts";
import { type MerchantBalance, merchantBalance } from "../domain/merchant-balance.ts";
import { type StatementBalance, type StatementEntry, statementBalance } from "../domain/statement.ts";
import { findBalanceFacts } from "./balance-store.ts";
import { monthBounds } from "./month.ts";
import { countEntries, listEntries } from "./statement-store.ts";
import { listTotals, openReadSnapshot } from "./store.ts";

/** Entries of a transaction carry the time at which it began. After this time none can appear in an old month. */
const CLOSED_AFTER_MS = 5 * 60_000;
const BATCH = 1_000;

type Context = { readonly db: Database };

/** The balances of a merchant, one for each currency, as of one moment. */
export async function readBalances({ db }: Context, merchantId: MerchantId): Promise<MerchantBalance[]> {
  const facts = await db.transaction(async (tx) => {
    await openReadSnapshot(tx);
    return findBalanceFacts(tx, merchantId);
  });
  return currencies.map((currency) => merchantBalance(currency, facts));
}

export type MonthOfMerchant = { readonly merchantId: MerchantId; readonly month: string };

/** A month of a merchant: one balance for each currency, and a page of entries. */
export type Statement = MonthOfMerchant & {
  readonly from: Date;
  readonly to: Date;
  /** the month is over, and its entries do not change any more */
  readonly isClosed: boolean;
  readonly balances: readonly StatementBalance[];
  readonly entryCount: number;
};

/** A month with one page of its entries, as of one moment. */
export async function readStatement(
  { db, now }: Context & { readonly now: Date },
  { merchantId, month }: MonthOfMerchant,
  page: { readonly limit: number; readonly offset: number },
): Promise<Statement & { readonly entries: readonly StatementEntry[] }> {
  const bounds = monthBounds(month);
  const question = { merchantId, ...bounds };
  const [totals, entries, entryCount] = await db.transaction(async (tx) => {
    await openReadSnapshot(tx);
    return [
      await listTotals(tx, merchantId),
      await listEntries(tx, question, page),
      await countEntries(tx, question),
    ] as const;
  });
  return {
    merchantId,
    month,
    ...bounds,
    isClosed: now.getTime() >= bounds.to.getTime() + CLOSED_AFTER_MS,
    balances: currencies.map((currency) => statementBalance(currency, month, totals)),
    entries,
    entryCount,
  };
}

/** All entries of a month, oldest first, in constant memory. An entry that is booked meanwhile may follow at the end. */
export async function* readEntries(
  { db }: Context,
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
