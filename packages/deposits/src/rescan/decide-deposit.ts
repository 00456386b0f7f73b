import type { DepositDecision } from "@daric/domain/deposit";
import { type DepositId, type MerchantId, parseId } from "@daric/domain/ids";
import type { Database, Transaction } from "@daric/postgres/sql";
import { insertAuditEntry } from "@daric/runtime/audit-store";
import { type DecidedDeposit, lockDeposit, updateDecision } from "./decision-store.ts";
import { requestRescan } from "./rescan.ts";

export class NotDecidableError extends Error {
  override readonly name = "NotDecidableError";
}

type Decision = {
  readonly network: string;
  readonly merchantIds: readonly MerchantId[];
  readonly depositId: string;
  readonly verdict: DepositDecision;
  readonly actor: string;
  readonly reason: string;
};

/**
 * Records an operator's decision about a STUCK deposit, with an audit entry. The watcher acts on it: an accepted deposit is confirmed
 * once its block is final, a rejected one fails. Accepting a rejected deposit rescans its block.
 *
 * @throws NotDecidableError if there is no such deposit, or it does not wait.
 */
export async function decideDeposit(
  db: Database,
  { network, merchantIds, depositId, verdict, actor, reason }: Decision,
): Promise<DecidedDeposit> {
  const id = parseId("deposit", depositId);
  return db.transaction(async (tx) => {
    const deposit = id && (await hold(tx, { network, merchantIds, id }));
    if (deposit === undefined) throw new NotDecidableError(`there is no deposit ${depositId} on ${network}`);
    const { status, decision, merchantId, blockNumber } = deposit;
    const isBack = status === "FAILED" && decision === "rejected" && verdict === "accepted";
    if (status !== "STUCK" && !isBack) throw new NotDecidableError(refusalOf(deposit));
    await updateDecision(tx, { id: deposit.id, merchantId, verdict });
    if (isBack) await requestRescan(tx, { network, from: blockNumber, to: blockNumber });
    await insertAuditEntry(tx, {
      actor,
      action: verdict === "accepted" ? "deposit accept" : "deposit reject",
      subject: `deposit ${deposit.id}`,
      before: { status, decision },
      after: { status, decision: verdict },
      reason,
    });
    return { ...deposit, decision: verdict };
  });
}

/** The operator names no merchant, so each possible one is tried. */
async function hold(
  tx: Transaction,
  { merchantIds, ...deposit }: Pick<Decision, "network" | "merchantIds"> & { readonly id: DepositId },
): Promise<DecidedDeposit | undefined> {
  for (const merchantId of merchantIds) {
    const held = await lockDeposit(tx, { ...deposit, merchantId });
    if (held !== undefined) return held;
  }
  return undefined;
}

function refusalOf({ id, status, decision }: DecidedDeposit): string {
  if (status === "FAILED" && decision === "rejected") return `deposit ${id} was rejected already`;
  return `deposit ${id} is ${status}: only a STUCK deposit waits for a decision`;
}
