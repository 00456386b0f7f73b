import { type Sql, sql } from "@daric/postgres/sql";

/** A statement made of a text: only tests, and no statement of ours, are written so. */
export function raw(text: string): Sql {
  return sql(Object.assign([text], { raw: [text] }));
}
