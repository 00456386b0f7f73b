import { areApart, lowestFirst } from "./price.ts";

/** Two sources agree if their prices differ by at most this much. */
const AGREEMENT_PERCENT = 1n;

/**
 * The largest group of prices of which no two differ by more than 1 %. Undefined if it has fewer than `quorum` members, or if
 * another group is as large.
 */
export function agreeingGroup<P extends { readonly priceE8: bigint }>(
  prices: readonly P[],
  quorum: number,
): readonly P[] | undefined {
  const sorted = prices.toSorted((left, right) => lowestFirst(left.priceE8, right.priceE8));
  let largest: readonly P[] = [];
  let isUnique = false;
  let end = 0;
  for (const [start, lowest] of sorted.entries()) {
    const before = end;
    while (end < sorted.length && !areApart(lowest.priceE8, sorted[end]?.priceE8 ?? 0n, AGREEMENT_PERCENT))
      end += 1;
    // A group that ends where the one before it ends is part of that one.
    if (end === before) continue;
    if (end - start > largest.length) {
      largest = sorted.slice(start, end);
      isUnique = true;
    } else if (end - start === largest.length) isUnique = false;
  }
  return isUnique && largest.length >= quorum ? largest : undefined;
}
