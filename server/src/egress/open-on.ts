import type { Socket } from "node:net";
import { type buildConnector, Client } from "undici";
import { EgressFailure } from "./guarded-dial.ts";

const MAX_HEADER_BYTES = 16 * 1024;

/**
 * An HTTP client over this one socket, which reads at most so many bytes: the parser limits neither the
 * status line nor chunk extensions. The caller sets the deadline.
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
 * Gives the client its dialled socket, and refuses a second one, which would be unguarded. The client expects
 * the callback after this call has returned.
 */
function connectOnce(socket: Socket, maxAnswerBytes: number): buildConnector.connector {
  let isUsed = false;
  return (_options, callback) => {
    const isGone = isUsed || socket.destroyed;
    isUsed = true;
    queueMicrotask(() => {
      if (isGone) return callback(new EgressFailure("reset"), null);
      callback(null, socket);
      // Registered after the client's own listeners: an earlier reader would take their first event.
      socket.on("readable", () => cutOff(socket, maxAnswerBytes));
    });
  };
}

/** Ends a connection with more bytes than an answer can need. */
function cutOff(socket: Socket, maxAnswerBytes: number): void {
  if (socket.bytesRead > maxAnswerBytes) socket.destroy(new EgressFailure("response_too_large"));
}
