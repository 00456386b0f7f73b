import { type Sql, sql } from "@daric/postgres/sql";

/**
 * Part of a statement: the database as it names itself, and the table of this name in it: the cluster, the timeline that begins
 * anew with each promotion, the database in it and the table in that. A copy differs in one of them at least, but for one
 * of the disk.
 */
export function databaseIdentity(table: "account_keys" | "address_directory"): Sql {
  return sql`
  (select pg_control_system.system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' ||
      (select oid from pg_database where datname = current_database()) || '/' || ${table}::regclass::oid
    from pg_control_system())`;
}
