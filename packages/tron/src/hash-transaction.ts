import { sha256Hex } from "./hash.ts";

export type TransactionParts = {
  /** raw_data in lower-case hex, as it was signed */
  readonly rawHex: string;
  /** in lower-case hex */
  readonly signatures: readonly string[];
  /** each an encoded protocol.Transaction.Result */
  readonly results: readonly Uint8Array[];
};

/** The id of a transaction and its Merkle leaf, in hex. */
export type TransactionHashes = { readonly txId: string; readonly leaf: string };

const RAW_DATA = 1;
const SIGNATURE = 2;
const RESULT = 5;
/** A tag of one byte and a length of at most five. */
const MAX_HEAD_BYTES = 6;

/** One buffer for all transactions of at most this length, which are nearly all. */
const scratch = Buffer.allocUnsafeSlow(4_096);

/**
 * Encodes protocol.Transaction and hashes the raw bytes and the whole. Undefined unless every part is lower-case
 * hex: other readers would read other bytes than those hashed.
 */
export function hashTransaction({
  rawHex,
  signatures,
  results,
}: TransactionParts): TransactionHashes | undefined {
  let size = MAX_HEAD_BYTES + rawHex.length / 2;
  for (const signature of signatures) size += MAX_HEAD_BYTES + signature.length / 2;
  for (const result of results) size += MAX_HEAD_BYTES + result.length;
  const bytes = size <= scratch.length ? scratch : Buffer.allocUnsafe(size);
  const rawStart = writeHead(bytes, 0, { field: RAW_DATA, length: rawHex.length / 2 });
  let at = rawStart + bytes.write(rawHex, rawStart, "hex");
  let isHex = isWritten(rawHex, at - rawStart);
  const raw = bytes.subarray(rawStart, at);
  for (const signature of signatures) {
    const start = writeHead(bytes, at, { field: SIGNATURE, length: signature.length / 2 });
    at = start + bytes.write(signature, start, "hex");
    isHex &&= isWritten(signature, at - start);
  }
  for (const result of results) {
    at = writeHead(bytes, at, { field: RESULT, length: result.length });
    for (const byte of result) {
      bytes[at] = byte;
      at += 1;
    }
  }
  if (!isHex) return undefined;
  return { txId: sha256Hex(raw), leaf: sha256Hex(bytes.subarray(0, at)) };
}

/** Node's writer stops at the first character that is no hex digit, and accepts capitals. */
function isWritten(hex: string, bytes: number): boolean {
  return 2 * bytes === hex.length && hex === hex.toLowerCase();
}

/** Writes tag and length of a length-delimited field; returns the offset of its bytes. */
function writeHead(
  bytes: Buffer,
  start: number,
  { field, length }: { field: number; length: number },
): number {
  bytes[start] = (field << 3) | 2;
  let at = start + 1;
  let rest = length;
  for (; rest > 0x7f; rest >>>= 7) {
    bytes[at] = (rest & 0x7f) | 0x80;
    at += 1;
  }
  bytes[at] = rest;
  return at + 1;
}
