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
