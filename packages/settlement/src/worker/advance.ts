import { sweepLandedLines, sweepReturnedLines, sweepSentLines } from "@daric/domain/ledger";
import type { SettlementContext, Settling } from "../context.ts";
import { followReadying, readyAddress } from "../energy/ready-address.ts";
import { returnLoan } from "../energy/reclaim.ts";
import { findContent } from "../plan/contents-store.ts";
import { surveyOne, UNCONFIRMED } from "../plan/decide-sweep.ts";
import { sendSignedOffline } from "../sweeps/exported-sweeps.ts";
import { sweepReport } from "../sweeps/report-sweeps.ts";
import {
  bookLines,
  endAttempt,
  endOf,
  keepSigned,
  mayRequest,
  needsLoan,
  type OpenStep,
  requestSignature,
  type Step,
} from "../sweeps/sweep-step.ts";
import { moveSweep, type OpenSweep } from "../sweeps/sweep-store.ts";
import { RETRY_AFTER_MS, waitAfter } from "../timing.ts";
import { transactionStanding } from "../transactions/follow-transaction.ts";
import { sendTransaction } from "../transactions/send-transaction.ts";
import { endTransaction } from "../transactions/transaction-store.ts";
import { writeUnderLease } from "../write-under-lease.ts";

/** The next step of a sweep, by its status. Sweeps that wait are priced again elsewhere (`replan.ts`). */
const steps: Readonly<Partial<Record<OpenSweep["status"], Step>>> = {
  PLANNED: readyAddress,
  ACTIVATING: followReadying,
  RESOURCED: requestSweep,
  SIGNED: sendSweep,
  SENT: followSweep,
  SOLID: reclaim,
};

/**
 * Does the next step of a sweep in one transaction of the database. A process may end after it; another one
 * continues. Nodes are called outside of the transaction.
 */
export async function advanceSweep(
  context: SettlementContext,
  settling: Settling,
  sweep: OpenSweep,
): Promise<void> {
  await steps[sweep.status]?.(context, settling, sweep);
}

async function requestSweep(context: SettlementContext, settling: Settling, sweep: OpenSweep): Promise<void> {
  const { transaction } = sweep;
  if (transaction?.purpose === "sweep" && transaction.outcome === null)
    return followSigning(context, settling, { sweep, transaction });
  if (!mayRequest(context, settling)) return;
  if (await isAheadOfNodes(context, settling, sweep)) return;
  const fault = await findFault(context, settling, sweep);
  if (fault === undefined)
    return writeUnderLease(context, settling, (tx) =>
      requestSignature(tx, settling, { sweep, purpose: "sweep", units: sweep.units }),
    );
  const { event, reason } = fault;
  // The signer makes no second top-up for an address before the first one is over.
  const over = transaction && waitAfter(settling.network.name, transaction.expiresAt, context.clock.now());
  await writeUnderLease(context, settling, (tx) =>
    moveSweep(tx, sweep, { event, reason, waitMs: event === "frozen" ? RETRY_AFTER_MS.frozen : (over ?? 0) }),
  );
  if (event === "frozen") sweepReport.frozen(context, sweep, reason);
}

/** Whether the nodes' solid block is older than the money of a sweep, as after a change of nodes. */
async function isAheadOfNodes(
  context: SettlementContext,
  settling: Settling,
  sweep: OpenSweep,
): Promise<boolean> {
  const { height } = await settling.reach();
  const { now, settled } = await findContent(context.db, { ...sweep, height });
  return settled < sweep.units && now >= sweep.units;
}

/**
 * A change since the plan that would make the transfer fail. Such a transfer is not signed, because its energy would
 * be burned for nothing.
 */
