import { withDedicatedClient } from "@daric/postgres/dedicated-client";

/** By the superuser's URL, while the database is there. */
const watched = new Set<string>();

/** The same database, whose twins are compared after each test and before it is dropped. */
export function watchTwins<D extends { drop(): Promise<void> }>(database: D, adminUrl: string): D {
  watched.add(adminUrl);
  const drop = async () => {
    watched.delete(adminUrl);
    try {
      await requireUnchanged(adminUrl);
    } finally {
      await database.drop();
    }
  };
  return { ...database, drop };
}

/**
 * Compares the twins in every database of this test file with what they were made as.
 *
 * @throws Error that names the tables in which a twin was changed, removed or added.
 */
export async function requireTwinsUnchanged(): Promise<void> {
  for (const adminUrl of watched) await requireUnchanged(adminUrl);
}

async function requireUnchanged(adminUrl: string): Promise<void> {
  const changed = await withDedicatedClient({ connectionString: adminUrl }, async (client) => {
    const { rows } = await client.query<{ table_name: string; made: string; found: string }>(
      "select table_name, made, found from twins.changed order by table_name",
    );
    return rows;
  });
  if (changed.length === 0) return;
  const tables = changed.map(({ table_name, made, found }) => `${table_name} (${made} made, ${found} found)`);
  throw new Error(`rows of the twin of another merchant have changed: ${tables.join(", ")}`);
}
