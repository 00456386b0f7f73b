import type { Transaction } from "@daric/postgres/sql";
import { findApplicableQuotes } from "../charges/quote/find-applicable-quotes.ts";
import { refKey } from "../domain/ids.ts";
import { chargesOf } from "./charge-refs.ts";
import { setQuotes } from "./quote-store.ts";
import type { Deposit } from "./store.ts";

/**
 * Sets the applicable quotes of deposits that this transaction has put into one block, for at most 200 merchants. A deposit comes
 * with its charge's newest quote, so only differing ones are written.
 */
export async function assignQuotes(
  tx: Transaction,
  deposits: readonly Deposit[],
  blockTime: Date,
): Promise<void> {
  const quoted = deposits.filter(({ quoteId }) => quoteId !== null);
  if (quoted.length === 0) return;
  const refs = chargesOf(quoted);
  const applicable = await findApplicableQuotes(tx, refs, blockTime);
  const others = quoted.flatMap(({ id, merchantId, chargeId, quoteId: given }) => {
    const quoteId = applicable.get(refKey({ merchantId, id: chargeId }));
    return quoteId === undefined || quoteId === given ? [] : [{ id, merchantId, quoteId }];
  });
  await setQuotes(tx, others);
}
