import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

export type RecordPosition = {
  readonly offset: number;
  readonly length: number;
};

/** An append-only log of one-line records. An appended record of a file survives a killed process; memory encodes one when it is read. */
export type RecordLog = {
  append(encode: () => string): RecordPosition;
  read(position: RecordPosition): string;
  /** The end of the log, for `cutBack`. */
  end(): number;
  /** Removes all records after an end. */
  cutBack(end: number): void;
  close(): void;
};

export type RecordVisitor = (text: string, position: RecordPosition) => void;

export class StateFileError extends Error {
  override readonly name = "StateFileError";
}

const FILE_NAME = "blocks.log";
const CHUNK_BYTES = 4 * 1024 * 1024;
const CHECKSUM_CHARS = 9;
const NEWLINE = 10;

export function openMemoryLog(): RecordLog {
  const records: (string | (() => string))[] = [];
  const read = (offset: number) => {
    const record = records[offset] ?? "";
    const text = typeof record === "string" ? record : record();
    records[offset] = text;
    return text;
  };
  return {
    append: (encode) => ({ offset: records.push(encode) - 1, length: 1 }),
    read: ({ offset }) => read(offset),
    end: () => records.length,
    cutBack: (end) => {
      records.length = end;
    },
    close: () => undefined,
  };
}

/**
 * Opens `blocks.log` in a directory, creating both for this user alone. The first line is `heading` (format version
 * and genesis id); every other line is `<crc32> <record>` and goes to `visit` in order. A torn last line is cut
 * off.
 * @throws StateFileError for damage elsewhere or another heading.
 */
export function openFileLog(directory: string, heading: string, visit: RecordVisitor): RecordLog {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, FILE_NAME);
  const file = openSync(path, "a+", 0o600);
  try {
    const intact = readRecords(file, { path, heading }, visit);
    ftruncateSync(file, intact);
    const size = intact > 0 ? intact : writeSync(file, `${heading}\n`);
    return fileLog(file, path, size);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function fileLog(file: number, path: string, startSize: number): RecordLog {
  let size = startSize;
  return {
    append: (encode) => {
      const text = encode();
      // Two processes on one directory would interleave their blocks, so the first write that notices stops this
      // one.
      if (fstatSync(file).size !== size) throw new StateFileError(`another process writes to ${path}`);
      const line = Buffer.from(`${checksum(text)} ${text}\n`);
      try {
        writeWhole(file, line);
      } catch (error) {
        ftruncateSync(file, size);
        throw error;
      }
      const position = { offset: size + CHECKSUM_CHARS, length: line.length - CHECKSUM_CHARS - 1 };
      size += line.length;
      return position;
    },
    read: ({ offset, length }) => {
      const bytes = Buffer.alloc(length);
      readSync(file, bytes, 0, length, offset);
      return bytes.toString();
    },
    end: () => size,
    cutBack: (end) => {
      ftruncateSync(file, end);
      size = end;
    },
    close: () => closeSync(file),
  };
}

/** Returns the size of the intact part of the file. */
function readRecords(
  file: number,
  { path, heading }: { path: string; heading: string },
  visit: RecordVisitor,
): number {
  const total = fstatSync(file).size;
  let intact = 0;
  for (const { line, offset, isLast } of linesOf(file, total)) {
    const end = offset + line.length + 1;
    if (offset === 0) {
      const text = line.toString();
      if (text !== heading) throw new StateFileError(headingMismatch(path, text, heading));
    } else {
      const record = intactRecord(line);
      if (record === undefined && isLast) return intact;
      if (record === undefined) throw new StateFileError(`${path} is damaged at byte ${offset}`);
      visit(record, { offset: offset + CHECKSUM_CHARS, length: line.length - CHECKSUM_CHARS });
    }
    intact = end;
  }
  return intact;
}

/** The complete lines of a file. */
function* linesOf(file: number, total: number): Generator<{ line: Buffer; offset: number; isLast: boolean }> {
  let rest = Buffer.alloc(0);
  let restOffset = 0;
  for (let at = 0; at < total; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, total - at));
    const read = readSync(file, chunk, 0, chunk.length, at);
    if (read === 0) throw new StateFileError("the state file became shorter while it was read");
    at += read;
    const bytes = Buffer.concat([rest, chunk.subarray(0, read)]);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const isLast = at >= total && bytes.indexOf(NEWLINE, end + 1) === -1;
      yield { line: bytes.subarray(start, end), offset: restOffset + start, isLast };
      start = end + 1;
    }
    rest = bytes.subarray(start);
    restOffset += start;
  }
}

function intactRecord(line: Buffer): string | undefined {
  const text = line.toString("utf8", CHECKSUM_CHARS);
  return line.toString("latin1", 0, CHECKSUM_CHARS) === `${checksum(text)} ` ? text : undefined;
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written);
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}

function headingMismatch(path: string, found: string, wanted: string): string {
  return `${path} was written for "${found.slice(0, 120)}", this devchain reads "${wanted}"; use another --data directory`;
}
