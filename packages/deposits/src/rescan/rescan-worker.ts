import { IncompleteBlockError, NodeError } from "@daric/chain/blocks/node-error";
import { LeaseLostError } from "@daric/runtime/lease";
import { loadOverrides } from "../accept-block.ts";
import type { WatcherContext } from "../context.ts";
import { NotYetError } from "../not-yet-error.ts";
import { answersNeeded } from "../settings.ts";
import { type AnswerCache, createAnswerCache } from "../verify/answer-cache.ts";
import type { Verifier } from "../verify/verifier.ts";
import { type FetchedBlock, fetchAgain } from "./fetch-again.ts";
import { rescanBlock } from "./rescan-block.ts";
import { delayRescan, findOpenRescan, type Rescan, refuseRescan } from "./rescan-store.ts";

/** Blocks between two polls of the head; each takes the database a few milliseconds. */
const MAX_BLOCKS_AT_ONCE = 8;
const POLL_EVERY_MS = 5_000;
const PAUSE_MS = 5_000;

type Fetched = {
  readonly rescan: Rescan;
  readonly blocks: readonly FetchedBlock[];
  /** why the next block could not be fetched */
  readonly failure: unknown;
};

export type RescanWorker = {
  /**
   * Called between two steps of the watcher. It writes fetched blocks and starts the next fetch; it waits for no node. Returns whether
   * the watcher must settle again, because the blocks had other deposits.
   */
  step(verifier: Verifier): Promise<boolean>;
};

/**
 * Works on rescans beside the watcher: blocks are fetched in the background and written between the watcher's steps. `onArrival` is
 * called when blocks have arrived.
 */
export function createRescanWorker(context: WatcherContext, onArrival: () => void): RescanWorker {
  let isFetching = false;
  let fetched: Fetched | undefined;
  let nextPollMs = 0;
  /** kept while a step fails after its writes */
  let hasFound = false;
  // Answers for blocks of a rescan are kept apart from those at the tip.
  const answers = createAnswerCache();

  const fetch = (verifier: Verifier, rescan: Rescan): void => {
    isFetching = true;
    const needed = answersNeeded(context.config.deposits, verifier.client.nodes.length);
    const fetchOne: FetchOne = (wanted) => fetchAgain(context, verifier, { ...wanted, needed, answers });
    void fetchBlocks(fetchOne, rescan).then((arrived) => {
      [isFetching, fetched] = [false, arrived];
      onArrival();
    });
  };

  const step = async (verifier: Verifier): Promise<void> => {
    const nowMs = context.clock.monotonicMs();
    if (isFetching || (fetched === undefined && nowMs < nextPollMs)) return;
    const arrived = fetched && { ...fetched, answers, onFound: () => (hasFound = true) };
    fetched = undefined;
    const isWell = arrived === undefined || (await writeFetched(context, verifier, arrived));
    nextPollMs = nowMs + (isWell ? POLL_EVERY_MS : PAUSE_MS);
    if (!isWell) return;
    const rescan = await findOpenRescan(context.db, verifier.network.name);
    if (rescan === undefined) return;
    await loadOverrides(context.db, verifier);
    fetch(verifier, rescan);
  };

  return {
    step: async (verifier) => {
      await step(verifier);
      const isTold = hasFound;
      hasFound = false;
      return isTold;
    },
  };
}

type FetchOne = (wanted: { number: number; child: FetchedBlock | undefined }) => Promise<FetchedBlock>;

async function fetchBlocks(fetchOne: FetchOne, rescan: Rescan): Promise<Fetched> {
  const { next, from, to, goesDown } = rescan;
  const count = Math.min(MAX_BLOCKS_AT_ONCE, goesDown ? next - from + 1 : to - next + 1);
  const numbers = Array.from({ length: count }, (_, offset) => (goesDown ? next - offset : next + offset));
  const blocks: FetchedBlock[] = [];
  for (const number of numbers) {
    try {
      const fetched = await fetchOne({ number, child: blocks.at(-1) });
      const failures = fetched.answers.flatMap(({ failure }) => failure ?? []);
      if (failures.length === fetched.answers.length) throw failures[0];
      blocks.push(fetched);
    } catch (failure) {
      return { rescan, blocks, failure };
    }
  }
  return { rescan, blocks, failure: undefined };
}

type Arrived = Fetched & { readonly answers: AnswerCache; readonly onFound: () => void };

/** Writes fetched blocks. Returns false if the nodes need a pause; every failure is recorded, so that the rescan ends. */
async function writeFetched(
  context: WatcherContext,
  verifier: Verifier,
  { rescan, blocks, failure, answers, onFound }: Arrived,
): Promise<boolean> {
  try {
    for (const fetched of blocks) {
      const next = { ...rescan, next: fetched.number };
      if (await rescanBlock(context, verifier, { rescan: next, fetched, answers })) onFound();
    }
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

/** A missing block ends the rescan: it lies below our newest one, so the nodes do not keep it. */
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
    const note = `no node keeps block ${blockNumber}: configure one that does, and rescan the rest, ${rest}`;
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
