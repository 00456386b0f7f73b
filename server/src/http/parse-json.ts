import { isUtf8 } from "node:buffer";
import { ApiError } from "../domain/errors.ts";
import { faultOfJson } from "./json-fault.ts";

const MAX_DEPTH = 8;
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Reads the bytes of a request body as JSON.
 *
 * @throws INVALID_JSON when it is empty, is not JSON in UTF-8, is nested deeper than 8 (an object in the outermost one is
 * depth 2), or has keys that could reach a prototype; it says where, and repeats no more than one character.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const value = parse(bytes);
  checkValue(value, 1);
  return value;
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) throw refusal("The request body is empty: send at least {}.");
  if (!isUtf8(bytes)) throw refusal("The request body is not valid JSON: it is not UTF-8.");
  const decoded = bytes.toString("utf8");
  const text = decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded;
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(`The request body is not valid JSON: ${faultOfJson(text)}.`);
  }
}

function checkValue(value: unknown, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > MAX_DEPTH) {
    throw refusal(`The request body is nested deeper than ${MAX_DEPTH}.`);
  }
  for (const key of Object.keys(value)) {
    const item: unknown = value[key as keyof typeof value];
    if (isPoison(key, item)) {
      throw refusal(`The key ${key} is not allowed in the request body.`);
    }
    checkValue(item, depth + 1);
  }
}

function isPoison(key: string, item: unknown): boolean {
  if (key === "__proto__") return true;
  return (
    key === "constructor" && typeof item === "object" && item !== null && Object.hasOwn(item, "prototype")
  );
}

function refusal(message: string): ApiError {
  return new ApiError("INVALID_JSON", { message });
}
