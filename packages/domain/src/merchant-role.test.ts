import { expect, it } from "vitest";
import { merchantRoles, missingScope, scopesOfRole } from "./merchant-role.ts";

it("a role may give another one exactly if it has all its rights", () => {
  for (const role of merchantRoles)
    for (const other of merchantRoles) {
      const isCovered = scopesOfRole(other).every((scope) => scopesOfRole(role).includes(scope));
      expect([role, other, missingScope(role, other) === undefined]).toEqual([role, other, isCovered]);
    }
  expect(missingScope("admin", "owner")).toBe("wallets:write");
});

it("only admins and owners accept orders, and promise and pay refunds", () => {
  const having = (scope: string) =>
    merchantRoles.filter((role) => scopesOfRole(role).some((own) => own === scope));
  for (const scope of ["orders:accept", "refunds:write", "refunds:address", "refunds:pay"])
    expect([scope, having(scope)]).toEqual([scope, ["admin", "owner"]]);
  expect(having("refunds:read")).not.toContain("developer");
});

it("a role has each right once", () => {
  for (const role of merchantRoles)
    expect(new Set(scopesOfRole(role)).size, role).toBe(scopesOfRole(role).length);
});

it("accountant, support and cashier have the rights of their work alone", () => {
  const viewer = new Set<string>(scopesOfRole("viewer"));
  const differences = (role: (typeof merchantRoles)[number]) => {
    const own = new Set<string>(scopesOfRole(role));
    return { more: [...own].filter((s) => !viewer.has(s)), less: [...viewer].filter((s) => !own.has(s)) };
  };
  expect(differences("accountant")).toEqual({ more: ["books:write"], less: ["webhooks:read", "audit:read"] });
  expect(differences("support")).toEqual({
    more: ["payers:read", "notes:write", "deliveries:resend", "refunds:ask"],
    less: ["exports:read"],
  });
  expect(scopesOfRole("cashier")).toEqual(["charges:read", "charges:write", "deposits:read"]);
});
