const WIRE_VARINT = 0;
const WIRE_FIXED64 = 1;
const WIRE_LENGTH_DELIMITED = 2;
const WIRE_GROUP = 3;
const WIRE_FIXED32 = 5;
/** Nesting depth of groups that java-tron's parser accepts. */
const MAX_DEPTH = 100;
/** Bytes of a varint whose value is exact as a number. */
const EXACT_VARINT_BYTES = 7;
const MAX_VARINT_BYTES = 10;

/**
 * Reads the fields of a protobuf message in place from hex (lower case, an even number of digits: the caller
 * checks). Copies nothing, because a block has hundreds of messages and few need more than two fields.
 * It accepts and skips exactly what java-tron's parser does: unknown wire types, groups, and bits of a varint
 * beyond 64. The sender of a contract chooses its bytes.
 */
export class HexFields {
  readonly #hex: string;
  #end: number;
  #at: number;
  #key = 0;
  #int: number | bigint = 0;
  #bytesStart = 0;

  constructor(hex: string, start = 0, end = hex.length) {
    this.#hex = hex;
    this.#at = start;
    this.#end = end;
  }

  /**
   * Moves to the next varint or length-delimited field; false at the end. @throws RangeError on malformed protobuf.
   */
  next(): boolean {
    while (this.#at < this.#end) {
      const key = this.#int32() >>> 0;
      const wireType = key & 7;
      if (key < 8) throw new RangeError("a protobuf field has no number");
      this.#key = key;
      if (wireType === WIRE_VARINT) {
        this.#int = this.#varint();
        return true;
      }
      if (wireType === WIRE_LENGTH_DELIMITED) {
        const length = this.#int32();
        this.#bytesStart = this.#at;
        this.#pass(length);
        return true;
      }
      this.#skip(key, 0);
    }
    return false;
  }

  /** Number and wire type of the field, as {@link intKey} and {@link bytesKey} give them. */
  get key(): number {
    return this.#key;
  }

  /** The varint as an int64; a number if it is small. */
  get int(): number | bigint {
    return this.#int;
  }

  /** The varint as an enum: its low 32 bits. */
  get enum(): number {
    return low32(this.#int);
  }

  get bytes(): string {
    return this.#hex.slice(this.#bytesStart, this.#at);
  }

  /** Enters the field's bytes as a message. Returns the position to pass to {@link leave}. */
  enter(): number {
    const end = this.#end;
    this.#end = this.#at;
    this.#at = this.#bytesStart;
    return end;
  }

  leave(end: number): void {
    this.#at = this.#end;
    this.#end = end;
  }

  /** Continues at a position of the hex, up to another. */
  move(at: number, end: number): void {
    this.#at = at;
    this.#end = end;
  }

  get start(): number {
    return this.#bytesStart;
  }

  get end(): number {
    return this.#at;
  }

  endsWith(hex: string): boolean {
    const start = this.#at - hex.length;
    if (start < this.#bytesStart) return false;
    // The second digit nearly always differs, and comparing it takes a tenth of the time.
    return this.#hex.charCodeAt(start + 1) === hex.charCodeAt(1) && this.#hex.slice(start, this.#at) === hex;
  }

  #skip(key: number, depth: number): void {
    const wireType = key & 7;
    if (wireType === WIRE_VARINT) this.#varint();
    else if (wireType === WIRE_LENGTH_DELIMITED) this.#pass(this.#int32());
    else if (wireType === WIRE_FIXED64) this.#pass(8);
    else if (wireType === WIRE_FIXED32) this.#pass(4);
    else if (wireType === WIRE_GROUP && depth < MAX_DEPTH) this.#skipGroup(key, depth);
    else throw new RangeError(`a protobuf field has the tag ${key}`);
  }

  #skipGroup(start: number, depth: number): void {
    for (;;) {
      const key = this.#int32() >>> 0;
      // The end of a group has its number and the next wire type.
      if (key === start + 1) return;
      if (key < 8) throw new RangeError("a protobuf field has no number");
      this.#skip(key, depth + 1);
    }
  }

  #pass(length: number): void {
    const end = this.#at + 2 * length;
    if (length < 0 || end > this.#end) throw new RangeError("a protobuf field runs past the end");
    this.#at = end;
  }

  #int32(): number {
    const first = this.#byte();
    return first < 0x80 ? first : low32(this.#longVarint(first));
  }

  #varint(): number | bigint {
    const first = this.#byte();
    return first < 0x80 ? first : this.#longVarint(first);
  }

  #longVarint(first: number): number | bigint {
    let value = first - 0x80;
    let scale = 0x80;
    for (let length = 1; length < EXACT_VARINT_BYTES; length += 1) {
      const byte = this.#byte();
      if (byte < 0x80) return value + byte * scale;
      value += (byte - 0x80) * scale;
      scale *= 0x80;
    }
    return this.#wideVarint(BigInt(value));
  }

  #wideVarint(low: bigint): bigint {
    let value = low;
    for (let length = EXACT_VARINT_BYTES; length < MAX_VARINT_BYTES; length += 1) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << BigInt(7 * length);
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new RangeError("a protobuf varint is longer than ten bytes");
  }

  #byte(): number {
    const at = this.#at;
    if (at >= this.#end) throw new RangeError("protobuf is cut short");
    this.#at = at + 2;
    return digit(this.#hex.charCodeAt(at)) * 16 + digit(this.#hex.charCodeAt(at + 1));
  }
}

export function intKey(field: number): number {
  return field * 8 + WIRE_VARINT;
}

export function bytesKey(field: number): number {
  return field * 8 + WIRE_LENGTH_DELIMITED;
}

/** The value of a lower-case hex digit: `a` to `f` have bit 6 set and 1 to 6 below it. */
function digit(code: number): number {
  return (code & 15) + (code >> 6) * 9;
}

function low32(value: number | bigint): number {
  return typeof value === "number" ? value | 0 : Number(BigInt.asIntN(32, value));
}
