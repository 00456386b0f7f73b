import { aHeader } from "@daric/testing/witnesses";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NodeError } from "../blocks/node-error.ts";
import { createHeadSelector, type HeadSelector } from "./head-selector.ts";
import { ImplausibleHeadError } from "./implausible-head.ts";

const someHeader = aHeader({ number: 1, timeMs: 0 });

/** A node with this head, or without one. It answers with its lies first, once each. */
function node(label: string, number: number | undefined) {
  return {
    label,
    number,
    calls: 0,
    lies: [] as number[],
    async getHeadBlock() {
      this.calls += 1;
      const reported = this.lies.shift() ?? this.number;
      if (reported === undefined) throw new Error("away");
      return { ...someHeader, number: reported, id: `${reported}` };
    },
  };
}

type Node = ReturnType<typeof node>;

function clock({ keepsTime = true } = {}) {
  const time = { ms: 0 };
  const failures: NodeError[] = [];
  const newest = createHeadSelector({
    now: () => time.ms,
    keepsTime,
    onFailure: (error) => failures.push(error),
  });
  return { time, newest, failures };
}

/** The head of several nodes, as the client selects it; undefined if there is none. */
async function headOf(newest: HeadSelector, nodes: readonly Node[]): Promise<number | undefined> {
  await newest.findLaggards(nodes);
  const errors: ImplausibleHeadError[] = [];
  for (const node of nodes) {
    try {
      return (await newest.of(node)).number;
    } catch (error) {
      if (error instanceof ImplausibleHeadError) errors.push(error);
    }
  }
  return newest.selectImplausible(errors)?.number;
}

describe("the head selector", () => {
  it("compares with the other nodes twice a minute while the first one's head grows", async () => {
    const { time, newest } = clock();
    const [first, second] = [node("first", 100), node("second", 100)];
    for (let step = 0; step < 20; step += 1) {
      time.ms += 3_000;
      first.number = 100 + step;
      expect(await headOf(newest, [first, second])).toBe(100 + step);
    }
    expect([first.calls, second.calls]).toEqual([22, 2]);
  });

  it("refuses a stalled node once another one is seen far ahead", async () => {
    const { time, newest } = clock();
    const [first, second] = [node("first", 100), node("second", 320)];
    expect((await newest.of(first)).number).toBe(100);
    time.ms += 31_000;
    await newest.findLaggards([first, second]);
    await expect(newest.of(first)).rejects.toMatchObject({ fault: "behind", retryable: true });
    expect((await newest.of(second)).number).toBe(320);
    first.number = 321;
    expect((await newest.of(first)).number).toBe(321);
  });

  it("uses a stalled node while no other one answers, and leaves it again", async () => {
    const { time, newest } = clock();
    const [first, second] = [node("first", 100), node("second", 100_000)];
    await headOf(newest, [first, second]);
    time.ms += 31_000;
    expect(await headOf(newest, [first, second])).toBe(100_000);
    second.number = undefined;
    for (let step = 0; step < 40; step += 1) {
      time.ms += 3_000;
      expect(await headOf(newest, [first, second])).toBe(100);
    }
    second.number = 100_040;
    time.ms += 31_000;
    expect(await headOf(newest, [first, second])).toBe(100_040);
  });

  it("accepts a node that is a few blocks behind, as balanced gateways are", async () => {
    const { newest, failures } = clock();
    expect((await newest.of(node("first", 120))).number).toBe(120);
    expect((await newest.of(node("second", 101))).number).toBe(101);
    expect((await newest.of(node("third", 100))).number).toBe(100);
    await expect(newest.of(node("fourth", 99))).rejects.toMatchObject({ fault: "behind" });
    expect(failures).toEqual([]);
  });

  it("waits on a stalled chain, and compares all nodes every 9 s and not more often", async () => {
    const { time, newest } = clock();
    const [first, second] = [node("first", 100), node("second", undefined)];
    for (let step = 0; step < 100; step += 1) {
      await newest.of(first);
      // Nodes behind one gateway may be one block apart.
      first.number = step % 2 === 0 ? 99 : 100;
      time.ms += 1_000;
      await newest.findLaggards([first, second]);
    }
    expect(second.calls).toBe(10);
  });

  it("demotes a node that stalls or falls back for three slots while another one advances", async () => {
    for (const fallsTo of [100, 82]) {
      const { time, newest } = clock();
      const [first, second] = [node("first", 100), node("second", 100)];
      await headOf(newest, [first, second]);
      for (let slot = 1; slot < 4; slot += 1) {
        time.ms += 3_000;
        first.number = fallsTo === 100 ? 100 : fallsTo + slot;
        second.number = 100 + slot + 1;
        if (slot < 3) expect(await newest.findLaggards([first, second])).toEqual([]);
        await newest.of(first);
      }
      expect(await newest.findLaggards([first, second])).toEqual([first]);
    }
  });

  it("demotes a node that is behind from the start", async () => {
    const { time, newest } = clock();
    const [first, second] = [node("first", 100), node("second", 118)];
    await newest.of(first);
    time.ms += 9_000;
    expect(await newest.findLaggards([first, second])).toEqual([first]);
  });

  it("demotes a node that answers slower than another one, and none if no node answers", async () => {
    const { time, newest } = clock();
    const [first, second, away] = [node("first", 100), node("second", 100), node("away", undefined)];
    const slow = { ...first, getHeadBlock: () => new Promise<never>(() => {}) };
    time.ms += 9_000;
    expect(await newest.findLaggards([slow, away])).toEqual([]);
    time.ms += 30_000;
    expect(await newest.findLaggards([slow, second])).toEqual([slow]);
    time.ms += 30_000;
    expect(await newest.findLaggards([first, second])).toEqual([]);
  });

  it("ignores implausible heads in a comparison", async () => {
    const { time, newest } = clock();
    const [first, second] = [node("first", 100), node("second", 1_000_000)];
    await newest.of(first);
    time.ms += 9_000;
    expect(await newest.findLaggards([first, second])).toEqual([]);
    expect((await newest.of(first)).number).toBe(100);
  });

  it("does not compare a single node", async () => {
    const { time, newest } = clock();
    const only = node("only", 100);
    await newest.of(only);
    time.ms += 100_000;
    await newest.findLaggards([only]);
    expect(only.calls).toBe(1);
  });
});

