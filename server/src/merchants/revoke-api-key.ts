import { ApiError } from "../domain/errors.ts";
import { parseId } from "../domain/ids.ts";
import { type ApiKey, markRevoked } from "./api-key-store.ts";
import type { Context } from "./context.ts";

/**
 * Ends a key for good. Every process refuses it within 5 s. Revoking it again changes nothing.
 *
 * @throws NOT_FOUND when there is no such key.
 */
export async function revokeApiKey(context: Pick<Context, "db">, id: string): Promise<ApiKey> {
  const keyId = parseId("apiKey", id);
  const key = keyId && (await markRevoked(context.db, keyId));
  if (key === undefined) throw apiKeyNotFound(id);
  return key;
}

export function apiKeyNotFound(id: string): ApiError {
  return new ApiError("NOT_FOUND", { message: `There is no API key ${id}.` });
}
