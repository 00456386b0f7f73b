import { isToken } from "@daric/domain/asset";
import { idOf } from "@daric/domain/ids";
import type { LedgerLine } from "@daric/domain/ledger";
import { bookSettlement } from "@daric/ledger/book-settlement";
import type { Transaction } from "@daric/postgres/sql";
import { derivedId } from "@daric/runtime/derived-id";
import { uuidv7 } from "uuidv7";
import type { SettlementContext, Settling } from "../context.ts";
import { expiryAfter, isFresh, RETRY_AFTER_MS, waitAfter } from "../timing.ts";
import { transactionStanding } from "../transactions/follow-transaction.ts";
import {
  endTransaction,
  insertSigningRequest,
  type SettlementTransaction,
  storeSigned,
  type TransactionPurpose,
} from "../transactions/transaction-store.ts";
import { writeUnderLease } from "../write-under-lease.ts";
import { endOpenTransactions } from "./exported-store.ts";
import { sweepReport } from "./report-sweeps.ts";
import { moveSweep, type OpenSweep } from "./sweep-store.ts";

export type Step = (context: SettlementContext, settling: Settling, sweep: OpenSweep) => Promise<void>;
/** A sweep and its newest transaction. */
export type At = { readonly sweep: OpenSweep; readonly transaction: SettlementTransaction };
export type OpenStep = (context: SettlementContext, settling: Settling, at: At) => Promise<void>;

/**
 * Whether new transactions may be made now: settlement is not paused, and the signer accepts the newest verified
 * block.
 */
export function mayRequest({ clock }: SettlementContext, { network, verified, isPaused }: Settling): boolean {
  return !isPaused && isFresh(network.name, verified, clock.now());
}

export function needsLoan({ resources, currency }: OpenSweep): boolean {
  return resources === "delegate" && isToken(currency);
}

/** Stores signed bytes before any node gets them. */
export async function keepSigned(
  context: SettlementContext,
  settling: Settling,
  { sweep, transaction, event }: At & { event?: "signed" },
): Promise<void> {
  await writeUnderLease(context, settling, async (tx) => {
    await storeSigned(tx, sweep.merchantId, transaction);
    if (event !== undefined) await moveSweep(tx, sweep, { event });
  });
}

/** Ends a sweep's attempt: the signer refused, or the transaction cannot land any more. */
export async function endAttempt(
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
  await writeUnderLease(context, settling, async (tx) => {
    await endTransaction(tx, endOf(at), isRefused ? "refused" : "expired");
    if (sweep.isOffline) await endOpenTransactions(tx, sweep, "expired");
    if (isRefused) return moveSweep(tx, sweep, { event: "frozen", reason, waitMs: RETRY_AFTER_MS.frozen });
    const waitMs = waitAfter(settling.network.name, transaction.expiresAt, context.clock.now());
    await moveSweep(tx, sweep, { event: "expired", reason, waitMs });
    await bookLines(tx, at, returned);
  });
  if (isRefused) sweepReport.refused(context, sweep, reason);
  else sweepReport.failed(context, sweep, reason);
}

export async function requestSignature(
  tx: Transaction,
  { verified }: Settling,
  { sweep, purpose, units }: { sweep: OpenSweep; purpose: TransactionPurpose; units: bigint },
): Promise<void> {
  const isSweep = purpose === "sweep";
  await insertSigningRequest(tx, {
    id: idOf("sweepTransaction", uuidv7()),
    merchantId: sweep.merchantId,
    chargeId: sweep.chargeId,
    sweepId: sweep.id,
    purpose,
    payment: isSweep ? sweep : undefined,
    units,
    feeLimit: isSweep ? sweep.feeLimit : 0n,
    block: verified,
    expiresAt: expiryAfter(verified),
  });
}

export function endOf({ sweep: { merchantId }, transaction }: At) {
  return { merchantId, transaction };
}

/** Books lines of one kind for a transaction. A second call changes nothing. */
export async function bookLines(
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
