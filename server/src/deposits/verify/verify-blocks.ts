import type { Cursor, ReadBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { answersNeeded } from "../settings.ts";
import { findAgreedHeight } from "./agreed-height.ts";
import { addBalances } from "./check-balances.ts";
import { forgetAnswers } from "./node-answers.ts";
import { readSolidBlocks } from "./read-blocks.ts";
import { RETRY_AFTER_BLOCKS } from "./state.ts";
import type { VerifiedBlock } from "./verified-block.ts";
import type { Verifier } from "./verifier.ts";
import { findBlocks, findUnverified, findWaitingBlocks, type SolidBlock } from "./verify-store.ts";

const MAX_BLOCKS = 96;
/** The most blocks with waiting deposits per step. */
const MAX_WAITING_BLOCKS = 12;
/** With a quorum of one, the second reading is this long after the first: accidental faults have passed by then. */
const MIN_AGE_MS = 30_000;

/** The newest verified block, the blocks with results to write, and whether more could be verified now. */
export type VerifiedBlocks = {
  readonly upTo: ReadBlock | undefined;
  readonly blocks: readonly VerifiedBlock[];
  readonly isMore: boolean;
};

/**
 * Reads the infos of solid blocks a second time, up to the height that enough nodes agree on, from as many nodes as must agree.
 * If they report the stored transfers, the block is verified. Otherwise all nodes are called and their votes counted.
 * At a block without enough answers it stops, and the next step continues there.
 */
export async function verifyBlocks(
  context: WatcherContext,
  verifier: Verifier,
  { cursor, solid }: { cursor: Cursor; solid: Pick<ReadBlock, "number"> },
): Promise<VerifiedBlocks> {
  const network = verifier.network.name;
  const { verifying } = verifier;
  const needed = answersNeeded(context.config.deposits, verifier.client.nodes.length);
  // A correction of an older block leaves the verified height as it is stored.
  const known = (verifying.upTo?.number ?? 0) < cursor.solidNumber ? undefined : verifying.upTo;
  const above = known?.number ?? cursor.solidNumber;
  const unverified = await findUnverified(context.db, {
    network,
    above,
    to: solid.number,
    minAgeMs: needed === 1 && network !== "devnet" ? MIN_AGE_MS : 0,
    limit: MAX_BLOCKS,
  });
  const waiting = await findWaiting(context, verifier, { above, solid: solid.number });
  if (unverified.length === 0 && waiting.length === 0) return { upTo: known, blocks: [], isMore: false };
  const agreedHeight = await findAgreedHeight(context, verifier, { cursor, solid, needed });
  const blocks = [...waiting, ...unverified.filter(({ number }) => number <= agreedHeight)];
  const read = await readSolidBlocks(context, verifier, { blocks, needed });
  const verified: VerifiedBlock[] = [];
  let upTo = known;
  let isWhole = true;
  for (const block of blocks) {
    const isWaiting = waiting.includes(block);
    const one = read.get(block.blockId);
    if (one === undefined) {
      isWhole &&= isWaiting;
      continue;
    }
    if (!isWaiting && !isWhole) break;
    if (one.stored.length > 0 || one.quorum !== undefined) verified.push(one);
    if (!isWaiting) upTo = block;
  }
  const isNeeded = new Set(blocks.map(({ blockId }) => blockId));
  forgetAnswers(verifier, (blockId) => isNeeded.has(blockId));
  return {
    upTo,
    blocks: await addBalances(context, verifier, { blocks: verified, needed }),
    isMore: isWhole && unverified.length === MAX_BLOCKS && agreedHeight >= (unverified.at(-1)?.number ?? 0),
  };
}

/** The lowest verified blocks with unconfirmed deposits, 12 a step; the list starts anew about every 20 solid blocks. */
async function findWaiting(
  { db }: WatcherContext,
  verifier: Verifier,
  { above, solid }: { above: number; solid: number },
): Promise<SolidBlock[]> {
  const { verifying, network } = verifier;
  if (!verifying.isRetryDue && solid - verifying.waitingRetriedAt < verifying.retryAfterBlocks) return [];
  const range = { network: network.name, to: above, limit: MAX_WAITING_BLOCKS };
  const numbers = await findWaitingBlocks(db, { ...range, after: verifying.waitingAfter });
  // A long list takes several steps.
  const isEnd = numbers.length < MAX_WAITING_BLOCKS;
  verifying.waitingAfter = isEnd ? -1 : (numbers.at(-1) ?? -1);
  verifying.isRetryDue = false;
  if (isEnd) {
    verifying.waitingRetriedAt = solid;
    verifying.retryAfterBlocks = RETRY_AFTER_BLOCKS;
  }
  const blocks = await findBlocks(db, { network: network.name, numbers });
  // The nodes are called again.
  for (const { blockId } of blocks) verifying.answers.receivedFrom.delete(blockId);
  return blocks;
}
