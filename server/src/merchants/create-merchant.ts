import { uuidv7 } from "uuidv7";
import { idOf } from "../domain/ids.ts";
import type { Context } from "./context.ts";
import { defaultMerchantTerms } from "./merchant-terms.ts";
import { type MerchantInput, parseMerchantInput } from "./schema.ts";
import { insertMerchant, type Merchant } from "./store.ts";

/**
 * Creates a merchant. What is not given takes the default; only the name must be given.
 *
 * @throws VALIDATION_ERROR when fields fail, with each of them.
 */
export async function createMerchant(
  context: Pick<Context, "db" | "config">,
  input: MerchantInput & { name: string },
): Promise<Merchant> {
  const terms = parseMerchantInput(context.config.chain.network, input);
  return insertMerchant(context.db, {
    ...defaultMerchantTerms,
    name: input.name,
    ...terms,
    id: idOf("merchant", uuidv7()),
  });
}
