import { areApart, lowestFirst } from "./price.ts";

/** Sources agree when no two of them differ by more than this. */
const AGREEMENT_PERCENT = 1n;

/**
 * The largest group of prices of which no two differ by more than 1 %; undefined where it has fewer than `quorum`
 * members, or where another one is as large: then nobody knows which of them is right.
 */
export function agreeingGroup<P extends { readonly usdE8: bigint }>(
  prices: readonly P[],
  quorum: number,
): readonly P[] | undefined {
  const sorted = prices.toSorted((one, other) => lowestFirst(one.usdE8, other.usdE8));
  let largest: readonly P[] = [];
  let isUnique = false;
  let end = 0;
  for (const [start, lowest] of sorted.entries()) {
    const before = end;
    while (end < sorted.length && !areApart(lowest.usdE8, sorted[end]?.usdE8 ?? 0n, AGREEMENT_PERCENT))
      end += 1;
    // One that reaches no further than the group before it is a part of that.
    if (end === before) continue;
    if (end - start > largest.length) {
      largest = sorted.slice(start, end);
      isUnique = true;
    } else if (end - start === largest.length) isUnique = false;
  }
  return isUnique && largest.length >= quorum ? largest : undefined;
}
