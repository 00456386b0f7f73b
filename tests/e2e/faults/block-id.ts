import { createHash } from "node:crypto";
import type { Json } from "./lying-node.ts";

/**
 * The correct id of a header: 8 bytes of the number, then the last 24 of the SHA-256 of its bytes. Independent of
 * the service's own code, so that a fault of that code is found.
 */
export function blockIdOf(raw: Json): string {
  return numberPrefix(raw.number ?? 0) + headerDigest(raw).toString("hex").slice(16);
}

/** The signed bytes of a block: the SHA-256 of its header (TRON protocol, BlockHeader.raw as protobuf). */
export function headerDigest(raw: Json): Buffer {
  const bytes = Buffer.concat([
    integer(1, raw.timestamp),
    hex(2, raw.txTrieRoot),
    hex(3, raw.parentHash),
    integer(7, raw.number),
    hex(9, raw.witness_address),
    integer(10, raw.version),
  ]);
  return createHash("sha256").update(bytes).digest();
}

/** The beginning of every id: the number in 16 hex digits. */
export function numberPrefix(number: number): string {
  return number.toString(16).padStart(16, "0");
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

function integer(field: number, value: number | undefined): Buffer {
  return value ? Buffer.concat([varint(field * 8), varint(value)]) : Buffer.alloc(0);
}

function hex(field: number, value: string | undefined): Buffer {
  const bytes = Buffer.from(value ?? "", "hex");
  return bytes.length > 0
    ? Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes])
    : Buffer.alloc(0);
}
