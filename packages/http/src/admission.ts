import type { Clock } from "@daric/runtime/clock";

/** A client that repeats sooner after its answer is busy, and ranks behind rested ones. */
const REST_MS = 50;
/** Rested connections may use this multiple of the limit. */
const RESTED_SHARE = 3;

/** Time of the last answer on a connection; admission alone writes it. */
export const answeredMs: unique symbol = Symbol("answeredMs");
export type KeptConnection = { [answeredMs]?: number };

/** The caller, as a member of a group: a key of its merchant. */
export type Party = { readonly group: string; readonly name: string };

export type HeldSlot = {
  readonly party: Party;
  readonly connection: KeptConnection;
  readonly sinceMs: number;
};

/** Limits the requests that run at the same time, with a fair share for each party. */
export type Admission = {
  /**
   * Admits a request, which must leave however it ends, or returns the whole seconds until the party may come
   * again.
   */
  enter(party: Party, connection: KeptConnection): HeldSlot | number;
  leave(slot: HeldSlot): void;
};

type Options = {
  readonly clock: Clock;
  readonly bounds?: Bounds;
  /** reports the length of the next turn of the event loop: unread requests wait that long */
  readonly measureTurn?: (report: (ms: number) => void) => void;
};

/**
 * Admits as many requests as can be answered in time. Two kinds are admitted above that limit. The first is a party
 * below an equal share, as a group or alone, so that no flood refuses another caller. The second is rested
 * connections, up to three times the limit, so that refused callers come before those just answered.
 */
export function createAdmission({ clock, bounds, measureTurn = measureNextTurn }: Options): Admission {
  const groups = createShares();
  const names = createShares();
  const limit = createAdmissionLimit(bounds);
  let underWay = 0;

  function isModest({ group, name }: Party): boolean {
    return groups.shareWith(group) <= limit.slots() || names.shareWith(name) <= limit.slots();
  }

  function isNext(connection: KeptConnection, nowMs: number): boolean {
    const isRested = nowMs - (connection[answeredMs] ?? Number.NEGATIVE_INFINITY) >= REST_MS;
    return isRested && underWay < RESTED_SHARE * limit.slots();
  }

  return {
    enter(party, connection) {
      const sinceMs = clock.monotonicMs();
      if (limit.sample(sinceMs, underWay)) measureTurn(limit.keepTurn);
      if (underWay >= limit.slots() && !isModest(party) && !isNext(connection, sinceMs)) {
        connection[answeredMs] = sinceMs;
        return limit.countRefusal(sinceMs);
      }
      groups.add(party.group);
      names.add(party.name);
      underWay += 1;
      return { party, connection, sinceMs };
    },
    leave({ party, connection, sinceMs }) {
      groups.remove(party.group);
      names.remove(party.name);
      underWay -= 1;
      const nowMs = clock.monotonicMs();
      connection[answeredMs] = nowMs;
      limit.countAnswer(sinceMs, nowMs);
    },
  };
}

/** The number of slots of each holder. */
function createShares() {
  const held = new Map<string, number>();
  return {
    /** The total if every holder had as many as this one, after one more for it. */
    shareWith(key: string): number {
      const own = held.get(key) ?? 0;
      return (own + 1) * (held.size + (own === 0 ? 1 : 0));
    },
    add(key: string): void {
      held.set(key, (held.get(key) ?? 0) + 1);
    },
    remove(key: string): void {
      const left = (held.get(key) ?? 0) - 1;
      if (left > 0) held.set(key, left);
      else held.delete(key);
    },
  };
}

/** Measures one whole turn by two callbacks. */
function measureNextTurn(report: (ms: number) => void): void {
  setImmediate(() => {
    const startedMs = performance.now();
    setImmediate(() => report(performance.now() - startedMs));
  });
}

/** Target time to answer, in milliseconds from the read of a request; slower service refuses requests. */
const TARGET_MS = 200;
/** How often the limit is adjusted. */
const ADJUST_MS = 100;
/** A count of this age has a third of its weight. */
const MEMORY_MS = 500;
/** A faster request did no I/O: it says nothing about the wait of the others. */
const QUICK_MS = 1;
/** The growth of the limit at one adjustment. */
const GROWTH = 1.1;
const MAX_RETRY_MS = 10_000;
/** Refused callers return in the same second, so only this part of the capacity is promised to them. */
const RESERVED = 0.5;

/** Bounds of the number of running requests: the minimum, the number after a rest, and the maximum. */
type Bounds = { readonly min: number; readonly first: number; readonly max: number };
const BOUNDS: Bounds = { min: 40, first: 64, max: 2_000 };

/** The limit of running requests. All times come from one monotonic clock, in milliseconds. */
type AdmissionLimit = {
  slots(): number;
  /** Adjusts the limit if it is time to, and returns whether it did. */
  sample(nowMs: number, underWay: number): boolean;
  /** Stores the length of the last turn of the event loop: unread requests wait that long. */
  keepTurn(ms: number): void;
  countAnswer(sinceMs: number, nowMs: number): void;
  /** Returns the whole seconds until this request can be answered, behind all earlier refusals. */
  countRefusal(nowMs: number): number;
};

/**
 * While requests take longer than 200 ms, the limit is the number answered in that time (Little's law). While
 * they are faster and some are refused, it grows. After a rest it starts again.
 */
function createAdmissionLimit({ min, first, max }: Bounds = BOUNDS): AdmissionLimit {
  const answers = createPace();
  let slots = first;
  let isFull = false;
  let reservedMs = 0;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let answeredMs = 0;
  let turnMs = 0;
  let waits: number[] = [];

  function adjust(nowMs: number, underWay: number): void {
    answers.keep(nowMs - lookedMs);
    const waitMs = turnMs + (medianOf(waits) ?? nowMs - answeredMs);
    // With few running requests a slow one waits for I/O, not for other requests.
    if (waitMs > TARGET_MS && underWay > min)
      slots = Math.min(slots, Math.max(min, (answers.perSecond() * TARGET_MS) / 1_000));
    else if (isFull) slots = Math.min(max, slots * GROWTH);
  }

  function rest(): void {
    slots = Math.max(slots, first);
    answers.forget();
  }

  return {
    slots: () => slots,
    sample(nowMs, underWay) {
      const elapsedMs = nowMs - lookedMs;
      if (underWay === 0) answeredMs = nowMs;
      if (elapsedMs < ADJUST_MS) return false;
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
      const perMs = RESERVED * Math.max(answers.perSecond() / 1_000, slots / TARGET_MS);
      const aheadMs = Math.max(0, reservedMs - nowMs) + 1 / perMs;
      const waitMs = Math.min(MAX_RETRY_MS, aheadMs);
      reservedMs = nowMs + waitMs;
      return Math.ceil(waitMs / 1_000);
    },
  };
}

/** A decaying average of events per second. */
function createPace() {
  let counted = 0;
  let perSecond = 0;
  return {
    perSecond: () => perSecond,
    count: (): void => {
      counted += 1;
    },
    /** Adds the events of this period to the average. */
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
  return values.sort((key, right) => key - right)[values.length >> 1];
}
