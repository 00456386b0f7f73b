import type { Transaction } from "@daric/postgres/sql";
import { CLAIM_MS, type HistorySource, mustKnowHistory } from "./chain-history.ts";
import type { GuardContext } from "./context.ts";
import { createDeriver } from "./deriver.ts";
import { findIndexState, JUMP, listAccountKeys } from "./key-store.ts";
import { createSteps, takeAhead } from "./take-ahead.ts";
import { watchSkipped } from "./watch-skipped.ts";

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
  isInDoubt(): boolean;
  /**
   * Jumps over what may have been issued without this database knowing, and derives and watches what anybody has jumped
   * over. Where the only node calls one of the next addresses used, it takes a minute to say so for certain.
   *
   * @throws NodeError when no node says what became of the next addresses.
   */
  restore(): Promise<void>;
  /** Ends the derivation; a restore that is under way ends too, and has restored nothing. */
  stop(): Promise<void>;
};

/** Nothing is guarded before the first {@link IndexGuard.restore}, which jumps by `jump` indexes. */
export function createIndexGuard(
  context: GuardContext,
  chain: HistorySource,
  { jump = JUMP, claimMs = CLAIM_MS }: { jump?: number; claimMs?: number } = {},
): IndexGuard {
  const stopping = new AbortController();
  const { clock } = context;
  const askHistory = mustKnowHistory(chain, { clock, claimMs, signal: stopping.signal });
  const tools = { deriver: createDeriver(context), askHistory, jump, steps: createSteps(clock) };
  let guardedMs: number | undefined;
  let isInDoubt = false;
  return {
    isInDoubt: () => isInDoubt,
    require: async (tx) => {
      const { isWatched, startedMs } = await findIndexState(tx);
      isInDoubt = !isWatched || startedMs !== guardedMs;
      if (isInDoubt) throw new UnguardedError();
    },
    restore: async () => {
      const { startedMs } = await findIndexState(context.db);
      try {
        for (const key of await listAccountKeys(context.db)) {
          await takeAhead(context, tools, { key, count: 0, lookedUpMs: undefined });
        }
        await watchSkipped(context, tools.deriver);
        guardedMs = startedMs;
        isInDoubt = false;
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
