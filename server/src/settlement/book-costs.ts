import { idOf } from "../domain/ids.ts";
import { activationLines, burnLines, topUpLines } from "../domain/ledger.ts";
import { amountIn } from "../domain/money.ts";
import { bookTransactions } from "../ledger/store.ts";
import { derivedId } from "../runtime/derived-id.ts";
import type { SettlementContext, Settling } from "./context.ts";
import { holdGas, listUnbooked, markBooked, type UnbookedTransaction } from "./cost-store.ts";
import { answersNeeded } from "./judge-sweep.ts";
import { askFee } from "./node-questions.ts";
import { askQuorum } from "./quorum.ts";
import { write } from "./write.ts";

const AT_ONCE = 50;
/** An activation with its bandwidth, and a memo: more than a top-up takes of the gas wallet. */
const MOST_OF_TOP_UP_SUN = 5_000_000n;

/**
 * Books what transactions in verified blocks took of our addresses and of the gas wallet, and what top-ups brought: also of those
 * that this database does not remember having sent. No root proves a fee, so that nodes are asked, and no answer above what the
 * transaction allows is believed.
 */
export async function bookCosts(context: SettlementContext, settling: Settling): Promise<void> {
  const { network, verified } = settling;
  const unbooked = await listUnbooked(context.db, { network: network.name, upTo: verified.number, limit: AT_ONCE });
  for (const transaction of unbooked) {
    const fee = await findFee(context, settling, transaction);
    if (fee !== undefined) await bookCost(context, settling, transaction, fee);
  }
}

/** The largest of what nodes say; undefined while one that answers does not know the transaction. */
async function findFee(
  context: SettlementContext,
  settling: Settling,
  { txId, isTopUp, mostBurnt }: UnbookedTransaction,
): Promise<bigint | undefined> {
  const answers = await askQuorum(settling.client, answersNeeded(context, settling), (node) => askFee(node, txId));
  const fees = answers.filter((fee) => fee !== undefined);
  const most = isTopUp ? MOST_OF_TOP_UP_SUN : mostBurnt;
  const [first = undefined, ...others] = fees.length === answers.length ? fees : [];
  const fee = others.reduce((a, b) => (a === undefined || b > a ? b : a), first);
  return fee === undefined || fee > most ? undefined : fee;
}

async function bookCost(
  context: SettlementContext,
  settling: Settling,
  transaction: UnbookedTransaction,
  sun: bigint,
): Promise<void> {
  const { merchantId, chargeId, txId, isTopUp, brought, sweepId } = transaction;
  const network = settling.network.name;
  const fee = amountIn("TRX", sun);
  await write(context, settling, async (tx) => {
    if (!(await markBooked(tx, { network, merchantId, txId, fee }))) return;
    const lines = isTopUp
      ? [...topUpLines(brought), ...activationLines(fee)]
      : burnLines(fee, { gasUnits: await holdGas(tx, { merchantId, chargeId }) });
    const id = idOf("ledgerTransaction", derivedId("cost", network, txId));
    await bookTransactions(tx, [{ id, merchantId, chargeId, txId, ...(sweepId && { sweepId }), lines }]);
  });
}
