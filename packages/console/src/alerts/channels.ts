import type { OperatorChannel } from "@daric/domain/message";
import { aReceiver, withAdvice } from "@daric/domain/transport-fault";
import { type FetchedFile, postText } from "@daric/egress/get-file";
import { EgressFailure, type NetworkAccess, systemAccess } from "@daric/egress/guarded-dial";
import { retryAfterMs } from "@daric/egress/retry-after";
import { sendMail } from "@daric/egress/send-mail";
import type { AlertConfig } from "./context.ts";
import type { AlertMessage } from "./message.ts";

/**
 * A way to reach the operator. `send` throws an error whose message names the cause in one line, without a secret.
 */
export type Channel = {
  readonly name: OperatorChannel;
  send(message: AlertMessage): Promise<void>;
};

const TELEGRAM = "https://api.telegram.org";
/** The limit of one request, from the look-up of the name to the end of the answer. */
const REQUEST_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** The longest pause that a host may ask for: that of a message which failed often. */
const MAX_PAUSE_MS = 900_000;
/** Telegram refuses longer texts. */
const MAX_TELEGRAM_CHARS = 4_000;

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
  const { smtpUrl, mailFrom } = mail;
  const channels: Channel[] = [];
  if (webhookUrl !== undefined) {
    const post = createPost(access);
    channels.push({ name: "webhook", send: (message) => postWebhook(webhookUrl, message, post) });
  }
  if (mailTo.length > 0 && smtpUrl !== undefined && mailFrom !== undefined)
    channels.push({
      name: "mail",
      send: ({ text }) => {
        const [subject = ""] = text.split("\n", 1);
        const { publicBaseUrl } = http;
        return sendMail(
          { smtpUrl, mailFrom, publicBaseUrl },
          { to: mailTo, subject: `[daric] ${subject}`, text },
        );
      },
    });
  if (telegramToken !== undefined && telegramChat !== undefined) {
    const post = createPost(access);
    channels.push({
      name: "telegram",
      send: ({ text }) => postTelegram({ token: telegramToken, chat: telegramChat }, text, post),
    });
  }
  return channels;
}

async function postWebhook(url: string, message: AlertMessage, post: Post): Promise<void> {
  const { statusCode } = await post(url, message);
  if (statusCode < 200 || statusCode > 299)
    throw new Error(`${new URL(url).host} answered HTTP ${statusCode}`);
}

type Bot = { readonly token: string; readonly chat: string };

async function postTelegram({ token, chat }: Bot, text: string, post: Post): Promise<void> {
  const body = {
    chat_id: chat,
    text: text.slice(0, MAX_TELEGRAM_CHARS),
    link_preview_options: { is_disabled: true },
  };
  const { statusCode, content } = await post(`${TELEGRAM}/bot${token}/sendMessage`, body);
  if (statusCode === 200) return;
  if (statusCode === 401 || statusCode === 404)
    throw new Error("Telegram does not know the bot: ALERT_TELEGRAM_TOKEN is wrong or was revoked");
  throw new Error(`Telegram refused it: ${reasonIn(content.toString("utf8")) ?? `HTTP ${statusCode}`}`);
}

/** The field `description` of Telegram's answer, such as `Bad Request: chat not found`. */
function reasonIn(text: string): string | undefined {
  try {
    const { description } = JSON.parse(text) as { description?: unknown };
    return typeof description === "string" ? description.slice(0, 200).replaceAll(/[^ -~]/g, "?") : undefined;
  } catch {
    return undefined;
  }
}

type Post = (url: string, body: object) => Promise<FetchedFile>;

/**
 * Makes the function that posts JSON to a host which the operator named, and which may be a private one. Redirects are not followed.
 * While a pause that the host asked for lasts, a post fails without a connection.
 */
function createPost(access: NetworkAccess): Post {
  let pausedUntilMs = 0;
  return async (url, body) => {
    const { hostname, host } = new URL(url);
    if (performance.now() < pausedUntilMs) throw new Error(`${host} asked for a pause that is not over`);
    const targets = { allowTargets: [hostname.replace(/^\[(.*)\]$/, "$1")], denyTargets: [] };
    const request = {
      url,
      headers: { "content-type": "application/json", "user-agent": "daric" },
      body: JSON.stringify(body),
      maxBytes: MAX_ANSWER_BYTES,
      signal: AbortSignal.timeout(REQUEST_MS),
    };
    try {
      const answer = await postText(targets, request, access);
      const pauseMs = retryAfterMs(answer.headers["retry-after"], MAX_PAUSE_MS) ?? 0;
      if (answer.statusCode > 299) pausedUntilMs = performance.now() + pauseMs;
      return answer;
    } catch (error) {
      if (error instanceof EgressFailure)
        throw new Error(withAdvice(`${host} cannot be reached (${error.code})`, error.cause, aReceiver));
      throw error;
    }
  };
}
