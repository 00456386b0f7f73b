import { type Amount, amountIn } from "@daric/domain/money";
import { isAddressHex } from "@daric/tron/address";

/** An answer without the expected shape. The client turns it into a NodeError that names the node. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
}

/** An integer that JSON.parse may have rounded, so the answer must be read exactly (`readExactly`). */
class RoundedNumberError extends AnswerError {}

export function isRounded(error: unknown): boolean {
  return error instanceof RoundedNumberError;
}

export type JsonObject = { readonly [key: string]: unknown };

const HASH_CHARS = 64;
/** About 950 years of blocks. */
const MAX_HEIGHT = 10_000_000_000;
/** The end of the year 9999, the last that ISO 8601 writes with four digits. */
export const MAX_TIME_MS = 253_402_300_799_999;
/** The largest int64, and the largest bigint of the database. */
export const MAX_UNITS = 2n ** 63n - 1n;

/** @throws AnswerError unless the value is an object. All readers name `what` and reveal no value. */
export function readObject(value: unknown, what: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new AnswerError(`${what} is not an object`);
}

/** An absent list is empty, because nodes omit default values. @throws AnswerError for anything else but a list. */
export function readList(value: unknown, what: string): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new AnswerError(`${what} is not a list`);
}

/** @throws AnswerError for anything but 64 lower-case hex digits. */
export function readHash(value: unknown, what: string): string {
  if (typeof value === "string" && value.length === HASH_CHARS && isHex(value)) return value;
  throw new AnswerError(`${what} is not a 64-digit hash`);
}

/** Bytes in lower-case hex; absent means none. @throws AnswerError for anything else. */
export function readHexBytes(value: unknown, what: string): string {
  if (value === undefined) return "";
  if (typeof value === "string" && value.length % 2 === 0 && isHex(value)) return value;
  throw new AnswerError(`${what} is not hex`);
}

/** Whether the text from `start` on is lower-case hex. A regular expression takes four times as long. */
export function isHex(text: string, start = 0): boolean {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isDigit = code >= 0x30 && code <= 0x39;
    if (!isDigit && !(code >= 0x61 && code <= 0x66)) return false;
  }
  return true;
}

/** The height of a block; absent means 0, because nodes omit zeros. @throws AnswerError for anything else. */
export function readHeight(value: unknown, what: string): number {
  const height = value === undefined ? 0 : value;
  if (isWholeNumber(height, MAX_HEIGHT)) return height;
  throw new AnswerError(`${what} is not a whole number up to ${MAX_HEIGHT}`);
}

/** A time in ms since 1970 up to the year 9999. @throws AnswerError for anything else, also zero or absent. */
export function readTime(value: unknown, what: string): number {
  if (isWholeNumber(value, MAX_TIME_MS) && value > 0) return value;
  throw new AnswerError(`${what} is no time`);
}

function isWholeNumber(value: unknown, max: number): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= max;
}

/** An int64 of sun; absent means 0. @throws AnswerError for anything else. */
export function readSun(value: unknown, what: string): Amount<"TRX"> {
  return amountIn("TRX", readInt64(value, what));
}

/** A non-negative int64; absent means 0. @throws AnswerError for anything else, and for a number that {@link isRounded}. */
export function readInt64(value: unknown, what: string): bigint {
  if (value === undefined) return 0n;
  if (typeof value === "number" && value > Number.MAX_SAFE_INTEGER && Number.isInteger(value)) {
    throw new RoundedNumberError(`${what} was rounded`);
  }
  const int = Number.isSafeInteger(value) ? BigInt(value as number) : value;
  if (typeof int === "bigint" && int >= 0n && int <= MAX_UNITS) return int;
  throw new AnswerError(`${what} is not a positive int64`);
}

export function readText(value: unknown, what: string): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw new AnswerError(`${what} is not a text`);
}

/** The names of protocol.Transaction.Result.contractResult, future ones included, and values printed by number. */
const VERDICT = /^[A-Z][A-Za-z_]{0,63}\d{0,10}$/;

/** The verdict of a run, if printed. It is stored and shown. @throws AnswerError unless it has the form of a verdict. */
export function readVerdict(value: unknown, what: string): string | undefined {
  const verdict = readText(value, what);
  if (verdict === "SUCCESS" || verdict === undefined || VERDICT.test(verdict)) return verdict;
  throw new AnswerError(`${what} is no verdict`);
}

/** A 21-byte address in hex, `41…`. @throws AnswerError for anything else. */
export function readAddressHex(value: unknown, what: string): string {
  if (typeof value === "string" && isAddressHex(value)) return value;
  throw new AnswerError(`${what} is not an address`);
}
