/** Blocks that are counted together; only in a bucket with a difference each block is compared. */
export const BUCKET_BLOCKS = 1_000;

/**
 * The number of transfers to us in some blocks, from the blocks or from the deposits. The checksum of block
 * ids detects one too many in a block and one too few in another.
 */
export type BucketCount = { readonly bucket: bigint; readonly transfers: bigint; readonly checksum: bigint };

/** The differences of two counts by bucket; memory grows only with the buckets. */
export class BucketBalance {
  readonly #left = new Map<bigint, { transfers: bigint; checksum: bigint }>();

  /** Adds one count with 1, and the other with -1. */
  add(counts: readonly BucketCount[], sign: 1n | -1n): void {
    for (const { bucket, transfers, checksum } of counts) {
      const known = this.#left.get(bucket) ?? { transfers: 0n, checksum: 0n };
      this.#left.set(bucket, {
        transfers: known.transfers + sign * transfers,
        checksum: known.checksum + sign * checksum,
      });
    }
  }

  /** The buckets with a difference. */
  unequal(): bigint[] {
    return [...this.#left].flatMap(([bucket, { transfers, checksum }]) =>
      transfers === 0n && checksum === 0n ? [] : [bucket],
    );
  }
}
