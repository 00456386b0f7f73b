import { setTimeout as sleep } from "node:timers/promises";
import type { Transaction } from "@daric/postgres/sql";
import { CLAIM_MS, type HistorySource, mustKnowHistory } from "./chain-history.ts";
import type { GuardContext } from "./context.ts";
import { createDeriver, type Deriver } from "./deriver.ts";
import { countUnwatched, lockUnwatched, watchRange } from "./index-gap-store.ts";
import { findIndexState, GAP, listAccountKeys } from "./key-store.ts";
import { createSteps, reserveIndexes } from "./reserve-indexes.ts";

/** The wait while other watchers process the last ranges. */
const WAIT_MS = 100;

/** An issued address may be missing in the directory, so a payment in the next block could be missed. */
export class UnguardedError extends Error {
  override readonly name = "UnguardedError";

  constructor() {
    super("it is not certain that every issued address is watched");
  }
}

/** Stops the watcher from reading blocks while the database may have lost issued addresses. */
export type IndexGuard = {
  /**
   * Called in the transaction that moves the cursor, at the cost of two small reads. It notices any replacement of the database.
   *
   * @throws UnguardedError until {@link restore} has succeeded for this database server.
   */
  require(tx: Transaction): Promise<void>;
  /** Whether {@link require} has thrown since the last restore. */
  isUncertain(): boolean;
  /**
   * Skips the indexes that a lost part of the history may have issued, and watches the addresses of all gaps. If the only node
   * calls a next address used, this takes a minute.
   *
   * @throws NodeError if no node answers for the next addresses.
   */
  restore(): Promise<void>;
  /** Ends the derivation. A running restore ends without effect. */
  stop(): Promise<void>;
};

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
 * Resolves when every skipped address is in the directory, some seconds after a gap. All watchers share the work, and
 * another one takes over the range of a killed one. No create waits for it.
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
