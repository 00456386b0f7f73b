import type { Transaction } from "@daric/postgres/sql";
import { uuidv7 } from "uuidv7";
import { idOf } from "../domain/ids.ts";
import { type LedgerLine, sweepLandedLines, sweepReturnedLines, sweepSentLines } from "../domain/ledger.ts";
import { bookSettlement } from "../ledger/book-settlement.ts";
import { derivedId } from "../runtime/derived-id.ts";
import type { SettlementContext, Settling } from "./context.ts";
import { isLent, lend } from "./delegation.ts";
import { transactionStanding } from "./follow-transaction.ts";
import { surveyOne } from "./judge-sweep.ts";
import { takeBack } from "./reclaim.ts";
import { sweepReport } from "./report-sweeps.ts";
import { insertSigningRequest } from "./request-store.ts";
import { sendTransaction } from "./send-transaction.ts";
import {
  endTransaction,
  findContent,
  moveSweep,
  type OpenSweep,
  type SweepPurpose,
  type SweepTransaction,
  storeSigned,
} from "./sweep-store.ts";
import { expiryAfter, isFresh, waitAfter, waits } from "./timing.ts";
import { write } from "./write.ts";

type Step = (context: SettlementContext, settling: Settling, sweep: OpenSweep) => Promise<void>;
/** A sweep and its newest transaction. */
type At = { readonly sweep: OpenSweep; readonly transaction: SweepTransaction };
type OpenStep = (context: SettlementContext, settling: Settling, at: At) => Promise<void>;

/** What is done next with a sweep of each status; those that wait are priced anew, elsewhere. */
const steps: Readonly<Partial<Record<OpenSweep["status"], Step>>> = {
  PLANNED: ready,
  ACTIVATING: followReadying,
  RESOURCED: requestSweep,
  SIGNED: sendSweep,
  SENT: followSweep,
  SOLID: reclaim,
};

/**
 * Does the next step of a sweep: each is one transaction of the database, after which the process may die. Nodes are asked
 * outside of it.
 */
export async function advanceSweep(
  context: SettlementContext,
  settling: Settling,
  sweep: OpenSweep,
): Promise<void> {
  await steps[sweep.status]?.(context, settling, sweep);
}

/** Whether new transactions may be made now: not while an operator has paused, and with a block that the signer takes. */
function mayRequest({ clock }: SettlementContext, { network, verified, isPaused }: Settling): boolean {
  return !isPaused && isFresh(network.name, verified, clock.now());
}

async function ready(context: SettlementContext, settling: Settling, sweep: OpenSweep): Promise<void> {
  if (!mayRequest(context, settling)) return;
  if (sweep.topUp > 0n) return topUp(context, settling, sweep);
  if (!needsLoan(sweep) || (await isLent(context, settling, sweep)))
    return write(context, settling, (tx) => moveSweep(tx, sweep, { event: "resourced" }));
  const loan = await lend(context, settling, sweep);
  await write(context, settling, async (tx) => {
    if ("lacking" in loan)
      return moveSweep(tx, sweep, { event: "priced_out", reason: loan.lacking, waitMs: waits.energy });
    await ask(tx, settling, { sweep, purpose: "delegate", units: loan.sun });
    await moveSweep(tx, sweep, { event: "funded" });
  });
}

async function topUp(context: SettlementContext, settling: Settling, sweep: OpenSweep): Promise<void> {
  await write(context, settling, async (tx) => {
    await ask(tx, settling, { sweep, purpose: "top_up", units: sweep.topUp });
    await moveSweep(tx, sweep, { event: "funded" });
  });
}

function needsLoan({ resources, currency }: OpenSweep): boolean {
  return resources === "delegate" && currency !== "TRX";
}

