import { setTimeout as sleep } from "node:timers/promises";
import type { GuardContext } from "./context.ts";
import type { Deriver } from "./deriver.ts";
import { countUnwatched, lockUnwatched, watchRange } from "./index-gap-store.ts";

const WAIT_MS = 100;

/**
 * Enters the addresses of all gaps in the directory, some seconds after a gap. Several watchers share the ranges, and one
 * takes over from another that is killed. Orders do not wait for it.
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
