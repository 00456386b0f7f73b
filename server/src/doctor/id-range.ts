/** So many deposits are looked at by one statement, so that each takes a second or so however many a merchant has. */
export const DEPOSITS_AT_ONCE = 50_000;
/** Ids of deposits are parts of hashes: each range of them holds as many as any other of its width. */
const PREFIXES = 2 ** 16;

/** Ids from one to another, both included. */
export type IdRange = { readonly from: string; readonly to: string };

/** Ranges that together hold every id, as many as so many deposits need, `atOnce` in each. */
export function idRangesFor(deposits: bigint, atOnce = DEPOSITS_AT_ONCE): IdRange[] {
  const wanted = Math.ceil(Number(deposits) / atOnce);
  const count = Math.min(PREFIXES, Math.max(1, wanted));
  const start = (index: number) => Math.floor((index * PREFIXES) / count);
  return Array.from({ length: count }, (_, index) => ({
    from: `${hex(start(index))}0000-0000-0000-0000-000000000000`,
    to: `${hex(start(index + 1) - 1)}ffff-ffff-ffff-ffff-ffffffffffff`,
  }));
}

/** The same ranges, cut behind each of these ids, which are in their order. */
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

/** The transactions that lie in their hashes where a range of ids lies among ids. */
export function txIdsOf({ from, to }: IdRange): IdRange {
  const [first, last] = [from, to].map((id) => id.replaceAll("-", ""));
  return { from: `${first}${"0".repeat(32)}`, to: `${last}${"f".repeat(32)}` };
}

/** Charges above one id, up to another. */
export type ChargeRange = { readonly after: string; readonly upTo: string };

/** Ranges that end at these ids, which are in their order, and that together hold every id. */
export function chargeRangesTo(ends: readonly string[]): ChargeRange[] {
  const [none, last] = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"];
  const uppers = [...ends, last];
  return uppers.map((upTo, index) => ({ after: uppers[index - 1] ?? none, upTo }));
}

function hex(prefix: number): string {
  return prefix.toString(16).padStart(4, "0");
}
