import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dialSocket, type NetworkAccess } from "@daric/egress/guarded-dial";
import { afterEach, beforeEach, expect, it } from "vitest";
import { postChat, vetChatUrl } from "./chat-url.ts";

let server: Server;
let requests: { path: string; body: unknown }[];
let answer: { status: number; headers?: Record<string, string> };
let dials: string[];
/** The network: every name is this public address, and this address is the server of the test. */
let access: NetworkAccess;
const config = { egress: { allowTargets: ["127.0.0.0/8"], denyTargets: [] } };

beforeEach(async () => {
  requests = [];
  dials = [];
  answer = { status: 200 };
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({ path: request.url ?? "", body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.writeHead(answer.status, answer.headers).end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  access = {
    resolve: async () => ["127.0.0.1"],
    dial: (target) => {
      dials.push(target.address);
      return dialSocket({ ...target, address: "127.0.0.1", port, isSecure: false, servername: undefined });
    },
  };
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const failureOf = (url: string, given = access, at = config) =>
  postChat({ config: at, access: given }, url, "hello").then(
    () => undefined,
    ({ message, of, pauseMs }: Error & { of?: string; pauseMs?: number }) => ({ message, of, pauseMs }),
  );

it("a chat gets its text as `text`, and Discord as `content` that mentions no member", async () => {
  const urls = [
    "https://hooks.chat.example/T0/x",
    "https://discord.com/api/webhooks/1/x",
    "https://ptb.discord.com/x",
  ];
  for (const url of urls) await postChat({ config, access }, url, "hello");
  const discord = { content: "hello", allowed_mentions: { parse: [] } };
  expect(requests.map(({ body }) => body)).toEqual([{ text: "hello" }, discord, discord]);
  await postChat({ config, access }, "https://discord.com.evil.example/x", "a".repeat(3_000));
  expect(requests.at(-1)?.body).toEqual({ text: `${"a".repeat(1_999)}…` });
});

it.each([
  [404, "receiver"],
  [410, "receiver"],
  [403, "receiver"],
  [302, "message"],
  [429, "message"],
  [500, "message"],
])("HTTP %s is a failure of the %s, and its words name the host alone", async (status, of) => {
  answer = { status, headers: { "retry-after": "9", location: "https://other.example/" } };
  expect(await failureOf("https://hooks.chat.example/secret?key=1")).toEqual({
    of,
    message: `hooks.chat.example answered HTTP ${status}`,
    pauseMs: 9_000,
  });
  expect(requests).toHaveLength(1);
});

it("an unreachable host is a failure of this message alone", async () => {
  const away: NetworkAccess = { resolve: async () => [], dial: dialSocket };
  expect(await failureOf("https://gone.example/x", away)).toMatchObject({ of: "message" });
});

it("a private address is never dialled, also when the name became private after it was stored", async () => {
  const closed = { egress: { allowTargets: [], denyTargets: [] } };
  const inside: NetworkAccess = { ...access, resolve: async () => ["93.184.216.34", "10.0.0.7"] };
  for (const url of [
    "https://10.0.0.7/x",
    "https://169.254.169.254/x",
    "https://[::1]/x",
    "https://2130706433/x",
  ])
    expect(await failureOf(url, inside, closed)).toMatchObject({ of: "receiver" });
  expect(await failureOf("https://rebound.example/x", inside, closed)).toMatchObject({
    of: "receiver",
    message: "rebound.example is not a public target",
  });
  expect(dials).toEqual([]);
});

it("a stored URL is https, or http where the operator's list opens the host", async () => {
  const resolve = async () => ["93.184.216.34"];
  const listed = { egress: { allowTargets: ["chat.lan.example", "10.1.0.0/16"], denyTargets: [] } };
  expect(await vetChatUrl(listed, "https://Chat.example/x", resolve)).toBe("https://chat.example/x");
  expect(await vetChatUrl(listed, "http://chat.lan.example/x", resolve)).toBe("http://chat.lan.example/x");
  expect(await vetChatUrl(listed, "http://10.1.2.3/x", resolve)).toBe("http://10.1.2.3/x");
  await expect(vetChatUrl(listed, "http://chat.example/x", resolve)).rejects.toMatchObject({
    details: [{ path: "url", rule: { name: "httpsUrl" } }],
  });
  for (const url of ["https://10.0.0.7/x", "ftp://chat.example", "https://u:p@chat.example/", "nothing"])
    await expect(vetChatUrl(listed, url, resolve)).rejects.toMatchObject({ code: "INVALID_WEBHOOK_URL" });
});
