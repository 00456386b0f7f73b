import type { TargetSettings } from "@daric/egress/allowed-targets";
import type { NetworkAccess } from "@daric/egress/guarded-dial";
import type { Database } from "@daric/postgres/sql";
import { currentFirst } from "@daric/runtime/seal";
import { openChannel, sealChannel } from "./channel-address.ts";
import { type MessageChannel, replaceSealedChannel } from "./channel-store.ts";
import { postChat } from "./chat-url.ts";
import { SendFailure } from "./send-messages.ts";
import { createTelegram } from "./telegram.ts";

/** The context of chats: the master keys open their addresses, and the bot of the deployment writes to those of Telegram. */
export type ChatContext = {
  readonly config: {
    readonly egress: TargetSettings;
    readonly alerts: { readonly telegramToken: string | undefined };
    readonly webhooks: {
      readonly masterKey: Buffer;
      readonly previousMasterKey?: Buffer | undefined;
    };
  };
  readonly db: Database;
  /** the network; injected by tests */
  readonly access?: NetworkAccess;
};

/** Sends a plain text to a confirmed chat. @throws SendFailure; of `receiver` when no later try can help */
export async function sendToChannel(
  context: ChatContext,
  channel: MessageChannel,
  text: string,
): Promise<void> {
  const { alerts, webhooks } = context.config;
  const { merchantId, id, sealed } = channel;
  if (sealed === null || channel.confirmedAt === null)
    throw new SendFailure("the chat is not confirmed", { of: "receiver" });
  const keys = currentFirst(webhooks.masterKey, webhooks.previousMasterKey);
  const address = openChannel(keys, channel, sealed);
  if (channel.kind === "url") return postChat(context, address, text);
  if (alerts.telegramToken === undefined)
    throw new SendFailure("no Telegram bot is configured", { of: "message" });
  const chat = await createTelegram(alerts.telegramToken, context.access).sendMessage(address, text);
  if (chat !== address)
    await replaceSealedChannel(
      context.db,
      { merchantId, id, sealed },
      sealChannel(webhooks.masterKey, channel, chat),
    );
}
