import type { Socket } from "node:net";
import { openFilesLimit } from "../runtime/open-files.ts";
import { sayRarely } from "../runtime/say-rarely.ts";
import type { ApiApp } from "./api-app.ts";
import type { Context } from "./context.ts";

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
/** Files that a process needs beside the connections of the API: its own, PostgreSQL, nodes, webhooks, the operations port. */
const KEPT_FILES = 256;
/** What was sent before a stop and is not read yet is answered, if it is read within so long. */
const ON_ITS_WAY_MS = 250;

type Cap = {
  readonly listener: "api" | "operations";
  readonly most: number;
};

/**
 * How many connections the API takes: what is wanted, 12,000 unless it is said, as far as files may be open for it; without a limit
 * where none can be read.
 */
export function apiConnections(
  wanted = API_CONNECTIONS,
  openFiles = openFilesLimit() ?? Number.POSITIVE_INFINITY,
): { readonly most: number; readonly wanted: number; readonly openFiles: number } {
  const room = Math.max(Math.floor(openFiles / 4), openFiles - KEPT_FILES);
  return { most: Math.min(wanted, room), wanted, openFiles };
}

/**
 * Lets this listener have so many connections at most, whichever of its addresses they come to: one on which nothing was ever
 * asked makes room for who comes, that of the longest silence first, and where there is none the new one is closed as soon as
 * it is made. Counts them all, and says it once a minute. When the app closes, those end a moment later on which no request
 * is being answered.
 */
export function capConnections(
  app: ApiApp,
  { listener, most }: Cap,
  context: Pick<Context, "log" | "metrics" | "clock">,
): void {
  const { httpConnections, httpConnectionsMax } = context.metrics;
  const countDrop = createDropCounter({ listener, most }, context);
  const open = new Set<Socket>();
  /** in the order in which they came; those that have asked meanwhile are left out when it is looked */
  const silent = new Set<Socket>();
  httpConnectionsMax.set({ listener }, most);
  httpConnections.set({ listener }, 0);

  function keep(socket: Socket): void {
    open.add(socket);
    silent.add(socket);
    socket.once("close", () => forget(socket));
  }

  function forget(socket: Socket): void {
    silent.delete(socket);
    open.delete(socket);
    httpConnections.set({ listener }, open.size);
  }

  function makeRoom(): void {
    for (const socket of silent) {
      silent.delete(socket);
      if (socket.bytesRead > 0) continue;
      forget(socket);
      socket.destroy();
      return;
    }
  }

  app.server.on("connection", (socket: Socket) => {
    // It comes a second time where its request is read again (`serveWithoutUpgrade`).
    if (open.has(socket)) return;
    if (open.size >= most) {
      countDrop();
      makeRoom();
    }
    if (open.size >= most) socket.destroy();
    else keep(socket);
    httpConnections.set({ listener }, open.size);
  });
  app.addHook("preClose", async () => {
    setTimeout(() => {
      for (const socket of open) if (!isAnswering(socket)) socket.destroy();
    }, ON_ITS_WAY_MS).unref();
  });
}

/** Counts a connection that was closed for want of room. */
function createDropCounter(
  { listener, most }: Cap,
  { log, metrics, clock }: Pick<Context, "log" | "metrics" | "clock">,
): () => void {
  const say = sayRarely(clock.monotonicMs, (dropped) => {
    log.warn({ listener, connections: most, dropped }, "connections are closed: there are as many as may be");
  });
  return () => {
    metrics.httpConnectionsDropped.inc({ listener });
    say();
  };
}

/**
 * Whether a request is being answered. Node keeps the answer that is under way here; one on which nothing was asked yet, or not
 * to the end of its headers, it does not count as idle and would wait for.
 */
export function isAnswering(socket: Socket & { _httpMessage?: unknown }): boolean {
  return socket._httpMessage !== undefined && socket._httpMessage !== null;
}
