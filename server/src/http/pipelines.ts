import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ApiApp } from "./api-app.ts";

/** Requests of one connection that wait for an answer: a client that sends ahead at all sends a handful. */
const MOST_WAITING = 32;

/**
 * From now on a connection ends when more than 32 of its requests wait for an answer, and what came behind them is dropped. Node
 * takes all requests of one read before any other connection has its turn, some thousands in 64 kB, and keeps each answer that
 * is not read.
 */
export function endLongPipelines(app: ApiApp): void {
  const waiting = new WeakMap<Socket, number>();
  const countOf = (socket: Socket): number => waiting.get(socket) ?? 0;
  const server: EventEmitter = app.server;
  const emit = server.emit.bind(server);
  server.emit = (event, ...args) => {
    if (event !== "request") return emit(event, ...args);
    const [{ socket }, response] = args as [IncomingMessage, ServerResponse];
    if (countOf(socket) >= MOST_WAITING) socket.destroy();
    if (socket.destroyed) return true;
    waiting.set(socket, countOf(socket) + 1);
    response.once("close", () => waiting.set(socket, countOf(socket) - 1));
    return emit(event, ...args);
  };
}
