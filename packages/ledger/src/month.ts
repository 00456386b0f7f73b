/** A calendar month in UTC, as statements name it: `2026-11`. */
export const MONTH_PATTERN = /^20[0-9]{2}-(0[1-9]|1[0-2])$/;
export const MONTH_RULE = "must be a month like 2026-11";

/** The start of a month, and of the month after it. */
export function monthBounds(month: string): { readonly from: Date; readonly to: Date } {
  const from = new Date(`${month}-01T00:00:00Z`);
  return { from, to: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1)) };
}
