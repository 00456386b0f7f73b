import { type ChargeId, idOf, type MerchantId, type SweepId } from "@daric/domain/ids";
import { uuidv7 } from "uuidv7";
import type { SettlementContext, Settling } from "../context.ts";
import { fetchReceivers } from "../node-calls.ts";
import { querySettled } from "../solid-reach.ts";
import { sweepReport } from "../sweeps/report-sweeps.ts";
import type { OpenSweep } from "../sweeps/sweep-store.ts";
import { expiryAfter, isFresh } from "../timing.ts";
import { transactionStanding } from "../transactions/follow-transaction.ts";
import { sendTransaction } from "../transactions/send-transaction.ts";
import { endTransaction, insertSigningRequest, storeSigned } from "../transactions/transaction-store.ts";
import { writeUnderLease } from "../write-under-lease.ts";
import { findLoan, stakeAddressOf } from "./delegation.ts";
import { findIdleBorrowers, listReturns, type Return } from "./loan-store.ts";

type Loan = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly address: string;
  readonly sweepId: SweepId | null;
};

/**
 * Takes back the energy that was lent for a sweep that has landed, by the chain's figure. True if it is back or the
 * signer refuses; the hourly check then tries again.
 */
export async function returnLoan(
  context: SettlementContext,
  settling: Settling,
  sweep: OpenSweep,
): Promise<boolean> {
  const { transaction, merchantId, address } = sweep;
  if (transaction?.purpose === "undelegate" && transaction.outcome === null) {
    await followReturn(context, settling, { merchantId, address, transaction });
    return false;
  }
  if (transaction?.purpose === "undelegate" && transaction.outcome !== "expired") return true;
  return requestReturn(context, settling, { ...sweep, sweepId: sweep.id });
}

/**
 * Takes back all lent energy that no sweep under way needs. The chain's list of delegations decides, so that energy
 * also returns which the database does not know of.
 */
export async function returnIdleLoans(context: SettlementContext, settling: Settling): Promise<void> {
  const stake = stakeAddressOf(context);
  const lists = await querySettled(context, settling, (node) => fetchReceivers(node, stake));
  const receivers = [...new Set(lists.all.flat())];
  for (const borrower of await findIdleBorrowers(context.db, receivers))
    await requestReturn(context, settling, { ...borrower, sweepId: null });
}

/** Follows the returns that belong to no sweep. */
export async function followReturns(context: SettlementContext, settling: Settling): Promise<void> {
  for (const loan of await listReturns(context.db)) await followReturn(context, settling, loan);
}

/** Requests the signature of a return. True if the address has no energy from the stake. */
async function requestReturn(context: SettlementContext, settling: Settling, loan: Loan): Promise<boolean> {
  const sun = await findLoan(context, settling, { address: loan.address, state: "head" });
  if (sun === 0n) return true;
  const { verified, network, isPaused } = settling;
  if (isPaused || !isFresh(network.name, verified, context.clock.now())) return false;
  await writeUnderLease(context, settling, (tx) =>
    insertSigningRequest(tx, {
      ...loan,
      id: idOf("sweepTransaction", uuidv7()),
      purpose: "undelegate",
      payment: undefined,
      units: sun,
      feeLimit: 0n,
      block: verified,
      expiresAt: expiryAfter(verified),
    }),
  );
  return false;
}

async function followReturn(
  context: SettlementContext,
  settling: Settling,
  { merchantId, address, transaction }: Return,
): Promise<void> {
  const standing = transactionStanding(transaction, settling.verified);
  if (standing === "signed")
    return writeUnderLease(context, settling, (tx) => storeSigned(tx, merchantId, transaction));
  if (standing === "unsigned") return;
  if (standing === "refused") {
    await writeUnderLease(context, settling, (tx) =>
      endTransaction(tx, { merchantId, transaction }, "refused"),
    );
    sweepReport.returnRefused(context, { address, reason: transaction.refusal });
    return;
  }
  const isBack =
    transaction.txId !== null && (await findLoan(context, settling, { address, state: "solid" })) === 0n;
  if (isBack)
    return writeUnderLease(context, settling, (tx) =>
      endTransaction(tx, { merchantId, transaction }, "landed"),
    );
  if (standing === "live") return sendTransaction(context, settling, { merchantId, transaction });
  await writeUnderLease(context, settling, (tx) =>
    endTransaction(tx, { merchantId, transaction }, "expired"),
  );
}
