/** A message of PostgreSQL's protocol 3.0. Its type is one letter, whose meaning depends on the direction. */
export type Message = {
  readonly type: string;
  /** type, length and body */
  readonly bytes: Buffer;
};

/** Type and length. */
export const HEADER = 5;

/** Cuts a stream into messages and keeps an incomplete one. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0);

  *read(chunk: Buffer): Generator<Message> {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (data.length - at >= HEADER) {
      const end = at + 1 + data.readInt32BE(at + 1);
      if (end > data.length) break;
      yield { type: String.fromCharCode(data[at] ?? 0), bytes: data.subarray(at, end) };
      at = end;
    }
    this.#rest = data.subarray(at);
  }
}

export function wireMessage(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? cString(part) : part)));
  const header = Buffer.alloc(HEADER);
  header.write(type, "latin1");
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}

/** The texts at the start of a body, and the bytes after them. */
export function texts(bytes: Buffer, count: number, from = HEADER): { texts: string[]; rest: Buffer } {
  const found: string[] = [];
  let at = from;
  for (let n = 0; n < count; n++) {
    const end = bytes.indexOf(0, at);
    found.push(bytes.toString("utf8", at, end));
    at = end + 1;
  }
  return { texts: found, rest: bytes.subarray(at) };
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** The first message of a connection, without a type: the version and parameters. */
export function startupMessage(parameters: Readonly<Record<string, string>>): Buffer {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => [cString(name), cString(value)]);
  const body = Buffer.concat([int32(PROTOCOL_3), ...pairs, Buffer.from([0])]);
  return Buffer.concat([int32(body.length + 4), body]);
}

export function errorMessage(code: string, text: string): Buffer {
  return wireMessage("E", `SFATAL`, `VFATAL`, `C${code}`, `M${text}`, Buffer.from([0]));
}

/** First numbers of a connection. */
export const PROTOCOL_3 = 196_608;
export const CANCEL_REQUEST = 80_877_102;
export const SSL_REQUEST = 80_877_103;
export const GSS_REQUEST = 80_877_104;
