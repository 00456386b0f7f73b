import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import type { TronNode } from "../chain/chain-reader.ts";
import { IncompleteBlockError, NodeError } from "../chain/node-error.ts";
import { askInTime } from "./ask-in-time.ts";
import { createClearingMemory } from "./clearance.ts";

const node = { label: "node" } as TronNode;
const clock = { now: () => new Date(), monotonicMs: () => 0 };
let memory = createClearingMemory();
const ask = <T>(question: () => Promise<T>) => askInTime({ clock }, { node, place: 1, memory }, question);
const rests = () => memory.restsUntilMs.get(1);

beforeEach(() => {
  memory = createClearingMemory();
});

describe("a node that is asked in time", () => {
  it("that answers is not left alone, however much later it is looked at", async () => {
    expect(await ask(async () => 7)).toBe(7);
    await sleep(3_050);
    expect(rests()).toBeUndefined();
  });

  it("that fails is left alone for a while, and is not asked meanwhile", async () => {
    expect(
      await ask(() => Promise.reject(new NodeError("no", { fault: "timeout", node: "node" }))),
    ).toBeUndefined();
    expect(rests()).toBe(15_000);
    expect(await ask(async () => 7)).toBeUndefined();
  });

  it("that merely lacks the block is not left alone", async () => {
    expect(await ask(() => Promise.reject(new IncompleteBlockError("node", 7)))).toBeUndefined();
    expect(rests()).toBeUndefined();
  });

  it("hides no fault of ours", async () => {
    await expect(ask(() => Promise.reject(new TypeError("a fault")))).rejects.toThrow("a fault");
  });
});
