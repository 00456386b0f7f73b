import { type ApiKey, markRevoked } from "./api-key-store.ts";
import type { Context } from "./context.ts";
import { apiKeyNotFound, getApiKeyOwner } from "./get-api-key-owner.ts";

/**
 * Revokes a key; every process refuses it within 5 s. Repeating it has no effect. @throws NOT_FOUND when there is
 * no such key.
 */
export async function revokeApiKey(context: Pick<Context, "db">, id: string): Promise<ApiKey> {
  const key = await markRevoked(context.db, await getApiKeyOwner(context.db, id));
  if (key === undefined) throw apiKeyNotFound(id);
  return key;
}
