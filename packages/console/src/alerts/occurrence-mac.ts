import type { ContextOf } from "@daric/runtime/context";
import { isSameMac, macOf } from "@daric/runtime/mac";
import type { AlarmMetrics } from "@daric/runtime/metrics";
import type { AlertOccurrence } from "./occurrence-store.ts";

type SealingContext = { readonly config: { readonly integrity: { readonly key: Buffer } } };
type CheckingContext = SealingContext & Pick<ContextOf<unknown, AlarmMetrics>, "log" | "metrics">;

/** An occurrence without its id and its MAC. */
export type SealedOccurrence = Omit<AlertOccurrence, "id" | "mac">;

/** The MAC of an occurrence: messages are made of its row, and the database alone must not decide what they say. */
export function occurrenceMac({ config }: SealingContext, occurrence: SealedOccurrence): Buffer {
  const { alert, labels, severity, summary, runbook, pendingSince, trueAt, startedAt, endedAt } = occurrence;
  const times = [pendingSince, trueAt, startedAt, endedAt].map((time) => time?.getTime() ?? "never");
  return macOf(config.integrity.key, "alert", [alert, labels, severity, summary, runbook, ...times]);
}

/** Whether the service wrote the occurrence. If not, it raises an alarm, unless an earlier version wrote it without a MAC. */
export function isOccurrenceOurs(context: CheckingContext, occurrence: AlertOccurrence): boolean {
  const { mac, alert } = occurrence;
  if (mac === null) return false;
  if (isSameMac(mac, occurrenceMac(context, occurrence))) return true;
  context.metrics.alarms.inc({ alarm: "message_refused" });
  context.log.error(
    { event: "message_refused", alert },
    "an alert was not written by the service: it is not told",
  );
  return false;
}
