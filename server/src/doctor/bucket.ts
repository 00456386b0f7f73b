/** So many blocks are counted together; where a bucket does not add up its blocks are looked at one by one. */
export const BUCKET_BLOCKS = 1_000;

/**
 * How many transfers to our addresses some blocks have, as the blocks themselves say or as the deposits do. The checksum
 * is of their blocks' ids, so that one too many in a block and one too few in another are seen.
 */
export type BucketCount = { readonly bucket: bigint; readonly transfers: bigint; readonly checksum: bigint };

/** What two ways to count leave of each other, bucket by bucket: it takes as much memory as there are buckets. */
export class BucketBalance {
  readonly #left = new Map<bigint, { transfers: bigint; checksum: bigint }>();

  /** What the one counts, with 1, and the other, with -1. */
  add(counts: readonly BucketCount[], sign: 1n | -1n): void {
    for (const { bucket, transfers, checksum } of counts) {
      const known = this.#left.get(bucket) ?? { transfers: 0n, checksum: 0n };
      this.#left.set(bucket, {
        transfers: known.transfers + sign * transfers,
        checksum: known.checksum + sign * checksum,
      });
    }
  }

  /** The buckets in which the one count is not the other. */
  unequal(): bigint[] {
    return [...this.#left].flatMap(([bucket, { transfers, checksum }]) =>
      transfers === 0n && checksum === 0n ? [] : [bucket],
    );
  }
}
