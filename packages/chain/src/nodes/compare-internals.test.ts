import { expect, it } from "vitest";
import { compareInternals } from "./compare-internals.ts";

const findings = [
  { need: "head", verdict: "ok", detail: "block 30, 1 s old", advice: null },
  {
    need: "internal transactions",
    verdict: "unknown",
    detail: "0 in 3 contract calls",
    advice: "check again",
  },
] as const;
const recentOf = (first: number, internalsIn: readonly number[]) => ({
  ...{ first, internalsIn, blocks: 20, contractCalls: 3 },
  internalTransactions: internalsIn.length,
});

it("a node that shows no internal transaction of a block of which another node shows some lacks them", () => {
  const found = compareInternals([
    { node: "a", findings, recent: recentOf(10, [12]) },
    { node: "b", findings, recent: recentOf(11, []) },
    { node: "c", findings, recent: recentOf(13, []) },
    { node: "d", findings, recent: undefined },
  ]);
  expect(found.filter(({ verdict }) => verdict === "missing")).toEqual([
    {
      node: "b",
      need: "internal transactions",
      verdict: "missing",
      detail: "none in block 12, of which a shows some",
      advice: expect.stringContaining("vm.saveInternalTx = true"),
    },
  ]);
  expect(found).toHaveLength(8);
});
