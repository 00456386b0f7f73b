import { aHeader } from "@daric/testing/witnesses";
import { describe, expect, it } from "vitest";
import type { TronNode } from "../chain/chain-reader.ts";
import { NodeError } from "../chain/node-error.ts";
import { askWitnesses, fingerprintOfWitnesses, WitnessesInDoubtError } from "./ask-witnesses.ts";

const [a, b, c] = ["a", "b", "c"].map((digit) => `41${digit.repeat(40)}`) as [string, string, string];

function node(label: string, witnesses: Record<string, string> | NodeError, head = 100): TronNode {
  return {
    label,
    getHeadBlock: async () => aHeader({ number: head, timeMs: 1 }),
    getWitnesses: async () => {
      if (witnesses instanceof NodeError) throw witnesses;
      return Object.entries(witnesses).map(([witnessHex, signerHex]) => ({ witnessHex, signerHex }));
    },
  } as Partial<TronNode> as TronNode;
}

describe("the witnesses", () => {
  it("are those that all nodes name with the same keys, in whatever order, since the lowest head: what a node says too much keeps no key for ever", async () => {
    const agreed = await askWitnesses([
      node("1", { [a]: a, [b]: c }, 90),
      node("2", { [b]: c, [a]: a }, 120),
    ]);
    expect(agreed).toMatchObject({ active: 2, fingerprint: fingerprintOfWitnesses(agreed.keys) });
    expect(agreed.keys).toContainEqual({ witnessHex: b, signerHex: c, sinceBlock: 90 });
  });

  it.each([
    [
      "a node names another key",
      { [a]: a, [b]: b },
      `witness ${b}: 1 says it signs with ${c}, 2 says it signs with ${b}`,
    ],
    [
      "a node names another witness",
      { [a]: a },
      `witness ${b}: 1 says it signs with ${c}, 2 does not name it`,
    ],
  ])("are in doubt where %s, and each node's word is told", async (_case, told, words) => {
    const asking = askWitnesses([node("1", { [a]: a, [b]: c }), node("2", told)]);
    await expect(asking).rejects.toThrow(WitnessesInDoubtError);
    await expect(asking).rejects.toMatchObject({ reasons: [words] });
  });

  it("are in doubt where a node does not say, whatever the others do, and where there is no node", async () => {
    const closed = new NodeError("this API is closed", { fault: "not_json", node: "2" });
    const asking = askWitnesses([node("1", { [a]: a }), node("2", closed)]);
    await expect(asking).rejects.toMatchObject({ reasons: ["2: this API is closed"] });
    await expect(askWitnesses([])).rejects.toThrow(WitnessesInDoubtError);
  });
});

describe("a fingerprint", () => {
  const of = (pairs: Record<string, string>) =>
    fingerprintOfWitnesses(
      Object.entries(pairs).map(([witnessHex, signerHex]) => ({ witnessHex, signerHex })),
    );

  it("is of the witnesses and their keys, and not of their order", () => {
    expect(of({ [a]: a, [b]: c })).toBe(of({ [b]: c, [a]: a }));
    const others = [{ [a]: a }, { [a]: a, [b]: b }, { [a]: c, [b]: a }].map(of);
    expect(new Set([of({ [a]: a, [b]: c }), ...others]).size).toBe(4);
  });

  it("is 32 hex digits in groups of four", () => {
    expect(of({ [a]: a })).toMatch(/^([0-9a-f]{4}-){7}[0-9a-f]{4}$/);
  });
});
