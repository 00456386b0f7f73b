import type { QueryClient } from "@tanstack/react-query";

/** The parts whose change an operation shows; the account is that of all others. */
const partsOf: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\/operator\//, ["service"]],
  [/\/payments\b/, ["payments", "webhooks", "account"]],
  [/\/webhooks\b/, ["webhooks"]],
  [/\/(home|inbox)\b/, ["payments", "account"]],
  [/\/(payment-links|deposit-addresses|deposits|refunds|balances|settlements|statements)\b/, ["payments"]],
];
/** Changes that come together are read once. */
const GATHER_MS = 1_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;
/** The service ends a socket with it when the session has ended or the right is gone (RFC 6455). */
const POLICY = 1_008;
/** Without a socket, pages read again this many times less often than they say. */
const SLOWER = 3;
/** With a socket, everything is read again after this time, in case a change has no tag. */
const SAFETY_MS = 120_000;

let isOpen = false;

/** How long until a page reads again: rarely while the service says what changes. */
export function refreshMs(everyMs: number): number {
  return isOpen ? Math.max(everyMs, SAFETY_MS) : everyMs * SLOWER;
}

type Watched = {
  readonly client: QueryClient;
  /** undefined: the whole service, for operators */
  readonly merchantId: string | undefined;
  /** Called if the service refuses the socket: its session may have ended. */
  readonly onRefused: () => void;
};

/** Keeps a socket open, and reads again what it says has changed. Returns a function that ends it. */
export function watch({ client, merchantId, onRefused }: Watched): () => void {
  let known: Readonly<Record<string, string>> = {};
  let retryMs = FIRST_RETRY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let socket: WebSocket | undefined;
  const stale = new Set<string>();

  function readAgain(): void {
    gathering = undefined;
    const parts = new Set(stale);
    stale.clear();
    void client.invalidateQueries({
      predicate: ({ queryKey }) => partsShownBy(String(queryKey[1])).some((part) => parts.has(part)),
    });
  }

  function take(parts: Readonly<Record<string, string>>): void {
    for (const [part, tag] of Object.entries(parts))
      if (known[part] !== undefined && known[part] !== tag) stale.add(part);
    known = parts;
    if (stale.size > 0) gathering ??= setTimeout(readAgain, GATHER_MS);
  }

  function open(): void {
    const query = merchantId === undefined ? "" : `?merchantId=${merchantId}`;
    const made = new WebSocket(`${location.origin.replace(/^http/, "ws")}/dashboard/v1/live${query}`);
    socket = made;
    made.onmessage = ({ data }) => {
      isOpen = true;
      retryMs = FIRST_RETRY_MS;
      take(JSON.parse(String(data)).data);
    };
    made.onclose = ({ code }) => {
      if (socket !== made) return;
      isOpen = false;
      if (code === POLICY) onRefused();
      timer = setTimeout(open, retryMs);
      retryMs = Math.min(2 * retryMs, LAST_RETRY_MS);
    };
  }

  open();
  return () => {
    const last = socket;
    socket = undefined;
    isOpen = false;
    clearTimeout(timer);
    clearTimeout(gathering);
    last?.close();
  };
}

/** The parts that an operation shows. */
export function partsShownBy(name: string): readonly string[] {
  return partsOf.find(([pattern]) => pattern.test(name))?.[1] ?? ["account"];
}
