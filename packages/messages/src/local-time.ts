import { localTime } from "@daric/runtime/time-zone";

/** A time of day in minutes since midnight. */
export type Minute = number;
/** From a time of day to another one; over midnight if the second is not later. */
export type DailySpan = { readonly from: Minute; readonly to: Minute };

/** Parses `07:30`; undefined for any other text. */
export function parseMinute(text: string): Minute | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

/** A time of day as `parseMinute` reads it. */
export function minuteText(minute: Minute): string {
  const two = (count: number) => String(count).padStart(2, "0");
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** Parses `22:00-07:00`; undefined for any other text, and for a span without a minute. */
export function parseSpan(text: string): DailySpan | undefined {
  const [from, to, ...others] = text.split("-").map(parseMinute);
  if (from === undefined || to === undefined || from === to || others.length > 0) return undefined;
  return { from, to };
}

/** Whether an instant is in a daily span of this time zone. Without a span never. */
export function isWithin(at: Date, span: DailySpan | undefined, timeZone: string): boolean {
  if (span === undefined) return false;
  const { minute } = localTime(at, timeZone);
  return span.from < span.to
    ? minute >= span.from && minute < span.to
    : minute >= span.from || minute < span.to;
}

/** An instant as a text like `20:06 UTC`. */
export function clockTime(at: Date, timeZone: string): string {
  return `${minuteText(localTime(at, timeZone).minute)} ${timeZone}`;
}

const MINUTE_MS = 60_000;
/** A day and the hour that a change of clocks may add. */
const MAX_MINUTES = 25 * 60;

/** The end of the quiet hours in which an instant lies, to the minute; undefined outside of them. It holds on days of a change of clocks too. */
export function endOfQuiet(at: Date, span: DailySpan | undefined, timeZone: string): Date | undefined {
  if (!isWithin(at, span, timeZone)) return undefined;
  const start = Math.floor(at.getTime() / MINUTE_MS);
  for (let minutes = 1; minutes <= MAX_MINUTES; minutes += 1) {
    const later = new Date((start + minutes) * MINUTE_MS);
    if (!isWithin(later, span, timeZone)) return later;
  }
  return undefined;
}
