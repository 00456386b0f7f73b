import { joinedOf, sql, type Transaction } from "@daric/postgres/sql";
import type { QuoteId } from "../domain/ids.ts";
import type { Deposit } from "./store.ts";

/** Which quote a deposit is judged by. */
export type JudgedDeposit = Pick<Deposit, "id" | "merchantId"> & { readonly quoteId: QuoteId };

/** Keeps by which quote deposits, of 200 merchants at most, are judged. */
export async function setQuotes(tx: Transaction, judged: readonly JudgedDeposit[]): Promise<void> {
  if (judged.length === 0) return;
  const merchantIds = judged.map(({ merchantId }) => merchantId);
  await tx.query(sql`
    update deposits d set quote_id = judged.quote_id
    from unnest(
      ${merchantIds}::uuid[], ${judged.map(({ id }) => id)}::uuid[], ${judged.map(({ quoteId }) => quoteId)}::uuid[]
    ) as judged (merchant_id, id, quote_id)
    where ${joinedOf(sql`d.merchant_id`, merchantIds)} and d.merchant_id = judged.merchant_id and d.id = judged.id`);
}
