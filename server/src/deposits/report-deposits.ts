import type { DepositStatus } from "../domain/deposit.ts";
import type { Context } from "./context.ts";
import type { Deposit } from "./store.ts";

const WORRYING: readonly DepositStatus[] = ["STUCK", "REORG_PENDING", "FAILED"];

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
    context.log[WORRYING.includes(status) ? "warn" : "info"](facts, `deposit ${status.toLowerCase()}`);
  }
}
