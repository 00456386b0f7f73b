import { one, type Queryable, sql } from "@daric/postgres/sql";

/** The operator's commands to settlement. */
export type SettlementControl = {
  readonly pausedAt: Date | null;
  readonly pauseReason: string | null;
  /** when a plan was requested */
  readonly askedAt: Date | null;
  /** money confirmed up to this time is swept if it is worth more than its price */
  readonly sweepAllBefore: Date | null;
};

export async function getControl(db: Queryable): Promise<SettlementControl> {
  return one(
    await db.query<SettlementControl>(sql`
      select paused_at as "pausedAt", pause_reason as "pauseReason", asked_at as "askedAt", sweep_all_before as "sweepAllBefore"
      from settlement_control`),
  );
}

/** Requests a plan now. With `isAll` it takes everything that is worth more than its price. */
export async function requestPlan(db: Queryable, { isAll }: { isAll: boolean }): Promise<void> {
  await db.query(sql`
    update settlement_control
    set asked_at = now(), sweep_all_before = case when ${isAll} then now() else sweep_all_before end`);
}

/**
 * Stops planning and signing requests. Sent transactions are followed to their end. A second pause keeps the time of
 * the first.
 */
export async function pauseSettlement(db: Queryable, reason: string): Promise<void> {
  await db.query(sql`
    update settlement_control set paused_at = coalesce(paused_at, now()), pause_reason = ${reason}`);
}

export async function resumeSettlement(db: Queryable): Promise<void> {
  await db.query(sql`update settlement_control set paused_at = null, pause_reason = null`);
}
