/** The number of blocks that are counted together. Single blocks are compared only in a bucket with a difference. */
export const BUCKET_BLOCKS = 1_000;

/**
 * The number of transfers to us in some blocks, counted from the blocks or from the deposits. The checksum of block
 * ids detects that one block has a transfer too many and another one too few.
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
