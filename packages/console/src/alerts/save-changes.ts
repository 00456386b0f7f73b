import type { Transaction } from "@daric/postgres/sql";
import type { AlertContext } from "./context.ts";
import type { AlertChanges } from "./find-changes.ts";
import { occurrenceMac, type SealedOccurrence } from "./occurrence-mac.ts";
import {
  type AlertOccurrence,
  deleteOccurrence,
  insertOccurrence,
  updateOccurrence,
} from "./occurrence-store.ts";

/** An occurrence that started or ended with these changes. */
export type ToldOccurrence = { readonly kind: "alert_started" | "alert_ended"; readonly of: AlertOccurrence };

/** Writes the changes that were found at `now`, and returns those that operators get a message about. */
export async function saveChanges(
  context: Pick<AlertContext, "config">,
  tx: Transaction,
  { changes, now }: { readonly changes: AlertChanges; readonly now: Date },
): Promise<ToldOccurrence[]> {
  const told: ToldOccurrence[] = [];
  const seal = (occurrence: SealedOccurrence) => ({ ...occurrence, mac: occurrenceMac(context, occurrence) });
  for (const { alert, labels, summary, hasStarted } of changes.begun) {
    const { name, severity, runbook } = alert;
    const startedAt = hasStarted ? now : null;
    const times = { pendingSince: now, trueAt: now, startedAt, endedAt: null };
    const occurrence = seal({ alert: name, labels, severity, summary, runbook, ...times });
    const id = await insertOccurrence(tx, occurrence);
    if (hasStarted) told.push({ kind: "alert_started", of: { ...occurrence, id } });
  }
  for (const { open, summary, hasStarted } of changes.held) {
    const startedAt = hasStarted ? now : open.startedAt;
    const { id, ...facts } = open;
    const occurrence = { id, ...seal({ ...facts, summary, trueAt: now, startedAt, endedAt: null }) };
    await updateOccurrence(tx, occurrence);
    if (hasStarted) told.push({ kind: "alert_started", of: occurrence });
  }
  for (const open of changes.ended) {
    const { id, ...facts } = open;
    const occurrence = { id, ...seal({ ...facts, endedAt: now }) };
    await updateOccurrence(tx, occurrence);
    if (facts.startedAt !== null) told.push({ kind: "alert_ended", of: occurrence });
  }
  for (const { id } of changes.dropped) await deleteOccurrence(tx, id);
  return told;
}
