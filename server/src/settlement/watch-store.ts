import { literals, type Queryable, sql } from "@daric/postgres/sql";
import { endedSweepStatuses, type SweepStatus } from "../domain/sweep.ts";
import { globally } from "../runtime/global-statements.ts";
import type { SweepCount } from "./metrics.ts";

/** The open sweeps by status, of all merchants. */
export async function countOpenSweeps(db: Queryable): Promise<SweepCount[]> {
  const rows = await db.query<{ status: SweepStatus; count: bigint; oldestSeconds: number }>(
    globally(
      "sweeps-under-way",
      sql`
        select status, count(*), max(extract(epoch from now() - updated_at))::float8 as "oldestSeconds"
        from sweeps where status not in (${literals(...endedSweepStatuses)}) group by status`,
    ),
  );
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** An entry of the signer's list. */
export type SignerDestination = {
  readonly counter: bigint;
  readonly merchantId: string;
  readonly name: string;
  readonly address: string | null;
  readonly actsFrom: Date;
  /** it waits in view of the operator */
  readonly isWaiting: boolean;
};

/** The entries above a counter, in their order. */
export async function listDestinations(db: Queryable, after: bigint): Promise<SignerDestination[]> {
  return db.query<SignerDestination>(sql`
    select counter, merchant_id as "merchantId", name, address, acts_from as "actsFrom", acts_from > now() as "isWaiting"
    from signer_destinations where counter > ${after} order by counter limit 1000`);
}
