import { ApiError } from "@daric/domain/errors";
import type { MerchantId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import { monthBounds } from "@daric/runtime/time-zone";
import { findTimeZone } from "./statement-store.ts";

/** A calendar month, as statements name it: `2026-11`. */
export const MONTH_PATTERN = /^20[0-9]{2}-(0[1-9]|1[0-2])$/;
export const MONTH_RULE = "must be a month like 2026-11";

/**
 * Entries have the start time of their transaction. No entry can be added to a month this long after its end.
 */
const CLOSED_AFTER_MS = 5 * 60_000;

export type MonthOfMerchant = { readonly merchantId: MerchantId; readonly month: string };

/** A month in the merchant's time zone: from its first moment, and before that of the next month. */
export type BoundMonth = MonthOfMerchant & {
  readonly timeZone: string;
  readonly from: Date;
  readonly to: Date;
};

/** The bounds of a month in the time zone of its merchant. @throws NOT_FOUND when there is no such merchant. */
export async function boundMonth(db: Queryable, question: MonthOfMerchant): Promise<BoundMonth> {
  const timeZone = await findTimeZone(db, question.merchantId);
  if (timeZone === undefined) throw new ApiError("NOT_FOUND");
  return { ...question, timeZone, ...monthBounds(question.month, timeZone) };
}

/** Whether the month is over, and its entries do not change any more. */
export function isMonthClosed({ to }: Pick<BoundMonth, "to">, now: Date): boolean {
  return now.getTime() >= to.getTime() + CLOSED_AFTER_MS;
}
