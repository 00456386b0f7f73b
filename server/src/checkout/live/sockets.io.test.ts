import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createSockets, type PageSocket } from "./sockets.ts";

const BOUND = 64 * 1_024;
const MESSAGE = "x".repeat(16 * 1_024);
/** A frame of this length has a head of so many bytes. */
const FRAME = MESSAGE.length + 4;

const server = createServer();
const counts: number[] = [];
const sockets = createSockets({ onCount: (open) => counts.push(open) });
const opened: { page: PageSocket; socket: Duplex }[] = [];

beforeAll(async () => {
  server.on("upgrade", (request, socket, head) =>
    sockets.open({ request, socket, head }, (page) => {
      opened.push({ page, socket });
      return () => {};
    }),
  );
  server.listen({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
});
afterAll(async () => {
  await sockets.close();
  server.close();
});

/** A page, and how it is told at the other end. */
async function open() {
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}/`);
  client.on("error", () => {});
  await once(client, "open");
  const { page, socket } = opened.at(-1) ?? expect.fail();
  return { client, page, socket };
}

it("a page that does not read is cut off with what comes when more than 64 kB wait for it, and one that reads is told all", async () => {
  const deaf = await open();
  deaf.client.pause();
  const reading = await open();
  let heard = 0;
  reading.client.on("message", () => {
    heard += 1;
  });
  let told = 0;
  let most = 0;
  // What the system takes off our hands does not wait.
  while (!deaf.socket.destroyed && told < 4_000) {
    for (const { page } of [deaf, reading]) page.tell(MESSAGE);
    told += 1;
    most = Math.max(most, deaf.socket.writableLength);
    await nextTurn();
  }
  expect(deaf.socket.destroyed).toBe(true);
  expect(most).toBeGreaterThan(BOUND);
  expect(most).toBeLessThanOrEqual(BOUND + FRAME);
  expect(counts.at(-1)).toBe(1);
  await expect.poll(() => heard).toBe(told);
  expect(reading.client.readyState).toBe(WebSocket.OPEN);
  deaf.client.terminate();
});
