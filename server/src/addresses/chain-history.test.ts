import { describe, expect, it } from "vitest";
import type { NodeGroup, TronNode } from "../chain/chain-reader.ts";
import { NodeError } from "../chain/node-error.ts";
import { findUsed, type HistorySource, mayKnowHistory, mustKnowHistory } from "./chain-history.ts";

const addresses = Array.from({ length: 20 }, (_, index) => `T${index}`);
const away = new NodeError("did not answer in time", { fault: "timeout", node: "node" });

/** A chain on which these addresses were used, and whose node answers so many questions. */
function aChain({ used = [], answers = 1_000 }: { used?: string[]; answers?: number }) {
  const asked: string[] = [];
  const node: Partial<TronNode> = {
    hasHistory: async (address: string) => {
      if (asked.length >= answers) throw away;
      asked.push(address);
      return used.includes(address);
    },
  };
  const client = { ask: (question: (node: TronNode) => Promise<unknown>) => question(node as TronNode) };
  const source: HistorySource = { client: client as NodeGroup, network: { usdtContract: "T" } };
  return { source, asked };
}

describe("the history of addresses", () => {
  it("is that of the first one that was used, or none", async () => {
    expect(await findUsed(aChain({ used: ["T3", "T17"] }).source, addresses)).toBe("T3");
    const { source, asked } = aChain({});
    expect(await findUsed(source, addresses)).toBeUndefined();
    expect(asked).toEqual(addresses);
  });

  it("that a node stopped telling goes on where it was", async () => {
    const unused = new Set<string>();
    await expect(findUsed(aChain({ answers: 8 }).source, addresses, unused)).rejects.toThrow(away);
    const { source, asked } = aChain({});
    await findUsed(source, addresses, unused);
    expect(asked).toEqual(addresses.slice(8));
  });

  it("is not known to who cannot wait where no node answers, is verified or comes in time", async () => {
    const unknown = { isKnown: false, used: undefined };
    expect(await mayKnowHistory(() => undefined, 1_000)(addresses)).toEqual(unknown);
    expect(await mayKnowHistory(() => aChain({ answers: 0 }).source, 1_000)(addresses)).toEqual(unknown);
    const silent = {
      ...aChain({}).source,
      client: { ask: () => new Promise(() => {}) } as Partial<NodeGroup>,
    };
    expect(await mayKnowHistory(() => silent as HistorySource, 1)(addresses)).toEqual(unknown);
    const known = mayKnowHistory(() => aChain({ used: ["T1"] }).source, 1_000);
    expect(await known(addresses)).toEqual({ isKnown: true, used: "T1" });
  });

  it("is asked anew each time by who must know", async () => {
    const { source, asked } = aChain({});
    const ask = mustKnowHistory(source);
    expect([await ask(addresses), await ask(addresses)]).toEqual(
      Array(2).fill({ isKnown: true, used: undefined }),
    );
    expect(asked).toHaveLength(40);
    await expect(mustKnowHistory(aChain({ answers: 0 }).source)(addresses)).rejects.toThrow(away);
  });
});
