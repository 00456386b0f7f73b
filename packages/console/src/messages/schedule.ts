import type { ChannelName, MessageKind } from "@daric/domain/message";
import { boundMonth, isMonthClosed } from "@daric/ledger/month";
import { isMailConfigured, sealed } from "@daric/messages/announce";
import type { Message } from "@daric/messages/message";
import { insertMessages } from "@daric/messages/store";
import { isTimeZone, localTime } from "@daric/runtime/time-zone";
import type { MessageContext } from "./context.ts";
import { listScheduledMembers, type ScheduledMember } from "./fact-store.ts";

/** Eight in the morning, in minutes. */
const MORNING = 8 * 60;
/** A statement that the first morning did not write is written on one of the next. */
const STATEMENT_DAYS = 3;
const DAY_MS = 86_400_000;

/**
 * Writes the summaries of yesterday and the statements of last month that are due in the time zones of their members. It may run at any
 * time and in every process: a receiver gets one message of a day and of a month.
 */
export function createSchedule(context: MessageContext): { write(): Promise<void> } {
  let written: ReadonlySet<string> = new Set();
  return {
    write: async () => {
      const now = context.clock.now();
      const members = await listScheduledMembers(context.db);
      const due = members.flatMap((member) => dueFor(member, now)).filter(isReachable(context));
      const fresh = await overFor(
        context,
        due.filter((message) => !written.has(keyOf(message))),
      );
      await insertMessages(context.db, sealed(context, fresh));
      // Those that are not due any more are forgotten.
      const known = new Set([...written, ...fresh.map(keyOf)]);
      written = new Set(due.map(keyOf).filter((key) => known.has(key)));
    },
  };
}

/** Without a mail server no mail waits for one. */
function isReachable(context: MessageContext): (message: Message) => boolean {
  const hasMail = isMailConfigured(context);
  return ({ receiver }) => receiver.of !== "person" || receiver.channel !== "mail" || hasMail;
}

/** Those whose time is over for the merchant too: a member further east begins a month earlier. */
async function overFor({ db, clock }: MessageContext, messages: readonly Message[]): Promise<Message[]> {
  const over: Message[] = [];
  for (const message of messages) {
    const [kind, month = ""] = message.cause.split(" ");
    const { merchantId } = message;
    const isOver =
      kind !== "monthly_statement" ||
      isMonthClosed(await boundMonth(db.forTenant(merchantId), { merchantId, month }), clock.now());
    if (isOver) over.push(message);
  }
  return over;
}

function keyOf({ merchantId, cause, receiver }: Message): string {
  return `${merchantId} ${cause} ${JSON.stringify(receiver)}`;
}

/** The messages that are due to a member this morning. */
export function dueFor(member: ScheduledMember, now: Date): Message[] {
  const { daily, monthly } = member;
  // A zone that this machine does not know would hold up all members.
  const timeZone = isTimeZone(member.timeZone) ? member.timeZone : "UTC";
  const { day, minute } = localTime(now, timeZone);
  if (minute < MORNING) return [];
  const yesterday = new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
  // A choice counts for the days after it.
  const wasChosen = localTime(member.chosenAt, timeZone).day <= yesterday;
  const messages = wasChosen ? messagesTo(member, daily, { kind: "daily_summary", of: yesterday, now }) : [];
  if (Number(day.slice(8)) > STATEMENT_DAYS) return messages;
  const lastMonth = new Date(Date.parse(`${day.slice(0, 7)}-01`) - DAY_MS).toISOString().slice(0, 7);
  return [...messages, ...messagesTo(member, monthly, { kind: "monthly_statement", of: lastMonth, now })];
}

function messagesTo(
  { merchantId, personId }: ScheduledMember,
  channels: readonly string[],
  { kind, of, now }: { readonly kind: MessageKind; readonly of: string; readonly now: Date },
): Message[] {
  return channels.map((channel) => ({
    ...{ merchantId, kind, cause: `${kind} ${of}`, createdAt: now },
    receiver: { of: "person", personId, channel: channel as ChannelName },
  }));
}
