import { parseId } from "@daric/domain/ids";
import type { BrandingContext } from "./context.ts";
import { getMerchant, merchantNotFound } from "./get-merchant.ts";
import { type MerchantInput, parseMerchantInput } from "./schema.ts";
import { type Merchant, updateMerchantTerms } from "./store.ts";
import { type LogoInput, takeLogo } from "./take-logo.ts";

type MerchantChange = MerchantInput & Pick<LogoInput, "logoFile">;

/**
 * Changes the given terms. Existing charges keep the fee, tolerance and windows of their creation.
 * @throws VALIDATION_ERROR when fields fail, with each of them; NOT_FOUND when there is no such merchant; then
 * VALIDATION_ERROR of a logo that cannot be fetched.
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
