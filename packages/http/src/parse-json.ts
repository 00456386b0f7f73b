import { isUtf8 } from "node:buffer";
import { ApiError } from "@daric/domain/errors";

const MAX_DEPTH = 8;
/** Longer keys are cut in messages. */
const SHOWN_CHARS = 40;
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Parses a request body as JSON.
 *
 * @throws INVALID_JSON when it is empty, not UTF-8, not JSON, or nested deeper than 8 (the outermost object
 * is depth 1). Also for a repeated key, or one that could reach a prototype. The message names the position
 * and quotes at most one character or the key.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const text = decode(bytes);
  const value = parse(text);
  // A repeated key leaves one value in the parsed object. Only in this case the text is scanned again.
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

/** The number of keys at any depth. */
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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const MARK_OR_TEXT = /[{}:]|"(?:[^"\\]|\\.)*"/g;

/**
 * The number of keys in a JSON text, at any depth, repeated ones included: a colon outside of strings follows
 * each.
 */
function countKeys(json: string): number {
  let count = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === COLON) count += 1;
    else if (code === QUOTE) at = closingQuote(json, at);
  }
  return count;
}

/** The first repeated key in an object of a JSON text, unescaped; undefined if there is none. */
function repeatedKey(json: string): string | undefined {
  const open: Set<string>[] = [];
  let text = "";
  for (const [token] of json.matchAll(MARK_OR_TEXT)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (token !== ":") text = token;
    else {
      const key = JSON.parse(text) as string;
      if (open.at(-1)?.has(key)) return key;
      open.at(-1)?.add(key);
    }
  }
  return undefined;
}

function closingQuote(json: string, opening: number): number {
  let at = opening + 1;
  while (at < json.length && json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/** A JSON token other than a punctuation mark: a string, a number, true, false or null. */
const VALUE =
  /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/uy;
const MARKS = "{}[]:,";
const BLANKS = " \t\n\r";

/** The next token of the grammar; after `first` forms a list or object may end at once. */
type Expected = "value" | "firstItem" | "firstKey" | "key" | "colon" | "more";

const OPENED: Readonly<Record<string, Expected>> = { "{": "firstKey", "[": "firstItem" };
const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/**
 * The position at which a text stops being JSON, to follow "The request body is not valid JSON: …". Positions
 * count characters from 0. The engine's messages differ between versions and quote the body.
 */
export function faultOfJson(text: string): string {
  const open: string[] = [];
  let expected: Expected = "value";
  let position = skipBlanks(text, 0);
  while (position < text.length) {
    const token = tokenAt(text, position);
    const next: Expected | undefined = token === undefined ? undefined : step(token, expected, open);
    if (token === undefined || next === undefined)
      return faultAt(text, position, { isToken: token !== undefined });
    expected = next;
    position = skipBlanks(text, token.end);
  }
  return `it ends too early, at position ${position}`;
}

type Token = { readonly kind: "mark" | "string" | "other"; readonly mark: string; readonly end: number };

/** Marks are matched first and directly: a body may have 60,000, and a pattern is the most expensive step. */
function tokenAt(text: string, position: number): Token | undefined {
  const mark = text.charAt(position);
  if (MARKS.includes(mark)) return { kind: "mark", mark, end: position + 1 };
  VALUE.lastIndex = position;
  if (!VALUE.test(text)) return undefined;
  return { kind: mark === '"' ? "string" : "other", mark: "", end: VALUE.lastIndex };
}

/** The expectation after this token; undefined if the token was unexpected. */
function step({ kind, mark }: Token, expected: Expected, open: string[]): Expected | undefined {
  const inside = open.at(-1);
  if (expected === "colon") return mark === ":" ? "value" : undefined;
  const mayClose = expected === "more" || expected === "firstItem" || expected === "firstKey";
  if (mayClose && inside !== undefined && mark === CLOSING[inside]) {
    open.pop();
    return "more";
  }
  if (expected === "more") {
    if (mark !== "," || inside === undefined) return undefined;
    return inside === "{" ? "key" : "value";
  }
  if (expected === "key" || expected === "firstKey") return kind === "string" ? "colon" : undefined;
  if (kind !== "mark") return "more";
  const opened = OPENED[mark];
  if (opened !== undefined) open.push(mark);
  return opened;
}

function faultAt(text: string, position: number, { isToken }: { isToken: boolean }): string {
  const character = String.fromCodePoint(text.codePointAt(position) ?? 0);
  if (character === "'") return `unexpected ' at position ${position}: texts stand in double quotes`;
  if (character === '"' && !isToken) {
    return `the text that begins at position ${position} does not end, or holds a line break or a wrong \\ escape`;
  }
  const shown = /\p{Cc}/u.test(character) ? JSON.stringify(character).slice(1, -1) : character;
  return `unexpected ${shown} at position ${position}`;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && BLANKS.includes(text.charAt(at))) at += 1;
  return at;
}
