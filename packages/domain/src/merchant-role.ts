import type { CallerScope } from "./api-scope.ts";

/** The roles of a person at a merchant, the weakest first. Each has the rights of those before it. */
export const merchantRoles = ["viewer", "developer", "admin", "owner"] as const;
export type MerchantRole = (typeof merchantRoles)[number];

const added: Readonly<Record<MerchantRole, readonly CallerScope[]>> = {
  viewer: ["charges:read", "deposits:read", "webhooks:read", "settlements:read", "account:read"],
  developer: ["charges:write", "webhooks:write", "keys:write"],
  admin: ["settings:write", "people:write"],
  owner: ["wallets:write", "owners:write"],
};

/** The rights of a role, its own and those of lesser roles. */
export function scopesOfRole(role: MerchantRole): readonly CallerScope[] {
  return merchantRoles.slice(0, merchantRoles.indexOf(role) + 1).flatMap((name) => added[name]);
}

/** Whether the first role has fewer rights than the second. */
export function isLowerRole(role: MerchantRole, than: MerchantRole): boolean {
  return merchantRoles.indexOf(role) < merchantRoles.indexOf(than);
}
