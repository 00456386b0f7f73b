import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dialSocket, type NetworkAccess } from "@daric/egress/guarded-dial";

type Answer = { readonly status: number; readonly body: object };
type Call = { readonly method: string; readonly body: Readonly<Record<string, unknown>> };
type Chat = { readonly id: number; readonly type?: string; readonly [field: string]: unknown };

const refused = (status: number, description: string, parameters?: object): Answer => ({
  status,
  body: { ok: false, error_code: status, description, ...(parameters && { parameters }) },
});

/** The refusals of the Bot API, as its documentation and its servers word them. */
export const telegramRefusals = {
  tooMany: (seconds: number) =>
    refused(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds }),
  blocked: refused(403, "Forbidden: bot was blocked by the user"),
  kicked: refused(403, "Forbidden: bot was kicked from the group chat"),
  deactivated: refused(403, "Forbidden: user is deactivated"),
  chatNotFound: refused(400, "Bad Request: chat not found"),
  movedTo: (chat: number) =>
    refused(400, "Bad Request: group chat was upgraded to a supergroup chat", { migrate_to_chat_id: chat }),
  unauthorized: refused(401, "Unauthorized"),
  otherPoller: refused(
    409,
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
  ),
  broken: refused(500, "Internal Server Error"),
};

/** A stand-in of Telegram's API on this machine, with one bot. */
export type TelegramServer = {
  readonly token: string;
  /** the name of the bot */
  readonly name: string;
  /** a network in which api.telegram.org is this server, and no other host exists */
  readonly access: NetworkAccess;
  /** the calls so far, the oldest first */
  readonly calls: readonly Call[];
  /** the texts that were taken for a chat */
  textsTo(chat: number | string): string[];
  /** answers the next calls of a method so, one after another */
  answerNext(method: string, ...answers: Answer[]): void;
  /** a member of a chat writes to the bot */
  write(chat: Chat, text: string): void;
  close(): Promise<void>;
};

export async function startTelegram(): Promise<TelegramServer> {
  const [token, name] = ["123456789:AAabcdefghijklmnopqrstuvwxyz", "daric_test_bot"];
  const calls: Call[] = [];
  const sent: { chat: string; text: string }[] = [];
  const planned = new Map<string, Answer[]>();
  const updates = createUpdates();
  const results: Readonly<Record<string, (body: Call["body"]) => unknown>> = {
    getMe: () => ({ id: 123456789, is_bot: true, first_name: "Daric", username: name }),
    sendMessage: ({ chat_id: chat, text }) => {
      sent.push({ chat: String(chat), text: String(text) });
      return { message_id: sent.length, chat: { id: chat } };
    },
    getUpdates: ({ offset, timeout }) => updates.read(Number(offset ?? 0), Number(timeout ?? 0)),
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [, bot = "", method = ""] = (request.url ?? "").split("/");
    const body = JSON.parse(Buffer.concat(chunks).toString() || "{}") as Call["body"];
    calls.push({ method, body });
    const plan = planned.get(method)?.shift();
    const result = results[method];
    const answer =
      bot !== `bot${token}`
        ? telegramRefusals.unauthorized
        : (plan ?? (result && { status: 200, body: { ok: true, result: await result(body) } }));
    const { status, body: answered } = answer ?? refused(404, "Not Found");
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answered));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ token, name, calls },
    access: {
      resolve: async (host) => (host === "api.telegram.org" ? ["127.0.0.1"] : []),
      dial: (target) => dialSocket({ ...target, port, isSecure: false, servername: undefined }),
    },
    textsTo: (chat) => sent.filter((one) => one.chat === String(chat)).map(({ text }) => text),
    answerNext: (method, ...answers) => {
      planned.set(method, [...(planned.get(method) ?? []), ...answers]);
    },
    write: updates.add,
    close: () =>
      new Promise<void>((resolve) => {
        updates.end();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The updates of a bot: those before the offset of a reader are forgotten, and a reader waits for the next one. */
function createUpdates() {
  let pending: { update_id: number; message: { text: string; chat: Chat } }[] = [];
  let nextId = 1;
  let wake: () => void = () => {};
  return {
    add(chat: Chat, text: string): void {
      pending.push({ update_id: nextId++, message: { text, chat } });
      wake();
    },
    async read(offset: number, seconds: number): Promise<typeof pending> {
      pending = pending.filter(({ update_id }) => update_id >= offset);
      if (pending.length === 0 && seconds > 0)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, seconds * 1_000);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      return pending;
    },
    end: () => wake(),
  };
}
