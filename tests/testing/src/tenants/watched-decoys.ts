import { type Database, type Queryable, sql } from "@daric/postgres/sql";

/** The open databases, by their owner's connection. */
const watched = new Set<Queryable>();

/** Checks the decoys of a database after each test and before it is dropped. */
export function watchDecoys<D extends { readonly owner: Database; drop(): Promise<void> }>(database: D): D {
  const { owner } = database;
  watched.add(owner);
  const drop = async () => {
    watched.delete(owner);
    try {
      await requireUnchanged(owner);
    } finally {
      await database.drop();
    }
  };
  return { ...database, drop };
}

/** Compares the decoys of every open database. @throws Error that names the tables with altered decoys. */
export async function requireDecoysUnchanged(): Promise<void> {
  for (const owner of watched) await requireUnchanged(owner);
}

async function requireUnchanged(owner: Queryable): Promise<void> {
  const changed = await owner.query<{ table: string; made: string; found: string }>(
    sql`select table_name as table, made::text, found::text from decoys.changed order by table_name`,
  );
  if (changed.length === 0) return;
  const tables = changed.map(({ table, made, found }) => `${table} (${made} made, ${found} found)`);
  throw new Error(`rows of the decoy of another merchant have changed: ${tables.join(", ")}`);
}
