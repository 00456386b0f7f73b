import { signerOf } from "../chain/block-signer.ts";
import type { TronNode } from "../chain/chain-reader.ts";
import { NodeError } from "../chain/node-error.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import type { KnownWitnesses } from "../witnesses/find-known-witnesses.ts";
import { solidHeight } from "../witnesses/solid-height.ts";

/** Asked for side by side, and no more than a few rotations in all. */
const BLOCKS_AT_ONCE = 9;
/** So far below a block one on which enough witnesses have built is looked for: three rotations of 27. */
export const MAX_WALK = 81;

/** The block that known witnesses prove, and those from where the walk began down to where it ended. */
export type Walk = { readonly proven: BlockHeader; readonly headers: readonly BlockHeader[] };

/**
 * The newest block on which enough known witnesses have built, as one node shows the blocks from `top` down, each the parent of
 * the one above; and the blocks further down to `floor`. Undefined where it does not show that, or does not answer.
 */
export async function walkHeaders(
  node: TronNode,
  known: KnownWitnesses,
  { top, floor }: { top: number; floor: number },
): Promise<Walk | undefined> {
  const headers: BlockHeader[] = [];
  for (let above = 0; above < Math.min(MAX_WALK, top); above += BLOCKS_AT_ONCE) {
    for (const header of await fetchHeaders(node, top - above)) {
      const child = headers.at(-1);
      // The nodes behind one name may not have the newest yet.
      if (header === undefined && child === undefined) continue;
      if (header === undefined || (child !== undefined && child.parentId !== header.id)) return undefined;
      headers.push(header);
    }
    const signed = headers.map((header) => ({ ...header, signerHex: signerOf(header) }));
    const height = solidHeight(signed, known);
    const proven = headers.find(({ number }) => number === height);
    if (proven !== undefined && (headers.at(-1)?.number ?? 0) <= Math.max(1, floor))
      return { proven, headers };
  }
  return undefined;
}

/** The walks of all nodes that prove anything, that to the newest proven block first. A node that fails is passed over. */
export async function walkAll(
  nodes: readonly TronNode[],
  known: KnownWitnesses,
  rangeOf: (head: number) => { readonly top: number; readonly floor: number },
): Promise<readonly Walk[]> {
  const walks = await Promise.all(
    nodes.map(async (node) => {
      try {
        const { number: head } = await node.getHeadBlock();
        return await walkHeaders(node, known, rangeOf(head));
      } catch (error) {
        if (error instanceof NodeError) return undefined;
        throw error;
      }
    }),
  );
  return walks.filter((walk) => walk !== undefined).sort((a, b) => b.proven.number - a.proven.number);
}

/** The next headers downwards, none of block 0, which nobody signed. */
async function fetchHeaders(node: TronNode, from: number): Promise<readonly (BlockHeader | undefined)[]> {
  const numbers = Array.from({ length: Math.min(BLOCKS_AT_ONCE, from) }, (_, offset) => from - offset);
  return Promise.all(numbers.map((number) => node.getHeader(number)));
}
