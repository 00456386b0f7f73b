import { createManualClock } from "@daric/testing/offline-context";
import { describe, expect, it } from "vitest";
import { type Admission, createAdmission, type Place } from "./admission.ts";

/** A service that works off so many a millisecond, in the order in which they came; nothing but the test moves its time. */
function openService(perMs: number) {
  const clock = createManualClock();
  let turnMs = 0;
  const admission = createAdmission({ clock, measureTurn: (tell) => tell(turnMs) });
  const line: { place: Place; then: () => void }[] = [];
  let credit = 0;

  /** One millisecond of work. */
  function work(): void {
    clock.advance(1);
    for (credit += perMs; credit >= 1; credit -= 1) {
      const done = line.shift();
      if (done === undefined) continue;
      admission.leave(done.place);
      done.then();
    }
  }

  return {
    clock,
    admission,
    waiting: () => line.length,
    setTurn: (ms: number) => {
      turnMs = ms;
    },
    work,
    /** 0 where it was let in, and `then` is told when it is answered; else the seconds to wait. */
    ask(caller: string, then = () => {}): number {
      const place = admission.enter(caller);
      if (typeof place === "number") return place;
      line.push({ place, then });
      return 0;
    },
  };
}

/** Clients that ask again as soon as they are answered, and wait as long as they are told where they are refused. */
function flood(service: ReturnType<typeof openService>, clients: number, callers = ["flood"]) {
  const wakeAt = Array.from({ length: clients }, () => 0);
  let answered = 0;
  return {
    answered: () => answered,
    step(): void {
      const nowMs = service.clock.monotonicMs();
      for (const [client, dueMs] of wakeAt.entries()) {
        if (dueMs > nowMs) continue;
        const then = () => {
          answered += 1;
          wakeAt[client] = service.clock.monotonicMs();
        };
        const seconds = service.ask(callers[client % callers.length] ?? "", then);
        wakeAt[client] = seconds === 0 ? Number.POSITIVE_INFINITY : nowMs + seconds * 1_000;
      }
    },
  };
}

/** Takes places until it is refused; answers them. */
function takeAll(admission: Admission, caller: string): Place[] {
  const places: Place[] = [];
  for (let place = admission.enter(caller); typeof place !== "number"; place = admission.enter(caller))
    places.push(place);
  return places;
}

describe("of 640 clients that ask without a pause", () => {
  it.each([0.4, 1, 4])(
    "as many are let in as %d a millisecond answers in time, and it stays busy",
    (perMs) => {
      const service = openService(perMs);
      const clients = flood(service, 640);
      const run = (ms: number, look = () => {}) => {
        for (let left = ms; left > 0; left -= 1) {
          clients.step();
          service.work();
          look();
        }
      };
      run(3_000);
      const before = clients.answered();
      let longest = 0;
      run(5_000, () => {
        longest = Math.max(longest, service.waiting());
      });
      expect(clients.answered() - before).toBeGreaterThan(0.97 * perMs * 5_000);
      expect(longest / perMs).toBeLessThan(500);
    },
  );

  it("who asks now and then is let in each time, and answered within half a second", () => {
    const service = openService(1);
    const clients = flood(service, 640, ["one", "two", "three"]);
    const [times, refused]: [number[], number[]] = [[], []];
    for (let ms = 0; ms < 8_000; ms += 1) {
      clients.step();
      const atMs = service.clock.monotonicMs();
      const keep = () => times.push(service.clock.monotonicMs() - atMs);
      if (ms > 2_000 && ms % 200 === 0 && service.ask("honest", keep) > 0) refused.push(ms);
      service.work();
    }
    expect(refused).toEqual([]);
    expect(times.length).toBeGreaterThan(25);
    expect(Math.max(...times)).toBeLessThan(500);
  });

  it("those that are refused are told to come back at the pace at which they can be answered, within 10 s", () => {
    const { admission } = openService(1);
    const waits = Array.from({ length: 30_000 }, () => admission.enter("flood")).slice(256) as number[];
    const told = (seconds: number) => waits.filter((wait) => wait === seconds).length;
    expect([told(1), told(2), told(9)]).toEqual([1_024, 1_024, 1_024]);
    expect(Math.max(...waits)).toBe(10);
  });
});

describe("a place", () => {
  it("is given to a caller who has less than an equal share, where another has them all", () => {
    const { admission } = openService(1);
    const greedy = takeAll(admission, "greedy");
    const modest = takeAll(admission, "modest");
    expect(greedy).toHaveLength(256);
    expect(modest).toHaveLength(128);
    expect(admission.enter("greedy")).toBe(1);
    for (const place of modest) admission.leave(place);
    expect(admission.enter("third")).toMatchObject({ caller: "third" });
  });

  it("is free again when its request has left, and not before", () => {
    const { admission } = openService(1);
    const [first, ...others] = takeAll(admission, "one");
    expect(admission.enter("one")).toBe(1);
    if (first !== undefined) admission.leave(first);
    expect(takeAll(admission, "one")).toHaveLength(1);
    expect(others).toHaveLength(255);
  });
});

describe("how many may be under way", () => {
  it("is 64 while nothing is answered at all, and 256 again after a rest", () => {
    const { admission, clock } = openService(1);
    const stuck = takeAll(admission, "one");
    clock.advance(300);
    expect(admission.enter("one")).toBe(1);
    // One who has none yet gets an equal share of the 64.
    const shared = takeAll(admission, "other");
    expect(shared).toHaveLength(32);
    for (const place of [...stuck, ...shared]) admission.leave(place);
    clock.advance(600);
    expect(takeAll(admission, "one")).toHaveLength(256);
  });

  it("is not lowered by some that take long beside others that do not", () => {
    const service = openService(1);
    for (let held = 0; held < 30; held += 1) service.admission.enter("held");
    for (let ms = 0; ms < 3_000; ms += 1) {
      if (ms % 5 === 0) service.ask("other");
      service.work();
    }
    expect(takeAll(service.admission, "other")).toHaveLength(226);
  });

  it("is lowered where a turn of the event loop takes long, because what is not read yet waits too", () => {
    const service = openService(1);
    service.setTurn(300);
    for (let held = 0; held < 100; held += 1) service.admission.enter("held");
    for (let ms = 0; ms < 3_000; ms += 1) {
      if (ms % 5 === 0) service.ask("one");
      service.work();
    }
    expect(takeAll(service.admission, "one").length).toBeLessThan(40);
  });
});
