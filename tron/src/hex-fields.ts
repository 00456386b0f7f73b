const WIRE_VARINT = 0;
const WIRE_FIXED64 = 1;
const WIRE_LENGTH_DELIMITED = 2;
const WIRE_GROUP = 3;
const WIRE_FIXED32 = 5;
/** Groups inside groups, as many as java-tron's parser follows. */
const MAX_DEPTH = 100;
/** Bytes of a varint whose value is exact as a number. */
const EXACT_VARINT_BYTES = 7;
const MAX_VARINT_BYTES = 10;

/**
 * The fields of a protobuf message, read one after the other where they stand in its hex (lower case, an even number of
 * digits: the caller has seen to it). Nothing is copied, because a block has hundreds of messages and few are asked
 * for more than two fields.
 *
 * What it takes and what it leaves out is what java-tron's own parser does: a field of a wire type that no TRON message
 * uses is unknown whatever its number, a group is skipped as a whole, and the bits of a varint beyond its 64 are lost.
 * The bytes of a contract are its sender's, who may write them so.
 */
export class HexFields {
  readonly #hex: string;
  #end: number;
  #at: number;
  #key = 0;
  #int: number | bigint = 0;
  #bytesStart = 0;

  /** The message between two places of the hex, or all of it. */
  constructor(hex: string, start = 0, end = hex.length) {
    this.#hex = hex;
    this.#at = start;
    this.#end = end;
  }

  /**
   * Goes to the next field that is a varint or length-delimited; false at the end.
   *
   * @throws RangeError on malformed protobuf.
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

  /** The number of this field with its wire type, as {@link intKey} and {@link bytesKey} give them. */
  get key(): number {
    return this.#key;
  }

  /** The varint of this field as an int64: a number where it is a small one. */
  get int(): number | bigint {
    return this.#int;
  }

  /** The varint of this field as an enum: its low 32 bits. */
  get enum(): number {
    return low32(this.#int);
  }

  /** The bytes of this field, in hex. */
  get bytes(): string {
    return this.#hex.slice(this.#bytesStart, this.#at);
  }

  /** Goes into the bytes of this field, a message itself. Answers the way out, for {@link leave} behind its last field. */
  enter(): number {
    const end = this.#end;
    this.#end = this.#at;
    this.#at = this.#bytesStart;
    return end;
  }

  /** Goes on behind the message that was entered. */
  leave(end: number): void {
    this.#at = this.#end;
    this.#end = end;
  }

  /** Goes on at a place of the hex, as far as another: into a message that was passed, or back out of it. */
  move(at: number, end: number): void {
    this.#at = at;
    this.#end = end;
  }

  /** Where the bytes of this field begin in the hex, and where they end. */
  get start(): number {
    return this.#bytesStart;
  }

  get end(): number {
    return this.#at;
  }

  /** Whether the bytes of this field end with these. */
  endsWith(hex: string): boolean {
    const start = this.#at - hex.length;
    if (start < this.#bytesStart) return false;
    // The second digit of what is something else is another one, nearly always: that is seen in a tenth of the time.
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

/** The key of a varint field. */
export function intKey(field: number): number {
  return field * 8 + WIRE_VARINT;
}

/** The key of a length-delimited field. */
export function bytesKey(field: number): number {
  return field * 8 + WIRE_LENGTH_DELIMITED;
}

/** The value of a lower-case hex digit: those of `a` to `f` have bit 6 set and 1 to 6 below it. */
function digit(code: number): number {
  return (code & 15) + (code >> 6) * 9;
}

function low32(value: number | bigint): number {
  return typeof value === "number" ? value | 0 : Number(BigInt.asIntN(32, value));
}
