import { WebSocket } from "ws";

/** Who has not answered a ping when the next one is due is gone. */
const PING_EVERY_MS = 25_000;
/** Pings that are sent in one turn of the event loop. */
const PINGS_AT_ONCE = 200;

/** Pings these sockets as long as there are any, and ends those that do not answer. */
export function createPings(open: ReadonlySet<WebSocket>) {
  /** those who have not answered the last ping yet */
  const silent = new Set<WebSocket>();
  let timer: NodeJS.Timeout | undefined;

  function ping(socket: WebSocket): void {
    if (silent.has(socket)) socket.terminate();
    else if (socket.readyState === WebSocket.OPEN) {
      silent.add(socket);
      socket.ping();
    }
  }

  function pingAll(): void {
    const waiting = [...open];
    const pingSome = (): void => {
      for (const socket of waiting.splice(-PINGS_AT_ONCE)) ping(socket);
      if (waiting.length > 0) setImmediate(pingSome);
    };
    pingSome();
  }

  return {
    /** To be called for each that was opened. */
    opened(socket: WebSocket): void {
      timer ??= setInterval(pingAll, PING_EVERY_MS);
      socket.on("pong", () => silent.delete(socket));
    },
    /** To be called for each that is open no more. */
    closed(socket: WebSocket): void {
      silent.delete(socket);
      if (open.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}
