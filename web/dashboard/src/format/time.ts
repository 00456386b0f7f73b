import { oncePerLanguage } from "./once-per-language.ts";

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

type Tense = "past" | "future";
const relative = oncePerLanguage((language) => new Intl.RelativeTimeFormat(language, { numeric: "auto" }));
const dateAndTime = formatOf({ dateStyle: "medium", timeStyle: "short" });
const exactTime = formatOf({ dateStyle: "medium", timeStyle: "long" });
const timeWithZone = formatOf({
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});
const dateAlone = formatOf({ dateStyle: "medium" });

function formatOf(options: Intl.DateTimeFormatOptions): (language: string) => Intl.DateTimeFormat {
  return oncePerLanguage((language) => new Intl.DateTimeFormat(language, options));
}

/** A duration in its largest unit. */
export type Span = { readonly count: number; readonly unit: "second" | "minute" | "hour" | "day" };

/** The duration in its largest whole unit. */
export function spanOf(seconds: number): Span {
  const size = Math.abs(Math.round(seconds));
  if (size < MINUTE) return { count: size, unit: "second" };
  if (size < HOUR) return { count: Math.floor(size / MINUTE), unit: "minute" };
  if (size < 2 * DAY) return { count: Math.floor(size / HOUR), unit: "hour" };
  return { count: Math.floor(size / DAY), unit: "day" };
}

/** The time relative to now in the given language: `3 minutes ago`. */
export function relativeTime(iso: string, now: number, language: string): string {
  const seconds = (new Date(iso).getTime() - now) / 1_000;
  const { count, unit } = spanOf(seconds);
  const tense: Tense = seconds < 0 ? "past" : "future";
  return relative(language).format(tense === "past" ? -count : count, unit);
}

/** The duration in the given language: `4 minutes`. */
export function spanText(seconds: number, language: string): string {
  const { count, unit } = spanOf(seconds);
  return unitText(count, unit, language);
}

/** So many of a unit of time in the given language: `1 day`. */
export function unitText(count: number, unit: Span["unit"], language: string): string {
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
}

/** Date and time of day in the person's own time zone. */
export function timeText(iso: string, language: string): string {
  return dateAndTime(language).format(new Date(iso));
}

/** Date and time of day with the zone, for a reader in another one. */
export function timeWithZoneText(iso: string, language: string): string {
  return timeWithZone(language).format(new Date(iso));
}

/** Time of day with seconds and the zone, for the line of time. */
export function exactTimeText(iso: string, language: string): string {
  return exactTime(language).format(new Date(iso));
}

/** The date without a time. */
export function dateText(iso: string, language: string): string {
  return dateAlone(language).format(new Date(iso));
}

/** A time as a field for a date and a time of day holds it, where the person is. */
export function localTimeText(iso: string): string {
  const time = new Date(iso);
  const ofZone = new Date(time.getTime() - time.getTimezoneOffset() * MINUTE * 1_000);
  return ofZone.toISOString().slice(0, "2026-01-31T12:00".length);
}
