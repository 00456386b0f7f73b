import { lookup } from "node:dns/promises";
import type { EventEmitter } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server, Socket } from "node:net";
import { throttle } from "../runtime/throttle.ts";
import type { ApiApp } from "./api-app.ts";
import type { Context } from "./context.ts";

/** Connections that wait to be taken, so far as the system lets them: all pages come back at once where a network does. */
const BACKLOG = 4_096;

type ListenPlace = { readonly host: string; readonly port: number };

/** Where somebody listens; `closed` resolves when, the app being closed, the last request to any of its addresses is answered. */
type Listening = { readonly url: string; readonly closed: Promise<unknown> };

/**
 * Listens at every address of this host: `localhost` is 127.0.0.1 and ::1 on most machines, and callers try either. Whatever
 * the address, it is one listener, whose connections are counted, bounded in time and closed together. Answers the URL of the
 * first address; one of the others that this machine does not have is left out.
 *
 * @throws Error as Node has it when the first one cannot be listened on, or another program listens at one of the others.
 */
export async function listenAt(
  app: ApiApp,
  { host, port }: ListenPlace,
  addressesOf: (host: string) => Promise<readonly string[]> = lookUp,
): Promise<Listening> {
  const [first = host, ...others] = await addressesOf(host);
  const servers: Server[] = [];
  // No hook may be added once it listens.
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

/**
 * Listens at the first address of this place for a moment, so that a start that could not listen fails before it writes.
 *
 * @throws Error as Node has it when it cannot be listened on.
 */
export async function requireFree({ host, port }: ListenPlace): Promise<void> {
  const [first = host] = await lookUp(host);
  await new Promise<void>((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen({ host: first, port, exclusive: true }, () => server.close(() => resolve()));
  });
}

/** Any other name, and an address, is for the system to resolve as it does for every program. */
async function lookUp(host: string): Promise<readonly string[]> {
  if (host !== "localhost") return [host];
  return [...new Set((await lookup(host, { all: true })).map(({ address }) => address))];
}

/** Hands whoever comes to this address to the app, as if he had come to its own. */
async function openServer(app: ApiApp, place: ListenPlace): Promise<Server | undefined> {
  // What Node's HTTP server sets of a socket as it is made.
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

/** Unlike that of `events.once` it does not fail by an error, which is none of its end. */
function closeOf(server: Server): Promise<unknown> {
  return new Promise((resolve) => server.once("close", resolve));
}

/**
 * Of one that listens an error is a connection that it could not take, and without an ear for it the end of the process. It may
 * come again at once, for as long as the connection waits that the system does not hand over.
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

/** Does what a listener does, and ends the connection where it throws. */
type Guard = (socket: Socket, emit: () => boolean) => boolean;

/**
 * From now on what a listener of a connection throws ends that connection, and not the process with all the others: a listener
 * of the connection itself, of a request or an answer on it, or of the server for an event that names one of these. Every other
 * uncaught exception still ends the process, because what it left half done is unknown.
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
    const socket = args.map(socketOf).find((found) => found !== undefined);
    if (socket === undefined) return emit(event, ...args);
    for (const part of args) guardListeners(part, guard);
    return guard(socket, () => emit(event, ...args));
  };
}

function guardListeners(part: unknown, guard: Guard): void {
  const socket = socketOf(part);
  // A connection comes again where its request is read again (`routeUpgrades`).
  if (socket === undefined || Object.hasOwn(part as EventEmitter, "emit")) return;
  const emitter = part as EventEmitter;
  const emit = emitter.emit.bind(emitter);
  emitter.emit = (event, ...args) => guard(socket, () => emit(event, ...args));
}

/** The connection that this is, or that it is a request or an answer of. */
function socketOf(part: unknown): Socket | undefined {
  if (part instanceof Socket) return part;
  if (part instanceof IncomingMessage) return part.socket;
  return part instanceof ServerResponse ? part.req.socket : undefined;
}
