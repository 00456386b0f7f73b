/**
 * The last `count` calendar days of a time zone, the oldest first, as `2026-11-28`. They are counted on the calendar: a day there may
 * have 23 or 25 hours.
 */
export function lastCalendarDays(now: Date, timeZone: string, count: number): string[] {
  const today = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).format(now);
  const [year = 0, month = 1, day = 1] = today.split("-").map(Number);
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(year, month - 1, day - (count - 1 - index))).toISOString().slice(0, 10),
  );
}
