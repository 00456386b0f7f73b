import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dialSocket, type NetworkAccess } from "@daric/egress/guarded-dial";
import { openMailServer } from "@daric/testing/mail-server";
import { afterEach, beforeEach, expect, it } from "vitest";
import { channelsOf } from "./channels.ts";
import { plainMessage } from "./message.ts";

const TOKEN = "123456789:AAabcdefghijklmnopqrstuvwxyz";
const message = plainMessage("test", { summary: "A test", lines: ["of the channel"] }, { network: "nile" });
let server: Server;
let port: number;
let requests: { path: string; body: unknown }[];
let answer: { status: number; body: object; headers?: Record<string, string> };

beforeEach(async () => {
  requests = [];
  answer = { status: 200, body: { ok: true } };
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({ path: request.url ?? "", body: JSON.parse(Buffer.concat(chunks).toString()) });
    response
      .writeHead(answer.status, { "content-type": "application/json", ...answer.headers })
      .end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** The network, in which every name is the server of this test. */
const access: NetworkAccess = {
  resolve: async () => ["127.0.0.1"],
  dial: (target) => dialSocket({ ...target, port, isSecure: false, servername: undefined }),
};

function open(alerts: Partial<Parameters<typeof channelsOf>[0]["alerts"]>) {
  const none = { webhookUrl: undefined, mailTo: [], telegramToken: undefined, telegramChat: undefined };
  const [channel] = channelsOf(
    {
      alerts: { ...none, ...alerts },
      mail: { smtpUrl: undefined, mailFrom: undefined },
      http: { publicBaseUrl: undefined },
    },
    access,
  );
  if (channel === undefined) throw new Error("no channel is configured");
  return channel;
}

it("Telegram gets the text for the chat, and a wrong token is one line without the token", async () => {
  const telegram = open({ telegramToken: TOKEN, telegramChat: "-100200" });
  await telegram.send(message);
  expect(requests).toEqual([
    {
      path: `/bot${TOKEN}/sendMessage`,
      body: expect.objectContaining({ chat_id: "-100200", text: "A test on nile\nof the channel" }),
    },
  ]);
  answer = { status: 401, body: { ok: false, error_code: 401, description: "Unauthorized" } };
  await expect(telegram.send(message)).rejects.toThrow(
    /^Telegram does not know the bot: ALERT_TELEGRAM_TOKEN is wrong or was revoked$/,
  );
  answer = { status: 400, body: { ok: false, description: "Bad Request: chat not found" } };
  await expect(telegram.send(message)).rejects.toThrow("Telegram refused it: Bad Request: chat not found");
});

it("the webhook gets the message as JSON; another status than 2xx is a failure", async () => {
  const webhook = open({ webhookUrl: "http://chat.example/hook?key=1" });
  await webhook.send(message);
  expect(requests).toEqual([{ path: "/hook?key=1", body: message }]);
  answer = { status: 302, body: {} };
  await expect(webhook.send(message)).rejects.toThrow("chat.example answered HTTP 302");
});

it("an unreachable host is one line without the path", async () => {
  const webhook = open({ webhookUrl: "http://chat.example/secret" });
  await new Promise((resolve) => server.close(resolve));
  await expect(webhook.send(message)).rejects.toThrow(
    /^chat\.example cannot be reached \((connect_refused|connect_error)\)(: is the receiver running, and its URL right\?)?$/,
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

it("a channel that asks for a pause gets no message before it ends", async () => {
  const webhook = open({ webhookUrl: "http://chat.example/hook" });
  answer = { status: 429, body: {}, headers: { "retry-after": "1" } };
  await expect(webhook.send(message)).rejects.toThrow("chat.example answered HTTP 429");
  answer = { status: 200, body: {} };
  await expect(webhook.send(message)).rejects.toThrow("chat.example asked for a pause that is not over");
  expect(requests).toHaveLength(1);
  await expect.poll(() => webhook.send(message).catch(() => "paused"), { timeout: 20_000 }).toBeUndefined();
  expect(requests).toHaveLength(2);
});

it("mails go over ALERT_SMTP_URL where that is set, while SMTP_URL is away", async () => {
  const own = await openMailServer();
  const [mail] = channelsOf({
    alerts: {
      webhookUrl: undefined,
      mailTo: ["ops@shop.example"],
      telegramToken: undefined,
      telegramChat: undefined,
    },
    mail: { smtpUrl: "smtp://127.0.0.1:1?tls=none", alertSmtpUrl: own.url, mailFrom: "till@shop.example" },
    http: { publicBaseUrl: undefined },
  });
  await mail?.send(message);
  expect(own.received.map(({ to }) => to)).toEqual([["ops@shop.example"]]);
  await own.close();
});
