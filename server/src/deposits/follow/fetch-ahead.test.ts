import { expect, it } from "vitest";
import type { LazyBlock } from "../../chain/blocks/lazy-block.ts";
import type { WantedBlock } from "../../chain/nodes/chain-reader.ts";
import { fetchAhead } from "./fetch-ahead.ts";

const MIB = 1024 * 1024;

/** Asks for 200 blocks, of which those up to 150 are old; what was asked for when the first were taken, and the most at once. */
async function fetchSome(keptBytes: number) {
  const requested: WantedBlock[] = [];
  const calls = { now: 0, most: 0 };
  const fetchBlock = async (wanted: WantedBlock) => {
    requested.push(wanted);
    const own = wanted.isOld ? 2 : 1;
    calls.now += own;
    calls.most = Math.max(calls.most, calls.now);
    await new Promise((resolve) => setImmediate(resolve));
    calls.now -= own;
    const summary = { header: { number: wanted.number }, transactionCount: 1 };
    return { summary, keptBytes, decode: () => expect.fail() } as unknown as LazyBlock;
  };
  const scanner = { client: { fetchBlock }, network: { tokens: [] } };
  const blocks = fetchAhead(scanner as never, {
    from: 1,
    parent: { id: "parent", timeMs: 1 },
    to: 200,
    oldTo: 150,
    isEnough: () => false,
  });
  let taken = 0;
  let mostAhead = 0;
  for await (const some of blocks) {
    mostAhead = Math.max(mostAhead, requested.length - taken);
    taken += some.length;
  }
  return { requested: requested, taken, calls, mostAhead };
}

it("asks for the blocks in their order, the first as the child of what is known, and says which are old", async () => {
  const { requested, taken } = await fetchSome(0);
  expect([taken, requested.map(({ number }) => number)]).toEqual([
    200,
    Array.from({ length: 200 }, (_, at) => at + 1),
  ]);
  expect(requested.map(({ isOld }) => isOld)).toEqual(requested.map(({ number }) => number <= 150));
  expect(requested.flatMap(({ parent }) => parent ?? [])).toEqual([{ id: "parent", timeMs: 1 }]);
});

it("has 12 calls under way at most, of which an old block takes two", async () => {
  expect((await fetchSome(0)).calls.most).toBe(12);
});

it("goes no further ahead than what is kept of the blocks has room for, and comes to the end", async () => {
  const roomy = await fetchSome(0);
  const padded = await fetchSome(16 * MIB);
  expect([padded.taken, roomy.taken]).toEqual([200, 200]);
  expect(roomy.mostAhead).toBeGreaterThan(60);
  // What is under way when the bound is met comes too, and what was just taken is counted: some times four.
  expect(padded.mostAhead).toBeLessThanOrEqual(24);
});
