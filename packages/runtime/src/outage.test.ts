import { DatabaseUnavailableError } from "@daric/postgres/errors";
import { createManualClock } from "@daric/testing/offline-context";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDatabaseOutage } from "./database-outage.ts";
import { createLogger } from "./logger.ts";
import { createOutage } from "./outage.ts";

type Line = { event: string; msg: string; [field: string]: unknown };

let clock: ReturnType<typeof createManualClock>;
let lines: Line[];
let stops: (() => void)[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  clock = createManualClock();
  lines = [];
  stops = [];
});
afterEach(() => {
  for (const stop of stops) stop();
  vi.useRealTimers();
});

const log = () =>
  createLogger({
    level: "info",
    role: "test",
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });

const texts = { begins: "away", lasts: "still away", ends: "back" };

function start(options: Partial<Parameters<typeof createOutage>[0]> = {}) {
  const outage = createOutage({ log: log(), clock, facts: { event: "node_unreachable" }, texts, ...options });
  stops.push(outage.stop);
  return outage;
}

/** Lets seconds pass, one after the other. */
async function pass(seconds: number, each: () => void = () => {}): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    clock.advance(1_000);
    each();
    await vi.advanceTimersByTimeAsync(1_000);
  }
}

const messages = () => lines.map(({ msg }) => msg);

describe("an outage", () => {
  it("logs one line at its start, one a minute and one at its end, however many reports come", async () => {
    const outage = start();
    await pass(150, () => {
      for (let report = 0; report < 100; report += 1) outage.failed("refused");
    });
    outage.answered();
    await pass(10);
    expect(lines).toMatchObject([
      { level: "warn", event: "node_unreachable", reason: "refused", msg: "away" },
      { msg: "still away", for_s: 60, failures: 6_100, reason: "refused" },
      { msg: "still away", for_s: 120 },
      { level: "warn", msg: "back", lasted_s: 149, failures: 15_000 },
    ]);
  });

  it("that comes and goes is one outage, until no call has failed for a while", async () => {
    const outage = start();
    await pass(30, () => {
      outage.failed("refused");
      outage.answered();
    });
    expect(messages()).toEqual(["away"]);
    await pass(4);
    expect(messages()).toEqual(["away", "back"]);
    outage.failed("again");
    expect(messages()).toEqual(["away", "back", "away"]);
  });

  it("begins after the given number of failures in a row", async () => {
    const outage = start({ failuresToBegin: 2 });
    outage.failed("late");
    outage.answered();
    outage.failed("late");
    expect(lines).toEqual([]);
    outage.failed("late");
    expect(messages()).toEqual(["away"]);
  });

  it("probes once a second while it lasts, and never otherwise", async () => {
    let isThere = false;
    let calls = 0;
    const probe = async (): Promise<void> => {
      calls += 1;
      if (!isThere) throw new Error("refused");
    };
    const outage = start({ probe });
    await pass(5);
    expect(calls).toBe(0);
    outage.failed("refused");
    await pass(5);
    expect(calls).toBe(5);
    isThere = true;
    await pass(5);
    expect(messages()).toEqual(["away", "back"]);
    const probedOnce = calls;
    await pass(5);
    expect(calls).toBe(probedOnce);
  });

  it("calls followers at the first answer, and at most every three seconds while it comes and goes", async () => {
    let isThere = false;
    const reportedMs: number[] = [];
    const outage = start({
      probe: async () => {
        if (!isThere) throw new Error("refused");
      },
      onBack: () => reportedMs.push(clock.monotonicMs()),
    });
    const startMs = clock.monotonicMs();
    outage.failed("refused");
    await pass(20);
    expect(reportedMs).toEqual([]);
    isThere = true;
    await pass(1);
    expect(reportedMs).toEqual([startMs + 21_000]);
    await pass(9, () => outage.failed("refused"));
    expect(reportedMs.length).toBeLessThanOrEqual(4);
    await pass(4);
    expect(messages()).toEqual(["away", "back"]);
    expect(reportedMs.at(-1)).toBeGreaterThan(startMs + 27_000);
  });

  it("does not probe again while an answer is pending", async () => {
    let calls = 0;
    const probe = (): Promise<void> => {
      calls += 1;
      return new Promise(() => {});
    };
    start({ probe }).failed("refused");
    await pass(20);
    expect(calls).toBe(1);
  });

  it("logs nothing after a stop", async () => {
    const outage = start();
    outage.failed("refused");
    outage.stop();
    outage.failed("refused");
    await pass(120);
    expect(messages()).toEqual(["away"]);
  });
});

describe("the database outage", () => {
  function startDatabase() {
    const outage = createDatabaseOutage({ log: log(), clock, ping: () => Promise.reject(new Error("away")) });
    stops.push(outage.stop);
    return outage;
  }
  const coded = (message: string, code: string) => Object.assign(new Error(message), { code });

  it("logs the driver's message once", () => {
    const outage = startDatabase();
    const refused = coded("connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED");
    expect(outage.report(new DatabaseUnavailableError(refused))).toBe(true);
    expect(outage.report(refused)).toBe(true);
    expect(lines).toMatchObject([
      { event: "database_unreachable", reason: "connect ECONNREFUSED 127.0.0.1:1" },
    ]);
    expect(JSON.stringify(lines)).not.toContain("stack");
  });

  it("logs the code when all addresses failed", () => {
    startDatabase().report(Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }));
    expect(lines).toMatchObject([{ reason: "ECONNREFUSED" }]);
  });

  it("is another outage when statements are too slow", () => {
    const outage = startDatabase();
    outage.report(new DatabaseUnavailableError(coded("canceling statement due to lock timeout", "55P03")));
    outage.report(coded("canceling statement due to statement timeout", "57014"));
    expect(lines).toMatchObject([
      { event: "database_slow", reason: "canceling statement due to lock timeout" },
    ]);
  });

  it("lasts while a worker waits for one row again and again, and ends after a minute without", async () => {
    const outage = createDatabaseOutage({ log: log(), clock, ping: async () => {} });
    stops.push(outage.stop);
    for (let step = 0; step < 4; step += 1) {
      outage.report(coded("canceling statement due to lock timeout", "55P03"));
      await pass(45);
    }
    const again = "database statements are in time again";
    expect(messages()).not.toContain(again);
    await pass(20);
    expect(messages().filter((message) => message === again)).toHaveLength(1);
  });

  it("ignores all other errors", () => {
    expect(startDatabase().report(coded("duplicate key", "23505"))).toBe(false);
    expect(startDatabase().report(new TypeError("undefined is not a function"))).toBe(false);
    expect(lines).toEqual([]);
  });
});
