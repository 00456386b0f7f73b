import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { newCheckoutToken } from "@daric/charges/checkout-token";
import { createApp } from "@daric/server/app";
import { anUnknownKey } from "@daric/testing/api-keys";
import { isNight } from "@daric/testing/at-night";
import { createOfflineContext } from "@daric/testing/offline-context";
import { expect, it, onTestFinished } from "vitest";
import type { ApiApp } from "./api-app.ts";

const CAP = 80;
const FLOOD = 120;
const COME_AGAIN_MS = 1_000;
/** An unread answer is detected after this time. */
const KNOWN_MS = 5_000;
const HONEST_REQUESTS = 40;
const MIN_ANSWERED = 0.95;

/** Sends a body one byte at a time. */
const drip = (socket: Socket, path: string, headers: string): void => {
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: a\r\n${headers}content-type: application/json\r\ncontent-length: 60000\r\n\r\n`,
  );
  const dripping = setInterval(() => socket.write(" "), 300);
  socket.resume().once("close", () => clearInterval(dripping));
};
const token = newCheckoutToken(createOfflineContext().checkoutKey);

const send = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;

/** The behaviour of each connection of a flood. */
const kinds: Readonly<Record<string, (socket: Socket) => void>> = {
  "says nothing": (socket) => void socket.resume(),
  "sends a byte now and then": (socket) => {
    const dripping = setInterval(() => socket.write("G"), 300);
    socket.resume().once("close", () => clearInterval(dripping));
  },
  "sends one request and stays": (socket) => void socket.resume().write(send("/healthz")),
  "sends a body without a key": (socket) => drip(socket, "/v1/deposit-addresses", ""),
  "sends a body with a key": (socket) =>
    drip(socket, "/v1/deposit-addresses", `x-api-key: ${anUnknownKey()}\r\n`),
  "sends a body to the public look-up": (socket) => drip(socket, `/v1/checkout/${token}/lookup`, ""),
  "sends 30 requests for large answers and reads nothing": (socket) =>
    void socket.pause().write(send("/openapi.json").repeat(30)),
};

/** Opens connections from these addresses and reopens closed ones; returns a function that ends the flood. */
function openFlood(app: ApiApp, begin: (socket: Socket) => void, addresses: readonly string[]): () => void {
  const { port } = app.server.address() as AddressInfo;
  const sockets = new Set<Socket>();
  let isOver = false;
  const open = (localAddress: string): void => {
    if (isOver) return;
    const socket = connect({ host: "127.0.0.1", port, localAddress });
    sockets.add(socket);
    socket.on("error", () => {}).once("connect", () => begin(socket));
    socket.once("close", () => {
      sockets.delete(socket);
      setTimeout(() => open(localAddress), COME_AGAIN_MS).unref();
    });
  };
  for (let opened = 0; opened < FLOOD; opened += 1) open(addresses[opened % addresses.length] ?? "127.0.0.1");
  return () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  };
}

/** Whether a request on a connection of its own is answered. */
async function isAnswered(app: ApiApp): Promise<boolean> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port, localAddress: "127.0.0.2" });
  socket.on("error", () => {}).setEncoding("latin1");
  socket.write("GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
  let text = "";
  socket.on("data", (part) => {
    text += part;
  });
  await new Promise((resolve) => socket.once("close", resolve));
  return text.startsWith("HTTP/1.1 200 ");
}

const one = ["127.0.0.1"];
const many = Array.from({ length: 40 }, (_, at) => `127.0.1.${at + 1}`);
const rows = Object.keys(kinds).map((kind) => [kind, "one address", one] as const);
// Constant requests from many addresses look like honest clients.
const rowsOfMany = rows.slice(isNight ? 0 : -3, -1).map(([kind]) => [kind, "many addresses", many] as const);
const eight = many.slice(0, 8);
const rowsOfEight = rows.slice(isNight ? 3 : -1).map(([kind]) => [kind, "eight addresses", eight] as const);

// By day the costliest of each; all others run at night.
it.each([...rows.slice(isNight ? 0 : -1), ...rowsOfEight, ...rowsOfMany])(
  "a flood in which each connection %s, from %s, leaves room for the others",
  async (kind, _, addresses) => {
    const context = createOfflineContext({ HTTP_MAX_CONNECTIONS: String(CAP) });
    const app = createApp(context);
    await app.listen({ host: "127.0.0.1", port: 0 });
    const stop = openFlood(app, kinds[kind] ?? expect.fail(), addresses);
    onTestFinished(async () => {
      stop();
      await app.close();
    });
    const dropped = async () => (await context.metrics.httpConnectionsDropped.get()).values[0]?.value ?? 0;
    await expect.poll(dropped, { timeout: 30_000 }).toBeGreaterThanOrEqual(FLOOD - CAP);
    const open = async () => (await context.metrics.httpConnections.get()).values[0]?.value ?? 0;
    expect(await open()).toBeLessThanOrEqual(addresses === one ? CAP / 8 : CAP);
    if (addresses === eight) await sleep(KNOWN_MS);
    let answered = 0;
    for (let calls = 0; calls < HONEST_REQUESTS; calls += 1) {
      if (await isAnswered(app)) answered += 1;
      await sleep(25);
    }
    expect(answered).toBeGreaterThanOrEqual(MIN_ANSWERED * HONEST_REQUESTS);
  },
);
