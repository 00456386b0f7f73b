import { type Queryable, sql } from "@daric/postgres/sql";

/** A database session that our sessions wait for, and that waits for no other. */
export type LockBlocker = {
  /** 0 for a prepared transaction */
  readonly pid: number;
  /** null if the session has ended */
  readonly role: string | null;
  readonly application: string | null;
  /** null if our role may not see it */
  readonly state: string | null;
  readonly table: string | null;
  readonly waitedMs: number;
};

/**
 * The sessions at the heads of the lock queues that sessions named `application` wait in. It uses what every role may read; `state`
 * needs pg_read_all_stats.
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
