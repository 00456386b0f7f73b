import { isUtf8 } from "node:buffer";
import { ApiError } from "../domain/errors.ts";
import { faultOfJson } from "./json-fault.ts";
import { countKeys, repeatedKey } from "./json-keys.ts";

const MAX_DEPTH = 8;
/** A key is repeated up to here. */
const SHOWN_CHARS = 40;
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Reads the bytes of a request body as JSON.
 *
 * @throws INVALID_JSON when it is empty, is not JSON in UTF-8, is nested deeper than 8 (an object in the outermost one is
 * depth 2), or has keys that could reach a prototype or that one object has twice; it says where, and repeats no more than
 * one character or the key.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const text = decode(bytes);
  const value = parse(text);
  // Of a key that an object says twice the value has one: only then is the text looked at again.
  if (checkValue(value, 1) < countKeys(text)) throw repeated(repeatedKey(text) ?? "");
  return value;
}

function decode(bytes: Buffer): string {
  if (bytes.length === 0) throw refusal("The request body is empty: send at least {}.");
  if (!isUtf8(bytes)) throw refusal("The request body is not valid JSON: it is not UTF-8.");
  const decoded = bytes.toString("utf8");
  return decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(`The request body is not valid JSON: ${faultOfJson(text)}.`);
  }
}

/** How many keys there are in it, however deep. */
function checkValue(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (depth > MAX_DEPTH) {
    throw refusal(`The request body is nested deeper than ${MAX_DEPTH}.`);
  }
  const keys = Object.keys(value);
  let count = Array.isArray(value) ? 0 : keys.length;
  for (const key of keys) {
    const item: unknown = value[key as keyof typeof value];
    if (isPoison(key, item)) {
      throw refusal(`The key ${key} is not allowed in the request body.`);
    }
    count += checkValue(item, depth + 1);
  }
  return count;
}

function isPoison(key: string, item: unknown): boolean {
  if (key === "__proto__") return true;
  return (
    key === "constructor" && typeof item === "object" && item !== null && Object.hasOwn(item, "prototype")
  );
}

function repeated(key: string): ApiError {
  const shown = [...key];
  const name = shown.length > SHOWN_CHARS ? `${shown.slice(0, SHOWN_CHARS).join("")}…` : key;
  return refusal(`The request body says the key ${name} twice.`);
}

function refusal(message: string): ApiError {
  return new ApiError("INVALID_JSON", { message });
}
