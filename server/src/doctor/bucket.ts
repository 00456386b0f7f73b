/** So many blocks are counted together; where a bucket does not add up its blocks are looked at one by one. */
export const BUCKET_BLOCKS = 1_000;

/**
 * How many transfers to our addresses some blocks have, as the blocks themselves say or as the deposits do. The checksum
 * is of their blocks' ids, so that one too many in a block and one too few in another are seen.
 */
export type BucketCount = { readonly bucket: bigint; readonly transfers: bigint; readonly checksum: bigint };

/** The buckets in which the one count is not the other. */
export function unequalBuckets(ours: readonly BucketCount[], theirs: readonly BucketCount[]): bigint[] {
  const left = new Map<bigint, { transfers: bigint; checksum: bigint }>();
  const add = (counts: readonly BucketCount[], sign: bigint): void => {
    for (const { bucket, transfers, checksum } of counts) {
      const known = left.get(bucket) ?? { transfers: 0n, checksum: 0n };
      left.set(bucket, {
        transfers: known.transfers + sign * transfers,
        checksum: known.checksum + sign * checksum,
      });
    }
  };
  add(ours, 1n);
  add(theirs, -1n);
  return [...left].flatMap(([bucket, { transfers, checksum }]) =>
    transfers === 0n && checksum === 0n ? [] : [bucket],
  );
}
