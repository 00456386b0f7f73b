import { AnswerError, type JsonObject } from "@daric/chain/blocks/read-json";

/** The one row of a list whose `field` is `name`. @throws AnswerError for none, for several, and for anything but a list. */
export function rowNamed(rows: unknown, field: string, name: string): JsonObject {
  const list: readonly unknown[] = Array.isArray(rows) ? rows : [];
  const [row, ...others] = list.filter((row) => isObject(row) && row[field] === name);
  if (!isObject(row) || others.length > 0) throw new AnswerError("the answer is of another pair");
  return row;
}

export function firstIn(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}

/** The price of the best of the levels `[[price, size], …]`. */
export function bestOf(levels: unknown): unknown {
  return firstIn(firstIn(levels));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null;
}
