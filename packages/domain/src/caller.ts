import type { CallerScope } from "./api-scope.ts";
import type { ApiKeyId, MerchantId, PersonId } from "./ids.ts";
import type { Session } from "./session.ts";

/** The sender of a request that acts for one merchant: an API key, or a person who is signed in. */
export type Caller = {
  readonly merchantId: MerchantId;
  readonly scopes: readonly CallerScope[];
  /** the person whose orders and payment links are all that this caller may see or change; undefined where it is all of the merchant */
  readonly ownOrdersOf?: PersonId | undefined;
} & (
  | { readonly apiKeyId: ApiKeyId; readonly session?: undefined }
  | { readonly apiKeyId?: undefined; readonly session: Session }
);

/** The orders and links that may be seen: all of a merchant, or those that one person made. */
export type Seen = { readonly merchantId: MerchantId; readonly createdBy?: PersonId | undefined };

/** The orders and links that this caller may see. */
export function seenBy({ merchantId, ownOrdersOf: createdBy }: Caller): Seen {
  return { merchantId, createdBy };
}

/** Whether this row is one that may be seen. */
export function isSeen({ createdBy }: Seen, row: { readonly createdBy: PersonId | null }): boolean {
  return createdBy === undefined || row.createdBy === createdBy;
}

/** Whether the caller reads this: a person by the right, and a key with the rows that it reads. */
export function mayRead({ scopes, session }: Caller, right: "payers:read" | "bodies:read"): boolean {
  return session === undefined || scopes.includes(right);
}

/** The id of the caller's key or session. Limits count each key and each session apart. */
export function nameOfCaller({ apiKeyId, session }: Caller): string {
  return apiKeyId ?? session.id;
}
