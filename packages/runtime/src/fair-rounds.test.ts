import { spreadTenants } from "@daric/postgres/tenants";
import { afterEach, expect, it } from "vitest";
import { inFairRounds, inLists, inMerchantLists, roundRobin } from "./fair-rounds.ts";

afterEach(() => spreadTenants(undefined));

/** Processes the units' rows, and records the calls. */
function backlog(has: Record<string, number>) {
  const calls: [number, number][] = [];
  const work = async (units: readonly string[], limitEach: number) => {
    calls.push([units.length, limitEach]);
    return units.flatMap((unit) => {
      const done = Math.min(has[unit] ?? 0, limitEach);
      has[unit] = (has[unit] ?? 0) - done;
      return Array.from({ length: done }, () => unit);
    });
  };
  const run = (limit: number) =>
    inFairRounds(Object.keys(has), { limit, unitOf: (unit: string) => unit }, work);
  return { has, calls, run };
}

it("a small backlog is finished before a large one gets the rest", async () => {
  const { has, run } = backlog({ whale: 1_000, one: 1, two: 2 });
  const { rows, isMoreWaiting } = await run(30);
  expect([rows.length, isMoreWaiting]).toEqual([30, true]);
  expect(has).toEqual({ whale: 973, one: 0, two: 0 });
});

it("at most `limit` rows are processed, however many units wait", async () => {
  const { calls, run } = backlog(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`m${n}`, 3])));
  expect(await run(450)).toMatchObject({ rows: { length: 450 }, isMoreWaiting: true });
  expect(calls).toEqual([
    [200, 1],
    [200, 1],
    [50, 1],
  ]);
});

it("no work waits at the end, and an empty backlog causes no call", async () => {
  const some = backlog({ one: 1, two: 2 });
  expect(await some.run(100)).toMatchObject({ rows: { length: 3 }, isMoreWaiting: false });
  const none = backlog({});
  expect(await none.run(100)).toEqual({ rows: [], isMoreWaiting: false });
  expect(none.calls).toEqual([]);
});

it("a unit that has given all its rows is not asked again", async () => {
  const sizes = [
    { merchantId: "a", size: 3 },
    { merchantId: "b", size: 3 },
    { merchantId: "c", size: 4 },
    { merchantId: "c", size: 1 },
  ];
  const calls: string[][] = [];
  const left: Record<string, number> = { a: 3, b: 3, c: 5 };
  const unitOf = ({ merchantId }: { merchantId: string }) => merchantId;
  const { rows, isMoreWaiting } = await inFairRounds(
    sizes,
    { limit: 13, unitOf },
    async (units, limitEach) => {
      calls.push(units.map(unitOf));
      return [...new Set(units.map(unitOf))].flatMap((merchantId) => {
        const done = Math.min(left[merchantId] ?? 0, limitEach);
        left[merchantId] = (left[merchantId] ?? 0) - done;
        return Array.from({ length: done }, () => ({ merchantId }));
      });
    },
  );
  expect([rows.length, isMoreWaiting]).toEqual([11, false]);
  expect(calls).toEqual([
    ["a", "b", "c", "c"],
    ["c", "c"],
  ]);
});

it("lists are about the merchants of one shard, and rows follow the order of shards", () => {
  spreadTenants((merchantId) => merchantId.slice(-1));
  expect(inLists(["a2", "b1", "c2"])).toEqual([["a2", "c2"], ["b1"]]);
  const rows = ["c2", "b1", "a2", "c2"].map((merchantId, n) => ({ merchantId, n }));
  expect(inMerchantLists(rows).map((list) => list.map(({ n }) => n))).toEqual([[1], [0, 2, 3]]);
});

it("lists hold 200 units in their order, or the rows of 200 merchants in the order of merchants", () => {
  expect(inLists(Array.from({ length: 401 }, (_, n) => String(n))).map(({ length }) => length)).toEqual([
    200, 200, 1,
  ]);
  const rows = Array.from({ length: 603 }, (_, n) => ({ merchantId: String(n % 201).padStart(3, "0"), n }));
  const lists = inMerchantLists(rows);
  expect(lists.map(({ length }) => length)).toEqual([600, 3]);
  expect(lists[1]?.map(({ n }) => n)).toEqual([200, 401, 602]);
});

it("every merchant's first unit comes before any merchant's second", () => {
  const units = ["a1", "a2", "a3", "b1", "c1", "c2"].map((name) => ({ merchantId: name[0] ?? "", name }));
  expect(roundRobin(units).map(({ name }) => name)).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
});
