import { ApiError } from "@daric/domain/errors";
import type { MerchantId } from "@daric/domain/ids";
import type { Transaction } from "@daric/postgres/sql";
import { merchantNotFound } from "./get-merchant.ts";
import type { MerchantTerms } from "./merchant-terms.ts";
import { findMerchant, lockMerchant, type Merchant, updateMerchantTerms } from "./store.ts";

/** A change by a form. `updatedAt` is the version that the form showed, so that no unseen change is overwritten. */
export type MerchantChange = {
  readonly id: MerchantId;
  readonly updatedAt: Date;
  readonly terms: Partial<MerchantTerms>;
};

/**
 * Changes terms in this transaction. Existing charges keep theirs.
 *
 * @throws NOT_FOUND when there is no such merchant; CHANGED_MEANWHILE when it was changed after `updatedAt`.
 */
export async function changeMerchant(
  tx: Transaction,
  { id, updatedAt, terms }: MerchantChange,
): Promise<{ before: Merchant; after: Merchant }> {
  await lockMerchant(tx, id);
  const before = await findMerchant(tx, id);
  if (before === undefined) throw merchantNotFound(id);
  // The wire has milliseconds only, so the row's microseconds are ignored.
  if (before.updatedAt.getTime() !== updatedAt.getTime()) throw new ApiError("CHANGED_MEANWHILE");
  const after = await updateMerchantTerms(tx, id, terms);
  if (after === undefined) throw merchantNotFound(id);
  return { before, after };
}
