import type { ChannelName } from "@daric/domain/message";
import { isMailConfigured, sealed } from "@daric/messages/announce";
import { listChannels } from "@daric/messages/channel-store";
import type { Message } from "@daric/messages/message";
import { insertMessages } from "@daric/messages/store";
import { localTime } from "@daric/runtime/time-zone";
import type { MessageContext } from "./context.ts";

/** Tells a member by the other channels, once a day, that one of them refused a message. */
export async function tellOtherChannels(
  context: MessageContext,
  { merchantId, receiver }: Message,
  failed: ChannelName,
): Promise<void> {
  if (receiver.of !== "person") return;
  const { personId } = receiver;
  const chats = await listChannels(context.db, { merchantId, personId });
  const working = chats.filter(({ confirmedAt, failedAt }) => confirmedAt !== null && failedAt === null);
  const channels: ChannelName[] = [
    ...(isMailConfigured(context) ? ["mail" as const] : []),
    ...working.map(({ id }) => id),
  ];
  const now = context.clock.now();
  const { day } = localTime(now, "UTC");
  const messages = channels
    .filter((channel) => channel !== failed)
    .map((channel) => ({
      ...{
        merchantId,
        kind: "channel_failed" as const,
        cause: `channel_failed ${failed} ${day}`,
        createdAt: now,
      },
      receiver: { of: "person" as const, personId, channel },
    }));
  await insertMessages(context.db, sealed(context, messages));
}
