import { withDedicatedClient } from "@daric/postgres/dedicated-client";

/** Runs one statement that belongs to no database of a test, such as `create database`. */
export async function executeAsAdmin(url: string, statement: string): Promise<void> {
  await withDedicatedClient({ connectionString: url }, (client) => client.query(statement));
}

/** The same server's URL of another database. */
export function urlOfDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
