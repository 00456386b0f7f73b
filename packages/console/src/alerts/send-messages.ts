import type { Channel } from "./channels.ts";
import type { AlertContext } from "./context.ts";
import { isWithin } from "@daric/messages/local-time";
import { claimDueMessages, saveFailure, saveSent, type WaitingMessage } from "./message-store.ts";

/** The pause after the first failed attempt. */
const AGAIN_MS = 30_000;
const GIVE_UP_AFTER_MS = 86_400_000;
const LIMIT = 50;

/**
 * Sends the due messages. A failed message is tried again for a day, with growing pauses. If the process dies between
 * the sending and the record, the message is sent twice.
 */
export async function sendMessages(
  { config, db, clock, log }: AlertContext,
  channels: readonly Channel[],
): Promise<void> {
  if (channels.length === 0) return;
  const { quietHours, timeZone } = config.alerts;
  const isQuiet = isWithin(clock.now(), quietHours, timeZone);
  const names = channels.map(({ name }) => name);
  const due = await claimDueMessages(db, names, { isQuiet, againMs: AGAIN_MS, limit: LIMIT });
  for (const waiting of due) {
    const channel = channels.find(({ name }) => name === waiting.channel);
    const reason = channel && (await attempt(channel, waiting));
    if (reason === undefined) {
      await saveSent(db, waiting.id);
      continue;
    }
    const hasGivenUp = clock.now().getTime() - waiting.createdAt.getTime() > GIVE_UP_AFTER_MS;
    await saveFailure(db, waiting.id, { reason, hasGivenUp });
    if (waiting.attempts === 1 || hasGivenUp)
      log.error(
        { event: "alert_not_sent", channel: waiting.channel, reason, has_given_up: hasGivenUp },
        "an alert could not be sent",
      );
  }
}

/** The reason of a failure; undefined if it was sent. */
async function attempt(channel: Channel, { message }: WaitingMessage): Promise<string | undefined> {
  try {
    await channel.send(message);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** The first line of an error's message. */
export function reasonOf(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
  return line || "unknown failure";
}
