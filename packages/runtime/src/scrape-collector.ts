/** A value that costs a query and is read at each scrape, such as the number of waiting deliveries. */
export type ScrapeCollector<T> = {
  /** Sets the query for this process. The query returns undefined while it cannot know the value. */
  answerBy(find: () => Promise<T | undefined> | T | undefined): void;
  /** Returns the value; undefined if it is unknown or late. Never rejects. */
  read(): Promise<T | undefined>;
};

/**
 * The value is kept for 1 s and 4 times as long as its query took. So queries take a fifth of the time at
 * most.
 */
const KEPT_MS = 1_000;
const KEPT_TIMES = 4;
const WITHIN_MS = 2_000;

/** `onFailure` is called for each query that fails or exceeds `withinMs`. */
export function createScrapeCollector<T>(
  onFailure: () => void,
  { withinMs = WITHIN_MS }: { withinMs?: number } = {},
): ScrapeCollector<T> {
  let find: (() => Promise<T | undefined> | T | undefined) | undefined;
  let known: { readonly value: T | undefined; readonly untilMs: number } | undefined;
  let pending: Promise<T | undefined> | undefined;

  async function collect(): Promise<T | undefined> {
    const startedMs = performance.now();
    let value: T | undefined;
    let hasFailed = false;
    try {
      value = await find?.();
    } catch {
      hasFailed = true;
      onFailure();
    }
    pending = undefined;
    const nowMs = performance.now();
    // An unknown value is queried again at the next read.
    const isKept = hasFailed || value !== undefined;
    known = isKept
      ? { value, untilMs: nowMs + Math.max(KEPT_MS, KEPT_TIMES * (nowMs - startedMs)) }
      : undefined;
    return value;
  }

  return {
    answerBy: (findNow) => {
      find = findNow;
    },
    read: async () => {
      if (find === undefined) return undefined;
      if (known !== undefined && performance.now() < known.untilMs) return known.value;
      pending ??= collect();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => {
          onFailure();
          resolve(undefined);
        }, withinMs);
      });
      return Promise.race([pending, late]).finally(() => clearTimeout(timer));
    },
  };
}
