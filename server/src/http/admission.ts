import type { Clock } from "../runtime/clock.ts";
import { type Bounds, createAdmissionLimit } from "./admission-limit.ts";

/** A request that was let in. */
export type Place = { readonly caller: string; readonly sinceMs: number };

/** How many requests are under way, of whom, and how many more may be. */
export type Admission = {
  /**
   * Lets a request of this caller in, which has to leave, whatever becomes of it; or refuses it, and answers after how many
   * whole seconds it may come again.
   */
  enter(caller: string): Place | number;
  leave(place: Place): void;
};

type Options = {
  readonly clock: Clock;
  readonly bounds?: Bounds;
  /** tells how long a turn of the event loop takes, once it is over: so long waits what was not read yet */
  readonly measureTurn?: (tell: (ms: number) => void) => void;
};

/**
 * Lets in as many requests as are answered in time. Where there is no place, a caller who has less than an equal share of
 * them all is let in even so, so that nobody's flood refuses another's request.
 */
export function createAdmission({ clock, bounds, measureTurn = measureNextTurn }: Options): Admission {
  const held = new Map<string, number>();
  const limit = createAdmissionLimit(bounds);
  let underWay = 0;

  /** Whether the caller, who has `own` under way, has less than an equal share of the places. */
  function isModest(own: number): boolean {
    const callers = held.size + (own === 0 ? 1 : 0);
    return (own + 1) * callers <= limit.places();
  }

  return {
    enter(caller) {
      const sinceMs = clock.monotonicMs();
      if (limit.look(sinceMs, underWay)) measureTurn(limit.keepTurn);
      const own = held.get(caller) ?? 0;
      if (underWay >= limit.places() && !isModest(own)) {
        return limit.countRefusal(sinceMs);
      }
      held.set(caller, own + 1);
      underWay += 1;
      return { caller, sinceMs };
    },
    leave({ caller, sinceMs }) {
      const left = (held.get(caller) ?? 0) - 1;
      if (left > 0) held.set(caller, left);
      else held.delete(caller);
      underWay -= 1;
      limit.countAnswer(sinceMs, clock.monotonicMs());
    },
  };
}

/** Two call-backs, for a whole turn: from where this one ends to where the next one does. */
function measureNextTurn(tell: (ms: number) => void): void {
  setImmediate(() => {
    const startedMs = performance.now();
    setImmediate(() => tell(performance.now() - startedMs));
  });
}
