import { migrationStatus } from "@daric/postgres/migrate";
import type { Queryable } from "@daric/postgres/sql";
import { MIGRATIONS_DIRECTORY } from "./migrations.ts";
import { StartError } from "./start-error.ts";

/**
 * Returns when the tables are those that this program was written for.
 *
 * @throws StartError when they are older or newer, with what helps.
 */
export async function requireCurrentSchema(db: Queryable): Promise<void> {
  const { current, latest } = await migrationStatus(db, MIGRATIONS_DIRECTORY);
  if (current === latest) return;
  const found = `the database has schema version ${current} and this program needs ${latest}`;
  throw new StartError(`${found}: run ${current < latest ? "`daric migrate`" : "the newer program"}`);
}
