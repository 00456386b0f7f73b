import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createSockets, type PageSocket } from "./sockets.ts";

const BOUND = 64 * 1_024;
const MESSAGE = "x".repeat(16 * 1_024);
/** The length of a frame with its 4 bytes of header. */
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

/** A page and its socket at the other end. */
async function open() {
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}/`);
  client.on("error", () => {});
  await once(client, "open");
  const { page, socket } = opened.at(-1) ?? expect.fail();
  return { client, page, socket };
}

it("a page that does not read is cut off at more than 64 kB of waiting messages, and one that reads gets all", async () => {
  const deaf = await open();
  deaf.client.pause();
  const reading = await open();
  let sent = 0;
  reading.client.on("message", () => {
    sent += 1;
  });
  let received = 0;
  let most = 0;
  // Bytes in the system's buffers do not wait.
  while (!deaf.socket.destroyed && received < 4_000) {
    for (const { page } of [deaf, reading]) page.push(MESSAGE);
    received += 1;
    most = Math.max(most, deaf.socket.writableLength);
    await nextTurn();
  }
  expect(deaf.socket.destroyed).toBe(true);
  expect(most).toBeGreaterThan(BOUND);
  expect(most).toBeLessThanOrEqual(BOUND + FRAME);
  expect(counts.at(-1)).toBe(1);
  await expect.poll(() => sent).toBe(received);
  expect(reading.client.readyState).toBe(WebSocket.OPEN);
  deaf.client.terminate();
});

/** A frame as a browser sends it, masked with zeros. */
function frame(head: number, body: string | number): Buffer {
  const bytes = typeof body === "number" ? Buffer.alloc(body, "x") : Buffer.from(body);
  return Buffer.concat([Buffer.from([head, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}

/** A client on a raw socket, which can send any bytes. */
async function openByHand(): Promise<{ client: Socket; socket: Socket }> {
  const { port } = server.address() as AddressInfo;
  const client = connect({ host: "127.0.0.1", port }).on("error", () => {});
  client.write(
    "GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n" +
      "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
  );
  await once(client, "data");
  const { socket } = opened.at(-1) ?? expect.fail();
  if (!(socket instanceof Socket)) throw new Error("the connection is none");
  return { client, socket };
}

const PING = 0x89;
const PONG = 0x8a;
const floods: readonly [string, Buffer][] = [
  ["empty pings", frame(PING, 0)],
  ["long pings", frame(PING, 125)],
  ["empty pongs", frame(PONG, 0)],
  ["empty texts", frame(0x81, 0)],
  ["short texts", frame(0x81, "hello")],
  ["binaries", frame(0x82, 100)],
  ["fragments of nothing", frame(0x00, 0)],
  ["closes", frame(0x88, 0)],
  ["bytes that are no frame", Buffer.from([0xff, 0xff, 0xff])],
];

it.each(floods)(
  "of 10 MB of %s on one socket little is read, nothing is kept, and it ends",
  async (_, message) => {
    const { client, socket } = await openByHand();
    client.pause();
    const many = Buffer.alloc(10 << 20, message);
    let kept = 0;
    socket.on("data", () => {
      kept = Math.max(kept, socket.writableLength);
    });
    const ended = once(socket, "close");
    client.write(many);
    await ended;
    expect(socket.bytesRead).toBeLessThanOrEqual(BOUND * 2);
    expect(kept).toBeLessThanOrEqual(BOUND);
    client.destroy();
  },
);

it("the first frame of data ends a socket, even as the beginning of a message", async () => {
  for (const data of [frame(0x81, "hello"), frame(0x02, 0)]) {
    const { client, socket } = await openByHand();
    client.resume().write(data);
    await once(socket, "close");
  }
});

it("a ping and a close frame of the page are answered", async () => {
  const { client } = await openByHand();
  client.write(frame(PING, "still there?"));
  const pong = Buffer.concat([Buffer.from([PONG, 12]), Buffer.from("still there?")]);
  expect((await once(client, "data"))[0]).toEqual(pong);
  client.write(frame(0x88, 0));
  expect((await once(client, "data"))[0][0]).toBe(0x88);
});
