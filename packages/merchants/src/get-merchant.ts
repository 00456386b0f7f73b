import { ApiError } from "@daric/domain/errors";
import { type MerchantId, parseId } from "@daric/domain/ids";
import type { Transaction } from "@daric/postgres/sql";
import type { Context } from "./context.ts";
import { findMerchant, lockMerchant, type Merchant } from "./store.ts";

/** Returns the merchant. @throws NOT_FOUND when there is none, also for a text that is no id. */
export async function getMerchant(context: Pick<Context, "db">, id: string): Promise<Merchant> {
  const merchantId = parseId("merchant", id);
  const merchant = merchantId && (await findMerchant(context.db, merchantId));
  if (merchant === undefined) throw merchantNotFound(id);
  return merchant;
}

/**
 * Locks the merchant's row until the transaction ends, which serializes changes of its accounts. Returns its id.
 *
 * @throws as {@link getMerchant}.
 */
export async function lockMerchantById(tx: Transaction, id: string): Promise<MerchantId> {
  const merchantId = parseId("merchant", id);
  if (merchantId === undefined || !(await lockMerchant(tx, merchantId))) throw merchantNotFound(id);
  return merchantId;
}

export function merchantNotFound(id: string): ApiError {
  return new ApiError("NOT_FOUND", { message: `There is no merchant ${id}.` });
}
