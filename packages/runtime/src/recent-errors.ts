import { outages } from "./log-events.ts";

export type RecentError = {
  /** ISO 8601, UTC */
  readonly time: string;
  readonly level: "warn" | "error" | "fatal";
  /** its stable name, which docs/operations.md explains */
  readonly event?: string;
  readonly message: string;
  readonly reason?: string;
  readonly code?: string;
  readonly worker?: string;
};

export type RecentErrors = {
  keep(line: string): void;
  list(): readonly RecentError[];
};

const KEPT = 10;
/** A reason may quote input of unlimited length. */
const MAX_TEXT = 300;

/** The start of a line that is skipped without parsing, as most are. */
const HARMLESS = /^\{"level":"(?:info|debug|trace)"/;

const OUTAGES: ReadonlySet<unknown> = new Set(outages);

type Line = {
  readonly time: string;
  readonly level: RecentError["level"];
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly code?: unknown };
} & Readonly<Record<"event" | "reason" | "code" | "worker", unknown>>;

/** Keeps errors and warnings about outages from finished log lines, in which secrets are redacted. */
export function createRecentErrors(): RecentErrors {
  const kept: RecentError[] = [];
  return {
    keep: (text) => {
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
