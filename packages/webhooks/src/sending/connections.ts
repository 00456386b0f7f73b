import type { Socket } from "node:net";
import { openOn } from "@daric/egress/open-on";
import type { Client } from "undici";
import type { Context } from "./context.ts";

/** A connection that the guard vetted when it was dialled. It carries one request at a time. */
export type VettedConnection = {
  readonly client: Client;
  readonly socket: Socket;
  /** path and query of the endpoint's URL */
  readonly path: string;
  readonly dialledMs: number;
  /** an earlier request was answered on it */
  isReused: boolean;
  /** the bytes read before the answer under way */
  readBefore: number;
};

/** The connections that wait for the next request to their endpoint. */
export type Connections = {
  open(socket: Socket, href: string): VettedConnection;
  /** Takes the newest one of this key that may still be used. */
  take(key: string): VettedConnection | undefined;
  /** Keeps one whose answer is complete, unless it is too old. */
  keep(key: string, connection: VettedConnection): void;
  /** Closes all that wait. */
  close(): void;
};

/** The age at which a connection is vetted anew, by another dial: the name may have another address by then. */
const MAX_AGE_MS = 60_000;
/** Less than the 5 s after which Node's own server closes an idle connection. */
const IDLE_MS = 4_000;
/** Waiting connections of a process; each is a socket and some kilobytes. */
const MAX_WAITING = 512;
/**
 * The most bytes of an answer: the parser limits neither the status line, nor 1xx answers, nor chunk
 * extensions.
 */
const MAX_ANSWER_BYTES = 128 * 1024;

export function createConnections(clock: Pick<Context["clock"], "monotonicMs">): Connections {
  /** by key; the longest unused key is first */
  const waiting = new Map<string, VettedConnection[]>();
  let count = 0;

  const isUsable = ({ socket, dialledMs }: VettedConnection) =>
    !socket.destroyed && clock.monotonicMs() - dialledMs < MAX_AGE_MS;

  function remove(key: string, connection: VettedConnection): void {
    const all = waiting.get(key);
    const index = all?.indexOf(connection) ?? -1;
    if (all === undefined || index === -1) return;
    all.splice(index, 1);
    count -= 1;
    if (all.length === 0) waiting.delete(key);
  }

  function closeOldest(): void {
    for (const [key, [oldest]] of waiting) {
      if (oldest === undefined) continue;
      remove(key, oldest);
      closeConnection(oldest);
      return;
    }
  }

  return {
    open: (socket, href) => openConnection(socket, href, clock.monotonicMs()),
    take: (key) => {
      for (;;) {
        const newest = waiting.get(key)?.at(-1);
        if (newest === undefined) return undefined;
        remove(key, newest);
        if (isUsable(newest)) return newest;
        closeConnection(newest);
      }
    },
    keep: (key, connection) => {
      if (!isUsable(connection)) return closeConnection(connection);
      if (!connection.isReused) connection.socket.once("close", () => remove(key, connection));
      connection.isReused = true;
      const all = waiting.get(key) ?? [];
      waiting.delete(key);
      waiting.set(key, all);
      all.push(connection);
      count += 1;
      if (count > MAX_WAITING) closeOldest();
    },
    close: () => {
      for (const all of [...waiting.values()]) for (const connection of [...all]) closeConnection(connection);
      waiting.clear();
      count = 0;
    },
  };
}

function openConnection(socket: Socket, href: string, dialledMs: number): VettedConnection {
  const url = new URL(href);
  const options = { origin: url.origin, maxAnswerBytes: MAX_ANSWER_BYTES, keepMs: IDLE_MS };
  const connection: VettedConnection = {
    client: openOn(socket, { ...options, readBefore: () => connection.readBefore }),
    socket,
    path: `${url.pathname}${url.search}`,
    dialledMs,
    isReused: false,
    readBefore: 0,
  };
  return connection;
}

export function closeConnection({ socket, client }: VettedConnection): void {
  socket.destroy();
  client.destroy().catch(() => {});
}
