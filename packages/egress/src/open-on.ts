import type { Socket } from "node:net";
import { type buildConnector, Client } from "undici";
import { EgressFailure } from "./guarded-dial.ts";

const MAX_HEADER_BYTES = 16 * 1024;

export type OpenOptions = {
  readonly origin: string;
  readonly maxAnswerBytes: number;
  /** how long the connection may wait for its next request; without it there is one request */
  readonly keepMs?: number;
  /** the number of bytes that were read before the current answer */
  readonly readBefore?: () => number;
};

/**
 * An HTTP client over this one socket. It bounds the bytes read of an answer, because the parser limits neither the
 * status line nor chunk extensions. The caller sets the deadline.
 */
export function openOn(socket: Socket, options: OpenOptions): Client {
  const { origin, keepMs } = options;
  const kept = keepMs === undefined ? {} : { keepAliveTimeout: keepMs, keepAliveMaxTimeout: keepMs };
  return new Client(origin, {
    connect: connectOnce(socket, options),
    pipelining: keepMs === undefined ? 0 : 1,
    ...kept,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/**
 * Gives the client its dialled socket, and refuses a second one, which would be unguarded. The client expects
 * the callback after this call has returned.
 */
function connectOnce(
  socket: Socket,
  { maxAnswerBytes, readBefore = () => 0 }: OpenOptions,
): buildConnector.connector {
  let isUsed = false;
  return (_options, callback) => {
    const isGone = isUsed || socket.destroyed;
    isUsed = true;
    queueMicrotask(() => {
      if (isGone) return callback(new EgressFailure("reset"), null);
      callback(null, socket);
      // Registered after the client's own listeners: an earlier reader would take their first event.
      socket.on("readable", () => {
        if (socket.bytesRead - readBefore() > maxAnswerBytes)
          socket.destroy(new EgressFailure("response_too_large"));
      });
    });
  };
}
