import { withDedicatedClient } from "@daric/postgres/dedicated-client";

/** The tables of the service and their columns, in order. */
export type Tables = Readonly<Record<string, readonly string[]>>;

/**
 * Directories look up rows without the merchant, so they belong to no merchant. The value is the column that finds
 * a single row, if there is one.
 */
const directories: ReadonlyMap<string, string | undefined> = new Map([
  ["address_directory", "address"],
  ["token_directory", "token"],
  ["api_key_directory", "lookup_id"],
  ["active_charge_counts", undefined],
  ["archive_queue", undefined],
  ["open_deposits", undefined],
  ["open_outflows", undefined],
  ["endpoint_queue", undefined],
  ["endpoint_changes", undefined],
  // The writer of search terms follows the lists of all merchants, decoys too.
  ["search_terms", undefined],
  ["search_progress", undefined],
  // A session looks up its person's merchants here, and a link looks up its row.
  ["memberships", undefined],
  ["one_time_links", undefined],
  ["shop_codes", undefined],
  // The sender takes what is due of every merchant, and a chat is linked by its code.
  ["messages", undefined],
  ["message_channels", undefined],
  ["mail_stops", undefined],
  ["message_choices", undefined],
  ["audit_log", undefined],
  // The watcher finds the refund of a transfer by its address, of every merchant; a transfer is of one refund of all.
  ["refund_addresses", undefined],
  ["refund_transfers", undefined],
  // The signer finds a request by its id, and its list of wallets includes the operator's.
  ["signing_requests", undefined],
  ["signer_destinations", undefined],
]);

/** The column with the merchant of a row; undefined for directories and tables without merchants. */
export function tenantColumn(tables: Tables, table: string): "merchant_id" | "id" | undefined {
  if (table === "merchants") return "id";
  if (directories.has(table)) return undefined;
  return tables[table]?.includes("merchant_id") === true ? "merchant_id" : undefined;
}

export function tenantTables(tables: Tables): string[] {
  return Object.keys(tables).filter((table) => tenantColumn(tables, table) !== undefined);
}

export function directoryKey(table: string): string | undefined {
  return directories.get(table);
}

/** Reads the tables from the catalog, without partitions. */
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
