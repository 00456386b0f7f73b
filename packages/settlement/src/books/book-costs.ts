import { idOf } from "@daric/domain/ids";
import { activationLines, burnLines, topUpLines } from "@daric/domain/ledger";
import { amountIn } from "@daric/domain/money";
import { bookSettlement } from "@daric/ledger/book-settlement";
import { derivedId } from "@daric/runtime/derived-id";
import type { SettlementContext, Settling } from "../context.ts";
import { fetchFee } from "../node-calls.ts";
import { querySettled } from "../solid-reach.ts";
import { writeUnderLease } from "../write-under-lease.ts";
import {
  listUnbooked,
  listUnbookedLoans,
  lockGasContent,
  markBooked,
  markLoanBooked,
  type UnbookedLoan,
  type UnbookedTransaction,
} from "./cost-store.ts";

const AT_ONCE = 50;
/** In sun: an activation with its bandwidth, and a memo. A top-up or a loan costs the operator's accounts less. */
const MAX_OPERATOR_SUN = 5_000_000n;

/**
 * Books the fees that transactions in verified blocks took from our addresses and from the gas wallet, and the TRX
 * that top-ups brought. After a restore it also books transactions that the database lost. No root proves a fee. So
 * nodes are queried, and an answer above the transaction's own limit is refused.
 */
export async function bookCosts(context: SettlementContext, settling: Settling): Promise<void> {
  const { network, verified } = settling;
  const unbooked = await listUnbooked(context.db, {
    network: network.name,
    upTo: verified.number,
    limit: AT_ONCE,
  });
  for (const transaction of unbooked) {
    const maxSun = transaction.isTopUp ? MAX_OPERATOR_SUN : transaction.maxBurnt;
    const fee = await findFee(context, settling, { txId: transaction.txId, maxSun });
    if (fee !== undefined) await bookCost(context, settling, { ...transaction, sun: fee });
  }
  for (const loan of await listUnbookedLoans(context.db, AT_ONCE)) {
    const fee = await findFee(context, settling, { txId: loan.txId, maxSun: MAX_OPERATOR_SUN });
    if (fee !== undefined) await bookLoan(context, settling, { ...loan, sun: fee });
  }
}

/** The fee that enough nodes report, or less; undefined while too few of them know the transaction. */
async function findFee(
  context: SettlementContext,
  settling: Settling,
  { txId, maxSun }: { txId: string; maxSun: bigint },
): Promise<bigint | undefined> {
  const answers = await querySettled(context, settling, (node) => fetchFee(node, txId));
  if (!answers.agree((fee) => fee !== undefined)) return undefined;
  // A node that does not know the transaction agrees with no fee.
  const fee = answers.most((reported) => reported ?? maxSun + 1n);
  return fee > maxSun ? undefined : fee;
}

async function bookCost(
  context: SettlementContext,
  settling: Settling,
  { sun, ...transaction }: UnbookedTransaction & { sun: bigint },
): Promise<void> {
  const { merchantId, chargeId, txId, isTopUp, brought, sweepId } = transaction;
  const network = settling.network.name;
  const fee = amountIn("TRX", sun);
  await writeUnderLease(context, settling, async (tx) => {
    if (!(await markBooked(tx, { network, merchantId, txId, fee }))) return;
    const lines = isTopUp
      ? [...topUpLines(brought), ...activationLines(fee)]
      : burnLines(fee, { gasUnits: await lockGasContent(tx, { merchantId, chargeId }) });
    const id = idOf("ledgerTransaction", derivedId("cost", network, txId));
    await bookSettlement(tx, [{ id, merchantId, chargeId, txId, ...(sweepId && { sweepId }), lines }]);
  });
}

async function bookLoan(
  context: SettlementContext,
  settling: Settling,
  { sun, ...loan }: UnbookedLoan & { sun: bigint },
): Promise<void> {
  const { merchantId, chargeId, txId, sweepId } = loan;
  const fee = amountIn("TRX", sun);
  await writeUnderLease(context, settling, async (tx) => {
    if (!(await markLoanBooked(tx, loan, fee))) return;
    const id = idOf("ledgerTransaction", derivedId("cost", settling.network.name, txId));
    const lines = activationLines(fee);
    await bookSettlement(tx, [{ id, merchantId, chargeId, txId, ...(sweepId && { sweepId }), lines }]);
  });
}
