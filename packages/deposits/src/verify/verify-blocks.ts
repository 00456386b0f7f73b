import type { Cursor, ReadBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { answersNeeded } from "../settings.ts";
import { findAgreedHeight } from "./agreed-height.ts";
import { forgetAnswers } from "./answer-cache.ts";
import { addBalances } from "./check-balances.ts";
import { readSolidBlocks } from "./read-blocks.ts";
import type { Retries, VerifyState } from "./state.ts";
import type { VerifiedBlock } from "./verified-block.ts";
import type { Verifier } from "./verifier.ts";
import { findBlocks, findUnverified, findWaitingBlocks, type SolidBlock } from "./verify-store.ts";

const MAX_BLOCKS = 96;
/** The most blocks with waiting deposits per step. */
const MAX_WAITING_BLOCKS = 12;
/** From the end of one pass over them to the next: a minute of blocks. */
const RETRY_EVERY_BLOCKS = 20;
/** With a quorum of one, the second reading is this long after the first: accidental faults have passed by then. */
const MIN_AGE_MS = 30_000;

/** The newest verified block, the blocks with results to write, and whether more could be verified now. */
export type VerifiedBlocks = {
  readonly upTo: ReadBlock | undefined;
  readonly blocks: readonly VerifiedBlock[];
  readonly isMore: boolean;
};

/** The parts of the state that this step reads, and those that it returns. */
type Known = Pick<VerifyState, "answers" | "standing" | "upTo" | "retries">;
type Learnt = Pick<VerifyState, "standing" | "retries">;

/**
 * Reads the infos of solid blocks a second time, up to the height that enough nodes agree on, from as many nodes as must agree.
 * If they report the stored transfers, the block is verified. Otherwise all nodes are called and their votes counted.
 * At a block without enough answers it stops, and the next step continues there.
 */
export async function verifyBlocks(
  context: WatcherContext,
  verifier: Verifier,
  { cursor, solid, known }: { cursor: Cursor; solid: Pick<ReadBlock, "number">; known: Known },
): Promise<VerifiedBlocks & { readonly learnt: Learnt }> {
  const network = verifier.network.name;
  const { answers } = known;
  const needed = answersNeeded(context.config.deposits, verifier.client.nodes.length);
  // A correction of an older block leaves the verified height as it is stored.
  const newest = (known.upTo?.number ?? 0) < cursor.solidNumber ? undefined : known.upTo;
  const above = newest?.number ?? cursor.solidNumber;
  const unverified = await findUnverified(context.db, {
    network,
    above,
    to: solid.number,
    minAgeMs: needed === 1 && network !== "devnet" ? MIN_AGE_MS : 0,
    limit: MAX_BLOCKS,
  });
  const { waiting, retries } = await findWaiting(context, verifier, { known, above, solid: solid.number });
  const { standing } = known;
  if (unverified.length === 0 && waiting.length === 0)
    return { upTo: newest, blocks: [], isMore: false, learnt: { standing, retries } };
  const agreed = await findAgreedHeight(context, verifier, { cursor, solid, needed, answers, standing });
  const blocks = [...waiting, ...unverified.filter(({ number }) => number <= agreed.height)];
  const { excluded } = agreed.standing;
  const reading = await readSolidBlocks(context, verifier, { blocks, needed, answers, excluded });
  const verified: VerifiedBlock[] = [];
  let upTo = newest;
  let isWhole = true;
  for (const block of blocks) {
    const isWaiting = waiting.includes(block);
    const verifiedBlock = reading.read.get(block.blockId);
    if (verifiedBlock === undefined) {
      isWhole &&= isWaiting;
      continue;
    }
    if (!isWaiting && !isWhole) break;
    if (verifiedBlock.stored.length > 0 || verifiedBlock.quorum !== undefined) verified.push(verifiedBlock);
    if (!isWaiting) upTo = block;
  }
  const isNeeded = new Set(blocks.map(({ blockId }) => blockId));
  forgetAnswers(answers, (blockId) => isNeeded.has(blockId));
  const checked = await addBalances(context, verifier, { blocks: verified, needed });
  // A missing balance is asked for again at the next solid block.
  const dueAt = reading.isComplete && checked.isComplete ? Number.POSITIVE_INFINITY : solid.number + 1;
  return {
    upTo,
    blocks: checked.blocks,
    isMore: isWhole && unverified.length === MAX_BLOCKS && agreed.height >= (unverified.at(-1)?.number ?? 0),
    learnt: {
      standing: agreed.standing,
      retries: { ...retries, dueAt: Math.min(retries.dueAt, dueAt) },
    },
  };
}

/** The lowest verified blocks with unconfirmed deposits, 12 a step; the list starts anew about every 20 solid blocks. */
async function findWaiting(
  { db }: WatcherContext,
  { network: { name: network } }: Verifier,
  { known: { retries, answers }, above, solid }: { known: Known; above: number; solid: number },
): Promise<{ waiting: readonly SolidBlock[]; retries: Retries }> {
  if (solid < retries.dueAt) return { waiting: [], retries };
  const range = { network, to: above, limit: MAX_WAITING_BLOCKS };
  const numbers = await findWaitingBlocks(db, { ...range, after: retries.after });
  const waiting = await findBlocks(db, { network, numbers });
  // The nodes are called again.
  const isRetried = new Set(waiting.map(({ blockId }) => blockId));
  forgetAnswers(answers, (blockId) => !isRetried.has(blockId));
  // A long list takes several steps.
  const last = numbers.length < MAX_WAITING_BLOCKS ? undefined : numbers.at(-1);
  if (last !== undefined) return { waiting, retries: { ...retries, after: last } };
  return { waiting, retries: { dueAt: solid + RETRY_EVERY_BLOCKS, after: -1 } };
}
