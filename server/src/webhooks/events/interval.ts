import { type Sql, sql } from "@daric/postgres/sql";

/** A duration for SQL; null stays null. */
export function milliseconds(ms: number | null): Sql {
  return sql`${ms}::double precision * interval '1 millisecond'`;
}
