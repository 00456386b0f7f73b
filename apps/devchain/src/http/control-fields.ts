import { addressFromText } from "@daric/tron/address";
import { parseJsonObject } from "./json-text.ts";

/** A control request that breaks a rule; names the field and the rule. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  readonly field: string;

  constructor(field: string, rule: string) {
    super(`${field} ${rule}`);
    this.field = field;
  }
}

export type ControlBody = Readonly<Record<string, unknown>>;

const DECIMAL_AMOUNT = /^(\d{1,12})(?:\.(\d{1,6}))?$/;
const DECIMAL_PRICE = /^\d{1,6}(?:\.\d{1,8})?$/;
const TX_ID = /^[0-9a-f]{64}$/;
const MAX_IDS = 10_000;
const MAX_ADDRESSES = 1_000;

/** Parses an object with known fields only. @throws ControlError for anything else. */
export function readControlBody(text: string, known: readonly string[]): ControlBody {
  const body = parseJsonObject(text);
  if (body === undefined) throw new ControlError("body", "must be a JSON object");
  return checkFields(body, known);
}

/** Returns the body. @throws ControlError for an unknown field: a misspelt optional one would have no effect. */
export function checkFields(body: ControlBody, known: readonly string[]): ControlBody {
  const stray = Object.keys(body).find((field) => !known.includes(field));
  if (stray === undefined) return body;
  throw new ControlError(stray, `is unknown; known are ${known.join(", ") || "none"}`);
}

type Limits = readonly [from: number, to: number];

/** @throws ControlError for anything but a whole number within the limits. */
export function integerField(body: ControlBody, field: string, [from, to]: Limits): number {
  const value = body[field];
  if (typeof value === "number" && Number.isInteger(value) && value >= from && value <= to) return value;
  throw new ControlError(field, `must be an integer from ${from} to ${to}`);
}

export function optionalInteger(body: ControlBody, field: string, limits: Limits): number | undefined {
  return body[field] === undefined ? undefined : integerField(body, field, limits);
}

/** @throws ControlError for anything but true, false and undefined. */
export function optionalFlag(body: ControlBody, field: string): boolean | undefined {
  const value = body[field];
  if (value === undefined || typeof value === "boolean") return value;
  throw new ControlError(field, "must be true or false");
}

/** @throws ControlError for anything but a text. */
export function stringField(body: ControlBody, field: string): string {
  const value = body[field];
  if (typeof value === "string") return value;
  throw new ControlError(field, "must be a text");
}

/** An address, base58 or 21-byte hex, as hex. @throws ControlError for anything else. */
export function addressField(body: ControlBody, field: string): string {
  const value = body[field];
  const address = typeof value === "string" ? addressFromText(value) : undefined;
  if (address !== undefined) return address;
  throw new ControlError(field, "must be a TRON address, base58 (T…) or hex (41…)");
}

/** An optional list of addresses as hex; empty when absent. @throws ControlError for anything else. */
export function addressesField(body: ControlBody, field: string): string[] {
  const value = body[field];
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > MAX_ADDRESSES)
    throw new ControlError(field, `must be a list of at most ${MAX_ADDRESSES} addresses`);
  return value.map((address) => addressField({ [field]: address }, field));
}

/**
 * An optional decimal amount with at most 6 decimals, in millionths; 0 when absent. @throws ControlError for
 * anything else.
 */
export function amountField(body: ControlBody, field: string): bigint {
  const value = body[field];
  if (value === undefined) return 0n;
  const [, whole, fraction = ""] = (typeof value === "string" && DECIMAL_AMOUNT.exec(value)) || [];
  const millionths = whole === undefined ? 0n : BigInt(whole + fraction.padEnd(6, "0"));
  if (millionths > 0n) return millionths;
  throw new ControlError(field, 'must be a positive decimal string with at most 6 decimals, such as "12.5"');
}

/** An optional price with at most 8 decimals, as text; null stays null. @throws ControlError for anything else. */
export function optionalPrice(body: ControlBody, field: string): string | null | undefined {
  const value = body[field];
  if (value === undefined || value === null) return value;
  if (typeof value === "string" && DECIMAL_PRICE.test(value)) return value;
  throw new ControlError(
    field,
    'must be a decimal string with at most 8 decimals, such as "0.9994", or null',
  );
}

/** @throws ControlError for anything but a list of transaction ids. */
export function txIdsField(body: ControlBody, field: string): string[] {
  const value = body[field];
  if (value === undefined) return [];
  const isList = Array.isArray(value) && value.length <= MAX_IDS;
  if (!isList || !value.every((id) => typeof id === "string" && TX_ID.test(id))) {
    throw new ControlError(field, "must be a list of transaction ids, 64 lower-case hex digits each");
  }
  return value;
}
