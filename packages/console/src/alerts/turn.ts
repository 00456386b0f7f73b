import { assertLease, type Lease } from "@daric/runtime/lease";
import { alerts } from "./alerts.ts";
import type { AlertContext } from "./context.ts";
import { dailyDigest } from "./digest.ts";
import { type AlertChanges, findChanges, findConditions, type OpenAlert } from "./find-changes.ts";
import { scrapesOf } from "./history.ts";
import { localTime } from "@daric/messages/local-time";
import { type AlertMessage, type AlertOrigin, endMessage, messageOriginOf, startMessage } from "./message.ts";
import { type ChannelName, deleteOldMessages, insertMessages, lacksDigest } from "./message-store.ts";
import { deleteOldOccurrences, findTime, listOpen, listRecent, saveChanges } from "./occurrence-store.ts";
import { deleteSamples, listSamples, type SampleRow } from "./sample-store.ts";
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
};

/** Evaluates the conditions, and stores the changes of alerts together with their messages in one transaction. */
export function createAlertTurn(context: AlertContext, channels: readonly ChannelName[]): Turn {
  const { config, db, log } = context;
  const origin: AlertOrigin = messageOriginOf(config);
  let rows = new Map<bigint, SampleRow>();

  async function readHistory(now: Date): Promise<Scrape[]> {
    const read = await listSamples(db, { withinSeconds: rows.size === 0 ? HISTORY_SECONDS : AGAIN_SECONDS });
    for (const row of read) rows.set(row.id, row);
    const from = now.getTime() - HISTORY_SECONDS * 1_000;
    rows = new Map([...rows].filter(([, { takenAt }]) => takenAt.getTime() >= from));
    return scrapesOf([...rows.values()].toSorted(byId), now);
  }

  async function digest(now: Date, latest: Scrape | undefined): Promise<void> {
    const { digestAt, timeZone } = config.alerts;
    const { day, minute } = localTime(now, timeZone);
    if (latest === undefined || channels.length === 0 || digestAt === "off" || minute < digestAt) return;
    if (!(await lacksDigest(db, channels, day))) return;
    const message = dailyDigest({ recent: await listRecent(db), now, latest }, origin);
    await insertMessages(db, channels, { message, day });
    await deleteOldMessages(db);
    await deleteOldOccurrences(db);
  }

  return {
    take: async (lease) => {
      const now = await findTime(db);
      const scrapes = await readHistory(now);
      const found = findConditions(alerts, scrapes);
      const messages = await db.transaction(async (tx) => {
        await assertLease(tx, lease);
        const changes = findChanges(found, await listOpen(tx), now);
        await saveChanges(tx, changes, now);
        const changeMessages = messagesOf(changes, now, origin);
        for (const message of changeMessages) await insertMessages(tx, channels, { message });
        return changeMessages;
      });
      for (const { kind, alert, summary } of messages) log.info({ alert, summary }, `an alert has ${kind}`);
      await digest(now, scrapes.at(-1));
      await deleteSamples(db, { olderThanSeconds: HISTORY_SECONDS });
    },
    forget: () => {
      rows = new Map();
    },
  };
}

function byId(left: SampleRow, right: SampleRow): number {
  return left.id < right.id ? -1 : 1;
}

function messagesOf(changes: AlertChanges, now: Date, origin: AlertOrigin): AlertMessage[] {
  const started = [
    ...changes.begun
      .filter(({ hasStarted }) => hasStarted)
      .map(({ alert: { name: alert, severity, runbook }, labels, summary }) => ({
        ...{ alert, severity, runbook, labels, summary },
        pendingSince: now,
        startedAt: now,
      })),
    ...changes.held
      .filter(({ hasStarted }) => hasStarted)
      .map(({ open, summary }) => ({ ...open, summary, startedAt: now })),
  ];
  const hadStarted = (open: OpenAlert): (OpenAlert & { readonly startedAt: Date })[] =>
    open.startedAt === null ? [] : [{ ...open, startedAt: open.startedAt }];
  return [
    ...started.map((alert) => startMessage(alert, origin)),
    ...changes.ended.flatMap(hadStarted).map((alert) => endMessage(alert, alert.trueAt, origin)),
  ];
}
