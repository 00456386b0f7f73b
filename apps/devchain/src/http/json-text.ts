/** A value to be printed: bigint is protobuf's int64, number is int32 or an enum. */
export type JsonTree =
  | string
  | number
  | bigint
  | boolean
  | readonly JsonTree[]
  | { readonly [key: string]: JsonTree | undefined };

/** An integer of this many digits may not survive JSON.parse. */
const LONG_INTEGER = /"(?:[^"\\]|\\.)*"|-?\d{16,}/g;

/**
 * Prints JSON as nodes do: int64 as bare digits of any length, or as strings on request. Undefined members are left
 * out.
 */
export function jsonText(tree: JsonTree, { int64AsString = false } = {}): string {
  if (typeof tree === "bigint") return int64AsString ? `"${tree}"` : tree.toString();
  if (typeof tree !== "object") return JSON.stringify(tree);
  if (isList(tree)) return `[${tree.map((item) => jsonText(item, { int64AsString })).join(",")}]`;
  const members = Object.entries(tree).flatMap(([key, value]) =>
    value === undefined ? [] : [`${JSON.stringify(key)}:${jsonText(value, { int64AsString })}`],
  );
  return `{${members.join(",")}}`;
}

/**
 * Parses a JSON object, empty for blank text; undefined for any other text. Integers of 16 and more digits become
 * strings, so that no digit is lost.
 */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === "") return {};
  try {
    const parsed = parseLossless(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? { ...parsed }
      : undefined;
  } catch {
    return undefined;
  }
}

function parseLossless(text: string): unknown {
  // Refuses unterminated strings, on which the search for long integers would take quadratic time.
  JSON.parse(text);
  return JSON.parse(text.replace(LONG_INTEGER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}

/** A message as JsonFormat prints it: without fields at their proto3 default (0, "", false, empty list). */
export function message(fields: Readonly<Record<string, JsonTree | undefined>>): { [key: string]: JsonTree } {
  const set = Object.entries(fields).filter((field): field is [string, JsonTree] => !isDefault(field[1]));
  return Object.fromEntries(set);
}

function isDefault(value: JsonTree | undefined): boolean {
  if (value === undefined || value === 0 || value === 0n || value === "" || value === false) return true;
  return typeof value === "object" && isList(value) && value.length === 0;
}

function isList(tree: object): tree is readonly JsonTree[] {
  return Array.isArray(tree);
}

/** Deeper values are left out. */
const MAX_DEPTH = 32;

/** Parsed JSON, to be printed again without its nulls. */
export function asTree(value: unknown, depth = 0): JsonTree | undefined {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return undefined;
  const inner = (item: unknown) => asTree(item, depth + 1);
  if (Array.isArray(value)) return value.map(inner).filter((item) => item !== undefined);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inner(item)]));
}
