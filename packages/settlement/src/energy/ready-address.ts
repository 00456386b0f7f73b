import type { SettlementContext, Settling } from "../context.ts";
import {
  endAttempt,
  endOf,
  keepSigned,
  mayRequest,
  needsLoan,
  type OpenStep,
  requestSignature,
} from "../sweeps/sweep-step.ts";
import { moveSweep, type OpenSweep } from "../sweeps/sweep-store.ts";
import { RETRY_AFTER_MS, waitAfter } from "../timing.ts";
import { transactionStanding } from "../transactions/follow-transaction.ts";
import { sendTransaction } from "../transactions/send-transaction.ts";
import { endTransaction } from "../transactions/transaction-store.ts";
import { writeUnderLease } from "../write-under-lease.ts";
import { isLent, sizeLoan } from "./delegation.ts";

/** Gives the address of a planned sweep what it lacks: TRX first, which activates it, then energy. */
export async function readyAddress(
  context: SettlementContext,
  settling: Settling,
  sweep: OpenSweep,
): Promise<void> {
  if (!mayRequest(context, settling)) return;
  if (sweep.topUp > 0n) return topUp(context, settling, sweep);
  if (!needsLoan(sweep) || (await isLent(context, settling, sweep)))
    return writeUnderLease(context, settling, (tx) => moveSweep(tx, sweep, { event: "resourced" }));
  const loan = await sizeLoan(context, settling, sweep);
  await writeUnderLease(context, settling, async (tx) => {
    if ("lacking" in loan)
      return moveSweep(tx, sweep, {
        event: "priced_out",
        reason: loan.lacking,
        waitMs: RETRY_AFTER_MS.energy,
      });
    await requestSignature(tx, settling, { sweep, purpose: "delegate", units: loan.sun });
    await moveSweep(tx, sweep, { event: "funded" });
  });
}

async function topUp(context: SettlementContext, settling: Settling, sweep: OpenSweep): Promise<void> {
  await writeUnderLease(context, settling, async (tx) => {
    await requestSignature(tx, settling, { sweep, purpose: "top_up", units: sweep.topUp });
    await moveSweep(tx, sweep, { event: "funded" });
  });
}

/** Follows the transactions that give the address TRX and energy, one after another. */
export async function followReadying(
  context: SettlementContext,
  settling: Settling,
  sweep: OpenSweep,
): Promise<void> {
  const { transaction } = sweep;
  if (transaction === undefined) throw new Error(`sweep ${sweep.id} is ACTIVATING without a transaction`);
  const at = { sweep, transaction };
  if (transaction.outcome !== null) return continueReadying(context, settling, at);
  // The sweep was signed offline together with its top-up, which has landed.
  if (transaction.purpose === "sweep")
    return writeUnderLease(context, settling, (tx) => moveSweep(tx, sweep, { event: "resourced" }));
  const standing = transactionStanding(transaction, settling.verified);
  if (transaction.purpose === "delegate" && standing !== "unsigned" && standing !== "signed") {
    // The chain's list of delegations decides, because the stake account is none of our addresses.
    if (await isLent(context, settling, sweep)) return landReadying(context, settling, at);
  } else if (standing === "included") return landReadying(context, settling, at);
  if (standing === "signed") return keepSigned(context, settling, at);
  if (standing === "live") return sendTransaction(context, settling, endOf({ sweep, transaction }));
  if (standing === "refused" || standing === "expired") return endAttempt(context, settling, at);
}

async function landReadying(...[context, settling, at]: Parameters<OpenStep>): Promise<void> {
  await writeUnderLease(context, settling, (tx) => endTransaction(tx, endOf(at), "landed"));
}

/** Continues after a top-up: the address may still need energy. */
async function continueReadying(
  ...[context, settling, { sweep, transaction }]: Parameters<OpenStep>
): Promise<void> {
  const isReady = !needsLoan(sweep) || (await isLent(context, settling, sweep));
  if (isReady)
    return writeUnderLease(context, settling, (tx) => moveSweep(tx, sweep, { event: "resourced" }));
  if (!mayRequest(context, settling)) return;
  // At this time the sweep is priced anew, and the signer accepts another top-up, which a sweep that burns TRX needs.
  const toppedUp = waitAfter(settling.network.name, transaction.expiresAt, context.clock.now());
  const waitMs = Math.max(RETRY_AFTER_MS.energy, toppedUp);
  const loan = await sizeLoan(context, settling, sweep);
  await writeUnderLease(context, settling, (tx) =>
    "lacking" in loan
      ? moveSweep(tx, sweep, { event: "expired", reason: loan.lacking, waitMs })
      : requestSignature(tx, settling, { sweep, purpose: "delegate", units: loan.sun }),
  );
}
