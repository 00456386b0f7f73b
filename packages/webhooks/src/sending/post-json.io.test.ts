import { createServer as createTcpServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { dialSocket, systemAccess } from "@daric/egress/guarded-dial";
import { createOfflineContext } from "@daric/testing/offline-context";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import { SELF_SIGNED } from "@daric/testing/tls-certificate";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createPost, type PostResult } from "./post-json.ts";

/** Of attempts that a test waits out. */
const DEADLINE_MS = 1_000;
const quick = createOfflineContext({ WEBHOOK_TIMEOUT: `${DEADLINE_MS}ms` });
/** With a real clock a test of this deadline would take too long. */
const PATIENCE_MS = 15_000;
const patient = createOfflineContext({ WEBHOOK_TIMEOUT: `${PATIENCE_MS}ms` });
const body = Buffer.from('{"id":"1"}');

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function receiver(): Promise<Receiver> {
  const started = await startReceiver();
  cleanups.push(() => started.close());
  return started;
}

/** A server that speaks whatever bytes the test wants. */
async function rawServer(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
}

const answering = (...parts: (string | Buffer)[]) =>
  rawServer((socket) => {
    socket.once("data", () => {
      for (const part of parts) socket.write(part);
    });
  });

const post = (url: string, from = patient): Promise<PostResult> =>
  createPost(from)({ url, headers: { "content-type": "application/json", "x-a": "b" }, body });

/** Sends something more every 20 ms. */
const trickle = (socket: Socket, start: string, drop: string) => {
  socket.write(start);
  const timer = setInterval(() => socket.write(drop), 20);
  socket.on("close", () => clearInterval(timer));
};

it("the headers of the answer are kept without cookies, 1 kB at most", async () => {
  const server = await receiver();
  server.answer = (response) =>
    response.writeHead(200, { "x-long": "x".repeat(2_000), "set-cookie": "secret=1" }).end("ok");
  const { answerHeaders = "" } = await post(server.url);
  expect(answerHeaders).toMatch(/^x-long: x+$/);
  expect(answerHeaders).toHaveLength(1_024);
});

it("the body arrives byte for byte with its headers, by POST, on a connection of its own", async () => {
  const { url, received } = await receiver();
  const result = await post(`${url}?a=b#fragment`);
  expect(result).toMatchObject({ statusCode: 200, snippet: "ok", error: null });
  expect(received).toHaveLength(1);
  expect(received[0]?.body.equals(body)).toBe(true);
  expect(received[0]?.path).toBe("/hook?a=b");
  expect(received[0]?.headers).toMatchObject({
    "x-a": "b",
    "content-length": "10",
    connection: "close",
    host: new URL(url).host,
  });
});

describe("a 2xx delivers, whatever comes with it", () => {
  it.each([200, 201, 202, 204, 226, 299])("%i", async (statusCode) => {
    const server = await receiver();
    server.answer = (response) => response.writeHead(statusCode).end();
    expect(await post(server.url)).toMatchObject({ statusCode, snippet: "", error: null });
  });

  it("after 102 and 103", async () => {
    const url = await answering(
      "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n",
      "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
    );
    expect(await post(url)).toMatchObject({ statusCode: 200, error: null });
  });

  it("with an endless body: 64 KiB are read and 2 KiB kept", async () => {
    const server = await receiver();
    let sent = 0;
    server.answer = (response) => {
      const write = () => {
        while (!response.destroyed && sent < 50_000_000 && response.write("x".repeat(10_000))) sent += 10_000;
      };
      response.on("drain", write);
      write();
    };
    const result = await post(server.url);
    expect(result).toMatchObject({ statusCode: 200, error: null, snippet: "x".repeat(2_048) });
    expect(sent).toBeLessThan(20_000_000);
  });

  it("with a compressed body, which is not unpacked", async () => {
    const server = await receiver();
    server.answer = (response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(10_000_000)));
    const result = await post(server.url);
    expect(result.error).toBeNull();
    expect(Buffer.byteLength(result.snippet ?? "")).toBeLessThanOrEqual(2_048);
  });

  it("with NUL and invalid UTF-8 in it, which are cleaned", async () => {
    const server = await receiver();
    server.answer = (response) => response.end(Buffer.from([0x61, 0, 0xff, 0x62]));
    expect(await post(server.url)).toMatchObject({ error: null, snippet: "a\ufffdb" });
  });
});

