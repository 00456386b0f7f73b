import { type Queryable, sql } from "@daric/postgres/sql";

/** A session of the database that holds what ours wait for, and is itself waiting for nobody. */
export type LockBlocker = {
  /** 0 for a transaction that was prepared and left */
  readonly pid: number;
  /** null where it has ended meanwhile */
  readonly role: string | null;
  readonly application: string | null;
  /** null where our role may not see it */
  readonly state: string | null;
  /** the table in which the row or the lock is; null where it is in none */
  readonly table: string | null;
  /** how long ours has waited for it by now */
  readonly waitedMs: number;
};

/**
 * Who holds up the sessions that call themselves `application`, followed to those at the end of each queue; nobody where
 * none of them waits for a lock. Tells what every role may see; the state too where ours may read all statistics.
 */
export async function findLockBlockers(db: Queryable, application: string): Promise<LockBlocker[]> {
  return db.query<LockBlocker>(sql`
    with recursive waiting as (
      select lock.pid, min(lock.waitstart) as since,
        (select held.relation::regclass::text from pg_locks held
         where held.pid = lock.pid and held.relation is not null and (held.locktype = 'tuple' or not held.granted)
         order by held.granted limit 1) as "table"
      from pg_locks lock join pg_stat_activity ours on ours.pid = lock.pid
      where not lock.granted and ours.application_name = ${application} and ours.datname = current_database()
      group by lock.pid
    ),
    in_the_way (pid, since, "table") as (
      select unnest(pg_blocking_pids(pid)), since, "table" from waiting
      union
      select unnest(pg_blocking_pids(pid)), since, "table" from in_the_way
    )
    select in_the_way.pid, holder.usename::text as role, holder.application_name as application, holder.state,
      (array_agg(in_the_way."table" order by in_the_way.since))[1] as "table",
      coalesce(extract(epoch from clock_timestamp() - min(in_the_way.since)) * 1000, 0)::double precision as "waitedMs"
    from in_the_way left join pg_stat_activity holder on holder.pid = in_the_way.pid
    where cardinality(pg_blocking_pids(in_the_way.pid)) = 0
    group by in_the_way.pid, holder.usename, holder.application_name, holder.state
    order by "waitedMs" desc limit 3`);
}
