import { parseId } from "../domain/ids.ts";
import type { Context } from "./context.ts";
import { merchantNotFound } from "./get-merchant.ts";
import { type MerchantInput, parseMerchantInput } from "./schema.ts";
import { type Merchant, updateMerchantTerms } from "./store.ts";

/**
 * Changes the terms that are given and leaves the others. Charges that exist keep the fee, tolerance and windows they
 * were created with.
 *
 * @throws VALIDATION_ERROR when fields fail, with each of them; NOT_FOUND when there is no such merchant.
 */
export async function updateMerchant(
  context: Pick<Context, "db" | "config">,
  id: string,
  input: MerchantInput,
): Promise<Merchant> {
  const terms = parseMerchantInput(context.config.chain.network, input);
  const merchantId = parseId("merchant", id);
  const merchant = merchantId && (await updateMerchantTerms(context.db, merchantId, terms));
  if (merchant === undefined) throw merchantNotFound(id);
  return merchant;
}
