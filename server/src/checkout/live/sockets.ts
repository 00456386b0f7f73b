import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";

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

/** Why there is no place, or how to give back the one that was taken. */
type SocketSlot = { readonly isFull: "token" | "address" | "all" } | { readonly release: () => void };

type Caps = {
  readonly perToken: number;
  readonly perAddress: number;
  readonly inAll: number;
};

/** How many sockets there are of each token, from each address and in all; none is taken beyond the caps. */
export function createConnectionLimits(caps: Caps): (token: string, address: string) => SocketSlot {
  const ofToken = new Map<string, number>();
  const ofAddress = new Map<string, number>();
  let all = 0;

  return (token, address) => {
    if (all >= caps.inAll) return { isFull: "all" };
    if ((ofToken.get(token) ?? 0) >= caps.perToken) return { isFull: "token" };
    if ((ofAddress.get(address) ?? 0) >= caps.perAddress) return { isFull: "address" };
    add(ofToken, token, 1);
    add(ofAddress, address, 1);
    all += 1;
    return {
      release: () => {
        add(ofToken, token, -1);
        add(ofAddress, address, -1);
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

/** A browser answers a ping every 25 s, and says when it goes. */
const MOST_CONTROL_FRAMES = 20;
const WITHIN_MS = 25_000;
/** Opcodes below it are of data, and a control frame has at most so many bytes of its own (RFC 6455, 5.2 and 5.5). */
const FIRST_CONTROL_OPCODE = 8;
const LONGEST_CONTROL_FRAME = 125;
const MASK_BYTES = 4;

/**
 * Reads the heads of the frames that a page sends, and answers of each piece of them whether a page may send it: no data, not
 * even the beginning of it, and at most 20 control frames in 25 s.
 */
export function createFrameLimit(nowMs: () => number): (bytes: Uint8Array) => boolean {
  const timesMs: number[] = [];
  let isInHead = false;
  /** bytes of a frame that still come, behind its head */
  let left = 0;

  function countFrame(): boolean {
    const now = nowMs();
    timesMs.push(now);
    return timesMs.length <= MOST_CONTROL_FRAMES || now - (timesMs.shift() ?? now) >= WITHIN_MS;
  }

  function mayBegin(opcode: number): boolean {
    isInHead = true;
    return opcode >= FIRST_CONTROL_OPCODE && countFrame();
  }

  function mayBeLong(length: number): boolean {
    isInHead = false;
    left = MASK_BYTES + length;
    return length <= LONGEST_CONTROL_FRAME;
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

/** Who has not answered a ping when the next one is due is gone. */
const PING_EVERY_MS = 25_000;
/** Pings that are sent in one turn of the event loop. */
const PINGS_AT_ONCE = 200;

/** Pings these sockets as long as there are any, and ends those that do not answer. */
function createPings(open: ReadonlySet<WebSocket>) {
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
