import { findApplicableQuotes } from "@daric/charges/quote/find-applicable-quotes";
import { type QuoteId, refKey } from "@daric/domain/ids";
import { joinedOf, type Sql, sql, type Transaction, tieTo } from "@daric/postgres/sql";
import { changedSums, dueBy, isDustOf, shareRoundedUp } from "@daric/totals/sums-store";
import { chargesOf } from "./charge-refs.ts";
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

export type QuotedDeposit = Pick<Deposit, "id" | "merchantId"> & { readonly quoteId: QuoteId };

/** Stores the applicable quotes of deposits (of at most 200 merchants), with the shares, sums and dust that follow. */
export async function setQuotes(tx: Transaction, deposits: readonly QuotedDeposit[]): Promise<void> {
  if (deposits.length === 0) return;
  const merchantIds = deposits.map(({ merchantId }) => merchantId);
  const of = (column: Sql) => joinedOf(column, merchantIds);
  await tx.query(sql`
    with before as (
      select d.*, quote.id as applicable_id, ${shareRoundedUp(sql`d.units`, dueBy(sql`quote`))} as applicable_share,
        case when d.dust is not null then ${isDustOf({ units: sql`d.units`, currency: sql`d.currency`, due: dueBy(sql`quote`) })} end as applicable_dust
      from unnest(
        ${merchantIds}::uuid[], ${deposits.map(({ id }) => id)}::uuid[], ${deposits.map(({ quoteId }) => quoteId)}::uuid[]
      ) as applicable (merchant_id, id, quote_id)
      join deposits d on ${of(sql`d.merchant_id`)} and d.merchant_id = applicable.merchant_id and d.id = applicable.id
      join quotes quote on ${of(sql`quote.merchant_id`)} and quote.merchant_id = applicable.merchant_id and quote.id = applicable.quote_id
    ), changed as (
      update deposits d set quote_id = before.applicable_id, share = before.applicable_share,
        dust = before.applicable_dust
      from before where ${of(sql`d.merchant_id`)} and d.merchant_id = before.merchant_id and d.id = before.id
      returning d.*
    ), summed as (
      ${changedSums({ before: sql`select * from before`, after: sql`select * from changed`, tie: tieTo(merchantIds) })}
    )
    select count(*) from changed`);
}
