/** A socket that says nothing for so long after it was asked for is none. */
const SILENT_MS = 10_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/** What a socket is handed by whoever opens it. */
type SocketEvents = { message(text: string): void; close(): void };

/** What the socket is kept with; injected, so that a test needs no browser. */
export type SocketPage = {
  openSocket(onMessage: SocketEvents): { close(): void };
  /** resolves after so long, or at once when the payer or the network comes back */
  pause(ms: number): Promise<void>;
  /** from 0 up to 1 */
  random(): number;
};

/** What the server tells without being asked. */
export type News = {
  /** whether changes are told: a socket is open, and has said how things stand */
  isNotified(): boolean;
  /** resolves when there is something to take, or when changes are told no more */
  next(): Promise<void>;
  /** what was told last and not taken yet; again, where the same was told twice in a row since the last was taken */
  take(): { readonly text: string; readonly isAgain: boolean } | undefined;
  /** A socket that seems to be open does not tell what it should: another one is opened. */
  distrust(): void;
  end(): void;
};

/** Keeps a socket open, and tries again later and later where there is none. */
export function keepSocket(page: SocketPage): News {
  let socket: { close(): void } | undefined;
  let received: ReturnType<News["take"]>;
  let last: string | undefined;
  let isNotified = false;
  let isOver = false;
  let wake = () => {};

  /** Resolves when the socket has closed, with whether it had ever told anything. */
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

/** The wait before another socket: doubled by each failure in a row, and another one for each page, so that not all come at once. */
export function retryMs(failures: number, chance: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), MAX_RETRY_MS) * (0.5 + chance);
}

/** A browser's sockets, each to this address of now, which may be relative to the page. */
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
