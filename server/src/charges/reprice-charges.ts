import type { Transaction } from "@daric/postgres/sql";
import type { ChargeRef } from "../domain/ids.ts";
import { inMerchantLists } from "../runtime/fair-rounds.ts";
import { lockQuoted, setTerms } from "./quote-store.ts";

/**
 * Brings what is due for charges to the quotes that count, in the transaction that has changed their deposits or their
 * quotes: the lowest of those their deposits are judged by, the newest where there is no deposit. Charges that are not priced
 * in fiat are left alone.
 */
export async function repriceCharges(tx: Transaction, refs: readonly ChargeRef[]): Promise<void> {
  for (const list of inMerchantLists(refs)) {
    const charges = await lockQuoted(tx, list);
    if (charges.length > 0) await setTerms(tx, charges);
  }
}
