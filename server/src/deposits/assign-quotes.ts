import type { Transaction } from "@daric/postgres/sql";
import { findApplicableQuotes } from "../charges/find-applicable-quotes.ts";
import { refKey } from "../domain/ids.ts";
import { chargesOf } from "./charge-refs.ts";
import { setQuotes } from "./quote-store.ts";
import type { Deposit } from "./store.ts";

/**
 * Says of deposits that this transaction has just put into a block by which quote each is judged, which is what it is
 * credited by. They are of one block and of 200 merchants at most. As many statements for a thousand as for one, and none where
 * no charge is priced in fiat: a deposit that is to be judged came with its charge's newest quote.
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