async function followReadying(
  context: SettlementContext,
  settling: Settling,
  sweep: OpenSweep,
): Promise<void> {
  const { transaction } = sweep;
  if (transaction === undefined) throw new Error(`sweep ${sweep.id} is ACTIVATING without a transaction`);
  if (transaction.outcome !== null) return goOn(context, settling, sweep);
  const at = { sweep, transaction };
  const standing = transactionStanding(transaction, settling.verified);
  if (transaction.purpose === "delegate" && standing !== "unsigned" && standing !== "signed") {
    // What is lent says the chain's own list: the stake account is none of our addresses.
    if (await isLent(context, settling, sweep)) return landReadying(context, settling, at);
  } else if (standing === "included") return landReadying(context, settling, at);
  if (standing === "signed") return keep(context, settling, at);
  if (standing === "live") return sendTransaction(context, settling, endOf({ sweep, transaction }));
  if (standing === "refused" || standing === "expired") return giveUp(context, settling, at);
}

async function landReadying(...[context, settling, at]: Parameters<OpenStep>): Promise<void> {
  await write(context, settling, (tx) => endTransaction(tx, endOf(at), "landed"));
}

/** The address has its account or its TRX; it may still need energy. */
async function goOn(context: SettlementContext, settling: Settling, sweep: OpenSweep): Promise<void> {
  const isReady = !needsLoan(sweep) || (await isLent(context, settling, sweep));
  if (isReady) return write(context, settling, (tx) => moveSweep(tx, sweep, { event: "resourced" }));
  if (!mayRequest(context, settling)) return;
  const loan = await lend(context, settling, sweep);
  if ("lacking" in loan) return;
  await write(context, settling, (tx) => ask(tx, settling, { sweep, purpose: "delegate", units: loan.sun }));
}

async function requestSweep(context: SettlementContext, settling: Settling, sweep: OpenSweep): Promise<void> {
  const { transaction } = sweep;
  if (transaction?.purpose === "sweep" && transaction.outcome === null)
    return followSigning(context, settling, { sweep, transaction });
  if (!mayRequest(context, settling)) return;
  const fault = await findFault(context, settling, sweep);
  if (fault === undefined)
    return write(context, settling, (tx) =>
      ask(tx, settling, { sweep, purpose: "sweep", units: sweep.units }),
    );
  const { event, reason } = fault;
  // The signer takes no second top-up of an address before the first one is over.
  const over = transaction && waitAfter(settling.network.name, transaction.expiresAt, context.clock.now());
  await write(context, settling, (tx) =>
    moveSweep(tx, sweep, { event, reason, waitMs: event === "frozen" ? waits.frozen : (over ?? 0) }),
  );
  if (event === "frozen") sweepReport.frozen(context, sweep, reason);
}

/** What has changed since the plan: a transfer that would fail is not signed, since its energy would be burned for nothing. */
async function findFault(
  context: SettlementContext,
  settling: Settling,
  sweep: OpenSweep,
): Promise<{ event: "frozen" | "expired"; reason: string } | undefined> {
  if ((await findContent(context.db, sweep)) < sweep.units)
    return { event: "expired", reason: "the ledger has less on this address than was planned" };
  const { facts, price } = await surveyOne(context, settling, sweep);
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
  if (standing === "signed") return keep(context, settling, { ...at, event: "signed" });
  if (standing === "refused" || standing === "expired") return giveUp(context, settling, at);
}

/** Stores what was signed, before any node sees it. */
async function keep(
  context: SettlementContext,
  settling: Settling,
  { sweep, transaction, event }: At & { event?: "signed" },
): Promise<void> {
  await write(context, settling, async (tx) => {
    await storeSigned(tx, sweep.merchantId, transaction);
    if (event !== undefined) await moveSweep(tx, sweep, { event });
  });
}

