import { depositMachine } from "@daric/domain/deposit";
import type { DepositId } from "@daric/domain/ids";
import { empty, sql, type Transaction } from "@daric/postgres/sql";
import type { ReadBlock } from "../block-store.ts";
import { isChecked } from "../check-store.ts";
import { merchantsOf } from "../open-store.ts";
import { moveAll, moveIn, type Share } from "../status-store.ts";
import { asConfirmed, type ChangedDeposit, type ConfirmedDeposit, type Scope } from "../store.ts";

/** The newest verified block, and the head that confirmations are counted from. */
type Final = {
  readonly solid: Pick<ReadBlock, "number">;
  readonly head: number;
  /** late deposits only, or the others only */
  readonly late?: boolean | undefined;
  /** blocks that are known to be in the chain; without these, each deposit's own is looked up */
  readonly blockIds?: readonly string[] | undefined;
};

const isInChain = sql`exists (
  select from (select orphaned_at from blocks where id = d.block_id offset 0) found where found.orphaned_at is null)`;

/**
 * Confirms deposits with the required confirmations at height `head`, at or below the verified block, whose checks have passed.
 * The offset leaves the planner the key alone to find a block: an index of the chain's blocks looks as cheap while they are few.
 */
export async function finalizeDeposits(
  tx: Transaction,
  scope: Scope,
  { groups, limitEach, solid, head, late, blockIds }: Share & Final,
): Promise<(ConfirmedDeposit & ChangedDeposit)[]> {
  const moved = await moveIn(tx, scope, {
    event: "finalized",
    groups,
    limitEach,
    condition: sql`
      d.block_number <= ${solid.number} and ${isChecked(merchantsOf(groups))}
      and d.block_number + d.required_confirmations - 1 <= ${head}
      ${late === undefined ? empty : sql`and d.late = ${late}`}
      and d.decision is distinct from 'rejected' and ${blockIds === undefined ? isInChain : sql`d.block_id = any(${blockIds})`}`,
    set: sql`, confirmed_at = now(), final_confirmations = ${head} - changed.block_number + 1`,
  });
  return moved.map(asConfirmed);
}

/** Withdraws unconfirmed deposits of a block that enough nodes report otherwise. */
export async function withdrawDeposits(
  tx: Transaction,
  scope: Scope,
  { number, ids }: { number: number; ids: readonly DepositId[] },
): Promise<ChangedDeposit[]> {
  return moveAll(tx, scope, {
    event: "orphaned",
    statuses: depositMachine.edge("orphaned").from,
    from: number,
    to: number,
    condition: () => sql`d.id = any(${ids}::uuid[])`,
  });
}
