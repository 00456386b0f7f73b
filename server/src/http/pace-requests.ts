import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ApiApp } from "./api-app.ts";

/** Requests that may wait for those before them on a connection: a client that sends ahead at all sends a handful. */
const MOST_WAITING = 32;
/** Requests that a turn of the event loop begins: some milliseconds of work. */
const MOST_A_TURN = 16;

/**
 * From now on a turn of the event loop begins at most 16 requests. The others begin in the next turns, in the order in which they
 * came. Node accepts one connection a turn: without this bound a new connection waits until all open ones were answered once.
 *
 * A request begins once all earlier ones of its connection are answered and their answers are taken. Node takes all requests of
 * one read in one turn, some thousands in 64 kB. More than 32 that wait end their connection.
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
    if (pipeline.waiting.length >= MOST_WAITING) socket.destroy();
    if (socket.destroyed) return true;
    response.once("close", pipeline.onAnswered);
    pipeline.add(() => void (socket.destroyed || emit(event, ...args)));
    return true;
  };
}

type Begin = () => void;
/** The requests of a connection that wait for the one before them. */
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

/** Makes what begins at most 16 requests a turn. */
function createTurns(): (begin: Begin) => void {
  const later: Begin[] = [];
  let begun = 0;
  function nextTurn(): void {
    const now = later.splice(0, MOST_A_TURN);
    begun = now.length;
    if (begun > 0) setImmediate(nextTurn);
    for (const begin of now) begin();
  }
  return (begin) => {
    if (begun === 0) setImmediate(nextTurn);
    begun += 1;
    if (begun <= MOST_A_TURN) begin();
    else later.push(begin);
  };
}
