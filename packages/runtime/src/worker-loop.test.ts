import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@daric/testing/until";
import { afterEach, describe, expect, it } from "vitest";
import { createLogger } from "./logger.ts";
import { startWorkerLoop, type WorkerLoop } from "./worker-loop.ts";

const FAR_AWAY_MS = 60_000;
const loops: WorkerLoop[] = [];

afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.stop()));
});

/** A loop over `step`, its log and its number of steps. */
function start(
  step: (count: number) => Promise<boolean>,
  {
    pollMs = FAR_AWAY_MS,
    ...parts
  }: {
    pollMs?: number | (() => number);
    retryMs?: number;
    isExpected?: (error: unknown) => error is Error;
    isLogged?: (error: unknown) => boolean;
    databaseOutage?: { report: () => boolean; follow: (onBack: () => void) => void };
  } = {},
) {
  const lines: { level: string; msg: string; failures: number; err?: { message: string; stack: string } }[] =
    [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const seen = { polls: 0, lines };
  const loop = startWorkerLoop({
    name: "test",
    pollMs,
    log: createLogger({ level: "info", role: "test", destination }),
    processNext: () => {
      seen.polls += 1;
      return step(seen.polls);
    },
    ...parts,
  });
  loops.push(loop);
  return { loop, seen };
}

class ExpectedError extends Error {}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const reached = (condition: () => boolean) => until("the loop is there", condition);

describe("a worker loop", () => {
  it("continues at once while there is work, and waits otherwise", async () => {
    const { seen } = start(async (count) => count < 5);
    await reached(() => seen.polls === 5);
    await sleep(30);
    expect(seen.polls).toBe(5);
  });

  it("polls again after its poll time without a wake-up", async () => {
    const { seen } = start(async () => false, { pollMs: 5 });
    await reached(() => seen.polls >= 3);
  });

  it.each([
    ["its poll time after the start of a step", { stepMs: 80, pollMs: 120, from: 115, to: 190 }],
    ["a quarter of it after the end of a long one", { stepMs: 80, pollMs: 60, from: 90, to: 135 }],
  ])("polls again %s", async (_when, { stepMs, pollMs, from, to }) => {
    const startedMs: number[] = [];
    const { seen } = start(
      async () => {
        startedMs.push(performance.now());
        await sleep(stepMs);
        return false;
      },
      { pollMs },
    );
    await reached(() => seen.polls >= 7);
    const apart = startedMs.slice(1).map((ms, index) => ms - (startedMs[index] ?? 0));
    // Another process may delay some steps.
    expect(Math.min(...apart)).toBeGreaterThan(from);
    expect(Math.min(...apart)).toBeLessThan(to);
  });

  it("starts a step at once after a wake-up", async () => {
    const { loop, seen } = start(async () => false);
    await reached(() => seen.polls === 1);
    loop.wake();
    await reached(() => seen.polls === 2);
  });

  it("does not lose a wake-up that comes during a step", async () => {
    const polling = withResolvers<void>();
    const { loop, seen } = start(async (count) => {
      if (count === 1) await polling.promise;
      return false;
    });
    loop.wake();
    polling.resolve();
    await reached(() => seen.polls === 2);
  });

  it("waits longer after each failure, despite wake-ups, and logs its recovery", async () => {
    const startedAt = performance.now();
    const { loop, seen } = start(
      async (count) => {
        if (count <= 2) throw new Error("the node is away");
        return false;
      },
      { pollMs: 20 },
    );
    const hinting = setInterval(loop.wake, 5);
    await reached(() => seen.polls >= 3);
    clearInterval(hinting);
    expect(performance.now() - startedAt).toBeGreaterThan(200 + 400 - 20);
    await reached(() => seen.lines.length === 3);
    expect(seen.lines).toMatchObject([
      { level: "error", event: "worker_failed", failures: 1 },
      { level: "error", event: "worker_failed", failures: 2 },
      { level: "info", msg: "the worker runs again", failures: 2 },
    ]);
  });

  it("tries again at once when the database is back, and does not interrupt a rest without failures", async () => {
    const followers: (() => void)[] = [];
    const databaseOutage = {
      report: () => true,
      follow: (onBack: () => void) => void followers.push(onBack),
    };
    const failing = start(
      async (count) => {
        if (count <= 2) throw new Error("the database is away");
        return false;
      },
      { databaseOutage },
    );
    const resting = start(async () => false, { databaseOutage });
    for (const polls of [1, 2]) {
      await reached(() => failing.seen.polls === polls);
      await sleep(10);
      for (const onBack of followers) onBack();
    }
    await reached(() => failing.seen.polls === 3);
    expect([failing.seen.lines, resting.seen.polls]).toEqual([[], 1]);
  });

  it("logs an expected failure in one line, and any other with its stack", async () => {
    const { seen } = start(
      async (count) => {
        if (count === 1) throw new ExpectedError("the node has no block 7");
        if (count === 2) throw new TypeError("undefined is not a function");
        return false;
      },
      { pollMs: 1, isExpected: (error): error is Error => error instanceof ExpectedError },
    );
    await reached(() => seen.lines.length === 3);
    const [expected, fault] = seen.lines;
    expect(expected).toEqual({
      level: "warn",
      time: expect.any(String),
      role: "test",
      worker: "test",
      failures: 1,
      reason: "the node has no block 7",
      event: "worker_waiting",
      msg: "a worker waits and will retry",
    });
    expect(fault).toMatchObject({
      level: "error",
      err: { message: "undefined is not a function" },
      failures: 2,
    });
    expect(fault?.err?.stack).toContain("worker-loop.test.ts");
  });

  it("logs expected failures once a minute, and none that are logged elsewhere", async () => {
    const { seen } = start(
      async (count) => {
        if (count <= 3) throw new ExpectedError("the node has no block 7");
        if (count === 5) throw new Error("the database is away");
        return count < 6;
      },
      {
        pollMs: 1,
        isExpected: (error): error is Error => error instanceof ExpectedError,
        isLogged: (error) => error instanceof Error && error.message === "the database is away",
      },
    );
    await reached(() => seen.polls >= 7);
    expect(seen.lines).toMatchObject([
      { level: "warn", failures: 1 },
      { level: "info", msg: "the worker runs again", failures: 3 },
    ]);
  });

  it("is failing from the third failure in a row until a step works", async () => {
    const states: boolean[] = [];
    const { loop, seen } = start(
      async (count) => {
        // The first step runs before the loop is returned.
        if (count > 1) states.push(loop.isFailing());
        if (count <= 3) throw new Error("the node is away");
        return false;
      },
      { pollMs: 1 },
    );
    await reached(() => seen.polls >= 5);
    expect(states.slice(0, 4)).toEqual([false, false, true, false]);
  });

  it("reports the last error while it is failing", async () => {
    const failures: (string | undefined)[] = [];
    const { loop, seen } = start(
      async (count) => {
        if (count > 1) failures.push((loop.failure() as Error | undefined)?.message);
        if (count <= 4) throw new Error(`step ${count}`);
        return false;
      },
      { pollMs: 1 },
    );
    await reached(() => seen.polls >= 6);
    expect(failures.slice(0, 5)).toEqual([undefined, undefined, "step 3", "step 4", undefined]);
  });

  it("stops at once during a rest, and after the step during a step", async () => {
    const resting = start(async () => false);
    await reached(() => resting.seen.polls === 1);
    await resting.loop.stop();

    const step = withResolvers<boolean>();
    const working = start(() => step.promise);
    let isStopped = false;
    const stopping = working.loop.stop().then(() => {
      isStopped = true;
    });
    await sleep(10);
    expect(isStopped).toBe(false);
    step.resolve(true);
    await stopping;
    expect(working.seen.polls).toBe(1);
  });

  it("stops during the wait after a failure", async () => {
    const { loop, seen } = start(async () => {
      throw new Error("down");
    });
    await reached(() => seen.lines.length === 1);
    await loop.stop();
    expect(seen.polls).toBe(1);
  });

  it("can be stopped twice", async () => {
    const { loop } = start(async () => false);
    await Promise.all([loop.stop(), loop.stop()]);
    await loop.stop();
  });
});

it("calls `pollMs` before each wait", async () => {
  let pollMs = 1;
  const { seen } = start(
    async (count) => {
      if (count === 3) pollMs = FAR_AWAY_MS;
      return false;
    },
    { pollMs: () => pollMs },
  );
  await until("the third look", () => seen.polls === 3);
  await sleep(50);
  expect(seen.polls).toBe(3);
});

it("a failed step is repeated after the time to retry, however long the loop rests between steps", async () => {
  const { seen } = start(
    async (count) => {
      if (count === 1) throw new Error("a lock");
      return false;
    },
    { pollMs: FAR_AWAY_MS, retryMs: 1 },
  );
  await until("it is repeated", async () => seen.polls === 2);
  // Shorter than the longest wait after a failure, 15 s.
}, 10_000);
