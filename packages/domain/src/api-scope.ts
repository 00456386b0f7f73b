/** The rights of an API key. No scope can move money. */
export const apiScopes = [
  "charges:read",
  "charges:write",
  "deposits:read",
  "webhooks:read",
  "webhooks:write",
  "settlements:read",
] as const;
export type ApiScope = (typeof apiScopes)[number];

/** The rights that only a person has, in the dashboard. No key has one. */
const personScopes = [
  "account:read",
  "keys:write",
  "settings:write",
  "people:write",
  "owners:write",
  "wallets:write",
] as const;
export type CallerScope = ApiScope | (typeof personScopes)[number];

/** One deployment is one environment; a key of the other one is refused. */
export const environments = ["live", "test"] as const;
export type Environment = (typeof environments)[number];
