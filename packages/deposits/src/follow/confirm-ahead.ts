import type { LazyBlock } from "@daric/chain/blocks/lazy-block";
import type { ParentBlock } from "@daric/chain/nodes/chain-reader";
import { hungServer } from "@daric/postgres/tenants";
import { loadOverrides } from "../accept-block.ts";
import { findCursor } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { answersNeeded } from "../settings.ts";
import { type AnswerCache, createAnswerCache } from "../verify/answer-cache.ts";
import { findHalt } from "../verify/halt-store.ts";
import { ScanHaltedError } from "../verify/solid-contradiction.ts";
import { MIN_SOLID_LAG, solidHeightOf } from "../verify/solid-height.ts";
import { confirmBlocksAhead } from "./confirm-blocks-ahead.ts";
import { fetchAhead } from "./fetch-ahead.ts";
import { findOurId } from "./follow-fork.ts";
import type { Scanner } from "./scanner.ts";

/** The most blocks that are kept until they are solid, that are read in one step, and that are confirmed together. */
const MAX_KEPT = 486;
const MAX_READ_AT_ONCE = 60;
const MAX_CONFIRMED_AT_ONCE = 24;
const MAX_STEP_MS = 3_000;
/** With a quorum of one, the second reading is this long after the first. */
const MIN_AGE_MS = 30_000;

type Kept = { readonly lazy: LazyBlock; readonly readMs: number };
type Place = ParentBlock & { readonly number: number };

/** The position of one reading ahead. All of it may be lost: the next one begins at the newest verified block. */
type Position = {
  readonly epoch: bigint;
  /** the newest verified block when it began */
  readonly from: number;
  /** the last block that is done */
  done: Place;
  /** the blocks above it, each the child of the one before */
  kept: Kept[];
  /** the number of each witness's last block */
  readonly lastBlocks: Map<string, number>;
};

export type AheadReader = {
  /**
   * Reads on and confirms, up to the solid block, if a server hangs; returns whether one does.
   * @throws NodeError if no node has the next block.
   * @throws ScanHaltedError while the scan is halted, or to be resumed.
   */
  step(scanner: Scanner): Promise<boolean>;
};

/**
 * While a server of a distributed database hangs, no block can be written, since every server has the blocks. So the watcher reads ahead of
 * its cursor and confirms the payments of solid blocks for the merchants of the other servers. Once the server answers, reading
 * goes on at the cursor for all merchants. Until then no order expires.
 */
export function createAheadReader(context: WatcherContext): AheadReader {
  let position: Position | undefined;
  const answers = createAnswerCache();

  async function begin(scanner: Scanner): Promise<Position | undefined> {
    const { network, lease } = scanner;
    await loadOverrides(context.db, scanner);
    const halt = await findHalt(context.db, network.name);
    if (halt !== undefined) throw new ScanHaltedError(halt);
    const cursor = await findCursor(context.db, network.name);
    if (cursor === undefined) return undefined;
    const { solidNumber: number } = cursor;
    const id = await findOurId(context, scanner, { cursor, number });
    if (id === undefined) return undefined;
    const done = { number, id, timeMs: 0 };
    return { epoch: lease.epoch, from: number, done, kept: [], lastBlocks: new Map() };
  }

  return {
    step: async (scanner) => {
      const isHung = hungServer() !== undefined;
      if (!isHung) position = undefined;
      else if (position?.epoch !== scanner.lease.epoch) position = await begin(scanner);
      const ours = position;
      if (ours === undefined) return isHung;
      const head = await scanner.client.getHeadBlock();
      if (!(await readOn(context, scanner, { position: ours, head: head.number }))) position = undefined;
      else await confirmSolid(context, scanner, { position: ours, answers });
      return true;
    },
  };
}

/** Reads the blocks above those that are kept. Returns false if the nodes left these for another branch. */
async function readOn(
  { clock }: WatcherContext,
  scanner: Scanner,
  { position, head }: { position: Position; head: number },
): Promise<boolean> {
  const { kept, lastBlocks } = position;
  const top = topOf(position);
  const to = Math.min(head, top.number + MAX_READ_AT_ONCE, position.done.number + MAX_KEPT);
  if (to <= top.number) return true;
  const untilMs = clock.monotonicMs() + MAX_STEP_MS;
  const wanted = { from: top.number + 1, parent: top, to, oldTo: head - MIN_SOLID_LAG };
  const isEnough = () => clock.monotonicMs() > untilMs;
  for await (const blocks of fetchAhead(scanner, { ...wanted, isEnough }))
    for (const lazy of blocks) {
      const { header } = lazy.summary;
      const above = topOf(position);
      if (header.parentId !== above.id || header.timeMs <= above.timeMs) return false;
      kept.push({ lazy, readMs: clock.monotonicMs() });
      lastBlocks.set(header.witnessHex, header.number);
    }
  return true;
}

function topOf({ kept, done }: Position): Place {
  const { number, id, timeMs } = kept.at(-1)?.lazy.summary.header ?? done;
  return { number, id, timeMs };
}

/** Confirms the payments of kept blocks that are solid and that enough nodes have, in order. */
async function confirmSolid(
  context: WatcherContext,
  scanner: Scanner,
  { position, answers }: { position: Position; answers: AnswerCache },
): Promise<void> {
  const { clock } = context;
  const { name } = scanner.network;
  const needed = answersNeeded(context.config.deposits, scanner.client.nodes.length);
  const { number: head } = topOf(position);
  const solid = solidHeightOf(name, [...position.lastBlocks.values()], { from: position.from, head }) ?? 0;
  const minAgeMs = needed === 1 && name !== "devnet" ? MIN_AGE_MS : 0;
  const untilMs = clock.monotonicMs() + MAX_STEP_MS;
  while (clock.monotonicMs() < untilMs) {
    const nowMs = clock.monotonicMs();
    const isDue = ({ lazy, readMs }: Kept) =>
      lazy.summary.header.number <= solid && nowMs - readMs >= minAgeMs;
    const due = position.kept.slice(0, MAX_CONFIRMED_AT_ONCE).filter(isDue);
    const newest = due.at(-1)?.lazy.summary.header;
    if (newest === undefined || (needed > 1 && (await countAgreeing(scanner, newest)) < needed)) return;
    const blocks = due.map(({ lazy }) => lazy);
    const count = await confirmBlocksAhead(context, scanner, { blocks, head, answers });
    const last = blocks[count - 1]?.summary.header;
    if (last !== undefined) position.done = last;
    position.kept.splice(0, count);
    if (count < due.length) return;
  }
}

/** How many nodes have this block. Its id proves all blocks below it. */
async function countAgreeing(
  { client }: Scanner,
  { number, id }: Pick<Place, "number" | "id">,
): Promise<number> {
  const ids = await Promise.allSettled(client.nodes.map(async (node) => (await node.getHeader(number))?.id));
  return ids.filter((answer) => answer.status === "fulfilled" && answer.value === id).length;
}
