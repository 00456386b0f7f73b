import { outages } from "./log-events.ts";

/** One line of the log that somebody should have seen, without its stack and whatever else it named. */
export type RecentError = {
  /** ISO 8601, UTC */
  readonly time: string;
  readonly level: "warn" | "error" | "fatal";
  /** its stable name, which docs/operations.md explains */
  readonly event?: string;
  readonly message: string;
  /** what it failed with */
  readonly reason?: string;
  readonly code?: string;
  readonly worker?: string;
};

/** The last ten such lines of this process. */
export type RecentErrors = {
  /** Takes a line as it is about to be written, with what could be a secret redacted already. */
  note(line: string): void;
  /** The newest first. */
  list(): readonly RecentError[];
};

const KEPT = 10;
/** A reason may quote what a stranger sent. */
const MAX_TEXT = 300;

/** How a line begins that is not looked at any further, which most are. */
const HARMLESS = /^\{"level":"(?:info|debug|trace)"/;

const OUTAGES: ReadonlySet<unknown> = new Set(outages);

type Line = {
  readonly time: string;
  readonly level: RecentError["level"];
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly code?: unknown };
} & Readonly<Record<"event" | "reason" | "code" | "worker", unknown>>;

/**
 * Keeps errors, and those warnings that tell of an outage; other warnings pass by themselves. The logger fills it, so that
 * it holds nothing which the log does not.
 */
export function createRecentErrors(): RecentErrors {
  const kept: RecentError[] = [];
  return {
    note: (text) => {
      if (HARMLESS.test(text)) return;
      const line = JSON.parse(text) as Line;
      if (line.level === "warn" && !OUTAGES.has(line.event)) return;
      kept.unshift(toRecentError(line));
      kept.length = Math.min(kept.length, KEPT);
    },
    list: () => [...kept],
  };
}

function toRecentError({ time, level, msg, err, ...line }: Line): RecentError {
  const { event, worker } = line;
  const facts = { event, reason: line.reason ?? err?.message, code: line.code ?? err?.code, worker };
  const texts = Object.entries(facts).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value.slice(0, MAX_TEXT)]] : [],
  );
  return { time, level, message: (msg ?? "").slice(0, MAX_TEXT), ...Object.fromEntries(texts) };
}
