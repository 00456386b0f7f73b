import { NodeError } from "@daric/chain/blocks/node-error";
import type { NodeGroup, TronNode } from "@daric/chain/nodes/chain-reader";
import { systemClock } from "@daric/runtime/clock";
import { describe, expect, it } from "vitest";
import { findUsed, type HistorySource, mayKnowHistory, mustKnowHistory } from "./chain-history.ts";

const addresses = Array.from({ length: 20 }, (_, index) => `T${index}`);
const away = new NodeError("did not answer in time", { fault: "timeout", node: "node" });

/** A node that reports these addresses as used, and answers this many calls. */
function aNode({ used = [], answers = 1_000 }: { used?: string[]; answers?: number }) {
  const queried: string[] = [];
  const hasHistory = async (address: string): Promise<boolean> => {
    if (queried.length >= answers) throw away;
    queried.push(address);
    return used.includes(address);
  };
  return { node: { hasHistory } as Partial<TronNode> as TronNode, queried };
}

/** A chain of nodes; the first one leads, and is the only one by default. */
function aChain(first: Parameters<typeof aNode>[0], ...others: Parameters<typeof aNode>[0][]) {
  const { node, queried } = aNode(first);
  const nodes = [node, ...others.map((history) => aNode(history).node)];
  const client: Partial<NodeGroup> = { nodes, query: (question) => question(node) };
  const source: HistorySource = { client: client as NodeGroup, network: { tokens: [] } };
  return { source, queried };
}

/** A clock that a test sets. */
function aClock() {
  const clock = { ms: 0, monotonicMs: () => clock.ms };
  return clock;
}

const patience = (clock = aClock()) => ({ clock, claimMs: 60_000 });
const mayKnow = (source: HistorySource | undefined, { waitMs = 1_000, clock = aClock() } = {}) =>
  mayKnowHistory(() => source, { waitMs, ...patience(clock) });
const nothing = { used: undefined, uncertain: [] };

describe("the query for history", () => {
  it("returns the first used address, or none", async () => {
    expect(await findUsed(aChain({ used: ["T3", "T17"] }).source, addresses)).toBe("T3");
    const { source, queried } = aChain({});
    expect(await findUsed(source, addresses)).toBeUndefined();
    expect(queried).toEqual(addresses);
  });

  it("resumes where a node stopped answering", async () => {
    const unused = new Set<string>();
    await expect(findUsed(aChain({ answers: 8 }).source, addresses, unused)).rejects.toThrow(away);
    const { source, queried } = aChain({});
    await findUsed(source, addresses, unused);
    expect(queried).toEqual(addresses.slice(8));
  });

  it("without time to wait returns unknown if no node answers, is verified or is in time", async () => {
    const unknown = { isKnown: false, ...nothing };
    expect(await mayKnow(undefined)(addresses)).toEqual(unknown);
    expect(await mayKnow(aChain({ answers: 0 }).source)(addresses)).toEqual(unknown);
    const silent = {
      ...aChain({}).source,
      client: { query: () => new Promise(() => {}) } as Partial<NodeGroup>,
    };
    expect(await mayKnow(silent as HistorySource, { waitMs: 1 })(addresses)).toEqual(unknown);
    expect(await mayKnow(aChain({}).source)(addresses)).toEqual({ isKnown: true, ...nothing });
  });

  it("with time to wait queries the nodes at each call", async () => {
    const { source, queried } = aChain({});
    const { signal } = new AbortController();
    const findHistory = mustKnowHistory(source, { ...patience(), signal });
    expect([await findHistory(addresses), await findHistory(addresses)]).toEqual(
      Array(2).fill({ isKnown: true, ...nothing }),
    );
    expect(queried).toHaveLength(40);
    const mute = mustKnowHistory(aChain({ answers: 0 }).source, { ...patience(), signal });
    await expect(mute(addresses)).rejects.toThrow(away);
  });
});

describe("an address that a node reports as used", () => {
  const lying = { used: ["T1"] };

  it("is used if a second node agrees, and unused if another node denies it", async () => {
    const both = mayKnow(aChain(lying, {}, lying).source);
    expect(await both(addresses)).toEqual({ isKnown: true, used: "T1", uncertain: [] });
    const alone = mayKnow(aChain(lying, {}, { answers: 0 }).source);
    expect(await alone(addresses)).toEqual({ isKnown: true, ...nothing });
  });

  it.each([
    { answering: "by the only node", others: [] },
    { answering: "while no other node answers", others: [{ answers: 0 }] },
  ])("$answering is used after three answers over a minute, and uncertain until then", async ({ others }) => {
    const clock = aClock();
    const findHistory = mayKnow(aChain(lying, ...others).source, { clock });
    const uncertainNow = { isKnown: false, used: undefined, uncertain: ["T1"] };
    expect(await findHistory(addresses)).toEqual(uncertainNow);
    clock.ms = 61_000;
    expect(await findHistory(addresses)).toEqual(uncertainNow);
    expect(await findHistory(addresses)).toEqual({ isKnown: true, used: "T1", uncertain: [] });
  });

  it("stays uncertain after three answers in less than a minute, and is unused once the node takes it back", async () => {
    const clock = aClock();
    const used = ["T1"];
    const findHistory = mayKnow(aChain({ used }).source, { clock });
    for (const ms of [0, 20_000, 40_000, 59_000]) {
      clock.ms = ms;
      expect(await findHistory(addresses)).toMatchObject({ uncertain: ["T1"] });
    }
    used.length = 0;
    clock.ms = 61_000;
    expect(await findHistory(addresses)).toEqual({ isKnown: true, ...nothing });
  });

  it("is queried repeatedly until it is certain, if the caller can wait", async () => {
    const { signal } = new AbortController();
    const findHistory = mustKnowHistory(aChain(lying).source, { clock: systemClock, claimMs: 40, signal });
    expect(await findHistory(addresses)).toEqual({ isKnown: true, used: "T1", uncertain: [] });
  });

  it("is no longer waited for after an abort", async () => {
    const stopping = new AbortController();
    const findHistory = mustKnowHistory(aChain(lying).source, { ...patience(), signal: stopping.signal });
    const pending = findHistory(addresses);
    setTimeout(() => stopping.abort(), 10);
    await expect(pending).rejects.toThrow("aborted");
  });
});
