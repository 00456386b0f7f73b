/** A socket without a message for so long after its opening is dead. */
const SILENT_MS = 10_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/** The callbacks of a socket. */
type SocketEvents = { message(text: string): void; close(): void };

/** The environment of a socket; injected, so that a test needs no browser. */
export type SocketPage = {
  openSocket(onMessage: SocketEvents): { close(): void };
  /** resolves after so long, or at once when the payer or the network comes back */
  pause(ms: number): Promise<void>;
  /** from 0 up to 1 */
  random(): number;
};

/** Messages that the server pushes. */
export type PushedMessages = {
  /** whether a socket is open and has sent the initial state */
  isNotified(): boolean;
  /** resolves when there is a message, or when the socket is lost */
  next(): Promise<void>;
  /** the last message that was not taken; `isAgain` if it repeated since the last take */
  take(): { readonly text: string; readonly isAgain: boolean } | undefined;
  /** The socket missed a change: replaces it. */
  distrust(): void;
  end(): void;
};

/** Keeps a socket open, and reconnects at growing intervals. */
export function keepSocket(page: SocketPage): PushedMessages {
  let socket: { close(): void } | undefined;
  let received: ReturnType<PushedMessages["take"]>;
  let last: string | undefined;
  let isNotified = false;
  let isOver = false;
  let wake = () => {};

  /** Resolves when the socket has closed, with whether it had sent a message. */
  function untilClosed(): Promise<boolean> {
    return new Promise((resolve) => {
      const silence = setTimeout(() => socket?.close(), SILENT_MS);
      let hasNotified = false;
      socket = page.openSocket({
        message(text) {
          clearTimeout(silence);
          hasNotified = true;
          isNotified = true;
          received = { text, isAgain: text === last || received?.isAgain === true };
          last = text;
          wake();
        },
        close() {
          clearTimeout(silence);
          isNotified = false;
          last = undefined;
          if (hasNotified) wake();
          resolve(hasNotified);
        },
      });
    });
  }

  async function keep(): Promise<void> {
    for (let failures = 0; !isOver; ) {
      failures = (await untilClosed()) ? 1 : failures + 1;
      if (!isOver) await page.pause(retryMs(failures, page.random()));
    }
  }

  void keep();
  return {
    isNotified: () => isNotified,
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (received !== undefined) resolve();
      }),
    take() {
      const taken = received;
      received = undefined;
      return taken;
    },
    distrust() {
      if (isNotified) socket?.close();
    },
    end() {
      isOver = true;
      socket?.close();
    },
  };
}

/**
 * The wait before a reconnect: doubled by each consecutive failure, with a random part for each page, so that
 * they do not come at once.
 */
export function retryMs(failures: number, chance: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS) * (0.5 + chance);
}

/** A browser's sockets; the path is read at each opening and may be relative to the page. */
export function openSocketAt(path: () => string): SocketPage["openSocket"] {
  return ({ message, close }) => {
    const url = new URL(path(), location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    socket.onmessage = ({ data }) => message(String(data));
    socket.onclose = close;
    return socket;
  };
}
