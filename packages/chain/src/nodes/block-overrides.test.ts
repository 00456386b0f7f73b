import { describe, expect, it } from "vitest";
import type { AcceptableCheck } from "../blocks/block-fault.ts";
import { IncompleteBlockError, InvalidBlockError } from "../blocks/node-error.ts";
import { type BlockOverride, createBlockOverrides } from "./block-overrides.ts";

const idOf = (number: number) => number.toString(16).padStart(64, "0");

function invalidBlock(number: number, checks: readonly AcceptableCheck[]) {
  const header = {
    ...{ number, id: idOf(number), parentId: idOf(number - 1), timeMs: number },
    witnessHex: "",
  };
  const answer = { header, transactions: [], infos: [], isAccepted: true } as const;
  return new InvalidBlockError("node", answer, { reason: "it is strange", checks });
}

const accepted: BlockOverride = { blockId: idOf(7), blockNumber: 7, until: 9, checks: ["calls"] };

describe("an operator's override", () => {
  const overrides = createBlockOverrides();
  overrides.replace([accepted]);
  const isTaken = (failure: unknown) => {
    try {
      return overrides.apply(failure).isAccepted === true;
    } catch (error) {
      expect(error).toBe(failure);
      return false;
    }
  };

  it("covers its block and those above it up to the last, if they fail no other checks", () => {
    const taken = [6, 7, 8, 9, 10].map((number) => isTaken(invalidBlock(number, ["calls"])));
    expect(taken).toEqual([false, true, true, true, false]);
    expect(isTaken(invalidBlock(7, ["root"]))).toBe(false);
    expect(isTaken(invalidBlock(7, ["calls", "root"]))).toBe(false);
  });

  it("covers no other block of its height, and no other error", () => {
    const other = invalidBlock(7, ["calls"]);
    Object.assign(other.block.header, { id: "f".repeat(64) });
    expect(isTaken(other)).toBe(false);
    expect(isTaken(new IncompleteBlockError("node", 7, "is pruned"))).toBe(false);
    expect(isTaken(new Error("anything"))).toBe(false);
  });
});
