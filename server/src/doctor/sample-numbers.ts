import { createHash } from "node:crypto";

/** Heights of a range, both ends included, derived from the seed alone; some may be equal. */
export function sampleNumbers(
  seed: number,
  { from, to, count }: { from: number; to: number; count: number },
): number[] {
  return Array.from({ length: count }, (_, index) => {
    const hash = createHash("sha256").update(`${seed}/${index}`).digest();
    return from + Number(hash.readBigUInt64BE() % BigInt(to - from + 1));
  });
}
