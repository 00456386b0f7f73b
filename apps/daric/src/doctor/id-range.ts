/** Deposits of one statement, so that each takes about a second for any merchant. */
export const DEPOSITS_AT_ONCE = 50_000;
/** Ids of deposits are parts of hashes: ranges of one width have equally many. */
const PREFIXES = 2 ** 16;

/** Ids from one to another, both included. */
export type IdRange = { readonly from: string; readonly to: string };

/** Ranges that together contain every id, with about `atOnce` deposits each. */
export function idRangesFor(deposits: bigint, atOnce = DEPOSITS_AT_ONCE): IdRange[] {
  const wanted = Math.ceil(Number(deposits) / atOnce);
  const count = Math.min(PREFIXES, Math.max(1, wanted));
  const start = (index: number) => Math.floor((index * PREFIXES) / count);
  return Array.from({ length: count }, (_, index) => ({
    from: `${hex(start(index))}0000-0000-0000-0000-000000000000`,
    to: `${hex(start(index + 1) - 1)}ffff-ffff-ffff-ffff-ffffffffffff`,
  }));
}

/** The same ranges, cut behind each of these sorted ids. */
export function cutBehind(ends: readonly string[], ranges: readonly IdRange[]): IdRange[] {
  return ranges.flatMap(({ from, to }) => {
    const inside = ends.filter((end) => from <= end && end < to);
    return [from, ...inside.map(following)].map((start, index) => ({ from: start, to: inside[index] ?? to }));
  });
}

/** The id that is greater by one. */
function following(id: string): string {
  const next = (BigInt(`0x${id.replaceAll("-", "")}`) + 1n).toString(16).padStart(32, "0");
  return next.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The transaction ids of a range, at the same place among hashes as the range among ids. */
export function txIdsOf({ from, to }: IdRange): IdRange {
  const [first, last] = [from, to].map((id) => id.replaceAll("-", ""));
  return { from: `${first}${"0".repeat(32)}`, to: `${last}${"f".repeat(32)}` };
}

/** Charges above one id, up to another. */
export type ChargeRange = { readonly after: string; readonly upTo: string };

/** Ranges that end at these sorted ids and together contain every id. */
export function chargeRangesTo(ends: readonly string[]): ChargeRange[] {
  const [none, last] = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"];
  const uppers = [...ends, last];
  return uppers.map((upTo, index) => ({ after: uppers[index - 1] ?? none, upTo }));
}

function hex(prefix: number): string {
  return prefix.toString(16).padStart(4, "0");
}
