import { once } from "node:events";
import { type AddressInfo, connect, createServer as createTcpServer, Server, type Socket } from "node:net";
import { systemClock } from "@daric/runtime/clock";
import { createLogger } from "@daric/runtime/logger";
import { createManualClock, createOfflineContext } from "@daric/testing/offline-context";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ApiApp } from "./api-app.ts";
import { capConnections } from "./connections.ts";
import { listenAt } from "./listen.ts";
import { createOperationsApp } from "./operations.ts";
import { createServer } from "./server.ts";

const lines: string[] = [];
const log = createLogger({
  level: "warn",
  role: "test",
  destination: { write: (line) => void lines.push(line) },
});
const clock = createManualClock();
const context = createOfflineContext({}, { log, clock });
const sockets: Socket[] = [];
let answerSlow = (): void => {};
const slow = new Promise<object>((resolve) => {
  answerSlow = () => resolve({});
});
let app: ApiApp;
let operations: ApiApp;

beforeAll(async () => {
  app = createServer(context);
  capConnections(app, { listener: "api", max: 2 }, context);
  app.get("/slow", () => slow);
  operations = createOperationsApp(context);
  const everyAddress = async () => ["127.0.0.1", "127.0.0.2", "127.0.0.3"];
  for (const server of [app, operations])
    await listenAt(server, { host: "localhost", port: 0 }, everyAddress);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of [app, operations]) await server.close();
});

async function open(host = "127.0.0.1"): Promise<Socket> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ host, port });
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}

/** Opens a connection with a request that `answerSlow` answers. */
async function sendSlowly(host?: string): Promise<Socket> {
  const [socket, came] = [await open(host), once(app.server, "request")];
  socket.write("GET /slow HTTP/1.1\r\nhost: a\r\n\r\n");
  await came;
  return socket;
}

/** The lines of /metrics with these names. */
async function metricsOf(names: RegExp): Promise<string[]> {
  const { port } = operations.server.address() as AddressInfo;
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return text.split("\n").filter((line) => names.test(line));
}

/** Opens a connection and sends a request. */
async function send(host?: string): Promise<Socket> {
  const socket = await open(host);
  socket.write("GET /nothing HTTP/1.1\r\nhost: a\r\n\r\n");
  await once(socket, "data");
  return socket;
}

it("a connection beyond the cap is closed, counted and logged once a minute, and uses no slot of /metrics", async () => {
  const answers = [await sendSlowly(), await sendSlowly("127.0.0.2")];
  for (const host of ["127.0.0.1", "127.0.0.3"]) await once(await open(host), "close");
  expect(await metricsOf(/^daric_http_connections/)).toEqual([
    'daric_http_connections{listener="api"} 2',
    'daric_http_connections{listener="operations"} 1',
    'daric_http_connections_max{listener="api"} 2',
    'daric_http_connections_max{listener="operations"} 64',
    'daric_http_connections_dropped_total{listener="api"} 2',
  ]);
  clock.advance(60_000);
  await once(await open(), "close");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", listener: "api", connections: 2, dropped: 1 },
    { level: "warn", listener: "api", connections: 2, dropped: 2 },
  ]);

  answerSlow();
  await Promise.all(answers.map((socket) => once(socket, "data")));
  answers[0]?.destroy();
  await expect
    .poll(() => metricsOf(/^daric_http_connections\{listener="api"/))
    .toEqual(['daric_http_connections{listener="api"} 1']);
  const { port } = app.server.address() as AddressInfo;
  const headers = { connection: "close" };
  expect((await fetch(`http://127.0.0.3:${port}/nothing`, { headers })).status).toBe(404);
  expect(await metricsOf(/^daric_http_refusals.* [^0]/)).toEqual([
    'daric_http_refusals_total{code="NOT_FOUND"} 1',
  ]);
});

it("silent connections never block a request: the longest silent one is closed", async () => {
  const silent: Socket[] = [];
  for (let made = 0; made < 9; made += 1) {
    silent.push(await open());
    clock.advance(1_000);
  }
  const requested = await send();
  await expect.poll(() => silent.filter(({ closed }) => closed).length).toBe(9);
  expect(requested.closed).toBe(false);
});

