import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { createBloomFilter } from "./bloom-filter.ts";

const packed = (hashes: readonly Buffer[]): Buffer =>
  Buffer.concat(hashes.flatMap((hash) => [Buffer.of(0x41), hash]));

/** Random addresses, 20 bytes each. */
function someHashes(what: string, count: number): Buffer[] {
  return Array.from({ length: count }, (_, n) =>
    createHash("sha256").update(`${what} ${n}`).digest().subarray(0, 20),
  );
}

it.each([1, 7, 5_000])(
  "an address that was added is never denied, in a filter made for %d too",
  (capacity) => {
    const filter = createBloomFilter(capacity);
    const hashes = someHashes("added", 5_000);
    filter.add(Buffer.concat(hashes.slice(0, 4_000)));
    for (const hash of hashes.slice(4_000)) filter.add(hash);
    expect(filter.select(packed(hashes))).toEqual(hashes);
  },
);

it("in a full filter at most one of thousands of unknown addresses is a false positive", () => {
  const filter = createBloomFilter(20_000);
  filter.add(Buffer.concat(someHashes("added", 20_000)));
  const wrong = filter.select(packed(someHashes("other", 50_000)));
  expect(wrong.length).toBeLessThan(30);
});

it("an empty filter has no address, and a filter with more than planned is overfull", () => {
  const filter = createBloomFilter(2);
  const [one, two, three] = someHashes("added", 3) as [Buffer, Buffer, Buffer];
  expect(filter.select(packed([one]))).toEqual([]);
  filter.add(Buffer.concat([one, two]));
  expect(filter.isOverfull()).toBe(false);
  filter.add(three);
  expect(filter.isOverfull()).toBe(true);
});

it("addresses of only zero bits or only one bits are found too", () => {
  const filter = createBloomFilter(1_000);
  const [zeros, ones] = [Buffer.alloc(20), Buffer.alloc(20, 0xff)];
  filter.add(Buffer.concat([zeros, ones]));
  expect(filter.select(packed([zeros, ones]))).toEqual([zeros, ones]);
});

it("an address that is added repeatedly counts once", () => {
  const filter = createBloomFilter(50_000);
  const hundred = Buffer.concat(someHashes("added", 100));
  for (let question = 0; question < 501; question += 1) filter.add(hundred);
  expect(filter.isOverfull()).toBe(false);
});
