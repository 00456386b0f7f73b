import type { TronNode } from "../chain/chain-reader.ts";
import { askInTime } from "./ask-in-time.ts";
import { fetchOurs } from "./ask-quorum.ts";
import type { ClearingMemory } from "./clearance.ts";
import type { UncomparedBlock } from "./compare-store.ts";
import type { WatcherContext } from "./context.ts";
import { type DecodedBlock, decodeToldBlock } from "./record-block.ts";
import type { Scanner } from "./scanner.ts";

/** What the node at a place tells of a block of ours. */
export type NodeTelling = DecodedBlock & { readonly place: number };

/**
 * A block, and what so many nodes as the quorum has tell of it; of an empty one none is asked. `others` of those that were asked
 * tell another block of that height.
 */
export type AskedBlock = {
  readonly block: UncomparedBlock;
  readonly tellings: readonly NodeTelling[];
  readonly others: number;
};

type Wanted = {
  readonly block: UncomparedBlock;
  readonly memory: ClearingMemory;
  /** so many nodes are to tell it */
  readonly count: number;
  /** beside these */
  readonly known?: readonly NodeTelling[];
};

/** What so many more nodes tell of a block, where there are so many; the next one is asked for each that fails. */
export async function askSomeNodes(
  context: WatcherContext,
  { client, network }: Scanner,
  { block, memory, count, known = [] }: Wanted,
): Promise<AskedBlock> {
  const tellings = [...known];
  let others = 0;
  if (block.isEmpty) return { block, tellings, others };
  const left = client.nodes
    .map((node, place) => ({ node, place }))
    .filter(({ place }) => !known.some((telling) => telling.place === place));
  const ask = async ({ node, place }: { node: TronNode; place: number }): Promise<NodeTelling[]> => {
    const answer = await askInTime(context, { node, place, memory }, async () => ({
      told: await fetchOurs(node, client, block),
    }));
    if (answer === undefined) return [];
    if (answer.told !== undefined)
      return [{ ...decodeToldBlock(answer.told, network.usdtContractHex), place }];
    others += 1;
    return [];
  };
  while (tellings.length < count && left.length > 0) {
    const next = left.splice(0, count - tellings.length);
    tellings.push(...(await Promise.all(next.map(ask))).flat());
  }
  return { block, tellings, others };
}
