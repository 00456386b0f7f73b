import { IncompleteBlockError, NodeError } from "../../chain/blocks/node-error.ts";
import { LeaseLostError } from "../../runtime/lease.ts";
import { loadOverrides } from "../accept-block.ts";
import type { WatcherContext } from "../context.ts";
import { NotYetError } from "../not-yet-error.ts";
import { createVerifyState, settleAgain } from "../verify/state.ts";
import type { Verifier } from "../verify/verifier.ts";
import { type FetchedBlock, fetchForRescan, rescanBlock } from "./rescan-block.ts";
import { delayRescan, findOpenRescan, type Rescan, refuseRescan } from "./rescan-store.ts";

/** Blocks that are taken up between two looks at the head; each is a few milliseconds of the database. */
const MAX_BLOCKS_AT_ONCE = 8;
/** How often it is asked whether there is a range to read, while none is: most processes never have one. */
const POLL_EVERY_MS = 5_000;
/** How long the nodes are left alone after one of them failed. */
const PAUSE_MS = 5_000;

/** What nodes answered about the next blocks of a range. */
type Fetched = {
  readonly rescan: Rescan;
  readonly blocks: readonly FetchedBlock[];
  /** why no node showed the one after them */
  readonly failure: unknown;
};

/** Reads ranges of blocks again that an operator asked for. */
export type RescanWorker = {
  /** To be called between two steps of the watcher. Takes up what has arrived, and asks for more; waits for no node. */
  step(verifier: Verifier): Promise<void>;
};

/**
 * Works off ranges beside the watcher, which never waits for it: blocks are fetched while the watcher goes on, and written
 * between its steps, a few at a time. `onArrival` is called when there is something to write.
 */
export function createRescanWorker(context: WatcherContext, onArrival: () => void): RescanWorker {
  let isFetching = false;
  let fetched: Fetched | undefined;
  let nextPollMs = 0;
  // What nodes told of blocks of a range is not what they told of those at the tip.
  const verifying = createVerifyState();

  const fetch = (verifier: Verifier, rescan: Rescan): void => {
    isFetching = true;
    void fetchBlocks((wanted) => fetchForRescan(context, verifier, wanted), rescan).then((arrived) => {
      [isFetching, fetched] = [false, arrived];
      onArrival();
    });
  };

  return {
    step: async (tip) => {
      const verifier = { ...tip, verifying };
      const nowMs = context.clock.monotonicMs();
      if (isFetching || (fetched === undefined && nowMs < nextPollMs)) return;
      const arrived = fetched;
      fetched = undefined;
      const isWell = arrived === undefined || (await takeUp(context, verifier, arrived));
      if (verifying.isRetryDue) settleAgain(tip.verifying);
      verifying.isRetryDue = false;
      nextPollMs = nowMs + (isWell ? POLL_EVERY_MS : PAUSE_MS);
      if (!isWell) return;
      const rescan = await findOpenRescan(context.db, verifier.network.name);
      if (rescan === undefined) return;
      await loadOverrides(context.db, verifier);
      fetch(verifier, rescan);
    },
  };
}

async function fetchBlocks(
  fetchOne: (wanted: { number: number; child: FetchedBlock | undefined }) => Promise<FetchedBlock>,
  rescan: Rescan,
): Promise<Fetched> {
  const { next, from, to, goesDown } = rescan;
  const count = Math.min(MAX_BLOCKS_AT_ONCE, goesDown ? next - from + 1 : to - next + 1);
  const numbers = Array.from({ length: count }, (_, offset) => (goesDown ? next - offset : next + offset));
  const blocks: FetchedBlock[] = [];
  for (const number of numbers) {
    try {
      blocks.push(await fetchOne({ number, child: blocks.at(-1) }));
    } catch (failure) {
      return { rescan, blocks, failure };
    }
  }
  return { rescan, blocks, failure: undefined };
}

/** Writes what arrived; answers whether the nodes can be asked on. Whatever is in the way is noted, so that the range ends. */
async function takeUp(
  context: WatcherContext,
  verifier: Verifier,
  { rescan, blocks, failure }: Fetched,
): Promise<boolean> {
  try {
    for (const block of blocks)
      await rescanBlock(context, verifier, { rescan: { ...rescan, next: block.number }, fetched: block });
    if (failure !== undefined) throw failure;
    return true;
  } catch (error) {
    if (!(error instanceof Error) || error instanceof LeaseLostError) throw error;
    await delay(context, { network: verifier.network.name, rescan, error });
    if (!(error instanceof NodeError || error instanceof NotYetError))
      context.log.error(
        { event: "rescan_failed", rescan: rescan.id, err: error },
        "the blocks of a rescan could not be written",
      );
    return false;
  }
}

/** A block that no node has is not waited for: it is below our newest one, so that it is not kept. */
async function delay(
  { db, log }: WatcherContext,
  { network, rescan, error }: { network: string; rescan: Rescan; error: Error },
): Promise<void> {
  const scope = { network, id: rescan.id };
  if (error instanceof IncompleteBlockError && error.reason === undefined) {
    const { blockNumber } = error;
    const rest = rescan.goesDown
      ? `--from ${rescan.from} --to ${blockNumber}`
      : `--from ${blockNumber} --to ${rescan.to}`;
    const note = `no node keeps block ${blockNumber}: name one that does, and ask for the rest, ${rest}`;
    await refuseRescan(db, { ...scope, note });
    log.warn({ event: "rescan_stopped", rescan: rescan.id, note }, "a rescan stopped before its end");
    return;
  }
  const isOver = await delayRescan(db, { ...scope, note: error.message });
  if (isOver)
    log.warn(
      { event: "rescan_stopped", rescan: rescan.id, note: error.message },
      "a rescan stopped before its end",
    );
}
