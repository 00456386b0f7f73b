import type { TronNode } from "../chain/chain-reader.ts";
import { NodeError } from "../chain/node-error.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import { findKnownWitnesses, type KnownWitnesses } from "../witnesses/find-known-witnesses.ts";
import type { WatcherContext } from "./context.ts";
import { NotYetError } from "./not-yet-error.ts";
import type { Scanner } from "./scanner.ts";
import { MAX_WALK, walkAll } from "./walk-headers.ts";

/** Solidity stands still for minutes at worst; a node that says more (these are 50) is not followed further back. */
export const MAX_SOLID_LAG = 1_000;

/** The block above which reading would begin by what nodes say, and by what it was chosen. */
export type ToldStart = {
  readonly header: BlockHeader;
  /** the first block that the settings name */
  readonly configured: number | undefined;
  /** the time up to which nobody was asked to pay, where that decided: of no later block */
  readonly untilMs: number | undefined;
};

/** Blocks that known witnesses have proven: the one of a height, the second above it, and the newest of all. */
type Proof = {
  readonly block: BlockHeader;
  readonly above: BlockHeader | undefined;
  readonly newest: number | undefined;
};

/**
 * The block to begin above, as the chain has it: the one told where enough known witnesses have built on it, the one of its
 * height that they have built on at another node, or the newest such block where that is lower. What was made by witnesses
 * whose keys nobody knows any more, or where nobody is pinned, is the block that all nodes show: silence is no consent.
 *
 * @throws NotYetError where nothing is proven and the nodes show different blocks or one of them none, or where what is proven shows that the block
 *   was not the one to be looked for.
 */
export async function proveStart(
  context: WatcherContext,
  { client: { nodes }, network }: Scanner,
  told: ToldStart,
): Promise<BlockHeader> {
  const { header } = told;
  const known = await findKnownWitnesses(context.db, network.name);
  const proof = known && (await findProof(nodes, known, header));
  if (proof !== undefined) return requireFitting(proof, told);
  await requireUnanimity(nodes, header);
  context.log.info(
    { block_number: header.number, block_id: header.id },
    "no known witnesses prove the block above which reading begins; every node shows it",
  );
  return header;
}

async function findProof(
  nodes: readonly TronNode[],
  known: KnownWitnesses,
  header: BlockHeader,
): Promise<Proof | undefined> {
  const { number } = header;
  const floor = (head: number) => Math.max(1, Math.min(number, head));
  const isNear = (head: number) => head - number < MAX_WALK;
  const [newest] = await walkAll(nodes, known, (head) => ({
    top: head,
    floor: isNear(head) ? floor(head) : head,
  }));
  const top = number + MAX_WALK - 1;
  const [above] =
    newest !== undefined && isNear(newest.headers[0]?.number ?? 0)
      ? [newest]
      : await walkAll(nodes, known, (head) => ({ top: Math.min(head, top), floor: floor(head) }));
  if (above === undefined) return undefined;
  const at = (height: number) => above.headers.find((one) => one.number === height);
  const block = above.proven.number <= number ? above.proven : (at(number) ?? genesisBelow(header, at(1)));
  return block && { block, above: at(number + 2), newest: newest?.proven.number };
}

/** Block 0, which nobody has signed: the first block says its id. */
function genesisBelow(header: BlockHeader, first: BlockHeader | undefined): BlockHeader | undefined {
  return header.number === 0 && first !== undefined ? { ...header, id: first.parentId } : undefined;
}

/**
 * Where the blocks were that the search went by, only one node has said: what is proven of the block that it came to must be
 * what was looked for, or a payment could be passed over, or years be read before the first.
 */
function requireFitting(
  { block, above, newest = 0 }: Proof,
  { header, configured, untilMs }: ToldStart,
): BlockHeader {
  const isFarBack = header.number < newest - 1 - MAX_SOLID_LAG;
  const isTooLate = untilMs !== undefined && header.number > 0 && block.timeMs > untilMs;
  const isTooEarly =
    untilMs === undefined
      ? header.number < (configured ?? Number.POSITIVE_INFINITY) - 1
      : above !== undefined && above.timeMs <= untilMs && untilMs !== Number.POSITIVE_INFINITY;
  if (!isTooLate && !(isFarBack && isTooEarly)) return block;
  throw new NotYetError(
    `block ${header.number} is not where reading has to begin, as known witnesses prove; the beginning is looked for again`,
  );
}

async function requireUnanimity(nodes: readonly TronNode[], { number, id }: BlockHeader): Promise<void> {
  // A single node has just told it.
  if (nodes.length < 2) return;
  const answers = await Promise.all(
    nodes.map(async (node) => ({ label: node.label, told: await askId(node, number) })),
  );
  const until = "nothing is read until they agree or are asked no more";
  if (answers.some(({ told }) => told.id !== undefined && told.id !== id))
    throw new NotYetError(
      `the nodes show different blocks ${number}, above which reading would begin, and no known witnesses prove one of them; ${until}`,
    );
  const silent = answers.filter(({ told }) => told.id === undefined);
  if (silent.length === 0) return;
  const who = silent.map(({ label, told }) => told.words ?? `${label}: has no such block`).join("; ");
  throw new NotYetError(
    `not every node shows block ${number}, above which reading would begin, and no known witnesses prove it; ${until} (${who})`,
  );
}

/** The id that a node shows at a height; without one what is wrong, where it did not answer. */
async function askId(node: TronNode, number: number): Promise<{ id?: string; words?: string }> {
  try {
    const header = await node.getHeader(number);
    return header === undefined ? {} : { id: header.id };
  } catch (error) {
    if (error instanceof NodeError) return { words: error.words };
    throw error;
  }
}
