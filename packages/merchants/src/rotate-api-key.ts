import { ApiError } from "@daric/domain/errors";
import type { z } from "zod";
import { type ApiKey, lockApiKey, shortenLife } from "./api-key-store.ts";
import type { KeyContext } from "./context.ts";
import { type IssuedApiKey, issueApiKey } from "./create-api-key.ts";
import { apiKeyNotFound, getApiKeyOwner } from "./get-api-key-owner.ts";
import { parseInput, rotationInput } from "./schema.ts";

const DEFAULT_OVERLAP_MS = 24 * 3_600_000;

/**
 * Creates a key with the name, scopes and lifetime of this one, which expires after the overlap (24 h by default).
 * @throws VALIDATION_ERROR when the overlap is invalid; NOT_FOUND when there is no such key, or it is revoked or
 * expired.
 */
export async function rotateApiKey(
  context: Pick<KeyContext, "db" | "config">,
  id: string,
  input: z.input<typeof rotationInput>,
): Promise<IssuedApiKey & { previous: ApiKey }> {
  const { overlap } = parseInput(rotationInput, input);
  return context.db.transaction(async (tx) => {
    const old = await lockApiKey(tx, await getApiKeyOwner(tx, id));
    if (old === undefined) throw apiKeyNotFound(id);
    if (!old.isLive) {
      throw new ApiError("NOT_FOUND", { message: `API key ${id} is revoked or expired: create a new one.` });
    }
    const { merchantId, name, scopes, lifetimeMs } = old;
    const issued = await issueApiKey(tx, context.config, {
      merchantId,
      name,
      scopes,
      expiresInMs: lifetimeMs,
    });
    const previous = await shortenLife(tx, { merchantId, id: old.id, lifeMs: overlap ?? DEFAULT_OVERLAP_MS });
    return { ...issued, previous };
  });
}
