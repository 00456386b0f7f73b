import { ADDRESS_BYTES, HASH_BYTES, hashStart } from "@daric/tron/packed-addresses";

const WORDS = 8;
const BLOCK_BITS = WORDS * 32;
/** With so many bits for each address hardly one in ten thousand that were never added is taken for one that was. */
const BITS_EACH = 24;
/** Odd numbers that turn four bytes into one bit of each word: those of the filters of Apache Parquet. */
const SALT = [
  0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
] as const;

/** A set of addresses that says yes of some that are not in it, and never no of one that is. */
export type BloomFilter = {
  /** Adds addresses that stand behind each other, 20 bytes each; one that was added before changes nothing. */
  add(hashes: Buffer): void;
  /** Those of these addresses (`packAddresses`) that may be in it, 20 bytes each. */
  select(packed: Buffer): Buffer[];
  /** Whether there are more in it than it was made for, so that it says yes too often. */
  isOverfull(): boolean;
};

/**
 * An empty filter for so many addresses, three bytes for each. All bits of an address are in one block of 32 bytes, so that
 * asking for one misses the processor's cache once, however many there are.
 */
export function createBloomFilter(capacity: number): BloomFilter {
  const blocks = Math.ceil((Math.max(1, capacity) * BITS_EACH) / BLOCK_BITS);
  const words = new Int32Array(blocks * WORDS);
  let count = 0;
  const blockOf = (view: DataView, at: number) => Math.floor((view.getUint32(at) / 2 ** 32) * blocks) * WORDS;
  const addOne = (view: DataView, at: number): void => {
    const block = blockOf(view, at);
    const key = keyOf(view, at);
    // What is issued while a transaction goes on is told again and again: what sets no bit makes it no fuller.
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
      // Of each address where its block begins, and then the first word that stands there.
      const heads = new Int32Array(packed.length / ADDRESS_BYTES);
      for (let index = 0; index < heads.length; index += 1) heads[index] = blockOf(view, hashStart(index));
      // All are read before any is judged, in a loop that does nothing else: the processor looks some hundred instructions
      // ahead, and fetches as many at once as it finds there, where it would wait for one after the other.
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

/** Read through a view, the numbers take a third of the time that the methods of a Buffer take. */
function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** What chooses an address's bits: the four bytes behind those that choose its block. */
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
