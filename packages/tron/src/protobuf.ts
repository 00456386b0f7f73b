import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";

/** A decoded field: varints as bigint, length-delimited values as bytes. */
export type ProtobufField = {
  readonly number: number;
  readonly value: bigint | Uint8Array;
};

const WIRE_VARINT = 0;
const WIRE_LENGTH_DELIMITED = 2;

/** Encodes a varint. A negative int64 takes its 64-bit two's complement, ten bytes, as protobuf requires. */
export function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

/** An int64, int32 or enum field; the proto3 default 0 is left out. */
export function intField(number: number, value: bigint | number): Uint8Array {
  const wide = BigInt(value);
  if (wide === 0n) return new Uint8Array();
  return concatBytes(tag(number, WIRE_VARINT), varint(wide));
}

export function hexField(number: number, hex: string): Uint8Array {
  return hex === "" ? new Uint8Array() : messageField(number, hexToBytes(hex));
}

export function textField(number: number, text: string): Uint8Array {
  return text === "" ? new Uint8Array() : messageField(number, new TextEncoder().encode(text));
}

/** An embedded message or a repeated element; written also when empty, because its presence has a meaning. */
export function messageField(number: number, bytes: Uint8Array): Uint8Array {
  return concatBytes(tag(number, WIRE_LENGTH_DELIMITED), varint(BigInt(bytes.length)), bytes);
}

/**
 * Splits a message into its fields, in wire order. @throws RangeError on truncated bytes or a wire type unknown to
 * TRON.
 */
export function decodeFields(bytes: Uint8Array): ProtobufField[] {
  const fields: ProtobufField[] = [];
  let at = 0;
  while (at < bytes.length) {
    const [key, afterKey] = readVarint(bytes, at);
    const number = Number(key >> 3n);
    const wireType = Number(key & 7n);
    const [head, afterHead] = readVarint(bytes, afterKey);
    if (number === 0 || (wireType !== WIRE_VARINT && wireType !== WIRE_LENGTH_DELIMITED)) {
      throw new RangeError(`unsupported protobuf tag ${key} at byte ${at}`);
    }
    if (wireType === WIRE_VARINT) {
      fields.push({ number, value: BigInt.asIntN(64, head) });
      at = afterHead;
      continue;
    }
    const end = afterHead + Number(head);
    if (end > bytes.length) throw new RangeError(`protobuf field ${number} runs past the end`);
    fields.push({ number, value: bytes.subarray(afterHead, end) });
    at = end;
  }
  return fields;
}

/** The last value of an integer field, 0 when absent. @throws RangeError when the field is no varint. */
export function intOf(fields: readonly ProtobufField[], number: number): bigint {
  const value = fields.findLast((field) => field.number === number)?.value ?? 0n;
  if (typeof value !== "bigint") throw new RangeError(`protobuf field ${number} must be a varint`);
  return value;
}

/**
 * The last value of a length-delimited field, undefined when absent. @throws RangeError when the field is a varint.
 */
export function bytesOf(fields: readonly ProtobufField[], number: number): Uint8Array | undefined {
  const value = fields.findLast((field) => field.number === number)?.value;
  if (typeof value === "bigint") throw new RangeError(`protobuf field ${number} must be length-delimited`);
  return value;
}

export function hexOf(fields: readonly ProtobufField[], number: number): string {
  const bytes = bytesOf(fields, number);
  return bytes === undefined ? "" : bytesToHex(bytes);
}

/** Every value of a repeated length-delimited field, in order. @throws RangeError when one of them is a varint. */
export function allBytesOf(fields: readonly ProtobufField[], number: number): Uint8Array[] {
  return fields
    .filter((field) => field.number === number)
    .map(({ value }) => {
      if (typeof value === "bigint")
        throw new RangeError(`protobuf field ${number} must be length-delimited`);
      return value;
    });
}

function tag(number: number, wireType: number): Uint8Array {
  return varint((BigInt(number) << 3n) | BigInt(wireType));
}

function readVarint(bytes: Uint8Array, start: number): [value: bigint, next: number] {
  let value = 0n;
  for (let length = 0; length < 10; length += 1) {
    const byte = bytes[start + length];
    if (byte === undefined) throw new RangeError("protobuf varint is cut short");
    value |= BigInt(byte & 0x7f) << BigInt(7 * length);
    if (byte < 0x80) return [BigInt.asUintN(64, value), start + length + 1];
  }
  throw new RangeError("protobuf varint is longer than ten bytes");
}
