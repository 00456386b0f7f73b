import type { OperatorChannel } from "@daric/domain/message";
import { type NetworkAccess, systemAccess } from "@daric/egress/guarded-dial";
import { alertServerOf } from "@daric/egress/mail-settings";
import { sendMail } from "@daric/egress/send-mail";
import { createJsonPost, type JsonPost } from "@daric/messages/json-post";
import { createTelegram } from "@daric/messages/telegram";
import type { AlertConfig } from "./context.ts";
import type { AlertMessage } from "./message.ts";

/**
 * A way to reach the operator. `send` throws an error whose message names the cause in one line, without a secret.
 */
export type Channel = {
  readonly name: OperatorChannel;
  send(message: AlertMessage): Promise<void>;
};

/** The settings of channels. */
type ChannelConfig = Pick<AlertConfig, "mail" | "http"> & {
  readonly alerts: Pick<AlertConfig["alerts"], "webhookUrl" | "mailTo" | "telegramToken" | "telegramChat">;
};

/** The channels that these settings name. */
export function channelsOf(
  { alerts, mail, http }: ChannelConfig,
  access: NetworkAccess = systemAccess,
): Channel[] {
  const { webhookUrl, mailTo, telegramToken, telegramChat } = alerts;
  const server = alertServerOf({ mail, http });
  const channels: Channel[] = [];
  if (webhookUrl !== undefined) {
    const post = createJsonPost(access);
    channels.push({ name: "webhook", send: (message) => postWebhook(webhookUrl, message, post) });
  }
  if (mailTo.length > 0 && server !== undefined)
    channels.push({
      name: "mail",
      send: ({ text }) => {
        const [subject = ""] = text.split("\n", 1);
        return sendMail(server, { to: mailTo, subject: `[daric] ${subject}`, text });
      },
    });
  if (telegramToken !== undefined && telegramChat !== undefined) {
    const telegram = createTelegram(telegramToken, access);
    channels.push({
      name: "telegram",
      send: async ({ text }) => void (await telegram.sendMessage(telegramChat, text)),
    });
  }
  return channels;
}

async function postWebhook(url: string, message: AlertMessage, post: JsonPost): Promise<void> {
  const { statusCode } = await post(url, message);
  if (statusCode < 200 || statusCode > 299)
    throw new Error(`${new URL(url).host} answered HTTP ${statusCode}`);
}
