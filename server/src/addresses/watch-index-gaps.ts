import { setTimeout as sleep } from "node:timers/promises";
import type { GuardContext } from "./context.ts";
import type { Deriver } from "./deriver.ts";
import { countUnwatched, lockUnwatched, watchRange } from "./index-gap-store.ts";

/** Others are at the last ranges. */
const WAIT_MS = 100;

/**
 * Resolves when every address that was skipped is in the directory: some seconds after a gap, which all watchers
 * that come here share. What one that is killed has begun another one takes over. No create waits for it.
 */
export async function watchIndexGaps({ db }: Pick<GuardContext, "db">, deriver: Deriver): Promise<void> {
  while ((await countUnwatched(db)) > 0) {
    const hasWatched = await db.transaction(async (tx) => {
      const range = await lockUnwatched(tx);
      if (range !== undefined) await watchRange(tx, range, await deriver.derive(range));
      return range !== undefined;
    });
    if (!hasWatched) await sleep(WAIT_MS);
  }
}
