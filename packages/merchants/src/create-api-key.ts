import { type ApiScope, usualApiScopes } from "@daric/domain/api-scope";
import { ApiError } from "@daric/domain/errors";
import { idOf, type MerchantId } from "@daric/domain/ids";
import type { Transaction } from "@daric/postgres/sql";
import { pepperIdOf } from "@daric/runtime/mac";
import { uuidv7 } from "uuidv7";
import type { z } from "zod";
import { hashApiKey, newApiKey } from "./api-key.ts";
import { type ApiKey, insertApiKey } from "./api-key-store.ts";
import type { KeyContext } from "./context.ts";
import { getMerchant } from "./get-merchant.ts";
import { isFullOfKeys, MAX_KEYS } from "./key-count-store.ts";
import { apiKeyInput, parseInput } from "./schema.ts";

/** A new key. `key` is its only copy: show it once. */
export type IssuedApiKey = { readonly key: string; readonly row: ApiKey };

/**
 * Creates an API key; by default with the usual scopes and without expiry.
 * @throws VALIDATION_ERROR when fields fail, with each of them; NOT_FOUND when there is no such merchant.
 */
export async function createApiKey(
  context: Pick<KeyContext, "db" | "config">,
  merchant: string,
  input: z.input<typeof apiKeyInput>,
): Promise<IssuedApiKey> {
  const { name, scopes, expiresIn } = parseInput(apiKeyInput, input);
  const { id: merchantId } = await getMerchant(context, merchant);
  return context.db.transaction((tx) =>
    issueApiKey(tx, context.config, {
      merchantId,
      name: name ?? null,
      scopes: scopes ?? usualApiScopes,
      expiresInMs: expiresIn ?? null,
    }),
  );
}

/** @throws CAP_REACHED when the merchant has as many live keys as can be. */
export async function issueApiKey(
  tx: Transaction,
  config: KeyContext["config"],
  grant: {
    merchantId: MerchantId;
    name: string | null;
    scopes: readonly ApiScope[];
    expiresInMs: number | null;
  },
): Promise<IssuedApiKey> {
  if (await isFullOfKeys(tx, grant.merchantId))
    throw new ApiError("CAP_REACHED", {
      message: `A merchant can have ${MAX_KEYS} live API keys: revoke some that are not needed.`,
    });
  const { key, lookupId } = newApiKey(config.merchants.keyPepper, config.environment);
  const secretHash = hashApiKey(config.merchants.keyPepper, key);
  const pepperId = pepperIdOf(config.merchants.keyPepper);
  const id = idOf("apiKey", uuidv7());
  const row = await insertApiKey(tx, { ...grant, id, lookupId, secretHash, pepperId });
  return { key, row };
}
