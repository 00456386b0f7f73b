import { type Amount, amountFromUnits } from "../domain/money.ts";
import { isAddressHex } from "./address.ts";

/** A JSON answer without the promised shape. The client turns it into a NodeError that names the node. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";
}

/** An object of an answer; each field is read through one of the functions below, others are ignored. */
export type JsonObject = { readonly [key: string]: unknown };

const HASH = /^[0-9a-f]{64}$/;
/** The largest value of int64, and of the database's bigint. */
export const MAX_UNITS = 2n ** 63n - 1n;

/** An object, neither null nor a list. All readers throw an AnswerError that names `what` and shows no value. */
export function readObject(value: unknown, what: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new AnswerError(`${what} is not an object`);
}

/** An absent list is an empty one: nodes omit every field that has its default value. */
export function readList(value: unknown, what: string): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new AnswerError(`${what} is not a list`);
}

/** 64 lower-case hex digits: a block id or a transaction id. */
export function readHash(value: unknown, what: string): string {
  if (typeof value === "string" && HASH.test(value)) return value;
  throw new AnswerError(`${what} is not a 64-digit hash`);
}

/** A count or a time in ms, absent meaning 0 because nodes omit zeros. Never rounded: at most 2^53 - 1. */
export function readNumber(value: unknown, what: string): number {
  if (value === undefined) return 0;
  if (typeof value === "bigint" && value <= BigInt(Number.MAX_SAFE_INTEGER))
    return readNumber(Number(value), what);
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new AnswerError(`${what} is not a whole number`);
}

/** An int64 of minor units, absent meaning 0. Exact: beyond 2^53 the JSON reader gives a bigint. */
export function readUnits(value: unknown, what: string): Amount {
  const units = typeof value === "bigint" ? value : BigInt(readNumber(value, what));
  if (units >= 0n && units <= MAX_UNITS) return amountFromUnits(units);
  throw new AnswerError(`${what} is not a positive int64`);
}

/** A text that may be absent. */
export function readText(value: unknown, what: string): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw new AnswerError(`${what} is not a text`);
}

/** A 21-byte address in hex, `41…`. */
export function readAddressHex(value: unknown, what: string): string {
  if (typeof value === "string" && isAddressHex(value)) return value;
  throw new AnswerError(`${what} is not an address`);
}
