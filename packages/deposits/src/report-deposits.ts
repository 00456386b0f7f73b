import type { DepositStatus } from "@daric/domain/deposit";
import type { LogEvent } from "@daric/runtime/log-events";
import type { Context } from "./context.ts";
import type { Deposit } from "./store.ts";

const WORRYING: Partial<Record<DepositStatus, LogEvent>> = {
  STUCK: "deposit_stuck",
  REORG_PENDING: "deposit_reorg_pending",
  FAILED: "deposit_failed",
};

/** Counts and logs deposits by their new status. It must be called after the commit, because a transaction may run twice. */
export function reportDeposits(
  context: Pick<Context, "log" | "metrics">,
  deposits: readonly Deposit[],
): void {
  for (const deposit of deposits) {
    const { status, currency } = deposit;
    context.metrics.deposits.inc({ status, currency });
    const facts = {
      deposit_id: deposit.id,
      tx_id: deposit.txId,
      address: deposit.address,
      amount_units: deposit.amount.toString(),
      currency,
      block_number: deposit.blockNumber,
      reason: deposit.stuckReason ?? deposit.failureReason ?? undefined,
    };
    const event = WORRYING[status];
    if (event === undefined) context.log.info(facts, `deposit ${status.toLowerCase()}`);
    else context.log.warn({ event, ...facts }, `deposit ${status.toLowerCase()}`);
  }
}
