import { OPERATOR, type OperatorChannel } from "@daric/domain/message";
import { sealed } from "@daric/messages/announce";
import { findTime, insertMessages } from "@daric/messages/store";
import type { Queryable, Transaction } from "@daric/postgres/sql";
import { assertLease, type Lease } from "@daric/runtime/lease";
import { localTime } from "@daric/runtime/time-zone";
import { alerts } from "./alerts.ts";
import type { AlertContext } from "./context.ts";
import { findChanges, findConditions } from "./find-changes.ts";
import { scrapesOf } from "./history.ts";
import { isOccurrenceOurs } from "./occurrence-mac.ts";
import {
  type AlertOccurrence,
  deleteOccurrence,
  deleteOldOccurrences,
  listOpen,
} from "./occurrence-store.ts";
import { deleteSamples, listSamples, type SampleRow } from "./sample-store.ts";
import { saveChanges, type ToldOccurrence } from "./save-changes.ts";
import type { Scrape } from "./scrape.ts";

/** The longest window of a condition. */
const HISTORY_SECONDS = 3_600;
/** Rows that were committed late are read again. */
const AGAIN_SECONDS = 120;

type Turn = {
  /** @throws LeaseLostError if another process took over */
  take(lease: Lease): Promise<void>;
  /** Drops the state that only the process with the lease may keep. */
  forget(): void;
  /** the metrics of all processes at the last turn */
  latest(): Scrape | undefined;
};

/** Evaluates the conditions, and stores the changes of alerts together with their messages in one transaction. */
export function createAlertTurn(context: AlertContext, channels: readonly OperatorChannel[]): Turn {
  const { config, db, log } = context;
  let rows = new Map<bigint, SampleRow>();
  let latest: Scrape | undefined;
  let digested: string | undefined;

  async function readHistory(tx: Transaction, now: Date): Promise<Scrape[]> {
    const read = await listSamples(tx, { withinSeconds: rows.size === 0 ? HISTORY_SECONDS : AGAIN_SECONDS });
    for (const row of read) rows.set(row.id, row);
    const from = now.getTime() - HISTORY_SECONDS * 1_000;
    rows = new Map([...rows].filter(([, { takenAt }]) => takenAt.getTime() >= from));
    return scrapesOf([...rows.values()].toSorted(byId), now);
  }

  function tell(by: Queryable, message: Told, createdAt: Date) {
    const rows = channels.map((channel) => ({
      ...{ ...message, merchantId: OPERATOR, createdAt },
      receiver: { of: "operator" as const, channel },
    }));
    return insertMessages(by, sealed(context, rows));
  }

  async function digest(now: Date): Promise<void> {
    const { digestAt, timeZone } = config.alerts;
    const { day, minute } = localTime(now, timeZone);
    if (digested === day || digestAt === "off" || minute < digestAt) return;
    await tell(db, { kind: "alert_digest", cause: `alert_digest ${day}` }, now);
    digested = day;
    await deleteOldOccurrences(db);
  }

  return {
    take: async (lease) => {
      const { now, told } = await db.transaction(async (tx) => {
        await assertLease(tx, lease);
        const now = await findTime(tx);
        const scrapes = await readHistory(tx, now);
        latest = scrapes.at(-1);
        const found = findConditions(alerts, scrapes);
        const changes = findChanges(found, await listOurs(context, tx), now);
        const told = await saveChanges(context, tx, { changes, now });
        for (const { kind, of } of told) await tell(tx, { kind, cause: `${kind} ${of.id}` }, now);
        await deleteSamples(tx, { olderThanSeconds: HISTORY_SECONDS });
        return { now, told };
      });
      for (const each of told) log.info({ alert: each.of.alert, summary: each.of.summary }, wordsOf(each));
      await digest(now);
    },
    forget: () => {
      rows = new Map();
    },
    latest: () => latest,
  };
}

/** The open occurrences that the service wrote. Others are deleted, so that none of them ends with a message. */
async function listOurs(context: AlertContext, tx: Transaction): Promise<AlertOccurrence[]> {
  const known = await listOpen(tx);
  const ours = known.filter((occurrence) => isOccurrenceOurs(context, occurrence));
  for (const { id } of known.filter((occurrence) => !ours.includes(occurrence)))
    await deleteOccurrence(tx, id);
  return ours;
}

type Told = { readonly kind: ToldOccurrence["kind"] | "alert_digest"; readonly cause: string };

function wordsOf({ kind }: ToldOccurrence): string {
  return kind === "alert_started" ? "an alert has started" : "an alert has ended";
}

function byId(left: SampleRow, right: SampleRow): number {
  return left.id < right.id ? -1 : 1;
}
