import type { Currency } from "@daric/domain/asset";
import { type Amount, amountFromUnits } from "@daric/domain/money";
import { endedSweepStatuses, type SweepStatus, sweepStatuses } from "@daric/domain/sweep";
import { literals, type Queryable, sql } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";
import type { SweepCount } from "../metrics.ts";

/** The number of open sweeps of all merchants in each status, zeros included, without exported ones. */
export async function countOpenSweeps(db: Queryable): Promise<SweepCount[]> {
  const rows = await db.query<{ status: SweepStatus; count: bigint; oldestSeconds: number }>(
    globally(
      "open-sweep-counts",
      sql`
        select status, count(*), max(extract(epoch from now() - updated_at))::float8 as "oldestSeconds"
        from sweeps where status not in (${literals(...endedSweepStatuses)}) and not (is_offline and status = 'PLANNED')
        group by status`,
    ),
  );
  const known = new Map(rows.map((row) => [row.status, row]));
  return sweepStatuses
    .filter((status) => !endedSweepStatuses.includes(status))
    .map((status) => {
      const { count = 0n, oldestSeconds = 0 } = known.get(status) ?? {};
      return { status, count: Number(count), oldestSeconds };
    });
}

/** An entry of the signer's list. */
export type SignerDestination = {
  readonly counter: bigint;
  readonly merchantId: string;
  readonly name: string;
  readonly address: string | null;
  readonly actsFrom: Date;
};

/** The entries above a counter, in their order. */
export async function listDestinations(db: Queryable, after: bigint): Promise<SignerDestination[]> {
  return db.query<SignerDestination>(sql`
    select counter, merchant_id as "merchantId", name, address, acts_from as "actsFrom"
    from signer_destinations where counter > ${after} order by counter limit 1000`);
}

/** A sweep of any merchant that is frozen, waits or is to be retried. */
export type HeldSweep = {
  readonly merchantId: string;
  readonly address: string;
  readonly currency: Currency;
  readonly units: Amount;
  readonly status: SweepStatus;
  readonly reason: string | null;
  readonly updatedAt: Date;
};

/** The sweeps that are frozen, wait or are to be retried, the longest first. */
export async function listHeldSweeps(db: Queryable, limit: number): Promise<HeldSweep[]> {
  const rows = await db.query<Omit<HeldSweep, "units"> & { units: bigint }>(
    globally(
      "held-sweeps",
      sql`
        select s.merchant_id as "merchantId", a.address, s.currency, s.units, s.status, s.reason, s.updated_at as "updatedAt"
        from sweeps s join deposit_addresses a on a.merchant_id = s.merchant_id and a.id = s.deposit_address_id
        where s.status in ('FROZEN', 'RETRY', 'WAITING')
        order by s.status, s.updated_at limit ${limit}`,
    ),
  );
  return rows.map((row) => ({ ...row, units: amountFromUnits(row.units) }));
}

/** The sun that the gas wallet has spent in the last week, by the ledgers of all merchants. */
export async function sumGasOfWeek(db: Queryable): Promise<bigint> {
  const rows = await db.query<{ sun: string }>(
    globally(
      "gas-of-week",
      sql`
        select coalesce(sum(units), 0)::text as sun from ledger_entries
        where credit = 'gas' and booked_at > now() - interval '7 days'`,
    ),
  );
  return BigInt(rows[0]?.sun ?? "0");
}
