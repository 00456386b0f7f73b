import type { TronNode } from "../chain/chain-reader.ts";
import { NodeError } from "../chain/node-error.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import { findSolidity } from "../witnesses/find-solidity.ts";
import { type Cursor, findBlock, type ReadBlock } from "./block-store.ts";
import type { Context } from "./context.ts";
import type { Scanner } from "./scanner.ts";
import { requireAgreement } from "./solid-contradiction.ts";

/**
 * A block is solid once 19 of TRON's 27 witnesses have built on it, each in a block of its own: the newest one that
 * can be lies this far below the head, also on a chain of few witnesses, where 19 confirmations are waited for all the same.
 */
export const MIN_SOLID_LAG = 18;

/** Two minutes of blocks: a node whose solid block lies further from where it can be has not looked. */
const MAX_SOLID_BEHIND = 40;

/** What is known of a block below the first that we read: no deposit is in it, and nothing has expired by it. */
const UNREAD = { blockId: "", time: new Date(0) } as const;

/** The newest block of ours that is solid, and up to which one it would be if every block were made by whom it names. */
export type ProvenSolid = { readonly solid: ReadBlock; readonly claimed: number };

/**
 * What is solid by the signatures of our own blocks, `highest` at most: all below it are linked to it by parent hash. It
 * never falls. Of a block that was solid before the first one we read, nothing is known but the height: all time is
 * before it.
 *
 * The node's word is only compared. One that cannot be had changes nothing.
 *
 * @throws SolidContradictionError or ScanHaltedError when it names another block where ours is solid.
 */
export async function proveSolid(
  context: Context,
  scanner: Scanner,
  { cursor, highest }: Bounds,
): Promise<ProvenSolid> {
  const { name: network } = scanner.network;
  const { proven = 0, claimed = 0 } = await findSolidity(context.db, { network, head: cursor.number });
  const number = Math.max(cursor.solidNumber, Math.min(proven, highest.number));
  const solid = (await findBlock(context.db, { network, number })) ?? { ...UNREAD, number };
  if (highest.number > cursor.solidNumber) await compareWithNode(context, scanner, { solid, highest });
  return { solid, claimed: Math.min(claimed, highest.number) };
}

type Bounds = { readonly cursor: Cursor; readonly highest: ReadBlock };

async function compareWithNode(
  context: Context,
  scanner: Scanner,
  { solid, highest }: { solid: ReadBlock; highest: ReadBlock },
): Promise<void> {
  const told = await askSolid(scanner, highest.number);
  if (told === undefined) return;
  sayWhereItDiffers(context, scanner, { told: told.number, solid: solid.number });
  if (told.number > solid.number) return;
  const { number } = told;
  const ours = await findBlock(context.db, { network: scanner.network.name, number });
  if (ours === undefined || ours.blockId === told.id) return;
  await requireAgreement(context, scanner, {
    number,
    ourId: ours.blockId,
    readId: async (node) => (await node.getSolidBlockByNumber(number))?.id,
  });
}

/** Nobody's solid block is needed, so a node that shows none, or cannot be asked, is none to wait for. */
async function askSolid({ client }: Scanner, highest: number): Promise<BlockHeader | undefined> {
  try {
    return await client.ask((node) => findSolid(node, highest));
  } catch (error) {
    if (error instanceof NodeError && error.fault !== "wrong_chain") return undefined;
    throw error;
  }
}

/** What a node calls solid at a height or, where that is lower, at most. */
async function findSolid(node: TronNode, highest: number): Promise<BlockHeader | undefined> {
  const newest = await node.getSolidBlock();
  return newest.number <= highest ? newest : await node.getSolidBlockByNumber(highest);
}

/** Said once, until the node's word is near again. */
function sayWhereItDiffers(
  context: Context,
  { memory }: Scanner,
  { told, solid }: { told: number; solid: number },
): void {
  const difference = told - solid;
  const words = difference < 0 ? "less" : "more";
  if (Math.abs(difference) <= MAX_SOLID_BEHIND) {
    memory.saidOfSolid = undefined;
    return;
  }
  if (memory.saidOfSolid === words) return;
  memory.saidOfSolid = words;
  context.log.warn({ told, solid }, `a node calls ${words} solid than the signatures of the blocks prove`);
}
