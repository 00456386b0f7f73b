import { describe, expect, it } from "vitest";
import { createNewestHead } from "./newest-head.ts";

/** A node that shows this head, or none. */
function node(label: string, number: number | undefined) {
  return {
    label,
    number,
    asked: 0,
    async getHeadBlock() {
      this.asked += 1;
      if (this.number === undefined) throw new Error("away");
      return { number: this.number, id: `${this.number}`, parentId: "", timeMs: 0 };
    },
  };
}

function clock() {
  const time = { ms: 0 };
  return { time, newest: createNewestHead(() => time.ms) };
}

describe("the newest head", () => {
  it("leaves the other nodes alone while the first one's head grows", async () => {
    const { time, newest } = clock();
    const [first, second] = [node("first", 100), node("second", 100)];
    for (let step = 0; step < 20; step += 1) {
      time.ms += 3_000;
      first.number = 100 + step;
      await newest.compareWhenStalled([first, second]);
      expect((await newest.of(first)).number).toBe(100 + step);
    }
    expect(second.asked).toBe(0);
  });

  it("passes over a node that stands still, once another one is seen to be far ahead", async () => {
    const { time, newest } = clock();
    const [first, second] = [node("first", 100), node("second", 320)];
    expect((await newest.of(first)).number).toBe(100);
    time.ms += 31_000;
    await newest.compareWhenStalled([first, second]);
    await expect(newest.of(first)).rejects.toMatchObject({ fault: "behind", retryable: true });
    expect((await newest.of(second)).number).toBe(320);
    first.number = 321;
    expect((await newest.of(first)).number).toBe(321);
  });

  it("believes a node that is a few blocks behind, as balanced gateways are", async () => {
    const { newest } = clock();
    expect((await newest.of(node("first", 120))).number).toBe(120);
    expect((await newest.of(node("second", 101))).number).toBe(101);
  });

  it("waits with a chain that stands still everywhere, asking all nodes every 30 s and not more often", async () => {
    const { time, newest } = clock();
    const nodes = [node("first", 100), node("second", undefined)];
    await newest.of(nodes[0] ?? node("none", 0));
    for (let step = 0; step < 100; step += 1) {
      time.ms += 1_000;
      await newest.compareWhenStalled(nodes);
    }
    expect(nodes[1]?.asked).toBe(3);
  });

  it("never compares a single node with anything", async () => {
    const { time, newest } = clock();
    const only = node("only", 100);
    await newest.of(only);
    time.ms += 100_000;
    await newest.compareWhenStalled([only]);
    expect(only.asked).toBe(1);
  });
});
