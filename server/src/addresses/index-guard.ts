import { setTimeout as sleep } from "node:timers/promises";
import type { Transaction } from "@daric/postgres/sql";
import { CLAIM_MS, type HistorySource, mustKnowHistory } from "./chain-history.ts";
import type { GuardContext } from "./context.ts";
import { createDeriver, type Deriver } from "./deriver.ts";
import { countUnwatched, lockUnwatched, watchRange } from "./index-gap-store.ts";
import { findIndexState, GAP, listAccountKeys } from "./key-store.ts";
import { createSteps, reserveIndexes } from "./reserve-indexes.ts";

/** Others are at the last ranges. */
const WAIT_MS = 100;

/** An address that somebody may pay may not be watched: a block that is read now could hold a payment that is missed. */
export class UnguardedError extends Error {
  override readonly name = "UnguardedError";

  constructor() {
    super("it is not certain that every address which was given to somebody is watched");
  }
}

/** What keeps the watcher from reading past payments to addresses that a lost part of the database's history issued. */
export type IndexGuard = {
  /**
   * Asked in the transaction that moves the cursor past a block: whatever the database was replaced by meanwhile, no
   * block is read over addresses that are missing. Costs one look at two small tables.
   *
   * @throws UnguardedError until {@link restore} has resolved for this server.
   */
  require(tx: Transaction): Promise<void>;
  /** Whether {@link require} has thrown, and nothing was restored since. */
  isUncertain(): boolean;
  /**
   * Skips what may have been issued without this database knowing, and derives and watches what anybody has skipped
   * over. Where the only node calls one of the next addresses used, it takes a minute to say so for certain.
   *
   * @throws NodeError when no node says what became of the next addresses.
   */
  restore(): Promise<void>;
  /** Ends the derivation; a restore that is under way ends too, and has restored nothing. */
  stop(): Promise<void>;
};

/** Nothing is guarded before the first {@link IndexGuard.restore}, which skips by `gapSize` indexes. */
export function createIndexGuard(
  context: GuardContext,
  chain: HistorySource,
  { gapSize = GAP, claimMs = CLAIM_MS }: { gapSize?: number; claimMs?: number } = {},
): IndexGuard {
  const stopping = new AbortController();
  const { clock } = context;
  const fetchHistory = mustKnowHistory(chain, { clock, claimMs, signal: stopping.signal });
  const tools = { deriver: createDeriver(context), fetchHistory, gapSize, steps: createSteps(clock) };
  let guardedMs: number | undefined;
  let isUncertain = false;
  return {
    isUncertain: () => isUncertain,
    require: async (tx) => {
      const { isWatched, startedMs } = await findIndexState(tx);
      isUncertain = !isWatched || startedMs !== guardedMs;
      if (isUncertain) throw new UnguardedError();
    },
    restore: async () => {
      const { startedMs } = await findIndexState(context.db);
      try {
        for (const key of await listAccountKeys(context.db)) {
          await reserveIndexes(context, tools, { key, count: 0, historyKnownMs: undefined });
        }
        await watchIndexGaps(context, tools.deriver);
        guardedMs = startedMs;
        isUncertain = false;
      } catch (error) {
        if (!stopping.signal.aborted) throw error;
      }
    },
    stop: () => {
      stopping.abort();
      return tools.deriver.stop();
    },
  };
}

/**
 * Resolves when every address that was skipped is in the directory: some seconds after a gap, which all watchers
 * that come here share. What one that is killed has begun another one takes over. No create waits for it.
 */
async function watchIndexGaps({ db }: Pick<GuardContext, "db">, deriver: Deriver): Promise<void> {
  while ((await countUnwatched(db)) > 0) {
    const hasWatched = await db.transaction(async (tx) => {
      const range = await lockUnwatched(tx);
      if (range !== undefined) await watchRange(tx, range, await deriver.derive(range));
      return range !== undefined;
    });
    if (!hasWatched) await sleep(WAIT_MS);
  }
}
