import type { LazyBlock } from "@daric/chain/blocks/lazy-block";
import type { WantedBlock } from "@daric/chain/nodes/chain-reader";
import { expect, it } from "vitest";
import { fetchAhead } from "./fetch-ahead.ts";

const MIB = 1024 * 1024;

/** Fetches 200 blocks, old up to 150. Returns the requests, the yielded blocks, and the most calls and blocks ahead. */
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
  let maxAhead = 0;
  for await (const some of blocks) {
    maxAhead = Math.max(maxAhead, requested.length - taken);
    taken += some.length;
  }
  return { requested: requested, taken, calls, maxAhead };
}

it("fetches blocks in order, the first as the child of the known one, and marks the old ones", async () => {
  const { requested, taken } = await fetchSome(0);
  expect([taken, requested.map(({ number }) => number)]).toEqual([
    200,
    Array.from({ length: 200 }, (_, at) => at + 1),
  ]);
  expect(requested.map(({ isOld }) => isOld)).toEqual(requested.map(({ number }) => number <= 150));
  expect(requested.flatMap(({ parent }) => parent ?? [])).toEqual([{ id: "parent", timeMs: 1 }]);
});

it("has at most 12 running calls, two for each old block", async () => {
  expect((await fetchSome(0)).calls.most).toBe(12);
});

it("fetches no further ahead than the bound of kept bytes, and gets to the end", async () => {
  const roomy = await fetchSome(0);
  const padded = await fetchSome(16 * MIB);
  expect([padded.taken, roomy.taken]).toEqual([200, 200]);
  expect(roomy.maxAhead).toBeGreaterThan(60);
  // Running fetches still arrive at the bound, and just yielded blocks count: several times four.
  expect(padded.maxAhead).toBeLessThanOrEqual(24);
});
