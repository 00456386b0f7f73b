import type { Clock } from "../runtime/clock.ts";
import { type Bounds, createAdmissionLimit } from "./admission-limit.ts";

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
    return groups.shareWith(group) <= limit.places() || names.shareWith(name) <= limit.places();
  }

  function isNext(connection: KeptConnection, nowMs: number): boolean {
    const isRested = nowMs - (connection[answeredMs] ?? Number.NEGATIVE_INFINITY) >= REST_MS;
    return isRested && underWay < RESTED_SHARE * limit.places();
  }

  return {
    enter(party, connection) {
      const sinceMs = clock.monotonicMs();
      if (limit.sample(sinceMs, underWay)) measureTurn(limit.keepTurn);
      if (underWay >= limit.places() && !isModest(party) && !isNext(connection, sinceMs)) {
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
