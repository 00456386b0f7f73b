import { createHash } from "node:crypto";

// Encodes TRON's hashed bytes independently of the service's own encoder, so that a fault of either is found.
// Protobuf follows protobuf.dev, "Encoding"; SHA-256 and the tree over transactions use node:crypto; Base58Check
// is by hand.

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** The root of a block without transactions. */
export const ROOT_OF_NOTHING = "00".repeat(32);

export function digestOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** An integer field; zero is not written. */
export function numberField(field: number, value: number | bigint): Buffer {
  return BigInt(value) === 0n ? Buffer.alloc(0) : Buffer.concat([varint(field * 8), varint(value)]);
}

/** A field of bytes, given in hex or raw; an empty one is not written. */
export function bytesField(field: number, value: string | Uint8Array): Buffer {
  const content = typeof value === "string" ? Buffer.from(value, "hex") : value;
  return content.length === 0 ? Buffer.alloc(0) : messageOf(field, content);
}

/** A message field, written even if empty. */
export function messageOf(field: number, content: Uint8Array): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}

export function utf8Field(field: number, value: string): Buffer {
  return bytesField(field, Buffer.from(value, "utf8"));
}

/** The root over pairs of leaves; an odd one moves up unchanged (java-tron MerkleTree). */
export function treeRoot(leaves: readonly Buffer[]): string {
  let level = leaves;
  while (level.length > 1) {
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, at) => {
      const [left, right] = level.slice(at * 2, at * 2 + 2) as [Buffer, Buffer?];
      return right === undefined ? left : digestOf(Buffer.concat([left, right]));
    });
  }
  return level[0]?.toString("hex") ?? ROOT_OF_NOTHING;
}

/** 21 bytes in hex of a Base58Check address. */
export function hexOfBase58(address: string): string {
  const number = [...address].reduce((sum, char) => sum * 58n + BigInt(BASE58.indexOf(char)), 0n);
  return number.toString(16).padStart(50, "0").slice(0, 42);
}

/** A Base58Check address: 21 bytes and four of their double hash. */
export function base58OfHex(hex: string): string {
  const payload = Buffer.from(hex, "hex");
  const check = digestOf(digestOf(payload)).subarray(0, 4);
  let number = BigInt(`0x${Buffer.concat([payload, check]).toString("hex")}`);
  let address = "";
  for (; number > 0n; number /= 58n) address = BASE58[Number(number % 58n)] + address;
  return address;
}

/** 32 bytes in hex: of a number, or of an address without its leading 41. */
export function wordOf(value: bigint | string): string {
  return (typeof value === "bigint" ? value.toString(16) : value.slice(2)).padStart(64, "0");
}

function varint(value: number | bigint): Buffer {
  const digits: number[] = [];
  let rest = BigInt(value);
  for (; rest >= 0x80n; rest >>= 7n) digits.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...digits, Number(rest)]);
}
