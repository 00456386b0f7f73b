import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { createBatches } from "./batch.ts";

/** Runs batches only when told, and remembers what was in them. */
function held(options: { atOnce?: number; refuse?: (rows: readonly number[]) => Error | undefined } = {}) {
  const ran: [string, readonly number[]][] = [];
  const gates: (() => void)[] = [];
  const ask = createBatches<number, string>({
    atOnce: options.atOnce ?? 1,
    run: async (key, rows) => {
      ran.push([key, rows]);
      await new Promise<void>((resolve) => gates.push(resolve));
      const error = options.refuse?.(rows);
      if (error) throw error;
      return rows.map((row) => `${key}${row}`);
    },
    full: () => new Error("full"),
  });
  return { ask, ran, open: () => gates.shift()?.() };
}

const refusal = (message: string) => Object.assign(new Error(message), { code: "23505" });

/** Opens gate after gate until everybody is told. */
async function settle<T>(asked: readonly Promise<T>[], open: () => void): Promise<PromiseSettledResult<T>[]> {
  const all = Promise.allSettled(asked);
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

it("a row that is alone runs at once, and what comes meanwhile runs together, in order", async () => {
  const { ask, ran, open } = held();
  const asked = [1, 2, 3, 4].map((row) => ask("a", row));
  expect(ran).toEqual([["a", [1]]]);
  const told = await settle(asked, open);
  expect(ran).toEqual([
    ["a", [1]],
    ["a", [2, 3, 4]],
  ]);
  expect(told.map((one) => one.status === "fulfilled" && one.value)).toEqual(["a1", "a2", "a3", "a4"]);
});

it("as many batches of one key run side by side as may, and keys do not wait for each other", async () => {
  const { ask, ran, open } = held({ atOnce: 2 });
  const asked = [...[1, 2, 3].map((row) => ask("a", row)), ask("b", 9)];
  expect(ran).toEqual([
    ["a", [1]],
    ["a", [2]],
    ["b", [9]],
  ]);
  await settle(asked, open);
});

it("a batch has 64 rows at most, and what does not fit waits", async () => {
  const { ask, ran, open } = held();
  await settle(
    Array.from({ length: 131 }, (_, row) => ask("a", row)),
    open,
  );
  expect(ran.map(([, rows]) => rows.length)).toEqual([1, 64, 64, 2]);
});

it("a row that the database refuses hurts nobody beside it", async () => {
  const { ask, ran, open } = held({ refuse: (rows) => (rows.includes(3) ? refusal("bad") : undefined) });
  const told = await settle(
    [1, 2, 3, 4].map((row) => ask("a", row)),
    open,
  );
  expect(told.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(ran.slice(2).map(([, rows]) => rows)).toEqual([[2], [3], [4]]);
});

it("a batch of which nobody knows what became is never run again", async () => {
  const { ask, ran, open } = held({ refuse: () => new Error("connection lost") });
  const told = await settle(
    [1, 2, 3].map((row) => ask("a", row)),
    open,
  );
  expect(told.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(ran).toHaveLength(2);
});

it("who would be the thousand and first to wait is refused at once", async () => {
  const { ask, open } = held();
  const asked = Array.from({ length: 1_001 }, (_, row) => ask("a", row));
  await expect(ask("a", 1_001)).rejects.toThrow("full");
  const told = await settle(asked, open);
  expect(told.every(({ status }) => status === "fulfilled")).toBe(true);
});
