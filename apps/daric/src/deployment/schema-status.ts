import { ForeignSchemaError, migrationStatus } from "@daric/postgres/migrate";
import type { Queryable } from "@daric/postgres/sql";
import { MIGRATIONS_DIRECTORY } from "./migrations.ts";
import { schemaObjects } from "./schema-objects.ts";
import { StartError } from "./start-error.ts";
import { findServesFrom, listSchemaObjects } from "./store.ts";

export type SchemaStatus = {
  /** the newest migration of the database */
  readonly current: number;
  /** the newest migration of this program */
  readonly latest: number;
  /** whether this program works on this schema: its own, or a newer one that serves it */
  readonly isServed: boolean;
  readonly detail: string;
};

/**
 * Compares the schema with this program.
 *
 * @throws ForeignSchemaError if an applied migration differs from this program's.
 */
export async function findSchemaStatus(db: Queryable): Promise<SchemaStatus> {
  const { current, latest } = await migrationStatus(db, MIGRATIONS_DIRECTORY);
  if (current <= latest)
    return { current, latest, isServed: current === latest, detail: `version ${current} of ${latest}` };
  const servesFrom = await findServesFrom(db);
  return {
    current,
    latest,
    isServed: servesFrom <= latest,
    detail: `version ${current}, which serves programs from ${servesFrom} on; this one has ${latest}`,
  };
}

/**
 * The objects that an interrupted restore left out of a schema of this version, as a sentence. Objects that an
 * operator added are no fault. It reads the catalog, so it belongs to starts and commands, not to each request of
 * `/readyz`.
 */
export async function findGap(db: Queryable): Promise<string | undefined> {
  const found = new Set(await listSchemaObjects(db));
  const missing = schemaObjects.filter((name) => !found.has(name));
  if (missing.length === 0) return undefined;
  const some = missing.slice(0, 3).join(", ");
  return `the restore did not end: ${missing.length} of ${schemaObjects.length} indexes and foreign keys are missing (${some}${missing.length > 3 ? ", …" : ""}). Restore again, into an empty database`;
}

/**
 * Resolves if this program works on the schema.
 *
 * @throws StartError with advice if it is older, of another program, too new, or restored in part.
 */
export async function requireServedSchema(db: Queryable): Promise<void> {
  const { current, latest, isServed, detail } = await findSchemaStatus(db).catch((error: unknown) => {
    throw error instanceof ForeignSchemaError ? new StartError("schema_mismatch", error.message) : error;
  });
  const gap = current === latest ? await findGap(db) : undefined;
  if (gap !== undefined) throw new StartError("schema_mismatch", gap);
  if (isServed) return;
  throw new StartError(
    "schema_mismatch",
    current < latest
      ? `the database has schema version ${current} and this program needs ${latest}: run \`daric migrate\``
      : `the database has schema ${detail}: run the newer program`,
  );
}
