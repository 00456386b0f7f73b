import { ApiError } from "@daric/domain/errors";
import { parseId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import { type ApiKeyName, findApiKeyOwner } from "./api-key-store.ts";

/** Returns the owner of a key. @throws NOT_FOUND when there is no such key, also for a text that is no id. */
export async function getApiKeyOwner(db: Queryable, id: string): Promise<ApiKeyName> {
  const keyId = parseId("apiKey", id);
  const key = keyId && (await findApiKeyOwner(db, keyId));
  if (key === undefined) throw apiKeyNotFound(id);
  return key;
}

export function apiKeyNotFound(id: string): ApiError {
  return new ApiError("NOT_FOUND", { message: `There is no API key ${id}.` });
}
