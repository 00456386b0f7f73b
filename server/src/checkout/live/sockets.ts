import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";
import { createFrameLimit } from "./frames.ts";
import { createPings } from "./pings.ts";

/** A page has no data to send: its socket has ended before this is read. */
const MAX_INCOMING_BYTES = 1;
/** What may wait for a page that does not read: some dozens of messages. */
const MAX_UNREAD_BYTES = 64 * 1_024;
/** How long those who are told to go have to answer before they are cut off. */
const CLOSING_MS = 250;

/** The page comes back elsewhere: RFC 6455's registry, "service restart". */
const SERVICE_RESTART = 1_012;
const POLICY = 1_008;

/** One page that is told what changes. */
export type PageSocket = {
  push(message: string): void;
  /** Ends it: nothing will ever be told. */
  refuse(): void;
};

/** Is called as a socket opens, and answers what is to be done when it has closed. */
type OnOpen = (page: PageSocket) => () => void;

/** The sockets that are open. */
export type Sockets = {
  /** Makes a socket of a connection that asks for one, or ends it and answers false. */
  open(
    upgrade: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
    onOpen: OnOpen,
  ): boolean;
  /** Tells every page to come back elsewhere, and resolves when they have gone or were cut off. */
  close(): Promise<void>;
};

/** Opens no port: connections come from who listens. `onCount` is told how many are open whenever that changes. */
export function createSockets({ onCount }: { readonly onCount: (open: number) => void }): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MAX_INCOMING_BYTES,
    perMessageDeflate: false,
    autoPong: false,
  });
  const open = new Set<WebSocket>();
  const pings = createPings(open);
  let onEmpty: (() => void) | undefined;
  let isClosing = false;

  function add(socket: WebSocket, connection: Duplex, onOpen: OnOpen): void {
    open.add(socket);
    onCount(open.size);
    pings.opened(socket);
    const onClose = onOpen(pageOf(socket));
    limitIncoming(socket, connection);
    socket.once("close", () => {
      open.delete(socket);
      onCount(open.size);
      pings.closed(socket);
      onClose();
      if (open.size === 0) onEmpty?.();
    });
  }

  return {
    open({ request, socket, head }, onOpen) {
      let isOpen = false;
      if (isClosing) socket.destroy();
      else
        server.handleUpgrade(request, socket, head, (made) => {
          isOpen = true;
          add(made, socket, onOpen);
        });
      return isOpen;
    },
    async close() {
      isClosing = true;
      if (open.size === 0) return;
      const emptied = new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      for (const socket of open) socket.close(SERVICE_RESTART);
      const cut = setTimeout(() => {
        for (const socket of open) socket.terminate();
      }, CLOSING_MS);
      await emptied;
      clearTimeout(cut);
    },
  };
}

/**
 * Ends a socket that sends what a page does not, or does not read what it asked for, at once: one that is told to close is read
 * on until its other side agrees.
 */
function limitIncoming(socket: WebSocket, connection: Duplex): void {
  const allows = createFrameLimit(() => performance.now());
  connection.prependListener("data", (bytes: Buffer) => {
    if (!allows(bytes)) socket.terminate();
  });
  socket.on("ping", (bytes) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
    else socket.pong(bytes);
  });
  socket.on("error", () => socket.terminate());
}

function pageOf(socket: WebSocket): PageSocket {
  return {
    push(message) {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
      else socket.send(message);
    },
    refuse: () => socket.close(POLICY),
  };
}
