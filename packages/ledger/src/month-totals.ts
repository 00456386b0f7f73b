import { amountFromUnits } from "@daric/domain/money";
import type { MonthlyTotal } from "@daric/domain/statement";
import type { Queryable } from "@daric/postgres/sql";
import { monthBounds } from "@daric/runtime/time-zone";
import type { BoundMonth } from "./month.ts";
import { sumEntries } from "./statement-store.ts";
import { readMonthlyTotals } from "./store.ts";

const UTC = "UTC";

/**
 * The totals of a merchant's account until the end of a month of its time zone, as months of that zone. Stored totals are of months in UTC.
 * The entries between the two bounds of a month, of 14 hours at most, are moved from one month to the other.
 */
export async function readMonthTotals(db: Queryable, month: BoundMonth): Promise<MonthlyTotal[]> {
  const totals = await readMonthlyTotals(db, month.merchantId);
  const inUtc = monthBounds(month.month, UTC);
  const [before, after] = [neighbour(month.month, -1), neighbour(month.month, 1)];
  return [
    ...totals,
    ...(await moved(db, month, { at: month.from, utc: inUtc.from, earlier: before, later: month.month })),
    ...(await moved(db, month, { at: month.to, utc: inUtc.to, earlier: month.month, later: after })),
  ];
}

/** A bound of two months in the merchant's zone, and in UTC. */
type Edge = { readonly at: Date; readonly utc: Date; readonly earlier: string; readonly later: string };

async function moved(
  db: Queryable,
  { merchantId }: BoundMonth,
  { at, utc, earlier, later }: Edge,
): Promise<MonthlyTotal[]> {
  if (at.getTime() === utc.getTime()) return [];
  const isBefore = at < utc;
  const [from, to] = isBefore ? [at, utc] : [utc, at];
  const sums = await sumEntries(db, { merchantId, from, to });
  const [source, target] = isBefore ? [earlier, later] : [later, earlier];
  return sums.flatMap((sum) => [
    { ...sum, month: target },
    { ...sum, month: source, units: amountFromUnits(-sum.units), lines: -sum.lines },
  ]);
}

function neighbour(month: string, by: number): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + by)).toISOString().slice(0, 7);
}
