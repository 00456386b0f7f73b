import { type Sql, sql } from "@daric/postgres/sql";

/** A statement from plain text, for tests only. */
export function raw(text: string): Sql {
  return sql(Object.assign([text], { raw: [text] }));
}
