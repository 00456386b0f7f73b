import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../runtime/clock.ts";
import { throttle } from "../runtime/throttle.ts";
import type { ApiApp } from "./api-app.ts";
import { type ConnectionSlots, createConnectionSlots } from "./connection-slots.ts";
import type { Context } from "./context.ts";
import { addressKey } from "./rate-limit.ts";
import { proxyMatcher } from "./trusted-proxy.ts";

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
  const slots = createConnectionSlots<Socket>({
    nowMs,
    most,
    perAddress,
    isProxy,
    isWhole,
    keyOf: addressKey,
  });
  const known = new WeakSet<Socket>();
  const count = () => httpConnections.set({ listener }, slots.count());
  httpConnectionsMax.set({ listener }, most);
  count();

  app.server.on("connection", (socket: Socket) => {
    // It comes a second time where its request is read again (`routeUpgrades`).
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

/** How long an answer may wait without a byte of it being taken. */
const UNREAD_MS = 30_000;
/** How often that is looked at, as a share of it. */
const READS = 30;
/** So many looks at which nothing was taken make an answer one that is not read. */
const UNREAD_LOOKS = 2;
/** How long something may wait to be taken without a pause, as a multiple of it: a byte now and then keeps no connection. */
const SLOW = 2;

/**
 * Ends the connections on which nothing of what is to be sent was taken for 30 s, or not all of it within 60 s. Node has no time for that which what comes
 * in would not begin anew. Those of which nothing was taken for 2 s are told to `slots`. Answers how to stop looking.
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
    reportUnread(socket, bytes > 0 && nowMs - sinceMs >= (UNREAD_LOOKS * unreadMs) / READS);
    if (bytes === 0) waiting.delete(socket);
    else if (nowMs - sinceMs >= unreadMs || nowMs - begunMs >= SLOW * unreadMs) socket.destroy();
    else waiting.set(socket, { bytes, sinceMs, begunMs });
  }

  const timer = setInterval(() => open().forEach(check), unreadMs / READS).unref();
  return () => clearInterval(timer);
}

/** What Node keeps of what is to be sent, with what it gave to the system in one piece, of which the system takes some at a time. */
function unreadBytes(socket: Socket & { _handle?: { writeQueueSize?: number } | null }): number {
  return socket.writableLength + (socket._handle?.writeQueueSize ?? 0);
}

/**
 * How many files this process may have open (`ulimit -n`), which Node has raised as far as it may by then; the largest exact
 * number where there is no limit. Undefined where the system does not say: Linux does, in /proc.
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
