import type { CallerScope } from "./api-scope.ts";

/** The roles of a person at a merchant. They have no order: a role is what its line below says. */
export const merchantRoles = [
  "viewer",
  "accountant",
  "support",
  "cashier",
  "developer",
  "admin",
  "owner",
] as const;
export type MerchantRole = (typeof merchantRoles)[number];

const reading = [
  "charges:read",
  "deposits:read",
  "settlements:read",
  "account:read",
  "orders:all",
] as const satisfies readonly CallerScope[];

const integrating = [
  ...reading,
  "charges:write",
  "webhooks:read",
  "webhooks:write",
  "payers:read",
  "notes:write",
  "bodies:read",
  "deliveries:resend",
  "exports:read",
  "audit:read",
  "keys:write",
] as const satisfies readonly CallerScope[];

const administering = [
  ...integrating,
  "orders:accept",
  "refunds:read",
  "refunds:write",
  "refunds:address",
  "refunds:ask",
  "refunds:pay",
  "books:write",
  "settings:write",
  "people:write",
] as const satisfies readonly CallerScope[];

const scopesOf: Readonly<Record<MerchantRole, readonly CallerScope[]>> = {
  viewer: [...reading, "refunds:read", "webhooks:read", "exports:read", "audit:read"],
  accountant: [...reading, "refunds:read", "exports:read", "books:write"],
  support: [
    ...reading,
    "refunds:read",
    "webhooks:read",
    "audit:read",
    "payers:read",
    "notes:write",
    "deliveries:resend",
    "refunds:ask",
  ],
  cashier: ["charges:read", "charges:write", "deposits:read"],
  developer: integrating,
  admin: administering,
  owner: [...administering, "owners:write", "wallets:write"],
};

export function scopesOfRole(role: MerchantRole): readonly CallerScope[] {
  return scopesOf[role];
}

/** A right of the second role that the first one lacks; undefined when there is none, and the first may give the second. */
export function missingScope(role: MerchantRole, than: MerchantRole): CallerScope | undefined {
  return scopesOf[than].findLast((scope) => !scopesOf[role].includes(scope));
}
