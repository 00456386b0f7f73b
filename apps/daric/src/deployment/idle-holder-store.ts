import { type Queryable, sql } from "@daric/postgres/sql";

/** A lease whose holder has left no trace of work since then. */
export type IdleHolder = { readonly lease: string; readonly holder: string; readonly since: Date };

/**
 * The holders of alerts and settlement that renew their lease and leave no work, while a process lives: each process
 * adds samples. The holder of alerts deletes samples after an hour, and that of settlement stores its terms twice a
 * minute. For the watcher the scanner's check says the same.
 */
export async function findIdleHolders(db: Queryable): Promise<IdleHolder[]> {
  return db.query<IdleHolder>(sql`
    select lease, holder, since from (
      select name as lease, holder, case
        when name like 'alerts:%' then (select taken_at + interval '1 hour' from alert_samples order by id limit 1)
        when name like 'settlement:%' then (select terms_found_at from settlement_control) end as since
      from leases where not is_free) held
    where since < now() - interval '15 minutes'
      and (select taken_at from alert_samples order by id desc limit 1) > now() - interval '5 minutes'
    order by lease`);
}

/** The doubt in words: an attacker with the database's password, or a process that hangs, keeps others from the work. */
export function textOfIdleHolder({ lease, since }: IdleHolder): string {
  return `the holder of the lease ${lease} has done no work since ${since.toISOString().slice(0, 16)}Z`;
}
