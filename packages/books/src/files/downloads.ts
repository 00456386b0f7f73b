import type { Caller } from "@daric/domain/caller";
import { ApiError } from "@daric/domain/errors";
import type { MerchantId } from "@daric/domain/ids";
import type { FastifyRequest } from "fastify";

/** The downloads that may run at once: of a key or session, of a merchant or of the service's own lists, and of the process. */
const OF_CALLER = 2;
const OF_MERCHANT = 4;
const OF_PROCESS = 16;
/** Workbooks that may be written at once: each has a thread, and needs up to 1 GB. */
const HEAVY_OF_PROCESS = 1;
const RETRY_SECONDS = 10;

/** A download must take a megabyte in a minute. A slower one would keep its slot for ever. */
const PACED_BYTES = 1_000_000;
const PACED_MS = 60_000;

/** How often a download asks whether its caller has the same rights. */
const RECHECK_MS = 1_000;

type Download = {
  /** the id of the API key or of the session */
  readonly caller: string;
  readonly merchantId: MerchantId | undefined;
  readonly isHeavy: boolean;
};
type Asked = { readonly request: FastifyRequest; readonly scopes: Caller["scopes"] | undefined };
/** Whether the sender of a request has these rights and no others; without rights, is still an operator. */
export type Recheck = (asked: Asked) => Promise<boolean>;

/** The downloads that run. Each holds memory until its reader has read. */
export type Downloads = {
  /**
   * Counts a download; the result ends it.
   * @throws RATE_LIMITED when the caller or the merchant has as many as may run; SERVICE_UNAVAILABLE when the process has.
   */
  start(download: Download): () => void;
  /** The same pieces. @throws INSUFFICIENT_SCOPE once the sender has other rights. */
  whileAllowed<Piece>(pieces: AsyncIterable<Piece>, asked: Asked): AsyncGenerator<Piece>;
};

/** One for a process. */
export function createDownloads(isAllowed: Recheck): Downloads {
  const running = new Map<string, number>();
  let all = 0;
  let heavy = 0;
  const add = (key: string, change: number) => {
    const count = (running.get(key) ?? 0) + change;
    if (count === 0) running.delete(key);
    else running.set(key, count);
  };
  return {
    start({ caller, merchantId, isHeavy }) {
      const [own, merchant] = [`caller ${caller}`, `merchant ${merchantId ?? "of none"}`];
      if ((running.get(own) ?? 0) >= OF_CALLER) refuse("RATE_LIMITED", `${OF_CALLER} of your downloads`);
      if ((running.get(merchant) ?? 0) >= OF_MERCHANT)
        refuse("RATE_LIMITED", `${OF_MERCHANT} downloads of this merchant`);
      if (all >= OF_PROCESS) refuse("SERVICE_UNAVAILABLE", `${OF_PROCESS} downloads`);
      if (isHeavy && heavy >= HEAVY_OF_PROCESS) refuse("SERVICE_UNAVAILABLE", "Other XLSX downloads");
      const count = (change: number) => {
        add(own, change);
        add(merchant, change);
        all += change;
        if (isHeavy) heavy += change;
      };
      count(1);
      return () => count(-1);
    },
    async *whileAllowed(pieces, asked) {
      let checkedMs = performance.now();
      for await (const piece of pieces) {
        const isDue = performance.now() - checkedMs >= RECHECK_MS;
        if (isDue && !(await isAllowed(asked))) throw new ApiError("INSUFFICIENT_SCOPE");
        if (isDue) checkedMs = performance.now();
        yield piece;
      }
    },
  };
}

function refuse(code: "RATE_LIMITED" | "SERVICE_UNAVAILABLE", what: string): never {
  throw new ApiError(code, {
    message: `${what} run already: wait until one ends.`,
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/** The same lines. Calls `end` when the reader waits longer than a minute in all before it has taken a megabyte. */
export async function* paced<Line extends string | Uint8Array>(
  lines: AsyncIterable<Line>,
  end: () => void,
): AsyncGenerator<Line> {
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
