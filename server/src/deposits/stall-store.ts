import { milliseconds, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { type DepositStatus, depositMachine, type StuckReason } from "../domain/deposit.ts";
import type { ReadBlock } from "./block-store.ts";
import type { Clearance } from "./clearance.ts";
import { moveAll } from "./status-store.ts";
import type { ChangedDeposit, Scope } from "./store.ts";

const stalled = depositMachine.edge("stalled");

/** Of a merchant in one block, so many at a time: the others with the next solid block. */
const MOST_EACH = 1_000;

/**
 * Solidity keeps deposits waiting that are in blocks made before `madeBefore` and above the solid one: for want of witnesses
 * who build on them or, up to the block `claimed`, for want of proof that it was they who did.
 */
export async function stallDeposits(
  tx: Transaction,
  scope: Scope,
  { solid, claimed, madeBefore }: { solid: ReadBlock; claimed: number; madeBefore: Date },
): Promise<ChangedDeposit[]> {
  // No block above the solid one was made before it.
  if (madeBefore <= solid.time) return [];
  const condition = sql`d.block_time < ${madeBefore}`;
  const { number } = solid;
  const unproven = { condition, from: number + 1, to: claimed, stuckReason: "unproven" } as const;
  const unbuilt = { condition, from: Math.max(number, claimed) + 1, stuckReason: "solidity" } as const;
  return [...(await stall(tx, scope, unproven)), ...(await stall(tx, scope, unbuilt))];
}

/**
 * What could be confirmed as far as solidity goes, but is not cleared, is kept waiting in blocks made before `madeBefore`.
 * Where nobody could say whether it is there, it must also be that long that we know of it: an outage is over by then.
 * What is STUCK is gone through only where all of it was seen: of what a node made up there may be more than can be.
 */
export async function stallUncleared(
  tx: Transaction,
  scope: Scope,
  { solid, madeBefore, clearance, stuckAfterMs }: Uncleared,
): Promise<ChangedDeposit[]> {
  const { upTo, isSure, cleared, lacking, reason, seesAll } = clearance;
  if (!clearance.keepsBack) return [];
  const isWaiting = sql`(d.block_number > ${upTo} or not d.is_covered and d.id <> all(${cleared}::uuid[]))`;
  const isLacking = sql`(d.id = any(${lacking}::uuid[]) or ${isSure} and d.block_number > ${upTo})`;
  return stall(tx, scope, {
    to: solid.number,
    statuses: seesAll ? stalled.from : stalled.from.filter((status) => status !== stalled.to),
    condition: sql`${isWaiting} and d.block_time < ${madeBefore}
      and (${isLacking} or d.detected_at < now() - ${milliseconds(stuckAfterMs)})`,
    stuckReason: reason,
  });
}

type Uncleared = {
  readonly solid: ReadBlock;
  readonly madeBefore: Date;
  readonly clearance: Clearance;
  readonly stuckAfterMs: number;
};

/** Of what is STUCK already only that which waits for another thing than before: its reason follows. */
function stall(
  tx: Transaction,
  scope: Scope,
  { condition, stuckReason, statuses = stalled.from, ...range }: Stalling,
): Promise<ChangedDeposit[]> {
  return moveAll(tx, scope, {
    ...range,
    event: "stalled",
    statuses,
    limitEach: MOST_EACH,
    condition: sql`d.stuck_reason is distinct from ${stuckReason} and ${condition}`,
    stuckReason,
  });
}

type Stalling = {
  readonly statuses?: readonly DepositStatus[];
  readonly from?: number;
  readonly to?: number;
  readonly condition: Sql;
  readonly stuckReason: StuckReason;
};
