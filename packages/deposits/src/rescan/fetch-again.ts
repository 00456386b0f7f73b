import type { CompleteBlock } from "@daric/chain/blocks/complete-block";
import { IncompleteBlockError, NodeError } from "@daric/chain/blocks/node-error";
import type { TronNode } from "@daric/chain/nodes/chain-reader";
import { type Cursor, findBlock, findBlockId, findCursor } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { labelOf } from "../verify/answer-cache.ts";
import { fetchOurBody } from "../verify/block-bytes.ts";
import { fetchAnswers, type InfosWanted, type ReadingContext } from "../verify/fetch-answers.ts";
import { asSolidBlock } from "../verify/verified-block.ts";
import type { Reader } from "../verify/verifier.ts";
import type { RescanAnswer } from "./rescan-nodes.ts";

/** Our block at a height. If it was not read, it is the parent of our first block. */
export type OurBlock = { readonly isRead: boolean; readonly blockId: string; readonly cursor: Cursor };

type IdAnswer = RescanAnswer & {
  readonly nodeIndex: number;
  /** the node's block, if it is another one than ours */
  readonly otherId?: string;
  /** why it named none */
  readonly failure?: NodeError;
};

/** The nodes' ids of a block, and ours. */
export type FetchedIds = {
  readonly number: number;
  readonly ours: OurBlock | undefined;
  readonly answers: readonly IdAnswer[];
};

export type FetchedBlock = FetchedIds & {
  /** our complete block; undefined if no node has it */
  readonly body: CompleteBlock | undefined;
};

type WantedIds = Pick<InfosWanted, "excluded"> & {
  readonly number: number;
  /** the block above, which may not be written yet: our first block's parent is known by it */
  readonly child?: FetchedBlock | undefined;
};

type WantedBody = Omit<InfosWanted, "blocks"> & { readonly ids: FetchedIds };

/**
 * Fetches a block again: its id from all nodes, its bytes from one that has ours, and its infos into `answers`. Writes nothing.
 *
 * @throws NodeError if some node has our block, and none shows it completely.
 */
export async function fetchAgain(
  context: ReadingContext,
  reader: Reader,
  wanted: WantedIds & Omit<InfosWanted, "blocks">,
): Promise<FetchedBlock> {
  const ids = await fetchIds(context, reader, wanted);
  return { ...ids, body: await fetchBody(context, reader, { ...wanted, ids }) };
}

/** Fetches the id of a block from all nodes. A node that fails is named with its reason. */
export async function fetchIds(
  context: Pick<ReadingContext, "db">,
  reader: Reader,
  { number, child, excluded }: WantedIds,
): Promise<FetchedIds> {
  const ours = (await findOurs(context.db, reader.network.name, number)) ?? parentOf(child, number);
  const answers = await Promise.all(
    reader.client.nodes.map(async (node, nodeIndex): Promise<IdAnswer> => {
      const answer = { nodeIndex, node: labelOf(reader, nodeIndex) };
      if (excluded?.has(nodeIndex)) return { ...answer, reason: "fails repeatedly, and is not asked" };
      const id = await fetchId(node, number);
      if (id instanceof NodeError) return { ...answer, reason: id.summary, failure: id };
      if (id === ours?.blockId) return { ...answer, reason: undefined };
      return { ...answer, reason: `block ${number}: the node has another one than ours`, otherId: id };
    }),
  );
  return { number, ours, answers };
}

/**
 * Fetches our complete block, and its infos into `answers`; undefined if no node has our block.
 *
 * @throws NodeError if some node has it, and none shows it completely.
 */
export async function fetchBody(
  context: ReadingContext,
  reader: Reader,
  { ids: { number, ours, answers }, ...infos }: WantedBody,
): Promise<CompleteBlock | undefined> {
  if (ours === undefined || answers.every(({ reason }) => reason !== undefined)) return undefined;
  const body = await fetchOurBody(reader, { number, blockId: ours.blockId });
  const solid = asSolidBlock(body);
  const { infosDigest } = solid;
  if (infosDigest !== undefined)
    await fetchAnswers(context, reader, { ...infos, blocks: [{ ...solid, infosDigest }] });
  return body;
}

export async function findOurs(
  db: WatcherContext["db"],
  network: string,
  number: number,
): Promise<OurBlock | undefined> {
  const cursor = await findCursor(db, network);
  if (cursor === undefined) return undefined;
  const read = await findBlock(db, { network, number });
  if (read !== undefined) return { isRead: true, blockId: read.blockId, cursor };
  const atCursor = number === cursor.number ? cursor.blockId : undefined;
  const blockId = (await findBlockId(db, { network, number })) ?? atCursor;
  return blockId === undefined ? undefined : { isRead: false, blockId, cursor };
}

/** The nodes' other blocks, in words. */
export function describeOthers({ number, ours, answers }: FetchedIds): string[] {
  return answers.flatMap(({ node, otherId }) =>
    otherId === undefined ? [] : `block ${number} is ${otherId} to ${node} where ours is ${ours?.blockId}`,
  );
}

function parentOf(child: FetchedBlock | undefined, number: number): OurBlock | undefined {
  if (child?.ours === undefined || child.body?.header.number !== number + 1) return undefined;
  return { isRead: false, blockId: child.body.header.parentId, cursor: child.ours.cursor };
}

async function fetchId(node: TronNode, number: number): Promise<string | NodeError> {
  try {
    const header = await node.getHeader(number);
    return header?.id ?? new IncompleteBlockError(node.label, number);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return error;
  }
}
