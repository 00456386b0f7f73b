import type { TronNode } from "../chain/chain-reader.ts";
import { NodeError } from "../chain/node-error.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import { type Cursor, findBlock, type ReadBlock } from "./block-store.ts";
import type { Context } from "./context.ts";
import type { Scanner } from "./scanner.ts";
import { solidContradiction } from "./solid-contradiction.ts";

/**
 * A block is solid once 19 of TRON's 27 witnesses have built on it, each in a block of its own: the newest one that
 * can be lies this far below the head. A node that says more has not looked, or lies, and what it says can be undone
 * by an ordinary fork.
 */
export const MIN_SOLID_LAG = 18;

/** Two minutes of blocks below what can be solid: by then another node is worth a question. */
const MAX_SOLID_BEHIND = 40;

/**
 * The newest block of ours that is proven solid, `highest` at most; undefined before there is one. One comparison
 * proves all below it: the solid chain has our block's hash at its height, and our blocks are linked by parent hash
 * down from there. Its time is the one that we read, so a solid answer can lie about nothing. It never falls. A
 * difference means that either we or the node are on a dead fork: thrown.
 */
export async function proveSolid(
  context: Context,
  scanner: Scanner,
  { cursor, highest }: Bounds,
): Promise<ReadBlock | undefined> {
  const proven =
    highest.number > cursor.solidNumber ? await askSolid(context, scanner, { cursor, highest }) : undefined;
  if (proven !== undefined && proven.number > cursor.solidNumber) return proven;
  return findBlock(context.db, { network: scanner.network.name, number: cursor.solidNumber });
}

type Bounds = { readonly cursor: Cursor; readonly highest: ReadBlock };

/**
 * The block of ours that the nodes, asked in turn, prove to be solid. One that contradicts us is passed over for one
 * that agrees, and one that lags for one that knows better; where none does, the best of what was said counts.
 */
async function askSolid(
  context: Context,
  { client, network }: Scanner,
  { cursor, highest }: Bounds,
): Promise<ReadBlock | undefined> {
  const lagging: { proven: ReadBlock | undefined }[] = [];
  const contradictions: string[] = [];
  const prove = async (node: TronNode): Promise<ReadBlock | undefined> => {
    const solid = await findSolid(node, highest.number);
    const ours = solid && (await findBlock(context.db, { network: network.name, number: solid.number }));
    if (ours !== undefined && ours.blockId !== solid?.id) {
      const difference = `block ${ours.number} is solid as ${solid?.id} but was read as ${ours.blockId}`;
      contradictions.push(difference);
      throw new NodeError(difference, { fault: "contradicts_ours", node: node.label });
    }
    const least = Math.max(cursor.solidNumber, highest.number - MAX_SOLID_BEHIND);
    if (solid !== undefined && solid.number >= least) return ours;
    lagging.push({ proven: ours });
    const message = `its solid block ${solid?.number ?? ""} is far below ${highest.number}, which can be solid`;
    throw new NodeError(message, { fault: "behind", node: node.label });
  };
  try {
    return await client.ask(prove);
  } catch (error) {
    const proven = newestOf(lagging.flatMap((answer) => answer.proven ?? []));
    if (proven !== undefined && proven.number > cursor.solidNumber) return proven;
    const [difference] = contradictions;
    if (difference !== undefined) {
      throw solidContradiction(context, `${difference}; nothing is confirmed until they agree`);
    }
    if (lagging.length > 0) return undefined;
    throw error;
  }
}

/** What a node calls solid at a height or, where that is lower, at most. */
async function findSolid(node: TronNode, highest: number): Promise<BlockHeader | undefined> {
  const newest = await node.getSolidBlock();
  return newest.number <= highest ? newest : await node.getSolidBlockByNumber(highest);
}

function newestOf(blocks: readonly ReadBlock[]): ReadBlock | undefined {
  return [...blocks].sort((a, b) => b.number - a.number)[0];
}
