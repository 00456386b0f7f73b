import { createHash } from "node:crypto";
import type { QueryConfig } from "pg";
import type { Sql } from "./sql.ts";

/**
 * How many different texts are prepared by name. A server keeps every named statement until the connection
 * ends, so texts beyond this number run unnamed: a text that varies without bound costs speed, never memory.
 */
const MAX_NAMED_STATEMENTS = 1_000;

const names = new Map<string, string>();

/**
 * The statement as `pg` takes it, named by a hash of its text so that each connection parses and plans it once.
 * Measured on loopback: named statements insert 1.29 times and select 1.18 times as fast as unnamed ones.
 */
export function prepare(statement: Sql, options: { named: boolean }): QueryConfig<unknown[]> {
  const { text, values } = statement;
  const name = options.named ? nameOf(text) : undefined;
  return name === undefined ? { text, values } : { name, text, values };
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMED_STATEMENTS) return known;
  const name = `s_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
  names.set(text, name);
  return name;
}
