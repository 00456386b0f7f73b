import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { freePort } from "@daric/testing/free-port";
import { EXPIRED, SELF_SIGNED } from "@daric/testing/tls-certificate";
import { afterEach, expect, it } from "vitest";
import { tryBaseUrl } from "./try-base-url.ts";

const opened: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

async function listenAt(server: Pick<Server, "listen" | "address" | "close">): Promise<number> {
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function findingOf(publicBaseUrl: string, port: number): Promise<[string, string] | undefined> {
  const http = { publicBaseUrl, host: "127.0.0.1", port };
  const [found] = await tryBaseUrl({ http } as never, ["api"]);
  return found && [found.verdict, found.words];
}

it("a base URL that leads to the port is right, while no service is there and while one is", async () => {
  const free = await freePort();
  expect(await findingOf(`http://127.0.0.1:${free}`, free)).toEqual(["OK", "yes"]);
  const service = createHttpServer((_, response) => response.end('{"status":"ok"}'));
  const port = await listenAt(service);
  expect(await findingOf(`http://127.0.0.1:${port}/`, port)).toEqual(["OK", "yes"]);
});

it.each<[string, () => Promise<string>, RegExp]>([
  [
    "another server",
    async () =>
      `http://127.0.0.1:${await listenAt(createHttpServer((_, response) => response.end("hello")))}`,
    /^another server answers at 127\.0\.0\.1 \(200\): point the record of DNS to this machine, and the proxy there to PORT$/,
  ],
  [
    "an expired certificate",
    async () => `https://localhost:${await listenAt(createServer(EXPIRED))}`,
    /^the certificate of localhost has expired: renew it$/,
  ],
  [
    "a certificate without an authority",
    async () => `https://localhost:${await listenAt(createServer(SELF_SIGNED))}`,
    /^browsers do not trust the certificate of localhost \(\w+\): get one from a public authority$/,
  ],
  [
    "no proxy",
    async () => `http://127.0.0.1:${await freePort()}`,
    /^nothing listens at 127\.0\.0\.1: start the proxy there$/,
  ],
])("%s is a doubt, with what to do", async (_, open, words) => {
  expect(await findingOf(await open(), await freePort())).toEqual(["doubtful", expect.stringMatching(words)]);
});

it("a trial that answers in place of a service reports itself as not ready", async () => {
  const port = await freePort();
  let ready: Promise<Response> | undefined;
  const proxy = createHttpServer((_, response) => {
    ready = fetch(`http://127.0.0.1:${port}/readyz`);
    void ready.then(() => response.end());
  });
  await findingOf(`http://127.0.0.1:${await listenAt(proxy)}`, port);
  expect((await ready)?.status).toBe(503);
});

it("without a port of the API no request is sent", async () => {
  expect(await findingOf("http://127.0.0.1:1", 0)).toBeUndefined();
});
