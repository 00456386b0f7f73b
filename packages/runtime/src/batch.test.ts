import { setImmediate as turn } from "node:timers/promises";
import { HeldUpError } from "@daric/postgres/errors";
import { afterEach, expect, it, vi } from "vitest";
import { createBatches } from "./batch.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Runs batches only on command, and records their rows. */
function held(
  options: {
    atOnce?: number;
    answerMs?: number;
    refuse?: (rows: readonly number[]) => Error | undefined;
  } = {},
) {
  const ran: [string, readonly number[]][] = [];
  const times: number[] = [];
  const gates: (() => void)[] = [];
  const enqueue = createBatches<number, string>({
    atOnce: options.atOnce ?? 1,
    run: async (key, rows, ms) => {
      ran.push([key, rows]);
      times.push(ms);
      await new Promise<void>((resolve) => gates.push(resolve));
      const error = options.refuse?.(rows);
      if (error) throw error;
      return rows.map((row) => `${key}${row}`);
    },
    answerMs: options.answerMs ?? 9_000,
    refusal: () => new Error("refused"),
  });
  return { enqueue, ran, times, open: () => gates.shift()?.() };
}

const refusal = (message: string) => Object.assign(new Error(message), { code: "23505" });

/** Opens one gate after another until all runs have settled. */
async function settle<T>(runs: readonly Promise<T>[], open: () => void): Promise<PromiseSettledResult<T>[]> {
  const all = Promise.allSettled(runs);
  let isOver = false;
  void all.then(() => {
    isOver = true;
  });
  while (!isOver) {
    open();
    await turn();
  }
  return all;
}

it("rows of one turn run together at its end; rows that arrive meanwhile form the next batch, in order", async () => {
  const { enqueue, ran, open } = held();
  const first = [1, 2].map((row) => enqueue("a", row));
  expect(ran).toEqual([]);
  await turn();
  expect(ran).toEqual([["a", [1, 2]]]);
  const runs = [...first, enqueue("a", 3)];
  await turn();
  runs.push(enqueue("a", 4));
  const outcomes = await settle(runs, open);
  expect(ran).toEqual([
    ["a", [1, 2]],
    ["a", [3, 4]],
  ]);
  expect(outcomes.map((outcome) => outcome.status === "fulfilled" && outcome.value)).toEqual([
    "a1",
    "a2",
    "a3",
    "a4",
  ]);
});

it("the next batch starts before the rows of the last one are answered", async () => {
  const { enqueue, ran, open } = held();
  const first = enqueue("a", 1);
  await turn();
  const second = enqueue("a", 2);
  const ranWhenAnswered = first.then(() => ran.length);
  await settle([first, second], open);
  expect(await ranWhenAnswered).toBe(2);
});

it("a key runs as many batches at once as allowed, and keys do not wait for each other", async () => {
  const { enqueue, ran, open } = held({ atOnce: 2 });
  const runs: Promise<string>[] = [];
  for (const row of [1, 2, 3]) {
    runs.push(enqueue("a", row));
    await turn();
  }
  runs.push(enqueue("b", 9));
  await turn();
  expect(ran).toEqual([
    ["a", [1]],
    ["a", [2]],
    ["b", [9]],
  ]);
  await settle(runs, open);
});

it("waiting rows are shared among the allowed batches, unless they are few", async () => {
  const { enqueue, ran, open } = held({ atOnce: 2 });
  const many = Array.from({ length: 33 }, (_, row) => enqueue("many", row));
  const few = Array.from({ length: 31 }, (_, row) => enqueue("few", row));
  await turn();
  expect(ran.map(([key, rows]) => [key, rows.length])).toEqual([
    ["many", 17],
    ["many", 16],
    ["few", 31],
  ]);
  await settle([...many, ...few], open);
});

it("a batch has at most 64 rows, and the others wait", async () => {
  const { enqueue, ran, open } = held();
  await settle(
    Array.from({ length: 131 }, (_, row) => enqueue("a", row)),
    open,
  );
  expect(ran.map(([, rows]) => rows.length)).toEqual([64, 64, 3]);
});