describe("an implausible head", () => {
  const reported = [10 ** 10, 1_000_000, 1_121, 979, 0];

  it.each(reported)("of %i, reported once, is fetched again and counted", async (lie) => {
    for (const count of [1, 2]) {
      const { newest, failures } = clock();
      const nodes = [node("first", 1_000), node("second", 1_000)].slice(0, count);
      await headOf(newest, nodes);
      nodes[0]?.lies.push(lie);
      expect(await headOf(newest, nodes)).toBe(1_000);
      expect(failures.map(({ fault }) => fault)).toEqual([lie > 1_000 ? "unexpected_answer" : "behind"]);
      expect(await headOf(newest, nodes)).toBe(1_000);
    }
  });

  it.each([10 ** 10, 0])("of %i, reported first of all, is forgotten with the next answer", async (lie) => {
    for (const count of [1, 2]) {
      const { newest } = clock();
      const nodes = [node("first", 1_000), node("second", 1_000)].slice(0, count);
      nodes[0]?.lies.push(lie);
      expect(await headOf(newest, nodes)).toBe(lie);
      if (lie > 1_000) await expect(newest.of(nodes[0] ?? node("none", 0))).resolves.toBeDefined();
      expect(await headOf(newest, nodes)).toBe(1_000);
      expect(await headOf(newest, nodes)).toBe(1_000);
    }
  });

  it("is forgotten too if its node stops answering", async () => {
    const { time, newest } = clock();
    const [first, second] = [node("first", undefined), node("second", 1_000)];
    first.lies.push(10 ** 10);
    expect(await headOf(newest, [first, second])).toBe(10 ** 10);
    for (let step = 0; step < 20; step += 1) {
      expect(await headOf(newest, [first, second])).toBe(1_000 + step);
      time.ms += 3_000;
      second.number = 1_001 + step;
    }
    await expect(newest.of(second)).resolves.toMatchObject({ number: 1_020 });
  });

  it("above the possible height is refused while another node has a better one", async () => {
    const { time, newest } = clock();
    const [liar, honest] = [node("liar", 1_000), node("honest", 1_000)];
    await headOf(newest, [liar, honest]);
    for (let step = 1; step < 100; step += 1) {
      time.ms += 3_000;
      liar.number = 10 ** 9 + step;
      honest.number = 1_000 + step;
      await expect(newest.of(liar)).rejects.toMatchObject({ fault: "unexpected_answer", retryable: true });
      expect(await headOf(newest, [liar, honest])).toBe(1_000 + step);
    }
  });

  it("is not accepted because the better node was away for a moment", async () => {
    const { time, newest } = clock();
    const [liar, stalled, honest] = [node("liar", 1_000), node("stalled", 900), node("honest", 1_000)];
    await headOf(newest, [liar, stalled, honest]);
    liar.number = 10 ** 9;
    for (let step = 1; step < 30; step += 1) {
      time.ms += 3_000;
      honest.number = step % 5 === 0 ? undefined : 1_000 + step;
      const head = await headOf(newest, [liar, stalled, honest]);
      if (honest.number !== undefined) expect(head).toBe(1_000 + step);
    }
  });

  it("is higher than one block in three seconds and a hundred blocks of lag allow", async () => {
    const { time, newest } = clock();
    const only = node("only", 1_000);
    await newest.of(only);
    time.ms += 30_000;
    only.number = 1_111;
    await expect(newest.of(only)).rejects.toMatchObject({ fault: "unexpected_answer" });
    only.number = 1_110;
    await expect(newest.of(only)).resolves.toMatchObject({ number: 1_110 });
  });

  it("does not exist on a chain mined on command, at any height", async () => {
    const { newest, failures } = clock({ keepsTime: false });
    const only = node("only", 25);
    await newest.of(only);
    only.number = 10_000;
    await expect(newest.of(only)).resolves.toMatchObject({ number: 10_000 });
    expect(failures).toEqual([]);
  });
});

