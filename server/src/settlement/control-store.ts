import { one, type Queryable, sql } from "@daric/postgres/sql";

/** The owner's word to the settlement role. */
export type SettlementControl = {
  readonly pausedAt: Date | null;
  readonly pauseReason: string | null;
  /** a plan is asked for, since then */
  readonly askedAt: Date | null;
  /** what was confirmed up to then is swept where it is worth more than its price */
  readonly sweepAllBefore: Date | null;
};

export async function getControl(db: Queryable): Promise<SettlementControl> {
  return one(
    await db.query<SettlementControl>(sql`
      select paused_at as "pausedAt", pause_reason as "pauseReason", asked_at as "askedAt", sweep_all_before as "sweepAllBefore"
      from settlement_control`),
  );
}

/** Asks for a plan now; with `isAll` of everything that is worth more than its price. */
export async function askForSweeps(db: Queryable, { isAll }: { isAll: boolean }): Promise<void> {
  await db.query(sql`
    update settlement_control
    set asked_at = now(), sweep_all_before = case when ${isAll} then now() else sweep_all_before end`);
}

/** Stops planning and asking for signatures; what is sent is followed to its end. A second pause keeps the first time. */
export async function pauseSettlement(db: Queryable, reason: string): Promise<void> {
  await db.query(sql`
    update settlement_control set paused_at = coalesce(paused_at, now()), pause_reason = ${reason}`);
}

export async function resumeSettlement(db: Queryable): Promise<void> {
  await db.query(sql`update settlement_control set paused_at = null, pause_reason = null`);
}
