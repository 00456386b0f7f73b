import type { Queryable, Transaction } from "@daric/postgres/sql";
import type { Cursor, ReadBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { answersNeeded } from "../settings.ts";
import type { StoredDeposit } from "./agree.ts";
import { findAgreedHeight } from "./agreed-height.ts";
import { forgetAnswers } from "./answer-cache.ts";
import { addBalances } from "./check-balances.ts";
import { readSolidBlocks } from "./read-blocks.ts";
import { findSolidHeight } from "./solid-height.ts";
import type { Retries, VerifyState } from "./state.ts";
import type { VerifiedBlock } from "./verified-block.ts";
import type { Verifier } from "./verifier.ts";
import {
  findBlocks,
  findStored,
  findUnverified,
  findWaitingBlocks,
  type SolidBlock,
} from "./verify-store.ts";

const MAX_BLOCKS = 96;
/** The most blocks with waiting deposits per step. */
const MAX_WAITING_BLOCKS = 12;
/** From the end of one pass over them to the next: a minute of blocks. */
const RETRY_EVERY_BLOCKS = 20;
/** With a quorum of one, the second reading is this long after the first: accidental faults have passed by then. */
const MIN_AGE_MS = 30_000;

/** The blocks for a second reading that the database names, before any node is called. */
export type DueBlocks = {
  /** the height of the newest solid block */
  readonly solid: number;
  /** solid blocks that were not verified yet */
  readonly unverified: readonly SolidBlock[];
  /** verified blocks with unconfirmed deposits */
  readonly waiting: readonly SolidBlock[];
  readonly retries: Retries;
  /** the unconfirmed deposits in these blocks, by block number */
  readonly stored: ReadonlyMap<number, readonly StoredDeposit[]>;
};

/** The newest verified block, the blocks with results to write, and whether more could be verified now. */
export type VerifiedBlocks = {
  readonly upTo: ReadBlock | undefined;
  readonly blocks: readonly VerifiedBlock[];
  readonly isMore: boolean;
};

/** The parts of the state that this step reads, and those that it returns. */
type Known = Pick<VerifyState, "answers" | "standing" | "upTo" | "retries">;
type Learnt = Pick<VerifyState, "standing" | "retries">;

/** Finds the solid blocks to read again, in one transaction, because a quiet process would make four at each block. */
export async function findDueBlocks(
  context: WatcherContext,
  verifier: Verifier,
  { tx, cursor, known }: { readonly tx: Transaction; readonly cursor: Cursor; readonly known: Known },
): Promise<DueBlocks> {
  const network = verifier.network.name;
  const height = await findSolidHeight(tx, { network, head: cursor.number });
  const solid = Math.max(cursor.solidNumber, height ?? 0);
  const above = newestVerified(known, cursor)?.number ?? cursor.solidNumber;
  const needed = answersNeeded(context.config.deposits, verifier.client.nodes.length);
  const unverified = await findUnverified(tx, {
    network,
    above,
    to: solid,
    minAgeMs: needed === 1 && network !== "devnet" ? MIN_AGE_MS : 0,
    limit: MAX_BLOCKS,
  });
  const { waiting, retries } = await findWaiting(tx, verifier, { known, above, solid });
  const numbers = [...waiting, ...unverified].map(({ number }) => number);
  const stored = await findStored(tx, { network, numbers });
  return { solid, unverified, waiting, retries, stored };
}

/** A correction of an older block leaves the verified height as it is stored. */
function newestVerified({ upTo }: Known, { solidNumber }: Cursor): ReadBlock | undefined {
  return (upTo?.number ?? 0) < solidNumber ? undefined : upTo;
}

/**
 * Reads the infos of solid blocks a second time, up to the height that enough nodes agree on, from as many nodes as must agree.
 * If they report the stored transfers, the block is verified. Otherwise all nodes are called and their votes counted.
 * At a block without enough answers it stops, and the next step continues there.
 */
export async function verifyBlocks(
  context: WatcherContext,
  verifier: Verifier,
  { cursor, due, known }: { cursor: Cursor; due: DueBlocks; known: Known },
): Promise<VerifiedBlocks & { readonly learnt: Learnt }> {
  const { answers, standing } = known;
  const { unverified, waiting, retries, stored } = due;
  const solid = { number: due.solid };
  const needed = answersNeeded(context.config.deposits, verifier.client.nodes.length);
  const newest = newestVerified(known, cursor);
  if (unverified.length === 0 && waiting.length === 0)
    return { upTo: newest, blocks: [], isMore: false, learnt: { standing, retries } };
  const agreed = await findAgreedHeight(context, verifier, { cursor, solid, needed, answers, standing });
  const blocks = [...waiting, ...unverified.filter(({ number }) => number <= agreed.height)];
  const { excluded } = agreed.standing;
  const reading = await readSolidBlocks(context, verifier, { blocks, stored, needed, answers, excluded });
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
  db: Queryable,
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
