import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ApiApp } from "./api-app.ts";

/** Pipelined requests that may wait on a connection; real clients send a handful. */
const MAX_WAITING = 32;
/** Requests that one turn of the event loop begins: some milliseconds of work. */
const MAX_PER_TURN = 16;

/**
 * From now on one turn of the event loop begins at most 16 requests; others begin in the next turns, in
 * order. Node accepts one connection a turn. Without this bound a new connection waits until all open ones
 * are answered once.
 *
 * A request begins once all earlier answers of its connection are read by the client. Node parses all
 * requests of one read in one turn, some thousands in 64 kB. A connection with more than 32 waiting requests
 * ends.
 */
export function paceRequests(app: ApiApp): void {
  const pipelines = new WeakMap<Socket, Pipeline>();
  const beginInTurn = createTurns();
  const server: EventEmitter = app.server;
  const emit = server.emit.bind(server);
  server.emit = (event, ...args) => {
    if (event !== "request") return emit(event, ...args);
    const [{ socket }, response] = args as [IncomingMessage, ServerResponse];
    const pipeline = pipelines.get(socket) ?? createPipeline(beginInTurn);
    pipelines.set(socket, pipeline);
    if (pipeline.waiting.length >= MAX_WAITING) socket.destroy();
    if (socket.destroyed) return true;
    response.once("close", pipeline.onAnswered);
    pipeline.add(() => void (socket.destroyed || emit(event, ...args)));
    return true;
  };
}

type Begin = () => void;
/** The requests of a connection that wait for an earlier one. */
type Pipeline = { readonly waiting: Begin[]; add(begin: Begin): void; onAnswered(): void };

function createPipeline(beginInTurn: (begin: Begin) => void): Pipeline {
  const waiting: Begin[] = [];
  let isAnswering = false;
  return {
    waiting,
    add: (begin) => {
      if (isAnswering) waiting.push(begin);
      else beginInTurn(begin);
      isAnswering = true;
    },
    onAnswered: () => {
      const next = waiting.shift();
      if (next === undefined) isAnswering = false;
      else beginInTurn(next);
    },
  };
}

/** Runs at most 16 requests a turn. */
function createTurns(): (begin: Begin) => void {
  const later: Begin[] = [];
  let begun = 0;
  function nextTurn(): void {
    const now = later.splice(0, MAX_PER_TURN);
    begun = now.length;
    if (begun > 0) setImmediate(nextTurn);
    for (const begin of now) begin();
  }
  return (begin) => {
    if (begun === 0) setImmediate(nextTurn);
    begun += 1;
    if (begun <= MAX_PER_TURN) begin();
    else later.push(begin);
  };
}
