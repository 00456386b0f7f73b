const UUID_BYTES = 16;
const WORD_BYTES = 4;
const START = 0x9e3779b9 + UUID_BYTES + 3_923_095;

const turned = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/**
 * PostgreSQL's hash of a `uuid`, a signed number of 32 bits (`hash_bytes` of src/common/hashfn.c, the lookup3 of Bob Jenkins). A sharded
 * engine places the rows of a tenant by it.
 */
export function uuidHash(uuid: string): number {
  const bytes = Buffer.from(uuid.replaceAll("-", ""), "hex");
  const [first, second, third, last] = [0, 1, 2, 3].map((word) => bytes.readInt32LE(word * WORD_BYTES)) as [
    number,
    number,
    number,
    number,
  ];
  const [a, b, c] = mixed((START + first) | 0, (START + second) | 0, (START + third) | 0);
  return finished((a + last) | 0, b, c);
}

function mixed(a: number, b: number, c: number): readonly [number, number, number] {
  let words: readonly [number, number, number] = [a, b, c];
  for (const bits of [4, 6, 8, 16, 19, 4]) {
    const [x, y, z] = words;
    words = [y, (z + y) | 0, ((x - z) | 0) ^ turned(z, bits)];
  }
  return words;
}

function finished(a: number, b: number, c: number): number {
  let words: readonly [number, number, number] = [a, b, c];
  for (const bits of [14, 11, 25, 16, 4, 14, 24]) {
    const [x, y, z] = words;
    words = [y, ((z ^ y) - turned(y, bits)) | 0, x];
  }
  return words[1];
}
