import { quorumOfSources, restsAtWeekends, type SourceName } from "./sources.ts";

const newYork = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  weekday: "short",
  hour: "numeric",
  hourCycle: "h23",
});
const CLOSES_AT = 17;
const MINUTE_MS = 60_000;

/** Whether the exchange markets are closed: from Friday to Sunday 17:00 in New York, the day's end of foreign exchange. */
export function isExchangeClosed(wallMs: number): boolean {
  const parts = newYork.formatToParts(wallMs);
  const part = (type: "weekday" | "hour") => parts.find((found) => found.type === type)?.value;
  const hour = Number(part("hour"));
  switch (part("weekday")) {
    case "Fri":
      return hour >= CLOSES_AT;
    case "Sat":
      return true;
    case "Sun":
      return hour < CLOSES_AT;
    default:
      return false;
  }
}

/** The seconds until the exchange markets may be open, an hour at most. */
export function secondsToOpening(wallMs: number): number {
  const minutes = Array.from({ length: 60 }, (_, index) => index + 1);
  return 60 * (minutes.find((minute) => !isExchangeClosed(wallMs + minute * MINUTE_MS)) ?? 60);
}

/** Whether a source has no prices now, since its market is closed. */
export function isClosed(source: SourceName, wallMs: number): boolean {
  return restsAtWeekends(source) && isExchangeClosed(wallMs);
}

/** Whether a currency has too few sources that trade now, since the exchange markets are closed. */
export function isResting(sources: readonly SourceName[], wallMs: number): boolean {
  const open = sources.filter((source) => !restsAtWeekends(source));
  return open.length < Math.min(quorumOfSources(sources), sources.length) && isExchangeClosed(wallMs);
}
