import type { ApiKeyId, MerchantId } from "./ids.ts";
/** What an API key may do. No scope can move money. */
export const apiScopes = [
  "charges:read",
  "charges:write",
  "deposits:read",
  "webhooks:read",
  "webhooks:write",
  "settlements:read",
] as const;
export type ApiScope = (typeof apiScopes)[number];

/** One deployment is one environment; a key of the other one is refused. */
export const environments = ["live", "test"] as const;
export type Environment = (typeof environments)[number];

export type Caller = {
  readonly merchantId: MerchantId;
  readonly apiKeyId: ApiKeyId;
  readonly scopes: readonly ApiScope[];
};