it("a row that the database refuses does not affect the others", async () => {
  const { enqueue, ran, open } = held({ refuse: (rows) => (rows.includes(3) ? refusal("bad") : undefined) });
  const outcomes = await settle(
    [1, 2, 3, 4].map((row) => enqueue("a", row)),
    open,
  );
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(ran.slice(2).map(([, rows]) => rows)).toEqual([[2], [3], [4]]);
});

it("a batch with an unknown outcome never runs again", async () => {
  const { enqueue, ran, open } = held({ refuse: () => new Error("connection lost") });
  const outcomes = await settle(
    [1, 2, 3].map((row) => enqueue("a", row)),
    open,
  );
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(ran).toEqual([["a", [1, 2, 3]]]);
});

it("a timeout rejects the rows of its key that wait behind it, and no others", async () => {
  const heldUp = new HeldUpError("a row is held");
  const { enqueue, ran, open } = held({ refuse: (rows) => (rows.includes(1) ? heldUp : undefined) });
  const first = enqueue("a", 1);
  await turn();
  const [behind, other] = [enqueue("a", 2), enqueue("b", 3)];
  const outcomes = await settle([first, behind, other], open);
  expect(outcomes).toMatchObject([{ reason: heldUp }, { reason: new Error("refused") }, { value: "b3" }]);
  expect(ran.map(([, rows]) => rows)).toEqual([[1], [3]]);
  const [later] = await settle([enqueue("a", 4)], open);
  expect(later).toMatchObject({ value: "a4" });
});

it("the 1,001st waiting row is rejected at once", async () => {
  const { enqueue, open } = held();
  const first = enqueue("a", 0);
  await turn();
  const runs = [first, ...Array.from({ length: 1_000 }, (_, row) => enqueue("a", row + 1))];
  await expect(enqueue("a", 1_001)).rejects.toThrow("refused");
  const outcomes = await settle(runs, open);
  expect(outcomes.every(({ status }) => status === "fulfilled")).toBe(true);
});

it("a waiting row is rejected while there is still time to run it, and never runs", async () => {
  vi.useFakeTimers();
  const { enqueue, ran, open } = held();
  const first = enqueue("a", 1);
  await vi.advanceTimersByTimeAsync(0);
  const waiting = enqueue("a", 2);
  const refused = expect(waiting).rejects.toThrow("refused");
  await vi.advanceTimersByTimeAsync(7_000);
  await refused;
  open();
  expect(await first).toBe("a1");
  expect(ran).toEqual([["a", [1]]]);
});

it("a batch has the time that its oldest row has left", async () => {
  vi.useFakeTimers();
  const { enqueue, times, open } = held();
  const runs = [enqueue("a", 1)];
  await vi.advanceTimersByTimeAsync(1_000);
  runs.push(enqueue("a", 2));
  await vi.advanceTimersByTimeAsync(2_000);
  runs.push(enqueue("a", 3));
  open();
  await vi.advanceTimersByTimeAsync(0);
  open();
  await Promise.all(runs);
  expect(times.map(Math.round)).toEqual([9_000, 7_000]);
});

it("a row's time begins at its caller's timestamp, and a late row does not run", async () => {
  const { enqueue, ran } = held();
  await expect(enqueue("a", 1, performance.now() - 8_000)).rejects.toThrow("refused");
  expect(ran).toEqual([]);
});

it("a row that runs again alone keeps its first deadline", async () => {
  vi.useFakeTimers();
  const { enqueue, ran, open } = held({ refuse: (rows) => (rows.length > 1 ? refusal("bad") : undefined) });
  const first = enqueue("a", 1);
  await vi.advanceTimersByTimeAsync(0);
  const runs = Promise.allSettled([first, enqueue("a", 2), enqueue("a", 3)]);
  open();
  await vi.advanceTimersByTimeAsync(5_000);
  open();
  await vi.advanceTimersByTimeAsync(2_000);
  open();
  expect((await runs).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  expect(ran.map(([, rows]) => rows)).toEqual([[1], [2, 3], [2]]);
});
