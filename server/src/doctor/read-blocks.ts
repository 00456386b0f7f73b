import type { Queryable } from "@daric/postgres/sql";
import type { CompleteBlock } from "../chain/blocks/complete-block.ts";
import { decodeTransfers } from "../chain/blocks/decode-transfers.ts";
import { NodeError } from "../chain/blocks/node-error.ts";
import type { TronNode } from "../chain/nodes/chain-reader.ts";
import type { Network } from "../chain/nodes/networks.ts";
import { matchBlock } from "../deposits/record/match-transfers.ts";
import type { FinalBlock } from "./deep-store.ts";
import type { NodeResponse, SampledBlock } from "./sampled-block.ts";

/** After this many failures in a row a node gets no more requests. */
export const MAX_FAILURES = 5;

/** Reads complete blocks from all nodes in parallel, and finds transfers to our addresses. */
export function createBlockReader(
  db: Queryable,
  { nodes, network }: { readonly nodes: readonly TronNode[]; readonly network: Network },
): { read(stored: FinalBlock): Promise<SampledBlock>; leftOut(): string[] } {
  const failures = nodes.map(() => 0);
  const skipped = nodes.map(() => 0);

  const fetchResponse = async (
    node: TronNode,
    nodeIndex: number,
    number: number,
  ): Promise<NodeResponse | NodeError | undefined> => {
    if (failures[nodeIndex] === MAX_FAILURES) {
      skipped[nodeIndex] = (skipped[nodeIndex] ?? 0) + 1;
      return undefined;
    }
    try {
      const block = await node.fetchCompleteBlock(number);
      failures[nodeIndex] = 0;
      return await nodeResponseOf(db, { node: node.label, block, network });
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      failures[nodeIndex] = (failures[nodeIndex] ?? 0) + 1;
      return error;
    }
  };

  return {
    read: async (stored) => {
      const { number } = stored;
      const answers = await Promise.all(
        nodes.map((node, nodeIndex) => fetchResponse(node, nodeIndex, number)),
      );
      const responses: NodeResponse[] = [];
      const unanswered: string[] = [];
      for (const answer of answers)
        if (answer instanceof NodeError) unanswered.push(`block ${number}: ${answer.message}`);
        else if (answer !== undefined) responses.push(answer);
      return { stored, responses, unanswered };
    },
    leftOut: () =>
      nodes.flatMap(({ label }, nodeIndex) =>
        skipped[nodeIndex] === 0
          ? []
          : [`${skipped[nodeIndex]} more blocks: ${label} failed ${MAX_FAILURES} times in a row`],
      ),
  };
}

async function nodeResponseOf(
  db: Queryable,
  { node, block, network }: { node: string; block: CompleteBlock; network: Network },
): Promise<NodeResponse> {
  const { id, parentId, number, timeMs } = block.header;
  const moves = {
    ...decodeTransfers(block, network.tokens),
    network: network.name,
    block: { number, blockId: id, time: new Date(timeMs) },
  };
  return {
    node,
    id,
    parentId,
    transactionCount: block.transactions.length,
    showsInternals: block.infos.some(({ internalCount }) => internalCount > 0),
    matches: await matchBlock(db, moves),
  };
}
