import { ALARMS } from "@daric/runtime/metrics";
import type { Alert } from "./alerts.ts";
import { labelsText, secondsOf } from "./conditions.ts";
import { consequences } from "./consequences.ts";
import { fillTemplate } from "./message.ts";
import type { Scrape } from "./scrape.ts";

/** An alert whose condition holds now, for one set of labels (JSON with sorted names). */
export type HeldCondition = { readonly alert: Alert; readonly labels: string; readonly summary: string };

/** An occurrence that has not ended. It is pending until it has started. */
export type OpenAlert = {
  readonly id: bigint;
  readonly alert: string;
  readonly labels: string;
  readonly severity: Alert["severity"];
  readonly summary: string;
  readonly runbook: string;
  readonly pendingSince: Date;
  readonly trueAt: Date;
  readonly startedAt: Date | null;
};

export type AlertChanges = {
  /** new conditions; those that need no time have started */
  readonly begun: readonly (HeldCondition & { readonly hasStarted: boolean })[];
  readonly held: readonly {
    readonly open: OpenAlert;
    readonly summary: string;
    readonly hasStarted: boolean;
  }[];
  readonly ended: readonly OpenAlert[];
  /** pending ones whose condition no longer holds, or counts a past window and follows from another one: no message names them */
  readonly dropped: readonly OpenAlert[];
};

/** A condition that comes back within this time is the same occurrence. */
const CALM_MS = 120_000;

/** Each condition that holds at the last of these scrapes. An alarm about a node says what it found. */
export function findConditions(alerts: readonly Alert[], scrapes: readonly Scrape[]): HeldCondition[] {
  const alarms = (scrapes.at(-1)?.samples ?? []).filter(({ metric }) => metric === ALARMS);
  const details = new Map(alarms.map(({ labels, detail }) => [labelsText(labels), detail]));
  const foundBy = (alert: Alert, labels: string) =>
    alert.condition.metrics.includes(ALARMS) ? details.get(labels) : undefined;
  return alerts.flatMap((alert) =>
    alert.condition.valuesIn(scrapes).map(({ labels: of, value }) => {
      const labels = labelsText(of);
      const summary = fillTemplate(alert.summary, { labels: of, value });
      const detail = foundBy(alert, labels);
      return { alert, labels, summary: detail === undefined ? summary : `${summary}: ${detail}` };
    }),
  );
}

/** Whether a condition follows from one of these alerts. */
function explainedBy(causes: readonly string[]): (condition: HeldCondition) => boolean {
  const explained = new Set(causes.flatMap((name) => consequences[name] ?? []));
  return ({ alert, labels }) =>
    explained.has(alert.name) || explained.has(`${alert.name}:${JSON.parse(labels).check}`);
}

/** The changes to the open occurrences by the conditions that hold now. A condition that follows from another one stays pending. */
export function findChanges(
  found: readonly HeldCondition[],
  open: readonly OpenAlert[],
  now: Date,
): AlertChanges {
  const keyOf = (alert: string, labels: string) => `${alert} ${labels}`;
  const known = new Map(open.map((alert) => [keyOf(alert.alert, alert.labels), alert]));
  const holding = new Map(found.map((alert) => [keyOf(alert.alert.name, alert.labels), alert]));
  const started = open.filter(({ startedAt }) => startedAt !== null).map(({ alert }) => alert);
  const isExplained = explainedBy([...started, ...found.map(({ alert }) => alert.name)]);
  const lasts = (since: Date, alert: HeldCondition) =>
    now.getTime() - since.getTime() >= secondsOf(alert.alert.for) * 1_000 && !isExplained(alert);
  // The window of such a condition still has the time of its cause when that is over, so it is counted anew then.
  const isForgotten = (alert: HeldCondition) => alert.alert.condition.countsWindow && isExplained(alert);
  const isPendingForgotten = ({ alert, labels, startedAt }: OpenAlert) => {
    const each = holding.get(keyOf(alert, labels));
    return startedAt === null && each !== undefined && isForgotten(each);
  };
  const over = open.filter(({ alert, labels }) => !holding.has(keyOf(alert, labels)));
  const isCalm = ({ trueAt }: OpenAlert) => now.getTime() - trueAt.getTime() >= CALM_MS;
  return {
    begun: [...holding]
      .filter(([key, each]) => !known.has(key) && !isForgotten(each))
      .map(([, each]) => ({ ...each, hasStarted: lasts(now, each) })),
    held: [...holding].flatMap(([key, each]) => {
      const one = known.get(key);
      if (one === undefined || isPendingForgotten(one)) return [];
      const hasStarted = one.startedAt === null && lasts(one.pendingSince, each);
      return [{ open: one, summary: each.summary, hasStarted }];
    }),
    ended: over.filter((alert) => alert.startedAt !== null && isCalm(alert)),
    dropped: [...over.filter(({ startedAt }) => startedAt === null), ...open.filter(isPendingForgotten)],
  };
}
