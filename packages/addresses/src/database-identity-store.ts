import { type Sql, sql } from "@daric/postgres/sql";

/**
 * SQL: the identity of this table: cluster, timeline (new after each promotion), database and table. A copy differs in at
 * least one of them, except a copy of the disk.
 */
export function databaseIdentity(table: "account_keys" | "address_directory"): Sql {
  return sql`
  (select pg_control_system.system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' ||
      (select oid from pg_database where datname = current_database()) || '/' || ${table}::regclass::oid
    from pg_control_system())`;
}
