import { createHash } from "node:crypto";
import { type JsonObject, readHexBytes, readInt64 } from "./read-json.ts";

const VARINT = 0;
const LENGTH_DELIMITED = 2;

/** Digits of an id that are its block's number; the other 48 are the hash's. */
const NUMBER_DIGITS = 16;

/**
 * The id of the block with this header (`block_header.raw_data` as nodes print it): the number in 8 bytes, then
 * bytes 8 to 32 of the SHA-256 of protocol.BlockHeader.raw. Number, time, parent and root of the transactions are in
 * it, so none of them can be another under the same id. Throws an AnswerError where a field has no honest form.
 */
export function blockIdOf(header: JsonObject): string {
  const bytes = Buffer.concat([
    intField(1, header.timestamp, "timestamp"),
    bytesField(2, header.txTrieRoot, "txTrieRoot"),
    bytesField(3, header.parentHash, "parentHash"),
    intField(7, header.number, "number"),
    intField(8, header.witness_id, "witness_id"),
    bytesField(9, header.witness_address, "witness_address"),
    intField(10, header.version, "version"),
    bytesField(11, header.accountStateRoot, "accountStateRoot"),
  ]);
  const number = readInt64(header.number, "number").toString(16).padStart(NUMBER_DIGITS, "0");
  return number + createHash("sha256").update(bytes).digest("hex").slice(NUMBER_DIGITS);
}

/** Whether the id begins with this number, as every block's does. */
export function isIdOfNumber(id: string, number: number): boolean {
  return id.startsWith(number.toString(16).padStart(NUMBER_DIGITS, "0"));
}

/** A field of its default value is neither printed by nodes nor encoded by protobuf. */
function intField(field: number, value: unknown, what: string): Buffer {
  const int = readInt64(value, what);
  return int === 0n ? Buffer.alloc(0) : Buffer.from([tag(field, VARINT), ...varint(int)]);
}

function bytesField(field: number, value: unknown, what: string): Buffer {
  const bytes = Buffer.from(readHexBytes(value, what), "hex");
  if (bytes.length === 0) return bytes;
  return Buffer.concat([Buffer.from([tag(field, LENGTH_DELIMITED), ...varint(BigInt(bytes.length))]), bytes]);
}

function tag(field: number, wireType: number): number {
  return field * 8 + wireType;
}

function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}
