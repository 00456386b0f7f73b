import { reasonOf } from "@daric/messages/send-messages";
import { alertOf } from "./alerts.ts";
import type { Channel } from "./channels.ts";
import type { AlertContext } from "./context.ts";
import { endMessage, messageOriginOf, startMessage } from "./message.ts";

/** The same time that the alert DaricNotReady waits. */
const SENT_AFTER_MS = 180_000;

/** The message about an outage of the database. During the outage no other message can be sent. */
export type OutageNotice = {
  /** Called at each failed round. Only the process that led before sends it, once per channel. */
  lasts(): Promise<void>;
  /** Called at each successful round, with whether this process leads. */
  over(isLeading: boolean): void;
};

/**
 * Without the database there is neither a lease nor a table of messages, so the last leader sends this message
 * directly.
 */
export function createOutageNotice(
  { config, clock, log }: Pick<AlertContext, "config" | "clock" | "log">,
  { channels, process }: { channels: readonly Channel[]; process: string },
): OutageNotice {
  const origin = messageOriginOf(config);
  const { name: alert, severity, runbook } = alertOf("DaricNotReady");
  let wasLeading = false;
  let since: { readonly ms: number; readonly at: Date } | undefined;
  let informed = new Set<Channel>();
  const occurrence = () => ({
    alert,
    severity,
    runbook,
    labels: JSON.stringify({ check: "database", instance: process }),
    summary: `The database does not answer at ${process}`,
    pendingSince: since?.at ?? clock.now(),
    startedAt: since?.at ?? clock.now(),
  });
  const send = async (channel: Channel, message: ReturnType<typeof startMessage>) => {
    try {
      await channel.send(message);
      return true;
    } catch (error) {
      log.error(
        { event: "alert_not_sent", channel: channel.name, reason: reasonOf(error) },
        "an alert could not be sent",
      );
      return false;
    }
  };
  return {
    lasts: async () => {
      since ??= { ms: clock.monotonicMs(), at: clock.now() };
      if (!wasLeading || clock.monotonicMs() - since.ms < SENT_AFTER_MS) return;
      for (const channel of channels) {
        if (!informed.has(channel) && (await send(channel, startMessage(occurrence(), origin))))
          informed.add(channel);
      }
    },
    over: (isLeading) => {
      if (since !== undefined) {
        const message = endMessage(occurrence(), clock.now(), origin);
        for (const channel of informed) void send(channel, message);
      }
      since = undefined;
      informed = new Set();
      wasLeading = isLeading;
    },
  };
}
