/** Whether this platform knows a time zone by its name of the IANA, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** A format takes long to make, and there are few time zones. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  formats.set(timeZone, format);
  return format;
}

/** The day (`2026-03-29`) and the minute since midnight of an instant in a time zone. */
export function localTime(at: Date, timeZone: string): { readonly day: string; readonly minute: number } {
  const parts = formatOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? "";
  return {
    day: `${part("year")}-${part("month")}-${part("day")}`,
    minute: Number(part("hour")) * 60 + Number(part("minute")),
  };
}

const [QUARTER_MS, DAY_MS] = [15 * 60_000, 86_400_000];
/** No zone is further from UTC than 14 hours, and every zone begins its days at a quarter of an hour. */
const MAX_QUARTERS = 14 * 4;

/** The first moment of a day (`2026-03-29`) in a time zone. */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  for (let quarter = -MAX_QUARTERS; quarter < MAX_QUARTERS; quarter += 1) {
    const at = new Date(midnight + quarter * QUARTER_MS);
    if (localTime(at, timeZone).day >= day) return at;
  }
  return new Date(midnight + MAX_QUARTERS * QUARTER_MS);
}

/** The first moments of a day of a time zone and of the day after it. A day of a change of clocks has 23 or 25 hours. */
export function dayBounds(day: string, timeZone: string): { readonly from: Date; readonly until: Date } {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  return { from: startOfDay(day, timeZone), until: startOfDay(next, timeZone) };
}

/** The first moments of a month (`2026-03`) of a time zone and of the month after it. */
export function monthBounds(month: string, timeZone: string): { readonly from: Date; readonly to: Date } {
  const first = new Date(`${month}-01T00:00:00Z`);
  const next = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1));
  return {
    from: startOfDay(`${month}-01`, timeZone),
    to: startOfDay(next.toISOString().slice(0, 10), timeZone),
  };
}
