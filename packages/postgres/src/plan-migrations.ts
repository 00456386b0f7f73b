import type pg from "pg";
import {
  executeMigration,
  listMigrations,
  type Migration,
  pendingMigrations,
  tryWithLock,
} from "./migrate.ts";

/** A lock that a migration takes on a table that was there before. */
export type TableLock = { readonly table: string; readonly mode: string };

export type PlannedMigration = {
  readonly version: number;
  readonly name: string;
  readonly ms: number;
  /** locks that no earlier migration took, the strongest mode for each table */
  readonly locks: readonly TableLock[];
  /** how long the locks are held: all pending migrations are one transaction */
  readonly heldMs: number;
};

/** The modes that stop writes, from the weakest on; the last one stops reads too. */
const MODES = ["ShareLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock"];

/**
 * Applies the pending migrations in a transaction that is rolled back, and measures them. So it holds their locks as long as
 * the migration does: use a copy, or a database that no service uses.
 * @throws as `migrate`, when a lock is not free within a second, and when `refuse` throws.
 */
export async function planMigrations(
  url: string,
  directory: string,
  refuse: (client: pg.Client) => Promise<void>,
): Promise<PlannedMigration[]> {
  const files = await listMigrations(directory);
  return tryWithLock(
    url,
    async (client) => {
      await refuse(client);
      const seen = new Map<string, number>();
      const steps: (Omit<PlannedMigration, "heldMs"> & { readonly startedMs: number })[] = [];
      const before = await tablesIn(client);
      for (const migration of await pendingMigrations(client, files)) {
        steps.push(await applyMeasured(client, migration, { before, seen }));
      }
      const endedMs = performance.now();
      return steps.map(({ startedMs, ...step }) => ({ ...step, heldMs: Math.round(endedMs - startedMs) }));
    },
    "rollback",
  );
}

async function applyMeasured(
  client: pg.Client,
  { version, file, text }: Migration,
  { before, seen }: { before: ReadonlySet<string>; seen: Map<string, number> },
) {
  const startedMs = performance.now();
  await executeMigration(client, text);
  const ms = Math.round(performance.now() - startedMs);
  const { rows } = await client.query<TableLock>(
    `select relname::text as table, mode from pg_locks join pg_class on pg_class.oid = relation
     where pid = pg_backend_pid() and granted and relkind in ('r', 'p') and mode = any($1)
     order by relname, array_position($1, mode)`,
    [MODES],
  );
  const strongest = new Map(rows.filter(({ table }) => before.has(table)).map((lock) => [lock.table, lock]));
  const locks = [...strongest.values()].filter(({ table, mode }) => {
    const isNew = MODES.indexOf(mode) > (seen.get(table) ?? -1);
    if (isNew) seen.set(table, MODES.indexOf(mode));
    return isNew;
  });
  return { version, name: file, ms, locks, startedMs };
}

async function tablesIn(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}
