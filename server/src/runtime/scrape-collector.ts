/** Something that costs a question to know, such as how many deliveries wait, and that is wanted when numbers are read. */
export type ScrapeCollector<T> = {
  /** From now on `find` tells it in this process; it answers undefined while it cannot. */
  answerBy(find: () => Promise<T | undefined> | T | undefined): void;
  /** What is known now; undefined where nobody can tell, or nothing comes in time. Never rejects. */
  read(): Promise<T | undefined>;
};

/** However often it is read, it is asked once in this time at most, and for no more than a fifth of all time. */
const KEPT_MS = 1_000;
const KEPT_TIMES = 4;
const WITHIN_MS = 2_000;

/** A collector that nobody answers yet. `onFailure` is told of each question that failed or took longer than `withinMs`. */
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
    // Who cannot tell yet may be able to in a moment.
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
