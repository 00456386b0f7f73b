import { idOf } from "@daric/domain/ids";
import { uuidv7 } from "uuidv7";
import type { BrandingContext } from "./context.ts";
import { defaultMerchantTerms } from "./merchant-terms.ts";
import { type MerchantInput, parseMerchantInput } from "./schema.ts";
import { insertMerchant, type Merchant } from "./store.ts";
import { type LogoInput, takeLogo } from "./take-logo.ts";

/**
 * Creates a merchant; only the name is required. A logo is fetched once, now.
 * @throws VALIDATION_ERROR when fields fail, with each of them; of the logo only when no other field fails.
 */
export async function createMerchant(
  context: BrandingContext,
  { logoFile, ...input }: MerchantInput & Pick<LogoInput, "logoFile"> & { name: string },
): Promise<Merchant> {
  const terms = parseMerchantInput(context.config.chain.network, input);
  const logo = await takeLogo(context, { logoUrl: input.logoUrl, logoFile });
  const id = idOf("merchant", uuidv7());
  return insertMerchant(context.db, { ...defaultMerchantTerms, name: input.name, ...terms, ...logo, id });
}
