import type { CallerScope } from "./api-scope.ts";
import type { ApiKeyId, MerchantId } from "./ids.ts";
import type { Session } from "./session.ts";

/** The sender of a request that acts for one merchant: an API key, or a person who is signed in. */
export type Caller = { readonly merchantId: MerchantId; readonly scopes: readonly CallerScope[] } & (
  | { readonly apiKeyId: ApiKeyId; readonly session?: undefined }
  | { readonly apiKeyId?: undefined; readonly session: Session }
);

/** The id of the caller's key or session. Limits count each key and each session apart. */
export function nameOfCaller({ apiKeyId, session }: Caller): string {
  return apiKeyId ?? session.id;
}
