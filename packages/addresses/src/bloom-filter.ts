import { ADDRESS_BYTES, HASH_BYTES, hashStart } from "@daric/tron/packed-addresses";

const WORDS = 8;
const BLOCK_BITS = WORDS * 32;
/** At this size about one in ten thousand foreign addresses is reported as ours. */
const BITS_EACH = 24;
/** Odd multipliers that map four bytes to one bit of each word, from the split block filters of Apache Parquet. */
const SALT = [
  0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
] as const;

/** A set of addresses with false positives and no false negatives. */
export type BloomFilter = {
  add(hashes: Buffer): void;
  /** The addresses (`packAddresses`) that may be in the set, 20 bytes each. */
  select(packed: Buffer): Buffer[];
  /** Whether more addresses were added than planned, so that false positives are too frequent. */
  isOverfull(): boolean;
};

/**
 * An empty filter for this many addresses, three bytes each. All bits of an address are in one block of 32 bytes, so
 * a look-up costs one cache miss at any size.
 */
export function createBloomFilter(capacity: number): BloomFilter {
  const blocks = Math.ceil((Math.max(1, capacity) * BITS_EACH) / BLOCK_BITS);
  const words = new Int32Array(blocks * WORDS);
  let count = 0;
  const blockOf = (view: DataView, at: number) => Math.floor((view.getUint32(at) / 2 ** 32) * blocks) * WORDS;
  const addOne = (view: DataView, at: number): void => {
    const block = blockOf(view, at);
    const key = keyOf(view, at);
    // Addresses of a running transaction are added repeatedly; they must not count twice.
    if (hasAll(words, block, key)) return;
    count += 1;
    for (let word = 0; word < WORDS; word += 1) {
      words[block + word] = (words[block + word] ?? 0) | bitOf(key, word);
    }
  };
  return {
    add: (hashes) => {
      const view = viewOf(hashes);
      for (let at = 0; at < hashes.length; at += HASH_BYTES) addOne(view, at);
    },
    select: (packed) => {
      const view = viewOf(packed);
      // First the start of each address's block, then the first word there.
      const heads = new Int32Array(packed.length / ADDRESS_BYTES);
      for (let index = 0; index < heads.length; index += 1) heads[index] = blockOf(view, hashStart(index));
      // A loop of nothing but reads lets the processor fetch many cache lines at once instead of one after the other.
      for (let index = 0; index < heads.length; index += 1) heads[index] = words[heads[index] ?? 0] ?? 0;
      const selected: Buffer[] = [];
      for (let index = 0; index < heads.length; index += 1) {
        const at = hashStart(index);
        const key = keyOf(view, at);
        if (((heads[index] ?? 0) & bitOf(key, 0)) === 0 || !hasAll(words, blockOf(view, at), key)) continue;
        selected.push(packed.subarray(at, at + HASH_BYTES));
      }
      return selected;
    },
    isOverfull: () => count > capacity,
  };
}

/** Reading numbers by a DataView takes a third of the time of the Buffer methods. */
function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The four bytes after those that select the block; they select the bits. */
function keyOf(view: DataView, at: number): number {
  return view.getInt32(at + 4);
}

function hasAll(words: Int32Array, block: number, key: number): boolean {
  for (let word = 0; word < WORDS; word += 1) {
    if (((words[block + word] ?? 0) & bitOf(key, word)) === 0) return false;
  }
  return true;
}

function bitOf(key: number, word: number): number {
  return 1 << (Math.imul(key, SALT[word] ?? 0) >>> 27);
}
