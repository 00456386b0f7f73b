import type { Transaction } from "@daric/postgres/sql";
import { bookOutflows } from "../../ledger/book-outflows.ts";
import { type AccountedOutflow, findUnaccounted, takeUnaccounted } from "../record/outflow-store.ts";

/** Outflows that are accounted for in one transaction. */
const MAX_ACCOUNTED_AT_ONCE = 500;

/**
 * Accounts for outflows up to a verified block: a sweep explains an outflow, or it is booked. At most 500. Returns those without a
 * sweep.
 */
export async function accountOutflows(
  tx: Transaction,
  { network, upTo }: { network: string; upTo: number },
): Promise<{ unswept: AccountedOutflow[]; isMoreWaiting: boolean }> {
  const keys = await findUnaccounted(tx, { network, upTo, limit: MAX_ACCOUNTED_AT_ONCE });
  if (keys.length === 0) return { unswept: [], isMoreWaiting: false };
  const outflows = await takeUnaccounted(tx, network, keys);
  const unswept = outflows.filter(({ isSwept }) => !isSwept);
  await bookOutflows(tx, unswept);
  return { unswept, isMoreWaiting: keys.length === MAX_ACCOUNTED_AT_ONCE };
}
