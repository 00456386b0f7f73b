import type { Transaction } from "@daric/postgres/sql";
import { type HistorySource, mustKnowHistory } from "./chain-history.ts";
import type { GuardContext } from "./context.ts";
import { createDeriver } from "./deriver.ts";
import { findIndexState, JUMP, listAccountKeys } from "./key-store.ts";
import { takeAhead } from "./take-ahead.ts";

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
  /**
   * Jumps over what may have been issued without this database knowing, and watches it.
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
  { jump = JUMP }: { jump?: number } = {},
): IndexGuard {
  const doubtNode = () => chain.client.passLead();
  const tools = { deriver: createDeriver(context), askHistory: mustKnowHistory(chain), doubtNode, jump };
  let guardedMs: number | undefined;
  let isStopped = false;
  return {
    require: async (tx) => {
      const { isWatched, startedMs } = await findIndexState(tx);
      if (!isWatched || startedMs !== guardedMs) throw new UnguardedError();
    },
    restore: async () => {
      const { startedMs } = await findIndexState(context.db);
      try {
        for (const key of await listAccountKeys(context.db)) {
          await takeAhead(context, tools, { key, count: 0, lookedUpMs: undefined });
        }
        guardedMs = startedMs;
      } catch (error) {
        if (!isStopped) throw error;
      }
    },
    stop: () => {
      isStopped = true;
      return tools.deriver.stop();
    },
  };
}
