import { createManualClock } from "@daric/testing/offline-context";
import { describe, expect, it } from "vitest";
import {
  type Admission,
  answeredMs,
  createAdmission,
  type HeldSlot,
  type KeptConnection,
  type Party,
} from "./admission.ts";

const aParty = (name: string): Party => ({ group: name, name });

/** A connection with answers all the time. */
const aBusyOne = (): KeptConnection => ({ [answeredMs]: Number.POSITIVE_INFINITY });

/**
 * A service that answers `perMs` requests a millisecond in order of arrival; the test alone moves its time.
 */
function openService(perMs: number) {
  const clock = createManualClock();
  let turnMs = 0;
  const admission = createAdmission({ clock, measureTurn: (report) => report(turnMs) });
  const line: { slot: HeldSlot; then: () => void }[] = [];
  let credit = 0;

  /** Advances one millisecond. */
  function work(): void {
    clock.advance(1);
    for (credit += perMs; credit >= 1; credit -= 1) {
      const done = line.shift();
      if (done === undefined) continue;
      admission.leave(done.slot);
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
    /** Returns 0 if admitted, else the seconds to wait; `then` runs after the answer. */
    send(who: { caller: string; connection: KeptConnection }, then = () => {}): number {
      const slot = admission.enter(aParty(who.caller), who.connection);
      if (typeof slot === "number") return slot;
      line.push({ slot, then });
      return 0;
    },
  };
}

/** Clients that repeat as soon as they are answered, and wait for the Retry-After of a refusal. */
function flood(service: ReturnType<typeof openService>, clients: number, callers = ["flood"]) {
  const wakeAt = Array.from({ length: clients }, () => 0);
  const who = wakeAt.map((_, client) => ({ caller: callers[client % callers.length] ?? "", connection: {} }));
  const answered = wakeAt.map(() => 0);
  return {
    answeredOf: () => answered,
    answered: () => answered.reduce((sum, count) => sum + count, 0),
    step(): void {
      const nowMs = service.clock.monotonicMs();
      for (const [client, dueMs] of wakeAt.entries()) {
        if (dueMs > nowMs) continue;
        const then = () => {
          answered[client] = (answered[client] ?? 0) + 1;
          wakeAt[client] = service.clock.monotonicMs();
        };
        const seconds = service.send(who[client] ?? aCaller("nobody"), then);
        wakeAt[client] = seconds === 0 ? Number.POSITIVE_INFINITY : nowMs + seconds * 1_000;
      }
    },
  };
}

/** Fills the limit by connections that never rest, and answers those requests. */
function takeAll(admission: Admission, caller: string): HeldSlot[] {
  const slots: HeldSlot[] = [];
  const take = () => admission.enter(aParty(caller), aBusyOne());
  for (let slot = take(); typeof slot !== "number"; slot = take()) slots.push(slot);
  return slots;
}

function aCaller(caller: string): { caller: string; connection: KeptConnection } {
  return { caller, connection: {} };
}

describe("of 640 clients that repeat without a pause", () => {
  it.each([0.4, 1, 4])(
    "as many are admitted as %d a millisecond answers in time, and the service stays busy",
    (perMs) => {
      const service = openService(perMs);
      const clients = flood(service, 640);
      const run = (ms: number, check = () => {}) => {
        for (let left = ms; left > 0; left -= 1) {
          clients.step();
          service.work();
          check();
        }
      };
      run(3_000);
      const before = clients.answered();
      let longest = 0;
      run(5_000, () => {
        longest = Math.max(longest, service.waiting());
      });
      expect(clients.answered() - before).toBeGreaterThan(0.97 * perMs * 5_000);
      expect(longest / perMs).toBeLessThan(1_000);
    },
  );

  it.each([
    ["as another caller", "honest"],
    ["as one of them, on a connection of his own", "one"],
  ])("an occasional caller %s is always admitted and answered within a second", (_, caller) => {
    const service = openService(1);
    const clients = flood(service, 640, ["one", "two", "three"]);
    const honest = aCaller(caller);
    const [times, refused]: [number[], number[]] = [[], []];
    for (let ms = 0; ms < 8_000; ms += 1) {
      clients.step();
      const atMs = service.clock.monotonicMs();
      const keep = () => times.push(service.clock.monotonicMs() - atMs);
      if (ms > 2_000 && ms % 700 === 0 && service.send(honest, keep) > 0) refused.push(ms);
      service.work();
    }
    expect(refused).toEqual([]);
    expect(times.length).toBeGreaterThan(7);
    expect(Math.max(...times)).toBeLessThan(1_000);
  });

  it("each client gets its turn", () => {
    const service = openService(1);
    const clients = flood(service, 640);
    for (let ms = 0; ms < 8_000; ms += 1) {
      clients.step();
      service.work();
    }
    expect(Math.min(...clients.answeredOf())).toBeGreaterThan(3);
  });

  it("refused clients come back at half the pace of the answers, within 10 s", () => {
    const { admission } = openService(1);
    const waits = Array.from({ length: 3_000 }, () => admission.enter(aParty("flood"), aBusyOne())).slice(
      64,
    ) as number[];
    const reported = (seconds: number) => waits.filter((wait) => wait === seconds).length;
    expect([reported(1), reported(2), reported(9)]).toEqual([160, 160, 160]);
    expect(Math.max(...waits)).toBe(10);
  });
});

describe("a slot", () => {
  it("goes to a rested connection, up to three times the limit", () => {
    const { admission } = openService(1);
    takeAll(admission, "one");
    const rested = Array.from({ length: 200 }, () => typeof admission.enter(aParty("one"), {}));
    expect(rested.filter((answer) => answer === "object")).toHaveLength(2 * 64);
  });

  it("goes to a connection that waited, not to one that repeats at once", () => {
    const { admission, clock } = openService(1);
    const [first, second] = takeAll(admission, "one");
    const connection = {};
    for (let slot = admission.enter(aParty("one"), {}); typeof slot !== "number"; )
      slot = admission.enter(aParty("one"), {});
    expect(admission.enter(aParty("one"), connection)).toBeGreaterThan(0);
    if (first) admission.leave(first);
    expect(admission.enter(aParty("one"), connection)).toBeGreaterThan(0);
    expect(admission.enter(aParty("one"), first?.connection ?? {})).toBeGreaterThan(0);
    clock.advance(50);
    expect(admission.enter(aParty("one"), connection)).toMatchObject({ party: aParty("one") });
    if (second) admission.leave(second);
    expect(admission.enter(aParty("one"), connection)).toMatchObject({ party: aParty("one") });
  });

  it("goes to a caller below an equal share, if another caller has all of them", () => {
    const { admission } = openService(1);
    const greedy = takeAll(admission, "greedy");
    const modest = takeAll(admission, "modest");
    expect(greedy).toHaveLength(64);
    expect(modest).toHaveLength(32);
    expect(admission.enter(aParty("greedy"), aBusyOne())).toBe(1);
    for (const slot of modest) admission.leave(slot);
    expect(admission.enter(aParty("third"), aBusyOne())).toMatchObject({ party: aParty("third") });
  });

  it("goes to one of many callers above their share, if that one alone has less than the others", () => {
    const { admission } = openService(1);
    const send = (name: string) => admission.enter({ group: "payers", name }, aBusyOne());
    for (let one = 0; one < 60; one += 1) send("greedy");
    admission.enter(aParty("merchant"), aBusyOne());
    for (let one = 0; one < 4; one += 1) send("greedy");
    expect(send("greedy")).toBe(1);
    expect(send("modest")).toMatchObject({ party: { name: "modest" } });
  });

  it("is free again after its request left, and not before", () => {
    const { admission } = openService(1);
    const [first, ...others] = takeAll(admission, "one");
    expect(admission.enter(aParty("one"), aBusyOne())).toBe(1);
    if (first !== undefined) admission.leave(first);
    expect(takeAll(admission, "one")).toHaveLength(1);
    expect(others).toHaveLength(63);
  });
});

describe("the limit of requests under way", () => {
  it("is 40 if no request is answered, and 64 again after a rest", () => {
    const { admission, clock } = openService(1);
    const stuck = takeAll(admission, "one");
    clock.advance(300);
    expect(admission.enter(aParty("one"), aBusyOne())).toBe(1);
    // A caller without requests gets an equal share of the 40.
    const shared = takeAll(admission, "other");
    expect(shared).toHaveLength(20);
    for (const slot of [...stuck, ...shared]) admission.leave(slot);
    clock.advance(600);
    expect(takeAll(admission, "one")).toHaveLength(64);
  });

  it("ignores a few slow requests among many fast ones", () => {
    const service = openService(1);
    for (let held = 0; held < 30; held += 1) service.admission.enter(aParty("held"), aBusyOne());
    for (let ms = 0; ms < 3_000; ms += 1) {
      if (ms % 5 === 0) service.send(aCaller("other"));
      service.work();
    }
    expect(takeAll(service.admission, "other")).toHaveLength(34);
  });

  it("falls if a turn of the event loop takes long, because unread requests wait too", () => {
    const service = openService(1);
    service.setTurn(300);
    for (let held = 0; held < 100; held += 1) service.admission.enter(aParty("held"), aBusyOne());
    for (let ms = 0; ms < 3_000; ms += 1) {
      if (ms % 5 === 0) service.send(aCaller("one"));
      service.work();
    }
    expect(takeAll(service.admission, "one").length).toBeLessThan(40);
  });
});
