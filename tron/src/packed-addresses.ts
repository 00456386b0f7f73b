/** What tells an address from every other. */
export const HASH_BYTES = 20;
/** With the prefix that all share. */
export const ADDRESS_BYTES = 21;
/** No hash is known whose bytes are all zeros. */
const NO_ADDRESS = Buffer.alloc(ADDRESS_BYTES);

/**
 * Addresses (21-byte hex form) as bytes behind each other, 21 each, in their order. A block tells of a thousand: written at once
 * they take a fifth of the time that they take one by one, and are one thing to keep. What is no address stands for none.
 */
export function packAddresses(hexes: readonly string[]): Buffer {
  const bytes = Buffer.from(hexes.join(""), "hex");
  // What is of another length moves all that stands behind it, and what is no hex ends the writing.
  const isEachWhole = hexes.every(({ length }) => length === 2 * ADDRESS_BYTES);
  if (isEachWhole && bytes.length === hexes.length * ADDRESS_BYTES) return bytes;
  return Buffer.concat(hexes.map(packOne));
}

function packOne(hex: string): Buffer {
  const bytes = Buffer.from(hex, "hex");
  return hex.length === 2 * ADDRESS_BYTES && bytes.length === ADDRESS_BYTES ? bytes : NO_ADDRESS;
}

/** Where in packed addresses the 20 bytes of one of them begin. */
export function hashStart(place: number): number {
  return place * ADDRESS_BYTES + 1;
}

/** The 20 bytes of each of these packed addresses. */
export function hashesIn(packed: Buffer): Buffer[] {
  return Array.from({ length: packed.length / ADDRESS_BYTES }, (_, place) =>
    packed.subarray(hashStart(place), hashStart(place) + HASH_BYTES),
  );
}
