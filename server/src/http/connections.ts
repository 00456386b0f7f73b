import type { Socket } from "node:net";
import { openFilesLimit } from "../runtime/open-files.ts";
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
const DROPS_SAID_EVERY_MS = 60_000;

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
 * Closes each connection to this listener beyond so many as soon as it is made, whichever of its addresses it came to; counts
 * them all, and says it once a minute. When the app closes, those end at once on which no request is being answered.
 */
export function capConnections(
  app: ApiApp,
  { listener, most }: Cap,
  { log, metrics, clock }: Pick<Context, "log" | "metrics" | "clock">,
): void {
  const { httpConnections, httpConnectionsMax, httpConnectionsDropped } = metrics;
  const { server } = app;
  const open = new Set<Socket>();
  let dropped = 0;
  let saidMs = Number.NEGATIVE_INFINITY;
  httpConnectionsMax.set({ listener }, most);
  httpConnections.set({ listener }, 0);
  // The cheaper way to close one, where it comes to the server's own address.
  server.maxConnections = most;
  server.on("drop", drop);
  server.on("connection", (socket: Socket) => {
    if (open.size >= most) {
      socket.destroy();
      drop();
      return;
    }
    open.add(socket);
    httpConnections.set({ listener }, open.size);
    socket.once("close", () => {
      open.delete(socket);
      httpConnections.set({ listener }, open.size);
    });
  });
  app.addHook("preClose", async () => {
    for (const socket of open) if (!isAnswering(socket)) socket.destroy();
  });

  function drop(): void {
    httpConnectionsDropped.inc({ listener });
    dropped += 1;
    const nowMs = clock.monotonicMs();
    if (nowMs - saidMs < DROPS_SAID_EVERY_MS) return;
    log.warn({ listener, connections: most, dropped }, "connections are closed: there are as many as may be");
    saidMs = nowMs;
    dropped = 0;
  }
}

/**
 * Whether a request is being answered. Node keeps the answer that is under way here; one on which nothing was asked yet, or not
 * to the end of its headers, it does not count as idle and would wait for.
 */
function isAnswering(socket: Socket & { _httpMessage?: unknown }): boolean {
  return socket._httpMessage !== undefined && socket._httpMessage !== null;
}