/** From here on the money is in flight: it is booked so before a node is given the bytes. */
async function sendSweep(context: SettlementContext, settling: Settling, sweep: OpenSweep): Promise<void> {
  const { transaction } = sweep;
  if (transaction === undefined) throw new Error(`sweep ${sweep.id} is SIGNED without a transaction`);
  await write(context, settling, async (tx) => {
    await moveSweep(tx, sweep, { event: "sent" });
    await book(tx, { sweep, transaction }, sweepSentLines(sweep));
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
    return giveUp(context, settling, { ...at, returned: sweepReturnedLines(sweep) });
  if (standing !== "included") throw new Error(`sweep ${sweep.id} is SENT, and its transaction ${standing}`);
  if (sweep.moved !== sweep.units) return fail(context, settling, at);
  await write(context, settling, async (tx) => {
    await endTransaction(tx, endOf(at), "landed");
    await moveSweep(tx, sweep, { event: "landed" });
    await book(tx, at, sweepLandedLines(sweep, sweep.recipient));
  });
  sweepReport.landed(context, sweep);
}

/** A verified block has it, and it moved nothing. */
async function fail(...[context, settling, at]: Parameters<OpenStep>): Promise<void> {
  const { sweep, transaction } = at;
  const waitMs = waitAfter(settling.network.name, transaction.expiresAt, context.clock.now());
  const reason = `its transaction ${transaction.txId} failed in block ${transaction.blockNumber}`;
  await write(context, settling, async (tx) => {
    await endTransaction(tx, endOf(at), "failed");
    await moveSweep(tx, sweep, { event: "failed", reason, waitMs, isFailure: true });
    await book(tx, at, sweepReturnedLines(sweep));
  });
  sweepReport.failed(context, sweep, reason);
}

/** The signer refused, or it can land no more. */
async function giveUp(
  context: SettlementContext,
  settling: Settling,
  { returned = [], ...at }: At & { returned?: readonly LedgerLine[] },
): Promise<void> {
  const { sweep, transaction } = at;
  const { refusal, txId, purpose } = transaction;
  const isRefused = transactionStanding(transaction, settling.verified) === "refused";
  const reason = isRefused
    ? `the signer refuses its ${purpose}: ${refusal}`
    : `its ${purpose} ${txId === null ? "was not signed in time" : `${txId} expired`}`;
  await write(context, settling, async (tx) => {
    await endTransaction(tx, endOf(at), isRefused ? "refused" : "expired");
    if (isRefused) return moveSweep(tx, sweep, { event: "frozen", reason, waitMs: waits.frozen });
    const waitMs = waitAfter(settling.network.name, transaction.expiresAt, context.clock.now());
    await moveSweep(tx, sweep, { event: "expired", reason, waitMs });
    await book(tx, at, returned);
  });
  if (isRefused) sweepReport.refused(context, sweep, reason);
  else sweepReport.failed(context, sweep, reason);
}

/** What was lent for a sweep goes back as soon as it is over. */
async function reclaim(context: SettlementContext, settling: Settling, sweep: OpenSweep): Promise<void> {
  const isBack = !needsLoan(sweep) || (await takeBack(context, settling, sweep));
  if (isBack) await write(context, settling, (tx) => moveSweep(tx, sweep, { event: "reclaimed" }));
}

async function ask(
  tx: Transaction,
  { verified }: Settling,
  { sweep, purpose, units }: { sweep: OpenSweep; purpose: SweepPurpose; units: bigint },
): Promise<void> {
  const isSweep = purpose === "sweep";
  await insertSigningRequest(tx, {
    id: idOf("sweepTransaction", uuidv7()),
    merchantId: sweep.merchantId,
    chargeId: sweep.chargeId,
    sweepId: sweep.id,
    purpose,
    sweep: isSweep ? sweep : undefined,
    units,
    feeLimit: isSweep ? sweep.feeLimit : 0n,
    block: verified,
    expiresAt: expiryAfter(verified),
  });
}

function endOf({ sweep: { merchantId }, transaction }: At) {
  return { merchantId, transaction };
}

/** Lines of one kind about a transaction: a second booking changes nothing. */
async function book(
  tx: Transaction,
  { sweep, transaction }: At,
  lines: readonly LedgerLine[],
): Promise<void> {
  const [first] = lines;
  if (first === undefined) return;
  const { merchantId, chargeId, id: sweepId } = sweep;
  const id = idOf("ledgerTransaction", derivedId(first.kind, transaction.id));
  const txId = transaction.txId === null ? {} : { txId: transaction.txId };
  await bookSettlement(tx, [{ id, merchantId, chargeId, sweepId, ...txId, lines }]);
}
