import type { EventEmitter } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { throttle } from "../runtime/throttle.ts";
import type { ApiApp } from "./api-app.ts";
import type { Context } from "./context.ts";

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
