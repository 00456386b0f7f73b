import { parseId } from "../domain/ids.ts";
import type { BrandingContext } from "./context.ts";
import { getMerchant, merchantNotFound } from "./get-merchant.ts";
import { type MerchantInput, parseMerchantInput } from "./schema.ts";
import { type Merchant, updateMerchantTerms } from "./store.ts";
import { type LogoInput, takeLogo } from "./take-logo.ts";

/** What is changed; `logoFile` is the picture itself. */
type MerchantChange = MerchantInput & Pick<LogoInput, "logoFile">;

/**
 * Changes the terms that are given and leaves the others. Charges that exist keep the fee, tolerance and windows they
 * were created with. A logo is fetched once, now, and shown from then on.
 *
 * @throws VALIDATION_ERROR when fields fail, with each of them; NOT_FOUND when there is no such merchant; then VALIDATION_ERROR
 *   of a logo that cannot be had.
 */
export async function updateMerchant(
  context: BrandingContext,
  id: string,
  { logoFile, ...input }: MerchantChange,
): Promise<Merchant> {
  const terms = parseMerchantInput(context.config.chain.network, input);
  await getMerchant(context, id);
  const logo = await takeLogo(context, { logoUrl: input.logoUrl, logoFile });
  const merchantId = parseId("merchant", id);
  const merchant = merchantId && (await updateMerchantTerms(context.db, merchantId, { ...terms, ...logo }));
  if (merchant === undefined) throw merchantNotFound(id);
  return merchant;
}
