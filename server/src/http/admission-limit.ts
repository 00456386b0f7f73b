/** In how many milliseconds most requests are answered, from when they are read: what would take longer is refused. */
const TARGET_MS = 200;
/** How often it is judged how many may be under way. */
const LOOK_MS = 100;
/** What was counted this long ago has a third of its weight. */
const MEMORY_MS = 500;
/** What takes less asked nobody and waited for nobody: it says nothing of how long the others wait. */
const QUICK_MS = 1;
/** By how much the limit grows at one look. */
const GROWTH = 1.1;
const LONGEST_RETRY_MS = 10_000;
/** Those who are told the same second come together: so much of what is answered meanwhile is promised to them. */
const RESERVED = 0.5;

/** How many requests may be under way at least, after a rest, and at most. */
export type Bounds = { readonly least: number; readonly first: number; readonly most: number };
const BOUNDS: Bounds = { least: 40, first: 64, most: 2_000 };

/** How many requests may be under way at the same time; all times are those of one monotonic clock, in milliseconds. */
export type AdmissionLimit = {
  places(): number;
  /** Judges anew, where it is time to; answers whether it did. */
  sample(nowMs: number, underWay: number): boolean;
  /** How long a turn of the event loop took just now: so long waits what was not read yet. */
  keepTurn(ms: number): void;
  countAnswer(sinceMs: number, nowMs: number): void;
  /** Answers after how many whole seconds it can be answered: behind all that were refused before it. */
  countRefusal(nowMs: number): number;
};

/**
 * As long as requests take longer than 200 ms, the limit is how many are answered in that time (Little's law); while they take less
 * and some are refused it grows. After a rest it is as in the beginning.
 */
export function createAdmissionLimit({ least, first, most }: Bounds = BOUNDS): AdmissionLimit {
  const answers = createPace();
  let places = first;
  let isFull = false;
  let reservedMs = 0;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let answeredMs = 0;
  let turnMs = 0;
  let waits: number[] = [];

  function adjust(nowMs: number, underWay: number): void {
    answers.keep(nowMs - lookedMs);
    const waitMs = turnMs + (medianOf(waits) ?? nowMs - answeredMs);
    // What takes long while few are under way waits for something else than the others.
    if (waitMs > TARGET_MS && underWay > least)
      places = Math.min(places, Math.max(least, (answers.perSecond() * TARGET_MS) / 1_000));
    else if (isFull) places = Math.min(most, places * GROWTH);
  }

  function rest(): void {
    places = Math.max(places, first);
    answers.forget();
  }

  return {
    places: () => places,
    sample(nowMs, underWay) {
      const elapsedMs = nowMs - lookedMs;
      if (underWay === 0) answeredMs = nowMs;
      if (elapsedMs < LOOK_MS) return false;
      if (underWay === 0 && elapsedMs > MEMORY_MS) rest();
      else adjust(nowMs, underWay);
      lookedMs = nowMs;
      isFull = false;
      waits = [];
      return true;
    },
    keepTurn(ms) {
      turnMs = ms;
    },
    countAnswer(sinceMs, nowMs) {
      answeredMs = nowMs;
      if (nowMs - sinceMs < QUICK_MS) return;
      waits.push(nowMs - sinceMs);
      answers.count();
    },
    countRefusal(nowMs) {
      isFull = true;
      const perMs = RESERVED * Math.max(answers.perSecond() / 1_000, places / TARGET_MS);
      const aheadMs = Math.max(0, reservedMs - nowMs) + 1 / perMs;
      const waitMs = Math.min(LONGEST_RETRY_MS, aheadMs);
      reservedMs = nowMs + waitMs;
      return Math.ceil(waitMs / 1_000);
    },
  };
}

/** How many a second there were lately. */
function createPace() {
  let counted = 0;
  let perSecond = 0;
  return {
    perSecond: () => perSecond,
    count: (): void => {
      counted += 1;
    },
    /** Takes what was counted in this time into account. */
    keep(elapsedMs: number): void {
      const added = counted;
      counted = 0;
      perSecond += (1 - Math.exp(-elapsedMs / MEMORY_MS)) * ((added / elapsedMs) * 1_000 - perSecond);
    },
    forget(): void {
      [counted, perSecond] = [0, 0];
    },
  };
}

function medianOf(values: number[]): number | undefined {
  return values.sort((one, other) => one - other)[values.length >> 1];
}
