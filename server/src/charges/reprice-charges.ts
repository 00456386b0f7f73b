import type { Transaction } from "@daric/postgres/sql";
import type { ChargeRef } from "../domain/ids.ts";
import { inMerchantLists } from "../runtime/fair-rounds.ts";
import { lockQuoted, setTerms } from "./quote-store.ts";

/**
 * Brings what is due for charges to the quotes that count, in the transaction that has changed their deposits or their
 * quotes: the lowest of those that judge their deposits which have a say (`setTerms`), the newest where none has. Charges that
 * are not priced in fiat are left alone, and orders that are paid or accepted.
 */
export async function repriceCharges(tx: Transaction, refs: readonly ChargeRef[]): Promise<void> {
  for (const list of inMerchantLists(refs)) {
    const charges = await lockQuoted(tx, list);
    if (charges.length > 0) await setTerms(tx, charges);
  }
}
