import { once } from "node:events";
import { connect, type Socket } from "node:net";

export type Request = {
  readonly bytes: Buffer;
  /** the expected status; any other ends the bench, because a fast refusal is no success */
  readonly expected: number;
  readonly onAnswer?: (body: string) => void;
};

/** The end of a run: after this many operations or seconds. */
export type Extent = { readonly count: number } | { readonly seconds: number };

/** The finished operations, and the time until the last of them. */
export type Done = {
  readonly done: number;
  readonly elapsedMs: number;
  /** if recorded: the duration of each, the number of refusals with a time to come back, and of created rows */
  readonly timesMs?: readonly number[];
  readonly refused?: number;
  readonly created?: number;
};

/** Kept connections, each with one request in flight. */
export type Generator = {
  /** Stops early without a next request. @throws Error at the first unexpected status */
  run(next: () => Request | undefined, extent: Extent): Promise<Done>;
  /** whether the server closed none of its connections while they were idle */
  isOpen(): boolean;
  close(): void;
};

const HEAD_END = Buffer.from("\r\n\r\n");
const STATUS_AT = "HTTP/1.1 ".length;

/** A client that costs a tenth of the server: HTTP/1.1 by hand over kept sockets. */
export async function openGenerator(port: number, connections: number): Promise<Generator> {
  const sockets = Array.from({ length: connections }, () =>
    connect({ host: "127.0.0.1", port, noDelay: true }),
  );
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  // A socket error closes the socket, which its requester notices.
  for (const socket of sockets) socket.on("error", () => {});
  return {
    run: (next, extent) => runOn(sockets, next, extent),
    isOpen: () => sockets.every(({ destroyed }) => !destroyed),
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The bytes of a request with keep-alive. */
export function request(
  line: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: object } = {},
): Buffer {
  const text = body === undefined ? "" : JSON.stringify(body);
  const bodyHeaders = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
  };
  const all = { host: "bench", ...headers, ...(body === undefined ? {} : bodyHeaders) };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${line} HTTP/1.1\r\n${head.join("")}\r\n${text}`);
}

async function runOn(
  sockets: readonly Socket[],
  next: () => Request | undefined,
  extent: Extent,
): Promise<Done> {
  const startedMs = performance.now();
  const endMs = "seconds" in extent ? startedMs + extent.seconds * 1_000 : Number.POSITIVE_INFINITY;
  let left = "count" in extent ? extent.count : Number.POSITIVE_INFINITY;
  let done = 0;
  const maySend = (): boolean => {
    left -= 1;
    return left >= 0 && performance.now() < endMs;
  };
  await Promise.all(
    sockets.map((socket) =>
      sendInTurn(
        socket,
        () => (maySend() ? next() : undefined),
        () => {
          done += 1;
        },
      ),
    ),
  );
  return { done, elapsedMs: performance.now() - startedMs };
}

/** Sends the next request after each response, until there is none. */
function sendInTurn(socket: Socket, next: () => Request | undefined, onDone: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let pending: Request | undefined;
    let received: Buffer<ArrayBufferLike> = Buffer.alloc(0);

    function sendNext(): void {
      pending = next();
      if (pending !== undefined) socket.write(pending.bytes);
      else settle(resolve);
    }

    function settle(how: () => void): void {
      socket.off("data", onData).off("close", onClose);
      how();
    }

    function onClose(): void {
      settle(() => reject(new Error("the server closed a connection that was to be kept")));
    }

    function onData(chunk: Buffer): void {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const answer = parseHttpAnswer(received);
      if (answer === undefined || pending === undefined) return;
      received = Buffer.alloc(0);
      const { expected, onAnswer } = pending;
      if (answer.status !== expected) {
        settle(() => reject(new Error(`expected ${expected}: ${answer.status} ${answer.body()}`)));
        return;
      }
      onAnswer?.(answer.body());
      onDone();
      sendNext();
    }

    socket.on("data", onData).on("close", onClose);
    sendNext();
  });
}

/** Status, head and body of a response; undefined while incomplete. @throws Error without a length */
export function parseHttpAnswer(
  bytes: Buffer,
): { status: number; head: string; body: () => string } | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const head = bytes.toString("latin1", 0, headEnd);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
  if (Number.isNaN(length)) throw new Error(`an answer without a length:\n${head}`);
  const start = headEnd + HEAD_END.length;
  if (bytes.length < start + length) return undefined;
  return {
    status: Number(head.slice(STATUS_AT, STATUS_AT + 3)),
    head,
    body: () => bytes.toString("utf8", start, start + length),
  };
}
