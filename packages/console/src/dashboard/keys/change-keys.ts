import { type ApiScope, type CallerScope, type Environment, usualApiScopes } from "@daric/domain/api-scope";
import { ApiError } from "@daric/domain/errors";
import type { MerchantId } from "@daric/domain/ids";
import type { ApiKey } from "@daric/merchants/api-key-store";
import { createApiKey, type IssuedApiKey } from "@daric/merchants/create-api-key";
import { apiKeyNotFound, getApiKeyOwner } from "@daric/merchants/get-api-key-owner";
import { revokeApiKey } from "@daric/merchants/revoke-api-key";
import { rotateApiKey } from "@daric/merchants/rotate-api-key";
import { rightsToConnect } from "@daric/merchants/shops/connect-shop";
import { makeShopCode, type ShopCode } from "@daric/merchants/shops/make-code";
import { withinTransaction } from "@daric/postgres/within-transaction";
import type { ContextOf } from "@daric/runtime/context";
import { auditAct } from "../../people/audit-act.ts";
import type { Actor } from "../../people/context.ts";

export type Context = Pick<
  ContextOf<{
    readonly environment: Environment;
    readonly http: { readonly publicBaseUrl: string | undefined };
    readonly merchants: { readonly keyPepper: string };
  }>,
  "db" | "config"
>;

/** An input of a person, for one merchant. */
type Change<T> = { readonly actor: Actor; readonly merchantId: MerchantId; readonly input: T };

/** @throws INSUFFICIENT_SCOPE when the key would have a right that its maker lacks; VALIDATION_ERROR. */
export async function createKey(
  { db, config }: Context,
  { actor, merchantId, input }: Change<{ name?: string; scopes?: ApiScope[]; expiresIn?: string }>,
  rights: readonly CallerScope[],
): Promise<IssuedApiKey> {
  const { scopes = usualApiScopes.filter((scope) => rights.includes(scope)) } = input;
  requireRights(rights, scopes);
  return db.transaction(async (tx) => {
    const context = { db: withinTransaction(tx), config };
    const issued = await createApiKey(context, merchantId, { ...input, scopes: [...scopes] });
    const { id, name } = issued.row;
    const after = { name, scopes, expiresAt: issued.row.expiresAt };
    await auditAct(tx, actor, { action: "create key", subject: `API key ${id}`, after, merchantId });
    return issued;
  });
}

/** @throws INSUFFICIENT_SCOPE as {@link createKey}; NOT_FOUND when the merchant has no such live key; VALIDATION_ERROR. */
export async function rotateKey(
  { db, config }: Context,
  { actor, merchantId, input }: Change<{ id: string; overlap?: string }>,
  rights: readonly CallerScope[],
): Promise<IssuedApiKey & { previous: ApiKey }> {
  const { id, ...rotation } = input;
  return db.transaction(async (tx) => {
    const context = { db: withinTransaction(tx), config };
    await requireOwnKey(context, merchantId, id);
    const rotated = await rotateApiKey(context, id, rotation);
    requireRights(rights, rotated.row.scopes);
    const after = { key: rotated.row.id, previousExpiresAt: rotated.previous.expiresAt };
    await auditAct(tx, actor, { action: "rotate key", subject: `API key ${id}`, after, merchantId });
    return rotated;
  });
}

/** @throws NOT_FOUND when the merchant has no such key. */
export async function revokeKey(
  { db }: Pick<Context, "db">,
  { actor, merchantId, input: { id } }: Change<{ id: string }>,
): Promise<ApiKey> {
  return db.transaction(async (tx) => {
    const context = { db: withinTransaction(tx) };
    await requireOwnKey(context, merchantId, id);
    const revoked = await revokeApiKey(context, id);
    await auditAct(tx, actor, { action: "revoke key", subject: `API key ${id}`, merchantId });
    return revoked;
  });
}

/**
 * Makes the code by which a shop gets its key and its webhook endpoint.
 * @throws INSUFFICIENT_SCOPE when the shop would get a right that the code's maker lacks.
 */
export async function offerShopCode(
  { db, config }: Context,
  { actor, merchantId }: Omit<Change<never>, "input">,
  rights: readonly CallerScope[],
): Promise<ShopCode> {
  requireRights(rights, rightsToConnect);
  return db.transaction(async (tx) => {
    const made = await makeShopCode(tx, config, { merchantId, madeBy: actor.session.personId });
    const after = { expiresAt: made.expiresAt };
    await auditAct(tx, actor, {
      action: "make shop code",
      subject: `merchant ${merchantId}`,
      after,
      merchantId,
    });
    return made;
  });
}

/** The directory knows the keys of all merchants: another merchant's is not found. */
async function requireOwnKey({ db }: Pick<Context, "db">, merchantId: MerchantId, id: string): Promise<void> {
  const owner = await getApiKeyOwner(db, id);
  if (owner.merchantId !== merchantId) throw apiKeyNotFound(id);
}

/** A person gives a key no right that its own role lacks. @throws INSUFFICIENT_SCOPE */
function requireRights(rights: readonly CallerScope[], scopes: readonly CallerScope[]): void {
  const missing = scopes.find((scope) => !rights.includes(scope));
  if (missing !== undefined)
    throw new ApiError("INSUFFICIENT_SCOPE", { message: `Your role lacks the right ${missing}.` });
}
