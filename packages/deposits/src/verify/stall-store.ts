import { depositMachine, type StuckReason } from "@daric/domain/deposit";
import type { MerchantId } from "@daric/domain/ids";
import { milliseconds, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { type Check, type CheckName, saveChecks, waitsFor } from "../check-store.ts";
import { type OpenGroup, readOpenGroups } from "../open-store.ts";
import { moveAll } from "../status-store.ts";
import type { ChangedDeposit, Scope } from "../store.ts";

const stalled = depositMachine.edge("stalled");

/** The most deposits of one open group per step. */
const MAX_PER_MERCHANT = 1_000;

/**
 * Marks deposits in blocks made before `madeBefore` as STUCK. Above the solid block they lack witnesses, above the verified block
 * they lack nodes, and below it they lack a passed check.
 */
export async function stallDeposits(
  tx: Transaction,
  scope: Scope,
  { solid, verified, madeBefore, stuckAfterMs }: Waiting,
): Promise<ChangedDeposit[]> {
  const open = await readOpenGroups(tx, { network: scope.network, statuses: stalled.from });
  const isLong = sql`d.block_time < ${madeBefore}`;
  // Deposits that an outage of ours delayed do not wait for the chain.
  const isKnownLong = sql`${isLong} and d.detected_at < now() - ${milliseconds(stuckAfterMs)}`;
  const unbuilt = await stall(tx, scope, {
    condition: () => isLong,
    groups: open.filter(({ blockNumber }) => blockNumber > solid),
    stuckReason: "solidity",
  });
  const detail = `too few witnesses have built on its block; the newest solid block is ${solid}`;
  await saveWaiting(tx, unbuilt, { name: "solidity", detail });
  const unreported = {
    condition: () => isKnownLong,
    groups: open.filter(({ blockNumber }) => blockNumber > verified && blockNumber <= solid),
    stuckReason: "quorum",
  } as const;
  const unread = await stall(tx, scope, unreported);
  await saveWaiting(tx, unread, {
    name: "quorum",
    detail: "too few nodes name its block or answer the second reading",
  });
  const inVerified = open.filter(({ blockNumber }) => blockNumber <= verified);
  const unchecked: ChangedDeposit[] = [];
  for (const reason of ["quorum", "balance"] as const) {
    const condition = (merchantIds: readonly MerchantId[]) =>
      sql`${isKnownLong} and ${waitsFor(reason, merchantIds)}`;
    unchecked.push(...(await stall(tx, scope, { condition, groups: inVerified, stuckReason: reason })));
  }
  return [...unbuilt, ...unread, ...unchecked];
}

type Waiting = {
  readonly solid: number;
  readonly verified: number;
  readonly madeBefore: Date;
  readonly stuckAfterMs: number;
};

/** A STUCK deposit moves again only if its reason changes. */
function stall(
  tx: Transaction,
  scope: Scope,
  { condition, stuckReason, groups }: Stalling,
): Promise<ChangedDeposit[]> {
  return moveAll(tx, scope, {
    groups,
    event: "stalled",
    statuses: stalled.from,
    limitEach: MAX_PER_MERCHANT,
    condition: (merchantIds) =>
      sql`d.stuck_reason is distinct from ${stuckReason} and ${condition(merchantIds)}`,
    stuckReason,
  });
}

type Stalling = {
  readonly groups: readonly OpenGroup[];
  readonly condition: (merchantIds: readonly MerchantId[]) => Sql;
  readonly stuckReason: StuckReason;
};

async function saveWaiting(
  tx: Transaction,
  deposits: readonly ChangedDeposit[],
  found: { readonly name: CheckName; readonly detail: string },
): Promise<void> {
  for (const blockId of new Set(deposits.map((deposit) => deposit.blockId))) {
    const blockDeposits = deposits.filter((deposit) => deposit.blockId === blockId);
    const checks = blockDeposits.map(
      ({ id: depositId, merchantId }): Check => ({ ...found, merchantId, depositId, result: "waiting" }),
    );
    await saveChecks(tx, { blockId, checks });
  }
}
