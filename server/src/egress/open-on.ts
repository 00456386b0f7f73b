import type { Socket } from "node:net";
import { type buildConnector, Client } from "undici";
import { EgressFailure } from "./guarded-dial.ts";

const MAX_HEADER_BYTES = 16 * 1024;

/**
 * A client that speaks HTTP over this socket and no other, and never reads more of it than so many bytes: the parser bounds
 * neither the status line nor what comes between two pieces of an answer. It waits for as long as its caller does.
 */
export function openOn(
  socket: Socket,
  { origin, maxAnswerBytes }: { readonly origin: string; readonly maxAnswerBytes: number },
): Client {
  return new Client(origin, {
    connect: connectOnce(socket, maxAnswerBytes),
    pipelining: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/**
 * Hands the client the socket that was dialled for it. A second one, which would be dialled unguarded, there is not.
 * The client expects the answer after this call has returned, never during it.
 */
function connectOnce(socket: Socket, maxAnswerBytes: number): buildConnector.connector {
  let isUsed = false;
  return (_options, callback) => {
    const isGone = isUsed || socket.destroyed;
    isUsed = true;
    queueMicrotask(() => {
      if (isGone) return callback(new EgressFailure("reset"), null);
      callback(null, socket);
      // After the client's own listeners: a reader that came first would take the news of the first bytes from them.
      socket.on("readable", () => cutOff(socket, maxAnswerBytes));
    });
  };
}

/** Ends a connection over which more came than an answer can need, whatever the parser has made of it so far. */
function cutOff(socket: Socket, maxAnswerBytes: number): void {
  if (socket.bytesRead > maxAnswerBytes) socket.destroy(new EgressFailure("response_too_large"));
}
