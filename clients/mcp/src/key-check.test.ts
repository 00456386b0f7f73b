import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { reasonToRefuse } from "./key-check.ts";
import { MCP_VERSION, toolsFor } from "./mcp-server.ts";

const merchantId = "0193a1b2-0000-7000-8000-000000000001";
const READS = ["charges:read", "deposits:read", "refunds:read", "settlements:read", "webhooks:read"] as const;

it.each(["refunds:write", "refunds:address", "webhooks:write"] as const)(
  "a key with %s is refused, with the command that makes the right one",
  (scope) => {
    for (const canCreate of [false, true]) {
      const reason = reasonToRefuse(
        { merchantId, scopes: [...READS, "charges:write", scope] },
        { canCreate },
      );
      expect(reason).toContain(`The key has ${scope}, which a key of an assistant must not have.`);
      expect(reason).toContain(`daric key create --merchant ${merchantId} --scopes charges:read,`);
    }
  },
);

it("a key that reads is accepted, and one without charges:read is refused", () => {
  expect(reasonToRefuse({ merchantId, scopes: [...READS] }, { canCreate: false })).toBeUndefined();
  expect(
    reasonToRefuse({ merchantId, scopes: ["charges:read", "charges:write"] }, { canCreate: false }),
  ).toBeUndefined();
  expect(reasonToRefuse({ merchantId, scopes: ["deposits:read"] }, { canCreate: false })).toContain(
    "lacks charges:read",
  );
});

it("with --create a key without charges:write is refused", () => {
  const reason = reasonToRefuse({ merchantId, scopes: [...READS] }, { canCreate: true });
  expect(reason).toContain("lacks charges:write");
  expect(reason).toMatch(/--scopes \S*charges:write$/);
});

it("a tool is offered if the key has its scopes, and a tool that makes something with --create alone", () => {
  const names = (scopes: Parameters<typeof toolsFor>[0]["scopes"], canCreate: boolean) =>
    toolsFor({ scopes, canCreate }).offered.map(({ name }) => name);
  const reading = ["find_payment", "why_not_paid", "list_decisions", "monthly_statement", "webhook_health"];
  expect(names([...READS, "charges:write"], false)).toEqual(reading);
  expect(names([...READS, "charges:write"], true)).toEqual([
    ...reading,
    "create_order",
    "create_payment_link",
  ]);
  expect(names(["charges:read"], false)).toEqual(["list_decisions"]);
  expect(
    toolsFor({ scopes: ["charges:read", "deposits:read", "webhooks:read"], canCreate: false }).missing,
  ).toEqual([{ name: "monthly_statement", lacks: ["settlements:read"] }]);
});

it("the version is that of package.json", () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(MCP_VERSION).toBe(version);
});
