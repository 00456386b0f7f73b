import type { FetchedFile } from "@daric/egress/get-file";
import { type NetworkAccess, systemAccess } from "@daric/egress/guarded-dial";
import { createJsonPost, MAX_PAUSE_MS } from "./json-post.ts";
import { clip } from "./plain-for-chat.ts";
import { SendFailure } from "./send-messages.ts";

const TELEGRAM = "https://api.telegram.org";
/** Telegram refuses texts of more than 4,096 characters. */
const MAX_TEXT_CHARS = 4_000;
/** The time of a long poll beyond the wait that it asks for. */
const POLL_SLACK_MS = 10_000;
/** The refusals that no later try can change: the chat is gone, or the bot may not write there. */
const LOST_CHAT =
  /chat not found|chat was de|rights|CHAT_WRITE_FORBIDDEN|TOPIC_CLOSED|PEER_ID_INVALID|deactivated/i;

/** A chat of Telegram, as an update names it. Groups have a title, people a name. */
export type TelegramChat = {
  readonly id: number;
  readonly title?: string;
  readonly first_name?: string;
  readonly last_name?: string;
};

/** An update of the bot: here only messages are asked for. */
export type TelegramUpdate = {
  readonly update_id: number;
  readonly message?: { readonly text?: string; readonly chat: TelegramChat };
};

type Poll = {
  /** the first update that is wanted; those before it are gone */
  readonly offset: number;
  readonly waitSeconds: number;
  readonly signal: AbortSignal;
};

/** The bot of the deployment. Each method throws a SendFailure, whose message never has the token. */
export type Telegram = {
  /** Returns the chat that got the text: another one where a group has moved to a new number. */
  sendMessage(chat: string, text: string): Promise<string>;
  /** Returns the name of the bot, for links to it. */
  getMe(): Promise<string>;
  /** Waits for updates, and returns those from `offset` on. */
  getUpdates(poll: Poll): Promise<TelegramUpdate[]>;
};

/** The parts of an answer of the Bot API that matter here. */
type Answer = {
  readonly ok?: unknown;
  readonly result?: unknown;
  readonly description?: unknown;
  readonly parameters?: { readonly retry_after?: unknown; readonly migrate_to_chat_id?: unknown };
};

/** A client of Telegram's Bot API for the bot with this token. */
export function createTelegram(token: string, access: NetworkAccess = systemAccess): Telegram {
  const post = createJsonPost(access);
  const call = async (method: string, body: object, options?: Parameters<typeof post>[2]) => {
    const { statusCode, content } = await post(`${TELEGRAM}/bot${token}/${method}`, body, options);
    return { statusCode, answer: readAnswer(content) };
  };
  const send = (chat: string, text: string) =>
    call("sendMessage", {
      chat_id: chat,
      text: clip(text, MAX_TEXT_CHARS),
      link_preview_options: { is_disabled: true },
    });
  return {
    sendMessage: async (chat, text) => {
      const first = await send(chat, text);
      const moved = first.answer.parameters?.migrate_to_chat_id;
      if (first.answer.ok === true || typeof moved !== "number") {
        resultOf(first);
        return chat;
      }
      resultOf(await send(String(moved), text));
      return String(moved);
    },
    getMe: async () => {
      const { username } = resultOf(await call("getMe", {})) as { username?: unknown };
      if (typeof username !== "string") throw unreadable();
      return username;
    },
    getUpdates: async ({ offset, waitSeconds, signal }) => {
      const body = { offset, timeout: waitSeconds, allowed_updates: ["message"] };
      const timeoutMs = waitSeconds * 1_000 + POLL_SLACK_MS;
      const updates = resultOf(await call("getUpdates", body, { timeoutMs, signal }));
      if (!Array.isArray(updates)) throw unreadable();
      return updates as TelegramUpdate[];
    },
  };
}

function readAnswer(content: FetchedFile["content"]): Answer {
  try {
    const answer: unknown = JSON.parse(content.toString("utf8"));
    return typeof answer === "object" && answer !== null ? answer : {};
  } catch {
    return {};
  }
}

/** The result of a call. @throws SendFailure for a refusal */
function resultOf({ statusCode, answer }: { readonly statusCode: number; readonly answer: Answer }): unknown {
  if (statusCode === 200 && answer.ok === true) return answer.result;
  if (statusCode === 401 || statusCode === 404)
    throw new SendFailure("Telegram does not know the bot: ALERT_TELEGRAM_TOKEN is wrong or was revoked", {
      of: "server",
    });
  const reason = reasonIn(answer) ?? `HTTP ${statusCode}`;
  const isLost = statusCode === 403 || (statusCode === 400 && LOST_CHAT.test(reason));
  const isOfServer = statusCode === 429 || statusCode === 409 || statusCode >= 500;
  throw new SendFailure(`Telegram refused it: ${reason}`, {
    of: isLost ? "receiver" : isOfServer ? "server" : "message",
    pauseMs: pauseOf(answer),
  });
}

/** The pause that Telegram asks for; undefined without one. */
function pauseOf({ parameters }: Answer): number | undefined {
  const seconds = parameters?.retry_after;
  return typeof seconds === "number" ? Math.min(seconds * 1_000, MAX_PAUSE_MS) : undefined;
}

/** The field `description` of an answer, such as `Bad Request: chat not found`. */
function reasonIn({ description }: Answer): string | undefined {
  return typeof description === "string" ? description.slice(0, 200).replaceAll(/[^ -~]/g, "?") : undefined;
}

function unreadable(): SendFailure {
  return new SendFailure("Telegram answered something that cannot be read", { of: "server" });
}
