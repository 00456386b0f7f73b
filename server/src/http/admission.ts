import type { Clock } from "../runtime/clock.ts";

/** Who asks again within this time of an answer does not rest; who comes now and then does, and who waited as he was told. */
const REST_MS = 50;
/** So many times the places may be taken, where who asks has rested. */
const RESTED_SHARE = 3;

/** When something was answered last on a connection; admission alone writes it. */
export const answeredMs: unique symbol = Symbol("answeredMs");
export type KeptConnection = { [answeredMs]?: number };

/** Who asks: one of a group, like a key of its merchant. */
export type Party = { readonly group: string; readonly name: string };

/** A request that was let in. */
export type HeldSlot = {
  readonly party: Party;
  readonly connection: KeptConnection;
  readonly sinceMs: number;
};

/** How many requests are under way, of whom, and how many more may be. */
export type Admission = {
  /**
   * Lets a request of this party in, which has to leave, whatever becomes of it; or refuses it, and answers after how many
   * whole seconds it may come again.
   */
  enter(party: Party, connection: KeptConnection): HeldSlot | number;
  leave(slot: HeldSlot): void;
};

type Options = {
  readonly clock: Clock;
  readonly bounds?: Bounds;
  /** tells how long a turn of the event loop takes, once it is over: so long waits what was not read yet */
  readonly measureTurn?: (report: (ms: number) => void) => void;
};

/**
 * Lets in as many requests as are answered in time. Where there is no place, two are let in even so: who has less than an
 * equal share of them all, as a group or alone, so that nobody's flood refuses another's request; and, up to three times as
 * many, a connection that rested, so that those who were refused get their turn before those who have just been answered.
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

/** How many of the places each one has. */
function createShares() {
  const held = new Map<string, number>();
  return {
    /** How many there would be under way if everybody had as many as this one with one more. */
    shareWith(one: string): number {
      const own = held.get(one) ?? 0;
      return (own + 1) * (held.size + (own === 0 ? 1 : 0));
    },
    add(one: string): void {
      held.set(one, (held.get(one) ?? 0) + 1);
    },
    remove(one: string): void {
      const left = (held.get(one) ?? 0) - 1;
      if (left > 0) held.set(one, left);
      else held.delete(one);
    },
  };
}

/** Two call-backs, for a whole turn: from where this one ends to where the next one does. */
function measureNextTurn(report: (ms: number) => void): void {
  setImmediate(() => {
    const startedMs = performance.now();
    setImmediate(() => report(performance.now() - startedMs));
  });
}

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
type Bounds = { readonly least: number; readonly first: number; readonly most: number };
const BOUNDS: Bounds = { least: 40, first: 64, most: 2_000 };

/** How many requests may be under way at the same time; all times are those of one monotonic clock, in milliseconds. */
type AdmissionLimit = {
  slots(): number;
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
function createAdmissionLimit({ least, first, most }: Bounds = BOUNDS): AdmissionLimit {
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
    // What takes long while few are under way waits for something else than the others.
    if (waitMs > TARGET_MS && underWay > least)
      slots = Math.min(slots, Math.max(least, (answers.perSecond() * TARGET_MS) / 1_000));
    else if (isFull) slots = Math.min(most, slots * GROWTH);
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
      const perMs = RESERVED * Math.max(answers.perSecond() / 1_000, slots / TARGET_MS);
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
