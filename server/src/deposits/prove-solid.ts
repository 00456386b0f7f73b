import type { Context } from "../context.ts";
import { type Cursor, findBlock, type ReadBlock } from "./block-store.ts";
import type { Scanner } from "./scanner.ts";
import { solidContradiction } from "./solid-contradiction.ts";

/**
 * A block is solid once 19 of TRON's 27 witnesses have built on it, each in a block of its own: the newest one that
 * can be lies this far below the head. A node that says more has not looked, or lies, and what it says can be undone
 * by an ordinary fork.
 */
export const SOLID_LAG = 18;

/**
 * The newest block of ours that is proven solid, `highest` at most; undefined before there is one. One comparison
 * proves all below it: the solid chain has our block's hash at its height, and our blocks are linked by parent hash
 * down from there. Its time is the one that we read, so a solid answer can lie about nothing. It never falls. A
 * difference means that either we or the node are on a dead fork: thrown.
 */
export async function proveSolid(
  context: Context,
  scanner: Scanner,
  { cursor, highest }: { cursor: Cursor; highest: ReadBlock },
): Promise<ReadBlock | undefined> {
  const proven = highest.number > cursor.solidNumber ? await askSolid(context, scanner, highest) : undefined;
  if (proven !== undefined && proven.number > cursor.solidNumber) return proven;
  return findBlock(context.db, { network: scanner.network.name, number: cursor.solidNumber });
}

async function askSolid(
  context: Context,
  { client, network }: Scanner,
  highest: ReadBlock,
): Promise<ReadBlock | undefined> {
  const newest = await client.getSolidBlock();
  const solid = newest.number <= highest.number ? newest : await client.getSolidBlockByNumber(highest.number);
  if (solid === undefined) return undefined;
  const ours = await findBlock(context.db, { network: network.name, number: solid.number });
  if (ours === undefined || ours.blockId === solid.id) return ours;
  throw solidContradiction(
    context,
    `block ${solid.number} is solid as ${solid.id} but was read as ${ours.blockId}; nothing is confirmed until they agree`,
  );
}
