import { MailFailure } from "@daric/egress/mail-failure";
import { endOfQuiet } from "@daric/messages/local-time";
import type { Message } from "@daric/messages/message";
import { type Deliver, type Delivered, SendFailure } from "@daric/messages/send-messages";
import { createServerPauses } from "@daric/messages/server-pauses";
import type { Channel } from "./channels.ts";
import type { AlertContext } from "./context.ts";
import { dailyDigest } from "./digest.ts";
import { type AlertMessage, type AlertOrigin, endMessage, messageOriginOf, startMessage } from "./message.ts";
import { isOccurrenceOurs } from "./occurrence-mac.ts";
import { findOccurrence, listRecent } from "./occurrence-store.ts";
import type { Scrape } from "./scrape.ts";

/** Makes the text of the operator's messages from checked rows, and sends it through their channel. In quiet hours only critical ones are sent. */
export function createDeliverAlert(
  context: AlertContext,
  channels: readonly Channel[],
  latest: () => Scrape | undefined,
): Deliver {
  const { config, clock } = context;
  const { quietHours, timeZone } = config.alerts;
  const origin = messageOriginOf(config);
  const pauses = createServerPauses(clock);
  return async (message): Promise<Delivered> => {
    const { receiver } = message;
    const channel = channels.find(({ name }) => receiver.of === "operator" && receiver.channel === name);
    if (channel === undefined) return { is: "dropped", reason: "the channel is not configured any more" };
    const text = await textOf(context, message, { origin, latest: latest() });
    if (text === undefined) return { is: "dropped", reason: "its alert was not written by the service" };
    const quietUntil =
      text.severity === "critical" ? undefined : endOfQuiet(clock.now(), quietHours, timeZone);
    if (quietUntil !== undefined) return { is: "put off", until: quietUntil };
    await pauses.through(channel.name, () => send(channel, text));
    return { is: "sent" };
  };
}

/** An address that the mail server refuses does not repeat the mail to the others. */
async function send(channel: Channel, text: AlertMessage): Promise<void> {
  try {
    await channel.send(text);
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    throw new SendFailure(error.message, { of: error.of, pauseMs: error.pauseMs, cause: error });
  }
}

async function textOf(
  context: AlertContext,
  { kind, cause, createdAt }: Message,
  { origin, latest }: { readonly origin: AlertOrigin; readonly latest: Scrape | undefined },
): Promise<AlertMessage | undefined> {
  if (kind === "alert_digest") {
    const recent = (await listRecent(context.db)).filter((occurrence) =>
      isOccurrenceOurs(context, occurrence),
    );
    const now = context.clock.now();
    return dailyDigest(
      { recent, now, latest: latest ?? { atSeconds: now.getTime() / 1_000, samples: [] } },
      origin,
    );
  }
  const [, id = ""] = cause.split(" ");
  const occurrence = /^\d{1,18}$/.test(id) ? await findOccurrence(context.db, BigInt(id)) : undefined;
  if (occurrence === undefined || !isOccurrenceOurs(context, occurrence)) return undefined;
  const { startedAt = null, trueAt } = occurrence;
  const started = { ...occurrence, startedAt: startedAt ?? createdAt };
  return kind === "alert_started" ? startMessage(started, origin) : endMessage(started, trueAt, origin);
}