it("after a sleep of this machine the chain is followed at once", async () => {
  const { time, newest } = clock();
  const nodes = [node("first", 1_000), node("second", 1_000)];
  await headOf(newest, nodes);
  for (let step = 0; step < 20; step += 1) {
    time.ms += 3_000;
    for (const node of nodes) node.number = 9_000 + step;
    expect(await headOf(newest, nodes)).toBe(9_000 + step);
  }
  await expect(newest.of(node("third", 9_020))).resolves.toMatchObject({ number: 9_020 });
});

it("of several implausible heads the highest one is followed", async () => {
  const { newest } = clock();
  await newest.of(node("gone", 1_000));
  const nodes = [node("resyncing", 7), node("honest", 9_000), node("late", 8_000)];
  expect(await headOf(newest, nodes)).toBe(9_000);
});

describe("after any answers", () => {
  const lie = fc.oneof(fc.nat(10 ** 10), fc.integer({ min: 900, max: 1_400 }), fc.constantFrom(0, 10 ** 10));
  const step = fc.record({
    at: fc.nat(2),
    lies: fc.array(lie, { maxLength: 3 }),
    isAway: fc.boolean(),
    sleptBlocks: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.nat(5_000)),
  });

  it("one honest node gives the tip at once, and every node is plausible half a minute later", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(2),
        async (steps, count, survivor) => {
          const { time, newest } = clock();
          const nodes = ["a", "b", "c"].slice(0, count).map((label) => node(label, 1_000));
          let tip = 1_000;
          const pass = (blocks: number) => {
            tip += blocks;
            time.ms += 3_000;
          };
          for (const { at, lies, isAway, sleptBlocks } of steps) {
            pass(1 + sleptBlocks);
            for (const node of nodes) node.number = tip;
            const one = nodes[at % count];
            if (one) one.number = isAway ? undefined : tip;
            one?.lies.push(...lies);
            await headOf(newest, nodes);
            if (one) one.lies = [];
          }
          for (let rest = 0; rest < 12; rest += 1) {
            pass(1);
            for (const [index, one] of nodes.entries())
              one.number = index === survivor % count ? tip : undefined;
            expect(await headOf(newest, nodes)).toBe(tip);
          }
          for (const node of nodes) node.number = tip;
          for (const node of nodes) expect((await newest.of(node)).number).toBe(tip);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("two nodes whose heads grow by one per slot", () => {
  /** How often the first node leads, and how far beyond the true head the followed one gets. */
  async function leads({ first, second }: { first: number; second: number }) {
    const time = { ms: 0 };
    const nodes = [node("first", 1_000 + first), node("second", 1_000 + second)];
    const newest = createHeadSelector({ now: () => time.ms, keepsTime: true, onFailure: () => {} });
    const avoidedUntil = new Map<Node, number>();
    const heads: number[] = [];
    let ledByFirst = 0;
    for (let slot = 0; slot < 100; slot += 1) {
      time.ms += 3_000;
      for (const node of nodes) node.number = (node.number ?? 0) + 1;
      for (const findLaggard of await newest.findLaggards(nodes))
        avoidedUntil.set(findLaggard, time.ms + 30_000);
      const inOrder = [...nodes].sort((a, b) => (avoidedUntil.get(a) ?? 0) - (avoidedUntil.get(b) ?? 0));
      if (inOrder[0] === nodes[0]) ledByFirst += 1;
      heads.push((await headOf(newest, inOrder)) ?? 0);
    }
    return { ledByFirst, furthest: Math.max(...heads) - 1_100 };
  }

  it("a node with an impossible head does not lead", async () => {
    for (const second of [200, 10_000])
      expect(await leads({ first: 0, second })).toEqual({ ledByFirst: 100, furthest: 0 });
  });

  it("the node with the higher possible head leads, because the other one may be old", async () => {
    expect((await leads({ first: 0, second: 90 })).ledByFirst).toBeLessThan(30);
    expect((await leads({ first: -90, second: 0 })).ledByFirst).toBeLessThan(30);
  });
});
