import { clockTime } from "@daric/messages/local-time";
import type { Alert } from "./alerts.ts";
import type { Series } from "./conditions.ts";
import type { AlertConfig } from "./context.ts";

/** The message of a channel. Its JSON is the body of the webhook; `text` is the whole message for people. */
export type AlertMessage = {
  readonly kind: "started" | "ended" | "digest" | "test";
  readonly network: string;
  readonly alert: string | null;
  readonly severity: Alert["severity"] | null;
  readonly labels: Readonly<Record<string, string>>;
  /** one line */
  readonly summary: string;
  /** the runbook, as a link if the base URL is known */
  readonly runbook: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly text: string;
};

/** The origin of a message: the network, the base URL of its documents, and the time zone of its times. */
export type AlertOrigin = {
  readonly network: string;
  readonly baseUrl: string | undefined;
  readonly timeZone: string;
};

/** The origin of the messages of a deployment. */
export function messageOriginOf({
  chain,
  http,
  alerts,
}: Pick<AlertConfig, "chain" | "http" | "alerts">): AlertOrigin {
  return { network: chain.network, baseUrl: http.publicBaseUrl, timeZone: alerts.timeZone };
}

type Occurrence = {
  readonly alert: string;
  readonly labels: string;
  readonly severity: Alert["severity"];
  readonly summary: string;
  readonly runbook: string;
  /** since when the condition holds */
  readonly pendingSince: Date;
  readonly startedAt: Date;
};

/** Fills the two kinds of fields that summaries have: `$value` and `$labels.name`, with Prometheus' formats. */
export function fillTemplate(template: string, { labels, value }: Series): string {
  return template
    .replaceAll(/\{\{ \$([a-z.]+)(?: \| \w+)? \}\}/g, (field, name: string) => {
      if (name !== "value") return labels[name.replace("labels.", "")] ?? "";
      if (field.includes("humanizeDuration")) return spanText(value);
      return field.includes("humanizePercentage") ? `${Math.round(value * 100)}%` : String(value);
    })
    .trimEnd();
}

/** `90` is `1 min 30 s`: the two largest units. */
export function spanText(seconds: number): string {
  const units: readonly (readonly [number, string])[] = [
    [86_400, "d"],
    [3_600, "h"],
    [60, "min"],
    [1, "s"],
  ];
  if (!Number.isFinite(seconds)) return "an unknown time";
  let left = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  for (const [size, unit] of units) {
    const count = Math.floor(left / size);
    left %= size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 2).join(" ") || "0 s";
}

/** The page of a runbook: a link, or the file in the documents if no base URL is set. */
export function runbookLink(runbook: string, labels: Series["labels"], baseUrl: string | undefined): string {
  const place = fillTemplate(runbook, { labels, value: 0 });
  return baseUrl === undefined ? `docs/${place.replace("#", ".md#")}` : `${baseUrl}/docs/${place}`;
}

export function startMessage(occurrence: Occurrence, origin: AlertOrigin): AlertMessage {
  const fields = fieldsOf(occurrence, origin);
  const since = clockTime(occurrence.pendingSince, origin.timeZone);
  const title = `${occurrence.severity.toUpperCase()} on ${origin.network}: ${occurrence.summary}`;
  return {
    ...fields,
    kind: "started",
    endedAt: null,
    text: `${title}\nSince ${since}. ${occurrence.alert}. What to do: ${fields.runbook}`,
  };
}

/** The message of an end, with the time for which the condition held, until `endedAt`. */
export function endMessage(occurrence: Occurrence, endedAt: Date, origin: AlertOrigin): AlertMessage {
  const lasted = (endedAt.getTime() - occurrence.pendingSince.getTime()) / 1_000;
  const title = `Over after ${spanText(lasted)} on ${origin.network}: ${occurrence.summary}`;
  return {
    ...fieldsOf(occurrence, origin),
    kind: "ended",
    endedAt: endedAt.toISOString(),
    text: `${title}\n${occurrence.alert}`,
  };
}

function fieldsOf(occurrence: Occurrence, { network, baseUrl }: AlertOrigin) {
  const labels = JSON.parse(occurrence.labels) as Record<string, string>;
  return {
    network,
    alert: occurrence.alert,
    severity: occurrence.severity,
    labels,
    summary: occurrence.summary,
    runbook: runbookLink(occurrence.runbook, labels, baseUrl),
    startedAt: occurrence.startedAt.toISOString(),
  };
}

/** A message without an alert: the daily digest, or a test. */
export function plainMessage(
  kind: "digest" | "test",
  { summary, lines }: { summary: string; lines: readonly string[] },
  { network }: Pick<AlertOrigin, "network">,
): AlertMessage {
  const text = [`${summary} on ${network}`, ...lines].join("\n");
  const none = { alert: null, severity: null, labels: {}, runbook: null, startedAt: null, endedAt: null };
  return { ...none, kind, network, summary, text };
}
