import type { DepositStatus } from "../domain/deposit.ts";
import type { Context } from "./context.ts";
import type { Deposit } from "./store.ts";

const WORRYING: readonly DepositStatus[] = ["STUCK", "REORG_PENDING", "FAILED"];

/**
 * Counts deposits under the status they have reached and logs a line for each. Called after the commit: a transaction
 * may run more than once, and what it reported itself would be reported as often.
 */
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
