import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { openFilesLimit } from "../runtime/open-files.ts";
import { throttle } from "../runtime/throttle.ts";
import type { ApiApp } from "./api-app.ts";
import { createConnectionSlots } from "./connection-slots.ts";
import type { Context } from "./context.ts";
import { addressKey } from "./rate-limit.ts";
import { proxyMatcher } from "./trusted-proxy.ts";
import { endUnreadAnswers } from "./unread-answers.ts";

/**
 * How long a connection may take, in milliseconds, as Fastify takes it: what is late is seen at the next check, so headers
 * have 12 s at most and a whole request 32 s. Idle ones are kept longer than the 60 s of common load balancers, so that
 * these close them first.
 */
export const CONNECTION_TIMES = {
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
} as const;

/** Probes and scrapers: a handful of each. */
export const OPERATIONS_CONNECTIONS = 64;
const API_CONNECTIONS = 12_000;
/** What one address may have of them. */
const ADDRESS_SHARE = 1 / 8;
/** Files that a process needs beside the connections of the API: its own, PostgreSQL, nodes, webhooks, the operations port. */
const KEPT_FILES = 256;
/** What was sent before a stop and is not read yet is answered, if it is read within so long. */
const ON_ITS_WAY_MS = 250;

type Cap = {
  readonly listener: "api" | "operations";
  readonly most: number;
  /** of one address; as many as of all where it is not given */
  readonly perAddress?: number;
  /** whose connections are of many callers */
  readonly proxies?: readonly string[];
  /** how long an answer may wait without a byte of it being taken */
  readonly unreadMs?: number;
};

/**
 * How many connections the API takes: what is wanted, 12,000 unless it is said, as far as files may be open for it; without a limit
 * where none can be read.
 */
export function apiConnections(
  wanted = API_CONNECTIONS,
  openFiles = openFilesLimit() ?? Number.POSITIVE_INFINITY,
): {
  readonly most: number;
  readonly perAddress: number;
  readonly wanted: number;
  readonly openFiles: number;
} {
  const room = Math.max(Math.floor(openFiles / 4), openFiles - KEPT_FILES);
  const most = Math.min(wanted, room);
  return { most, perAddress: Math.ceil(most * ADDRESS_SHARE), wanted, openFiles };
}

/**
 * Lets this listener have so many connections at most, whichever of its addresses they come to, and so many from one address, but
 * for proxies. Beyond that the one that is needed least makes room ({@link createConnectionSlots}), and where none can the new one
 * is closed as soon as it is made. Counts them all, and says it once a minute. Ends those that do not read their answers. When the
 * app closes, those end a moment later on which no request is being answered.
 */
export function capConnections(
  app: ApiApp,
  { listener, most, perAddress = most, proxies = [], unreadMs }: Cap,
  context: Pick<Context, "log" | "metrics" | "clock">,
): void {
  const { httpConnections, httpConnectionsMax } = context.metrics;
  const countDrop = createDropCounter({ listener, most, perAddress }, context);
  const isProxy = proxyMatcher(proxies);
  const nowMs = context.clock.monotonicMs;
  const requests = new WeakMap<Socket, IncomingMessage>();
  const isWhole = (socket: Socket) => requests.get(socket)?.complete === true;
  const places = createConnectionSlots<Socket>({
    nowMs,
    most,
    perAddress,
    isProxy,
    isWhole,
    keyOf: addressKey,
  });
  const known = new WeakSet<Socket>();
  const count = () => httpConnections.set({ listener }, places.count());
  httpConnectionsMax.set({ listener }, most);
  count();

  app.server.on("connection", (socket: Socket) => {
    // It comes a second time where its request is read again (`routeUpgrades`).
    if (known.has(socket)) return;
    known.add(socket);
    const leaving = places.enter(socket, socket.remoteAddress ?? "");
    if (leaving !== undefined) countDrop();
    leaving?.destroy();
    socket.once("close", () => {
      places.leave(socket);
      count();
    });
    count();
  });
  app.server.on("request", (request: IncomingMessage, response) => {
    const { socket } = request;
    requests.set(socket, request);
    if (hasBody(request)) places.begin(socket);
    else places.keep(socket);
    response.once("close", () => {
      if (!isAnswering(socket)) places.rest(socket);
    });
  });
  const stopChecking = endUnreadAnswers(places, context.clock, unreadMs);
  app.addHook("onClose", async () => stopChecking());
  app.addHook("preClose", async () => {
    setTimeout(() => {
      for (const socket of places.all()) if (!isAnswering(socket)) socket.destroy();
    }, ON_ITS_WAY_MS).unref();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

/** Counts a connection that was closed for want of room. */
function createDropCounter(
  { listener, most, perAddress }: Cap,
  { log, metrics, clock }: Pick<Context, "log" | "metrics" | "clock">,
): () => void {
  const report = throttle(clock.monotonicMs, (dropped) => {
    const fields = { listener, connections: most, per_address: perAddress, dropped };
    log.warn(
      { event: "connection_limit_reached", ...fields },
      "connections are closed: the limit of the listener or of one address is reached",
    );
  });
  return () => {
    metrics.httpConnectionsDropped.inc({ listener });
    report();
  };
}

/**
 * Whether a request is being answered. Node keeps the answer that is under way here; one on which nothing was asked yet, or not
 * to the end of its headers, it does not count as idle and would wait for.
 */
export function isAnswering(socket: Socket & { _httpMessage?: unknown }): boolean {
  return socket._httpMessage !== undefined && socket._httpMessage !== null;
}
