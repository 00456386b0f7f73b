import { withDedicatedClient } from "@daric/postgres/dedicated-client";

/** The tables of the service and their columns, in order. */
export type Tables = Readonly<Record<string, readonly string[]>>;

/**
 * Tables that find something for whoever does not know the merchant: what they say of a merchant is no row of its own.
 * With the column by whose value a single row is found, where there is one; the others tell who has work.
 */
const directories: ReadonlyMap<string, string | undefined> = new Map([
  ["address_directory", "address"],
  ["token_directory", "token"],
  ["api_key_directory", "lookup_id"],
  ["active_charge_counts", undefined],
  ["archive_queue", undefined],
  ["open_deposits", undefined],
  ["endpoint_queue", undefined],
  ["endpoint_changes", undefined],
  // The signer is asked by the id of a request, and tells its list of wallets, the operator's among them.
  ["signing_requests", undefined],
  ["signer_destinations", undefined],
]);

/** The column that says whose a row of this table is; undefined for a directory and for what is of no merchant. */
export function tenantColumn(tables: Tables, table: string): "merchant_id" | "id" | undefined {
  if (table === "merchants") return "id";
  if (directories.has(table)) return undefined;
  return tables[table]?.includes("merchant_id") === true ? "merchant_id" : undefined;
}

/** The tables with rows of merchants. */
export function tenantTables(tables: Tables): string[] {
  return Object.keys(tables).filter((table) => tenantColumn(tables, table) !== undefined);
}

/** The column by which a row of this directory is found; undefined for every other table. */
export function directoryKey(table: string): string | undefined {
  return directories.get(table);
}

/** The tables of a database, without the parts of a table that is kept in parts. */
export async function readTables(url: string): Promise<Tables> {
  return withDedicatedClient({ connectionString: url }, async (client) => {
    const { rows } = await client.query<{ table: string; columns: string[] }>(`
      select relname as table, array_agg(attname::text order by attnum) as columns
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and attnum > 0 and not attisdropped
      group by relname`);
    return Object.fromEntries(rows.map(({ table, columns }) => [table, columns]));
  });
}