async function findFault(
  context: SettlementContext,
  settling: Settling,
  sweep: OpenSweep,
): Promise<{ event: "frozen" | "expired"; reason: string } | undefined> {
  const { height } = await settling.reach();
  const { now } = await findContent(context.db, { ...sweep, height });
  if (now < sweep.units)
    return { event: "expired", reason: "the ledger has less on this address than was planned" };
  const { facts, price } = await surveyOne(context, settling, sweep);
  if (!facts.isRecipientConfirmed) {
    settling.guard.pause([sweep]);
    return { event: "expired", reason: UNCONFIRMED };
  }
  if (facts.refusal !== undefined) return { event: "frozen", reason: facts.refusal };
  if (price.units < sweep.units)
    return { event: "expired", reason: "the address holds less than was planned" };
  if (price.topUp > 0n)
    return { event: "expired", reason: "the address lacks the TRX that the transfer burns" };
  return price.feeLimit > sweep.feeLimit
    ? { event: "expired", reason: "the transfer takes more energy than was planned" }
    : undefined;
}

async function followSigning(...[context, settling, at]: Parameters<OpenStep>): Promise<void> {
  const standing = transactionStanding(at.transaction, settling.verified);
  if (standing === "signed") return keepSigned(context, settling, { ...at, event: "signed" });
  if (standing === "live" && (await isAheadOfNodes(context, settling, at.sweep))) return;
  if (standing === "live" || standing === "included")
    return sendSignedOffline(context, settling, {
      at,
      findFault: () => findFault(context, settling, at.sweep),
    });
  if (standing === "refused" || standing === "expired") return endAttempt(context, settling, at);
}

/** Books the money as in flight before a node gets the bytes. */
async function sendSweep(context: SettlementContext, settling: Settling, sweep: OpenSweep): Promise<void> {
  const { transaction } = sweep;
  if (transaction === undefined) throw new Error(`sweep ${sweep.id} is SIGNED without a transaction`);
  await writeUnderLease(context, settling, async (tx) => {
    await moveSweep(tx, sweep, { event: "sent" });
    await bookLines(tx, { sweep, transaction }, sweepSentLines(sweep));
  });
  await sendTransaction(context, settling, endOf({ sweep, transaction }));
}

async function followSweep(context: SettlementContext, settling: Settling, sweep: OpenSweep): Promise<void> {
  const { transaction } = sweep;
  if (transaction === undefined) throw new Error(`sweep ${sweep.id} is SENT without a transaction`);
  const standing = transactionStanding(transaction, settling.verified);
  if (standing === "live") return sendTransaction(context, settling, endOf({ sweep, transaction }));
  const at = { sweep, transaction };
  if (standing === "expired")
    return endAttempt(context, settling, { ...at, returned: sweepReturnedLines(sweep) });
  if (standing !== "included") throw new Error(`sweep ${sweep.id} is SENT, and its transaction ${standing}`);
  if (sweep.moved !== sweep.units) return fail(context, settling, at);
  await writeUnderLease(context, settling, async (tx) => {
    await endTransaction(tx, endOf(at), "landed");
    await moveSweep(tx, sweep, { event: "landed" });
    await bookLines(tx, at, sweepLandedLines(sweep, sweep.recipient));
  });
  sweepReport.landed(context, sweep);
}

/** The transaction is in a verified block and moved nothing. */
async function fail(...[context, settling, at]: Parameters<OpenStep>): Promise<void> {
  const { sweep, transaction } = at;
  const waitMs = waitAfter(settling.network.name, transaction.expiresAt, context.clock.now());
  const reason = `its transaction ${transaction.txId} failed in block ${transaction.blockNumber}`;
  await writeUnderLease(context, settling, async (tx) => {
    await endTransaction(tx, endOf(at), "failed");
    await moveSweep(tx, sweep, { event: "failed", reason, waitMs, isFailure: true });
    await bookLines(tx, at, sweepReturnedLines(sweep));
  });
  sweepReport.failed(context, sweep, reason);
}

/** Returns the borrowed energy of a sweep as soon as the sweep is over. */
async function reclaim(context: SettlementContext, settling: Settling, sweep: OpenSweep): Promise<void> {
  const isBack = !needsLoan(sweep) || (await returnLoan(context, settling, sweep));
  if (isBack) await writeUnderLease(context, settling, (tx) => moveSweep(tx, sweep, { event: "reclaimed" }));
}