it("after the listener closes, requests are answered and all other connections end, at every address", async () => {
  const closing = createServer(context);
  capConnections(closing, { listener: "api", max: 9 }, context);
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  closing.get("/slow", async () => {
    await answered;
    return "done";
  });
  const hosts = ["127.0.0.1", "127.0.0.2"];
  const { closed } = await listenAt(closing, { host: "localhost", port: 0 }, async () => hosts);
  const { port } = closing.server.address() as AddressInfo;
  const slow = hosts.map((host) => fetch(`http://${host}:${port}/slow`).then((reply) => reply.text()));
  const silent = await Promise.all(
    hosts.map(async (host, index) => {
      const socket = connect({ host, port });
      await once(socket, "connect");
      if (index === 1) socket.write("GET /slow HTTP/1.1\r\nhost:");
      return socket;
    }),
  );
  await expect
    .poll(() => metricsOf(/^daric_http_connections\{listener="api"/))
    .toEqual(['daric_http_connections{listener="api"} 4']);
  const ends = silent.map(
    (socket) => new Promise((resolve) => socket.on("error", () => {}).once("close", resolve)),
  );
  const stopping = Promise.all([closing.close(), closed]);
  await Promise.all(ends);
  answer();
  expect(await Promise.all(slow)).toEqual(["done", "done"]);
  await stopping;
  await expect(once(connect({ host: "127.0.0.2", port }), "connect")).rejects.toMatchObject({
    code: "ECONNREFUSED",
  });
});

it("an address at which another program listens is an error", async () => {
  const other = createTcpServer().listen({ host: "127.0.0.2", port: 0 });
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const refused = createServer(context);
  const listening = listenAt(refused, { host: "localhost", port }, async () => ["127.0.0.1", "127.0.0.2"]);
  await expect(listening).rejects.toMatchObject({ code: "EADDRINUSE" });
  await refused.close();
  other.close();
});

it("a connection that an address cannot accept is logged once a minute, and ends nothing", async () => {
  const { port } = operations.server.address() as AddressInfo;
  const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles();
  const servers = handles.filter((handle) => handle instanceof Server && portOf(handle) === port) as Server[];
  expect(servers).toHaveLength(3);
  lines.length = 0;
  for (const server of [...servers, ...servers]) server.emit("error", new Error("accept ENOBUFS"));
  expect(lines.filter((line) => line.includes("accept ENOBUFS"))).toHaveLength(3);
  for (const host of ["127.0.0.1", "127.0.0.2", "127.0.0.3"])
    expect((await fetch(`http://${host}:${port}/healthz`)).status).toBe(200);
});

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === "object" ? address?.port : undefined;
}

it("an answer that is not read in time ends its connection, whatever the client sends meanwhile", async () => {
  const unread = createServer(context);
  const realTime = { ...context, clock: systemClock };
  capConnections(unread, { listener: "api", max: 9, unreadMs: 1_000 }, realTime);
  unread.get("/large", async () => ({ text: "x".repeat(20_000_000) }));
  await unread.listen({ host: "127.0.0.1", port: 0 });
  const { port } = unread.server.address() as AddressInfo;
  const send = () => {
    const socket = connect({ host: "127.0.0.1", port }).on("error", () => {});
    socket.write("GET /large HTTP/1.1\r\nhost: a\r\n\r\n");
    return socket;
  };
  const accepted = once(unread.server, "connection");
  const deaf = send().pause();
  const [connection] = (await accepted) as [Socket];
  const dripping = setInterval(() => deaf.write("G"), 100);
  const ended = once(connection, "close");

  // A client that reads now and then has as long as it needs.
  const slowly = send();
  let [taken, pieces] = [0, 0];
  for await (const piece of slowly) {
    taken += (piece as Buffer).length;
    pieces += 1;
    if (pieces % 40 === 0) await new Promise((resolve) => setTimeout(resolve, 300));
    if (taken > 20_000_000) break;
  }
  await ended;
  clearInterval(dripping);
  for (const socket of [deaf, slowly]) socket.destroy();
  expect(taken).toBeGreaterThan(20_000_000);
  await unread.close();
});