describe("complete headers decide, whatever becomes of the body", () => {
  const part = (status: string, length = 100) => `HTTP/1.1 ${status}\r\ncontent-length: ${length}\r\n\r\n`;
  const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
  it.each<[string, (socket: Socket) => void, number, RegExp]>([
    ["it breaks off", (socket) => socket.end(`${part("200 OK")}half`), 200, /^half$/],
    ["it breaks off after a 500", (socket) => socket.end(`${part("500 No")}half`), 500, /^half$/],
    ["it never begins", (socket) => socket.write(part("200 OK")), 200, /^$/],
    ["it trickles", (socket) => trickle(socket, `${part("200 OK", 5_000)}a`, "x"), 200, /^ax+$/],
    ["it trickles after a 503", (socket) => trickle(socket, `${part("503 No", 5_000)}a`, "x"), 503, /^ax+$/],
    ["its chunks never end", (socket) => trickle(socket, CHUNKED, "1\r\nx\r\n"), 200, /^x+$/],
    ["it is no chunk", (socket) => socket.write(`${CHUNKED}what?\r\n`), 200, /^$/],
    ["the connection is reset", (socket) => reset(socket, `${part("200 OK")}half`), 200, /^half$/],
  ])("%s", async (_, onRequest, statusCode, snippet) => {
    const startMs = performance.now();
    const url = await rawServer((socket) => socket.once("data", () => onRequest(socket)));
    const error = statusCode === 200 ? null : "http_status";
    expect(await post(url, quick)).toMatchObject({
      statusCode,
      error,
      snippet: expect.stringMatching(snippet),
    });
    expect(performance.now() - startMs).toBeLessThan(PATIENCE_MS);
  });

  /** The earlier bytes have arrived by then. */
  function reset(socket: Socket, text: string): void {
    socket.write(text);
    setTimeout(() => socket.resetAndDestroy(), 50);
  }
});

