import { ApiError } from "@daric/domain/errors";

/** The downloads that may run at once: of a session, of a merchant or of the service's own lists, and of the process. */
const OF_SESSION = 2;
const OF_MERCHANT = 4;
const OF_PROCESS = 16;
const RETRY_SECONDS = 10;

/** A download must take a megabyte in a minute. A slower one would keep its slot for ever. */
const PACED_BYTES = 1_000_000;
const PACED_MS = 60_000;

/** The downloads that run. Each holds memory until its reader has read. */
export type Downloads = {
  /**
   * Counts a download; the result ends it.
   * @throws RATE_LIMITED when the session or the merchant has as many as may run; SERVICE_UNAVAILABLE when the process has.
   */
  start(sessionId: string, merchantId: string | undefined): () => void;
};

export function createDownloads(): Downloads {
  const running = new Map<string, number>();
  let all = 0;
  const add = (key: string, change: number) => {
    const count = (running.get(key) ?? 0) + change;
    if (count === 0) running.delete(key);
    else running.set(key, count);
  };
  return {
    start(sessionId, merchantId) {
      const [session, merchant] = [`session ${sessionId}`, `merchant ${merchantId ?? "of none"}`];
      if ((running.get(session) ?? 0) >= OF_SESSION)
        refuse("RATE_LIMITED", `${OF_SESSION} of your downloads`);
      if ((running.get(merchant) ?? 0) >= OF_MERCHANT)
        refuse("RATE_LIMITED", `${OF_MERCHANT} downloads of this merchant`);
      if (all >= OF_PROCESS) refuse("SERVICE_UNAVAILABLE", `${OF_PROCESS} downloads`);
      const count = (change: number) => {
        add(session, change);
        add(merchant, change);
        all += change;
      };
      count(1);
      return () => count(-1);
    },
  };
}

function refuse(code: "RATE_LIMITED" | "SERVICE_UNAVAILABLE", what: string): never {
  throw new ApiError(code, {
    message: `${what} run already: wait until one ends.`,
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/** How often a download asks whether its person may still read the list. */
const ASKED_MS = 1_000;

/** The same lines until `isAllowed` says no: then it calls `end` and yields no more. */
export async function* whileAllowed(
  lines: AsyncIterable<string>,
  { isAllowed, end }: { readonly isAllowed: () => Promise<boolean>; readonly end: () => void },
): AsyncGenerator<string> {
  let askedMs = performance.now();
  for await (const line of lines) {
    if (performance.now() - askedMs >= ASKED_MS) {
      if (!(await isAllowed())) return end();
      askedMs = performance.now();
    }
    yield line;
  }
}

/** The same lines. Calls `end` when the reader waits longer than a minute in all before it has taken a megabyte. */
export async function* paced(lines: AsyncIterable<string>, end: () => void): AsyncGenerator<string> {
  let waitedMs = 0;
  let bytes = 0;
  for await (const line of lines) {
    const since = performance.now();
    const timer = setTimeout(end, PACED_MS - waitedMs);
    try {
      yield line;
    } finally {
      clearTimeout(timer);
    }
    waitedMs += performance.now() - since;
    bytes += Buffer.byteLength(line);
    if (bytes >= PACED_BYTES) {
      waitedMs = 0;
      bytes = 0;
    }
  }
}
