import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";

/** A page sends no data: its socket ends before this is reached. */
const MAX_INCOMING_BYTES = 1;
/** The most unread bytes of a page: some dozens of messages. */
const MAX_UNREAD_BYTES = 64 * 1_024;
/** Time to answer a close frame before the socket is cut off. */
const CLOSING_MS = 250;

/** The page reconnects elsewhere: RFC 6455's registry, "service restart". */
const SERVICE_RESTART = 1_012;
const POLICY = 1_008;

/** A page that receives changes. */
export type PageSocket = {
  push(message: string): void;
  /** Ends the socket for good. */
  refuse(): void;
};

/** Runs when a socket opens, and returns the handler of its close. */
type OnOpen = (page: PageSocket) => () => void;

/** The sockets that are open. */
export type Sockets = {
  /** Makes a socket of a connection that asks for one, or ends it and returns false. */
  open(
    upgrade: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
    onOpen: OnOpen,
  ): boolean;
  /** Asks every page to reconnect elsewhere, and resolves when all sockets have closed or were cut off. */
  close(): Promise<void>;
};

/**
 * Opens no port: the listener passes connections. `onCount` gets every change of the number of open sockets.
 */
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
 * Ends a socket at once if it sends unexpected frames or does not read. A normal close would read until the
 * other side agrees.
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

/** The cap that is reached, or the function that gives the slot back. */
type SocketSlot = { readonly isFull: "key" | "address" | "all" } | { readonly release: () => void };

type Caps = {
  readonly perKey: number;
  readonly perAddress: number;
  readonly inAll: number;
};

/** Counts sockets per key, per address and in all, and refuses those beyond the caps. */
export function createConnectionLimits(caps: Caps): (key: string, address: string) => SocketSlot {
  const socketsOfKey = new Map<string, number>();
  const socketsOfAddress = new Map<string, number>();
  let all = 0;

  return (key, address) => {
    if (all >= caps.inAll) return { isFull: "all" };
    if ((socketsOfKey.get(key) ?? 0) >= caps.perKey) return { isFull: "key" };
    if ((socketsOfAddress.get(address) ?? 0) >= caps.perAddress) return { isFull: "address" };
    add(socketsOfKey, key, 1);
    add(socketsOfAddress, address, 1);
    all += 1;
    return {
      release: () => {
        add(socketsOfKey, key, -1);
        add(socketsOfAddress, address, -1);
        all -= 1;
      },
    };
  };
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** A browser answers a ping every 25 s, and sends a close frame. */
const MAX_CONTROL_FRAMES = 20;
const WITHIN_MS = 25_000;
/** Lower opcodes are data, and a control frame has at most this payload (RFC 6455, 5.2 and 5.5). */
const FIRST_CONTROL_OPCODE = 8;
const MAX_CONTROL_FRAME_BYTES = 125;
const MASK_BYTES = 4;

/**
 * Parses the frame headers of a page. Returns for each chunk whether it is allowed: no data, not even its
 * beginning, and at most 20 control frames in 25 s.
 */
export function createFrameLimit(nowMs: () => number): (bytes: Uint8Array) => boolean {
  const timesMs: number[] = [];
  let isInHead = false;
  /** remaining payload bytes of the current frame */
  let left = 0;

  function countFrame(): boolean {
    const now = nowMs();
    timesMs.push(now);
    return timesMs.length <= MAX_CONTROL_FRAMES || now - (timesMs.shift() ?? now) >= WITHIN_MS;
  }

  function mayBegin(opcode: number): boolean {
    isInHead = true;
    return opcode >= FIRST_CONTROL_OPCODE && countFrame();
  }

  function mayBeLong(length: number): boolean {
    isInHead = false;
    left = MASK_BYTES + length;
    return length <= MAX_CONTROL_FRAME_BYTES;
  }

  return (bytes) => {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      const skipped = Math.min(left, bytes.length - at);
      if (skipped > 0) {
        left -= skipped;
        at += skipped - 1;
      } else if (!(isInHead ? mayBeLong(byte & 0x7f) : mayBegin(byte & 0x0f))) return false;
    }
    return true;
  };
}

/** A socket without a pong when the next ping is due is dead. */
const PING_EVERY_MS = 25_000;
/** Pings per turn of the event loop. */
const PINGS_AT_ONCE = 200;

/** Pings the sockets while any are open, and ends those that do not answer. */
function createPings(open: ReadonlySet<WebSocket>) {
  /** sockets without an answer to the last ping */
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
    /** Call for each opened socket. */
    opened(socket: WebSocket): void {
      timer ??= setInterval(pingAll, PING_EVERY_MS);
      socket.on("pong", () => silent.delete(socket));
    },
    /** Call for each closed socket. */
    closed(socket: WebSocket): void {
      silent.delete(socket);
      if (open.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}
