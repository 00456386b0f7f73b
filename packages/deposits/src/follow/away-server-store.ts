import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";

const UNFINISHED = `select count(*) from pg_prepared_xacts
  where database = current_database() and prepared < now() - interval '1 second'`;

/**
 * The name of a server of a distributed database that is away, or must finish a commit older than a second. Such a server
 * does not show rows that are committed. The coordinator finishes the commit, once a minute.
 */
export async function findUnfinishedServer(db: Queryable): Promise<string | undefined> {
  const row = maybeOne(
    await db.query<{ server: string }>(sql`
      select nodename || ':' || nodeport as server
      from run_command_on_all_nodes(${UNFINISHED}) join pg_dist_node using (nodeid)
      where not success or result <> '0'
      order by server limit 1`),
  );
  return row?.server;
}
