/** The rights of an API key. No scope can move money. */
export const apiScopes = [
  "charges:read",
  "charges:write",
  "deposits:read",
  "webhooks:read",
  "webhooks:write",
  "settlements:read",
  "refunds:read",
  "refunds:write",
  "refunds:address",
] as const;
export type ApiScope = (typeof apiScopes)[number];

/** A key has these only where its maker named them: they promise money, and say where it goes. */
const namedScopes: readonly ApiScope[] = ["refunds:write", "refunds:address"];

/** The rights of a new key whose maker names none. */
export const usualApiScopes: readonly ApiScope[] = apiScopes.filter((scope) => !namedScopes.includes(scope));

/** The rights of a connected shop's key. It moves no money, names no address of a refund, and changes no webhook endpoint. */
export const shopScopes: readonly ApiScope[] = [
  "charges:read",
  "charges:write",
  "deposits:read",
  "webhooks:read",
  "refunds:read",
  "refunds:write",
];

/** The rights that only a person has, in the dashboard. No key has one. */
const personScopes = [
  "account:read",
  /** orders and payment links that others made, and what happened to them */
  "orders:all",
  "orders:accept",
  "notes:write",
  /** names, notes and e-mail addresses of payers, and links to claim a refund */
  "payers:read",
  "refunds:ask",
  /** to confirm and pay a refund, and to name its transaction */
  "refunds:pay",
  /** the bodies of webhooks */
  "bodies:read",
  "deliveries:resend",
  "exports:read",
  "books:write",
  /** the whole audit log; without it, acts on money without addresses of the network */
  "audit:read",
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
