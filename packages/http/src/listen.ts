import { lookup } from "node:dns/promises";
import type { EventEmitter } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server, Socket } from "node:net";
import { hostname } from "node:os";
import { throttle } from "@daric/runtime/throttle";
import type { ApiApp } from "./api-app.ts";
import type { Context } from "./context.ts";

/** The queue for accepts, limited by the system: after a network outage all pages reconnect at once. */
const BACKLOG = 4_096;

type ListenPlace = { readonly host: string; readonly port: number };

/** `closed` resolves after the app closed and the last request to any of its addresses was answered. */
type Listening = { readonly url: string; readonly closed: Promise<unknown> };

/**
 * Listens at every address of the host: `localhost` is 127.0.0.1 and ::1 on most machines, and callers try
 * either. All addresses are one listener: its connections are counted, timed out and closed together.
 * Addresses that this machine does not have are skipped, except the first. Returns the URL of the first.
 *
 * @throws Error from Node if the first address cannot be used, or another program uses one of the others.
 */
export async function listenAt(
  app: ApiApp,
  { host, port }: ListenPlace,
  addressesOf: (host: string) => Promise<readonly string[]> = lookUp,
): Promise<Listening> {
  const [first = host, ...others] = await addressesOf(host);
  const servers: Server[] = [];
  // Fastify accepts no hook after listening.
  app.addHook("preClose", async () => {
    for (const server of servers) server.close();
  });
  const url = await app.listen({ host: first, port, backlog: BACKLOG });
  surviveFaults(app, app.server);
  const { port: listened } = app.server.address() as AddressInfo;
  for (const address of others) {
    const server = await openServer(app, { host: address, port: listened });
    if (server !== undefined) servers.push(server);
  }
  return { url, closed: Promise.all(servers.map(closeOf)) };
}

/** The name of this process in alerts and Health: its host, and the port at which this app listens. */
export function processNameOf({ server }: ApiApp): string {
  return `${hostname()}:${(server.address() as AddressInfo | null)?.port}`;
}

/**
 * Listens for a moment at the first address, so that a start fails before it writes.
 *
 * @throws Error from Node if the address cannot be used.
 */
export async function requireFree({ host, port }: ListenPlace): Promise<void> {
  const [first = host] = await lookUp(host);
  await new Promise<void>((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen({ host: first, port, exclusive: true }, () => server.close(() => resolve()));
  });
}

/** The system resolves any other name or address, as for every program. */
async function lookUp(host: string): Promise<readonly string[]> {
  if (host !== "localhost") return [host];
  return [...new Set((await lookup(host, { all: true })).map(({ address }) => address))];
}

/** Passes connections of this address to the app. */
async function openServer(app: ApiApp, place: ListenPlace): Promise<Server | undefined> {
  // The socket options of Node's HTTP server.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    app.server.emit("connection", socket),
  );
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      if ("code" in error && error.code === "EADDRINUSE") reject(error);
      else resolve(undefined);
    });
    server.listen({ ...place, backlog: BACKLOG }, () => {
      surviveFaults(app, server);
      resolve(server);
    });
  });
}

/** Unlike `events.once`, this does not reject on an error event, which does not end the server. */
function closeOf(server: Server): Promise<unknown> {
  return new Promise((resolve) => server.once("close", resolve));
}

/**
 * An error of a listening server is a connection that it could not accept; without a handler it ends the
 * process. It repeats while that connection waits in the system's queue.
 */
function surviveFaults({ log }: ApiApp, server: Server): void {
  const report = throttle<Error>(
    () => performance.now(),
    (faults, err) =>
      log.error(
        { event: "connection_not_accepted", err, faults },
        "a connection could not be accepted; new connections are still served",
      ),
  );
  server.on("error", report);
}

/** Runs a listener, and ends the connection if it throws. */
type Guard = (socket: Socket, emit: () => boolean) => boolean;

/**
 * From now on an error in a listener of a connection ends that connection, not the process. This covers
 * listeners of the socket, of its requests and answers, and of server events that name one of them. Every
 * other uncaught exception still ends the process, because its state is unknown.
 */
export function endFaultyConnections(app: ApiApp, { log, clock }: Pick<Context, "log" | "clock">): void {
  const report = throttle(clock.monotonicMs, (faults, err: unknown) => {
    log.error(
      { event: "connection_handler_failed", err, faults },
      "a connection was closed because its handler failed unexpectedly",
    );
  });
  const guard: Guard = (socket, emit) => {
    try {
      return emit();
    } catch (error) {
      report(error);
      socket.destroy();
      return true;
    }
  };
  const server: EventEmitter = app.server;
  const emit = server.emit.bind(server);
  server.emit = (event, ...args) => {
    const socket = args.map(socketOf).find((socket) => socket !== undefined);
    if (socket === undefined) return emit(event, ...args);
    for (const part of args) guardListeners(part, guard);
    return guard(socket, () => emit(event, ...args));
  };
}

function guardListeners(part: unknown, guard: Guard): void {
  const socket = socketOf(part);
  // A socket is passed again if its request is read again (`routeUpgrades`).
  if (socket === undefined || Object.hasOwn(part as EventEmitter, "emit")) return;
  const emitter = part as EventEmitter;
  const emit = emitter.emit.bind(emitter);
  emitter.emit = (event, ...args) => guard(socket, () => emit(event, ...args));
}

/** The connection of a socket, a request or an answer. */
function socketOf(part: unknown): Socket | undefined {
  if (part instanceof Socket) return part;
  if (part instanceof IncomingMessage) return part.socket;
  return part instanceof ServerResponse ? part.req.socket : undefined;
}
