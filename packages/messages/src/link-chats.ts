import { createHash, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { NetworkAccess } from "@daric/egress/guarded-dial";
import type { ContextOf } from "@daric/runtime/context";
import { keepLease } from "@daric/runtime/lease";
import { startWorkerLoop, type WorkerLoop } from "@daric/runtime/worker-loop";
import { sealChannel } from "./channel-address.ts";
import { findChannelOfCode, hasOpenCode, linkChannel } from "./channel-store.ts";
import { cleanLine, clip } from "./plain-for-chat.ts";
import { SendFailure } from "./send-messages.ts";
import { createTelegram, type Telegram, type TelegramChat, type TelegramUpdate } from "./telegram.ts";

export type LinkingContext = Pick<
  ContextOf<{
    readonly chain: { readonly network: string };
    readonly alerts: { readonly telegramToken: string | undefined };
    readonly webhooks: { readonly masterKey: Buffer };
  }>,
  "config" | "db" | "clock" | "log" | "databaseOutage"
>;

const POLL_MS = 5_000;
const WAIT_SECONDS = 25;
const LEASE_TTL_MS = 30_000;
const MAX_NAME_CHARS = 64;
/** Telegram sends a deep link as this command, to groups with the name of the bot. */
const START = /^\/start(?:@\w+)? ([\w-]{22})$/;

/** The hash under which the code of a chat is stored: it has 128 random bits, so a plain hash keeps it. */
export function hashOfCode(code: string): Buffer {
  return createHash("sha256").update(code).digest();
}

/**
 * Links the Telegram chats in which members use their codes. While no code waits it reads one row now and then; while one does, one process
 * at a time asks Telegram for the messages to the bot.
 */
export function startChatLinker(
  context: LinkingContext,
  { access, pollMs = POLL_MS }: { readonly access?: NetworkAccess; readonly pollMs?: number } = {},
): Pick<WorkerLoop, "stop"> {
  const { db, clock, config, log, databaseOutage } = context;
  const token = config.alerts.telegramToken;
  if (token === undefined) return { stop: async () => {} };
  const lease = keepLease(db, {
    name: `chats:${config.chain.network}`,
    holder: `${hostname()}/${process.pid}/${randomUUID()}`,
    ttlMs: LEASE_TTL_MS,
    clock,
  });
  const stopping = new AbortController();
  const poll = createPoll(context, createTelegram(token, access), stopping.signal);
  const loop = startWorkerLoop({
    name: "chats",
    pollMs,
    log,
    databaseOutage,
    isExpected: (error): error is SendFailure => error instanceof SendFailure,
    processNext: async () => {
      if (!(await hasOpenCode(db)) || (await lease.current()) === undefined) return false;
      return poll();
    },
  });
  return {
    stop: async () => {
      stopping.abort();
      await loop.stop();
      await lease.release().catch(() => {});
    },
  };
}

/** Makes the step that waits for messages to the bot. It returns whether there were any. */
function createPoll(
  context: Pick<LinkingContext, "config" | "db">,
  telegram: Telegram,
  signal: AbortSignal,
): () => Promise<boolean> {
  let offset = 0;
  return async () => {
    try {
      const updates = await telegram.getUpdates({ offset, waitSeconds: WAIT_SECONDS, signal });
      for (const update of updates) {
        await linkChat(context, update);
        offset = update.update_id + 1;
      }
      return updates.length > 0;
    } catch (error) {
      if (signal.aborted && error instanceof SendFailure) return false;
      throw error;
    }
  };
}

/** Links the chat of a message that has the code of a channel. Any other message is ignored without an answer. */
async function linkChat(
  { config, db }: Pick<LinkingContext, "config" | "db">,
  { message }: TelegramUpdate,
): Promise<void> {
  const [, code] = START.exec(message?.text ?? "") ?? [];
  if (message === undefined || code === undefined) return;
  const codeHash = hashOfCode(code);
  const channel = await findChannelOfCode(db, codeHash);
  if (channel === undefined) return;
  const sealed = sealChannel(config.webhooks.masterKey, channel, String(message.chat.id));
  await linkChannel(db, channel, { codeHash, sealed, name: nameOf(message.chat) });
}

/** The name of a chat, as its members wrote it. */
function nameOf({ title, first_name = "", last_name = "" }: TelegramChat): string {
  return clip(cleanLine(title ?? `${first_name} ${last_name}`), MAX_NAME_CHARS) || "Telegram";
}
