import { createForkChain } from "@daric/testing/fork-chain";
import { nodeGroup, type TestReader } from "@daric/testing/watch";
import { expect, it } from "vitest";
import type { AcceptableCheck } from "./block-fault.ts";
import { InvalidBlockError } from "./node-error.ts";

const AT = 3;
const chain = createForkChain(1_700_000_000_000);
chain.mine(5);

/** A node whose answer for the block fails these checks and carries its name. */
function invalidNode(name: string, checks: readonly AcceptableCheck[]): TestReader {
  return {
    ...chain.reader,
    fetchCompleteBlock: async (number: number) => {
      const reported = {
        ...(await chain.reader.fetchCompleteBlock(number)),
        isAccepted: true as const,
      };
      const header = { ...reported.header, witnessHex: name };
      throw new InvalidBlockError(name, { ...reported, header }, { reason: name, checks });
    },
  };
}

const honest = invalidNode("honest", ["calls"]);
const liar = invalidNode("liar", ["calls", "root"]);

it.each<[string, AcceptableCheck[], TestReader[]]>([
  ["a later node adds a check that was not accepted", ["calls"], [honest, liar]],
  ["an earlier one does", ["calls"], [liar, honest]],
  ["a later node adds a check that was accepted", ["calls", "root"], [honest, liar]],
  ["an earlier one does", ["calls", "root"], [liar, honest]],
])(
  "of an overridden block the answer with the fewest failed checks is used: %s",
  async (_, checks, nodes) => {
    const group = nodeGroup(...nodes);
    const { header } = await chain.reader.fetchCompleteBlock(AT);
    group.overrides.replace([{ blockId: header.id, blockNumber: AT, until: AT, checks }]);
    const wanted = { number: AT, tokens: [], isOld: false };
    expect((await group.fetchBlock(wanted)).summary).toMatchObject({ header: { witnessHex: "honest" } });
    expect(await group.fetchCompleteBlock(AT)).toMatchObject({ header: { witnessHex: "honest" } });
  },
);