describe("an answer that exceeds the limit ends at once", () => {
  /** Writes as fast as the other side reads. */
  const flood = (socket: Socket, start: string, more: string) => {
    const text = Buffer.from(more.repeat(Math.ceil(32_768 / more.length)));
    const write = () => {
      while (!socket.destroyed && socket.write(text));
    };
    socket.on("drain", write).write(start);
    write();
  };
  const CHUNK = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5;";
  it.each<[string, string, string, number | null]>([
    ["1xx for ever", "", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", null],
    ["a status line that never ends", "HTTP/1.1 200 ", "O", null],
    ["a header name that never ends", "HTTP/1.1 200 OK\r\n", "x", null],
    ["a chunk extension that never ends, behind a status that counts", CHUNK, "a", 200],
  ])("%s", async (_, start, more, statusCode) => {
    let socketBytes = 0;
    const url = await rawServer((socket) => {
      socket.on("close", () => (socketBytes = socket.bytesWritten));
      socket.once("data", () => flood(socket, start, more));
    });
    const result = await post(url);
    expect(result).toMatchObject({ statusCode, error: statusCode === null ? "response_too_large" : null });
    expect(result.durationMs).toBeLessThan(PATIENCE_MS / 2);
    await sleep(50);
    expect(socketBytes).toBeLessThan(20_000_000);
  });
});

describe("any other status is http_status", () => {
  it.each([300, 304, 400, 401, 404, 409, 410, 418, 429, 500, 502, 503, 504, 599, 999])(
    "%i",
    async (statusCode) => {
      const url = await answering(`HTTP/1.1 ${statusCode} Whatever\r\ncontent-length: 0\r\n\r\n`);
      expect(await post(url)).toMatchObject({ statusCode, error: "http_status" });
    },
  );

  it.each([301, 302, 303, 307, 308])("%i is not followed", async (statusCode) => {
    const [first, second] = [await receiver(), await receiver()];
    first.answer = (response) => response.writeHead(statusCode, { location: second.url }).end();
    expect(await post(first.url)).toMatchObject({ statusCode, error: "http_status" });
    await sleep(50);
    expect(second.received).toEqual([]);
  });
});

describe("no answer within the deadline is timeout, and the attempt ends there", () => {
  it.each<[string, (socket: Socket) => void]>([
    ["silence", () => {}],
    ["headers that trickle", (socket) => trickle(socket, "HTTP/1.1 200 OK\r\n", "x: y\r\n")],
    ["1xx for ever", (socket) => trickle(socket, "", "HTTP/1.1 102 Processing\r\n\r\n")],
  ])("%s", async (_, onConnection) => {
    const startMs = performance.now();
    const result = await post(await rawServer(onConnection), quick);
    expect(result).toMatchObject({ error: "timeout", statusCode: null });
    expect(performance.now() - startMs).toBeLessThan(PATIENCE_MS);
    expect(result.durationMs).toBeGreaterThanOrEqual(DEADLINE_MS - 5);
  });

  it("a name server that does not answer", async () => {
    const resolve = () => new Promise<never>(() => {});
    const result = await createPost(quick, { resolve, dial: dialSocket })({
      url: "http://example.com/",
      headers: {},
      body,
    });
    expect(result).toMatchObject({ error: "timeout", statusCode: null, snippet: null });
  });
});

describe("a broken exchange gives the merchant a code only", () => {
  const OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

  it("a closed port: connect_refused", async () => {
    const server = await startReceiver();
    await server.close();
    expect(await post(server.url)).toMatchObject({ error: "connect_refused", statusCode: null });
  });

  it("closed without an answer: reset", async () => {
    expect(await post(await rawServer((socket) => socket.once("data", () => socket.end())))).toMatchObject({
      error: "reset",
    });
  });

  it("RST after the request: reset", async () => {
    const url = await rawServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
    expect(await post(url)).toMatchObject({ error: "reset", statusCode: null });
  });

  it("not HTTP: invalid_response", async () => {
    expect(await post(await answering("SSH-2.0-OpenSSH_9.2\r\n"))).toMatchObject({
      error: "invalid_response",
    });
  });

  it.each([
    ["100", "100 Continue\r\n"],
    ["101", "101 Switching Protocols\r\n"],
    ["101 with its headers", "101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n"],
  ])("%s, which was not asked for: invalid_response, even before a 200", async (_, answer) => {
    const url = await answering(`HTTP/1.1 ${answer}\r\n`, OK);
    expect(await post(url)).toMatchObject({ error: "invalid_response", statusCode: null });
  });

  it("64 KiB of headers: response_too_large", async () => {
    const url = await answering("HTTP/1.1 200 OK\r\n", `x: ${"y".repeat(65_536)}\r\n\r\n`);
    expect(await post(url)).toMatchObject({ error: "response_too_large", statusCode: null });
  });

  it("TLS to a server without TLS: tls_error", async () => {
    const url = await answering("HTTP/1.1 400 Bad Request\r\n\r\n");
    expect(await post(url.replace("http:", "https:"))).toMatchObject({ error: "tls_error" });
  });

  it.each([undefined, "0"])(
    "an untrusted certificate: tls_error, and no byte of the request is sent (NODE_TLS_REJECT_UNAUTHORIZED=%s)",
    async (value) => {
      vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", value);
      let bytes = 0;
      const server = createTlsServer(SELF_SIGNED, (socket) =>
        socket.on("data", (data) => (bytes += data.length)),
      );
      server.on("tlsClientError", () => {});
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      cleanups.push(() => new Promise((resolve) => server.close(resolve)));
      const { port } = server.address() as { port: number };
      const access = { ...systemAccess, resolve: async () => ["127.0.0.1"] };
      const url = `https://receiver.example:${port}/`;
      expect(await createPost(patient, access)({ url, headers: {}, body })).toMatchObject({
        error: "tls_error",
      });
      expect(bytes).toBe(0);
    },
  );
});

it("a private target that is already in the database is blocked without a look-up or a dial", async () => {
  const strict = createOfflineContext({ WEBHOOK_ALLOW_TARGETS: "" });
  const never = async () => {
    throw new Error("reached the network");
  };
  const blocked = createPost(strict, { resolve: never, dial: never });
  for (const url of [
    "http://127.0.0.1/",
    "http://localhost/",
    "http://[::1]/",
    "http://169.254.169.254/",
    "no url",
  ])
    expect(await blocked({ url, headers: {}, body })).toMatchObject({
      error: "blocked_address",
      statusCode: null,
      snippet: null,
    });
});

it("no environment variable sends a request by another way", async () => {
  const proxy = await receiver();
  const server = await receiver();
  for (const name of ["http_proxy", "HTTP_PROXY", "ALL_PROXY"]) process.env[name] = proxy.url;
  cleanups.push(async () => {
    for (const name of ["http_proxy", "HTTP_PROXY", "ALL_PROXY"]) delete process.env[name];
  });
  await post(server.url);
  expect([server.received.length, proxy.received.length]).toEqual([1, 0]);
});

describe("requests with one key share kept connections", () => {
  const request = (url: string, key = "endpoint") => ({ url, headers: {}, body, key });
  const ANSWER = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

  /** A server that answers the requests of each connection as `onRequest` says; returns the number of its connections. */
  async function countingServer(onRequest: (socket: Socket, request: number, connection: number) => void) {
    let connections = 0;
    const url = await rawServer((socket) => {
      const connection = ++connections;
      let requests = 0;
      socket.on("data", () => onRequest(socket, ++requests, connection));
    });
    return { url, connections: () => connections };
  }

  it("one after the other on one connection, and at the same time on two", async () => {
    const { url, connections } = await countingServer((socket) => socket.write(ANSWER));
    const send = createPost(patient);
    for (let count = 0; count < 3; count++) expect(await send(request(url))).toMatchObject({ error: null });
    expect(connections()).toBe(1);
    await Promise.all([send(request(url)), send(request(url))]);
    expect(connections()).toBe(2);
    send.close();
  });

  it("another endpoint or another URL gets a connection of its own", async () => {
    const { url, connections } = await countingServer((socket) => socket.write(ANSWER));
    const send = createPost(patient);
    for (const sent of [request(url), request(url, "other"), request(`${url}other`)]) await send(sent);
    expect(connections()).toBe(3);
    send.close();
  });

  it("a kept connection that breaks before the first byte is replaced once, within the same attempt", async () => {
    const { url, connections } = await countingServer((socket, requests, connection) => {
      if (requests === 1 && connection < 3) socket.write(ANSWER);
      else socket.resetAndDestroy();
    });
    const send = createPost(patient);
    expect([await send(request(url)), connections()]).toMatchObject([{ error: null }, 1]);
    expect([await send(request(url)), connections()]).toMatchObject([{ error: null }, 2]);
    expect([await send(request(url)), connections()]).toMatchObject([{ error: "reset" }, 3]);
    send.close();
  });

  it("a kept connection that breaks within an answer is a failed attempt", async () => {
    const { url, connections } = await countingServer((socket, requests) =>
      requests === 1 ? socket.write(ANSWER) : socket.end("HTTP/1.1 2"),
    );
    const send = createPost(patient);
    await send(request(url));
    expect([await send(request(url)), connections()]).toMatchObject([{ error: "reset" }, 1]);
    send.close();
  });

  it("after 60 s the address is vetted anew: a name that has become private is blocked", async () => {
    const { url, connections } = await countingServer((socket) => socket.write(ANSWER));
    let ageMs = 0;
    let address = "127.0.0.1";
    const access = { ...systemAccess, resolve: async () => [address] };
    const clock = { ...patient.clock, monotonicMs: () => ageMs };
    const send = createPost({ ...patient, clock }, access);
    const named = request(url.replace("127.0.0.1", "receiver.example"));
    await send(named);
    address = "10.0.0.1";
    ageMs = 59_000;
    expect(await send(named)).toMatchObject({ error: null });
    ageMs = 61_000;
    expect([await send(named), connections()]).toMatchObject([{ error: "blocked_address" }, 1]);
    send.close();
  });

  it("the limit of an answer holds for each answer of a connection", async () => {
    const { url, connections } = await countingServer((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 50000\r\n\r\n${"x".repeat(50_000)}`),
    );
    const send = createPost(patient);
    for (let count = 0; count < 5; count++) expect(await send(request(url))).toMatchObject({ error: null });
    expect(connections()).toBe(1);
    send.close();
  });

  it("an answer that was not asked for closes the connection", async () => {
    const { url, connections } = await countingServer((socket) => socket.write(ANSWER + ANSWER));
    const send = createPost(patient);
    await send(request(url));
    await sleep(50);
    expect(await send(request(url))).toMatchObject({ error: null, snippet: "ok" });
    expect(connections()).toBe(2);
    send.close();
  });
});
