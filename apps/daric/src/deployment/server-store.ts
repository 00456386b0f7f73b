import { maybeOne, one, type Queryable, sql } from "@daric/postgres/sql";

/** The server and the database that we logged in to. */
export type DatabaseServer = {
  readonly version: string;
  /** the same for every way to this database, and different for every other database, copies included */
  readonly identity: string;
};

/** Reads the server's identity. Any role may. */
export async function describeServer(db: Queryable): Promise<DatabaseServer> {
  return one(
    await db.query<DatabaseServer>(sql`
      select current_setting('server_version') as version,
        concat_ws('/', (select oid from pg_database where datname = current_database()),
          extract(epoch from pg_postmaster_start_time())) as identity`),
  );
}

/** Whether the server has a role of this name. Any role may ask. */
export async function isRoleThere(db: Queryable, name: string): Promise<boolean> {
  const rows = await db.query<object>(sql`select oid from pg_roles where rolname = ${name}`);
  return maybeOne(rows) !== undefined;
}

/** The role of this login, its database, and whether it may create tables in the schema. */
export type CreateRight = { readonly role: string; readonly database: string; readonly mayCreate: boolean };

export async function findCreateRight(db: Queryable): Promise<CreateRight> {
  return one(
    await db.query<CreateRight>(sql`
      select current_user as role, current_database() as database,
        coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate"`),
  );
}
