import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "@daric/runtime/clock";
import { throttle } from "@daric/runtime/throttle";
import type { ApiApp } from "./api-app.ts";
import { type ConnectionSlots, createConnectionSlots } from "./connection-slots.ts";
import type { Context } from "./context.ts";
import { addressKey } from "./rate-limit.ts";
import { proxyMatcher } from "./trusted-proxy.ts";

/**
 * Time limits of a connection, in milliseconds. Fastify checks them at intervals, so headers have 12 s at
 * most and a whole request 32 s. Idle connections outlive the 60 s of common load balancers, so that these
 * close them first.
 */
export const CONNECTION_TIMES = {
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
} as const;

/** Enough for a handful of probes and scrapers. */
export const OPERATIONS_CONNECTIONS = 64;
const API_CONNECTIONS = 12_000;
/** The share of all connections that one address may have. */
const ADDRESS_SHARE = 1 / 8;
/**
 * Open files for other purposes than connections of the API: the process, PostgreSQL, nodes, webhooks, the operations
 * port.
 */
const KEPT_FILES = 256;
/** Time for the system to read and answer requests that were sent before a stop. */
const ON_ITS_WAY_MS = 250;

type Cap = {
  readonly listener: "api" | "operations";
  readonly max: number;
  /** limit of one address; default: no separate limit */
  readonly perAddress?: number;
  /** addresses whose connections come from many callers */
  readonly proxies?: readonly string[];
  /** how long an answer may wait without progress */
  readonly unreadMs?: number;
};

/**
 * The connection limit of the API: the setting, default 12,000, as far as the limit of open files leaves
 * room. Where that limit cannot be read, it is ignored.
 */
export function apiConnections(
  wanted = API_CONNECTIONS,
  openFiles = openFilesLimit() ?? Number.POSITIVE_INFINITY,
): {
  readonly max: number;
  readonly perAddress: number;
  readonly wanted: number;
  readonly openFiles: number;
} {
  const room = Math.max(Math.floor(openFiles / 4), openFiles - KEPT_FILES);
  const max = Math.min(wanted, room);
  return { max, perAddress: Math.ceil(max * ADDRESS_SHARE), wanted, openFiles };
}

/**
 * Limits the connections of this listener over all its addresses, and for each address except proxies. At the
 * limit one is closed ({@link createConnectionSlots}); if none can be, the new one is. Counts connections and
 * logs closed ones once a minute. Ends connections that do not read their answers. When the app closes, idle
 * connections end a moment later.
 */
export function capConnections(
  app: ApiApp,
  { listener, max, perAddress = max, proxies = [], unreadMs }: Cap,
  context: Pick<Context, "log" | "metrics" | "clock">,
): void {
  const { httpConnections, httpConnectionsMax } = context.metrics;
  const countDrop = createDropCounter({ listener, max, perAddress }, context);
  const isProxy = proxyMatcher(proxies);
  const nowMs = context.clock.monotonicMs;
  const requests = new WeakMap<Socket, IncomingMessage>();
  const isWhole = (socket: Socket) => requests.get(socket)?.complete === true;
  const slots = createConnectionSlots<Socket>({
    nowMs,
    max,
    perAddress,
    isProxy,
    isWhole,
    keyOf: addressKey,
  });
  const known = new WeakSet<Socket>();
  const count = () => httpConnections.set({ listener }, slots.count());
  httpConnectionsMax.set({ listener }, max);
  count();

  app.server.on("connection", (socket: Socket) => {
    // A socket is passed a second time if its request is read again (`routeUpgrades`).
    if (known.has(socket)) return;
    known.add(socket);
    const leaving = slots.enter(socket, socket.remoteAddress ?? "");
    if (leaving !== undefined) countDrop();
    leaving?.destroy();
    socket.once("close", () => {
      slots.leave(socket);
      count();
    });
    count();
  });
  app.server.on("request", (request: IncomingMessage, response) => {
    const { socket } = request;
    requests.set(socket, request);
    if (hasBody(request)) slots.begin(socket);
    else slots.keep(socket);
    response.once("close", () => {
      if (!isAnswering(socket)) slots.rest(socket);
    });
  });
  const stopChecking = endUnreadAnswers(slots, context.clock, unreadMs);
  app.addHook("onClose", async () => stopChecking());
  app.addHook("preClose", async () => {
    setTimeout(() => {
      for (const socket of slots.all()) if (!isAnswering(socket)) socket.destroy();
    }, ON_ITS_WAY_MS).unref();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

/** Counts connections that are closed for lack of room. */
function createDropCounter(
  { listener, max, perAddress }: Cap,
  { log, metrics, clock }: Pick<Context, "log" | "metrics" | "clock">,
): () => void {
  const report = throttle(clock.monotonicMs, (dropped) => {
    const fields = { listener, connections: max, per_address: perAddress, dropped };
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
 * Whether a request is being answered. Node keeps the current answer here. Node does not count a connection
 * without a complete first header as idle, and would wait for it.
 */
export function isAnswering(socket: Socket & { _httpMessage?: unknown }): boolean {
  return socket._httpMessage !== undefined && socket._httpMessage !== null;
}

/** How long an answer may wait without progress. */
const UNREAD_MS = 30_000;
/** The number of checks in that time. */
const CHECKS = 30;
/** An answer without progress at this number of checks is unread. */
const UNREAD_CHECKS = 2;
/** The longest time to read an answer, as a multiple of that time. So one byte now and then keeps no connection. */
const SLOW = 2;

/**
 * Ends connections without progress for 30 s, or with unread bytes after 60 s. No timeout of Node does this, because
 * incoming data restarts them all. Reports answers without progress for 2 s to `slots`. Returns a function that stops
 * the checks.
 */
export function endUnreadAnswers(
  { all: open, reportUnread }: Pick<ConnectionSlots<Socket>, "all" | "reportUnread">,
  clock: Clock,
  unreadMs: number = UNREAD_MS,
): () => void {
  type Waiting = { readonly bytes: number; readonly sinceMs: number; readonly begunMs: number };
  const waiting = new WeakMap<Socket, Waiting>();

  function check(socket: Socket): void {
    const bytes = unreadBytes(socket);
    const before = waiting.get(socket);
    const nowMs = clock.monotonicMs();
    const { begunMs = nowMs } = before ?? {};
    const sinceMs = before?.bytes === bytes ? before.sinceMs : nowMs;
    reportUnread(socket, bytes > 0 && nowMs - sinceMs >= (UNREAD_CHECKS * unreadMs) / CHECKS);
    if (bytes === 0) waiting.delete(socket);
    else if (nowMs - sinceMs >= unreadMs || nowMs - begunMs >= SLOW * unreadMs) socket.destroy();
    else waiting.set(socket, { bytes, sinceMs, begunMs });
  }

  const timer = setInterval(() => open().forEach(check), unreadMs / CHECKS).unref();
  return () => clearInterval(timer);
}

/** The bytes to send in Node's buffer and in the system's, which takes them in parts. */
function unreadBytes(socket: Socket & { _handle?: { writeQueueSize?: number } | null }): number {
  return socket.writableLength + (socket._handle?.writeQueueSize ?? 0);
}

/**
 * The limit of open files (`ulimit -n`), which Node raised to the hard limit. MAX_SAFE_INTEGER means no
 * limit; undefined if /proc has none, as outside Linux.
 */
function openFilesLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files {1,99}(\S+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    if (soft === "unlimited") return Number.MAX_SAFE_INTEGER;
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
