import type { Transaction } from "@daric/postgres/sql";
import type { Context } from "../context.ts";
import { archiveQuiet } from "./store.ts";

/** Rows that one transaction moves at most. What is left is found again with the next solid block; nobody waits. */
const MAX_ROWS_AT_ONCE = 500;

/**
 * Moves EXPIRED rows to ARCHIVED once their late window is over and no deposit has come for ARCHIVE_AFTER of chain
 * time, which is that of a block proven solid. Their addresses stay watched. Answers how many rows moved, 500 at most.
 */
export async function archiveQuietCharges(
  context: Pick<Context, "config">,
  tx: Transaction,
  input: { chainTime: Date },
): Promise<number> {
  const quietSince = new Date(input.chainTime.getTime() - context.config.ARCHIVE_AFTER);
  return archiveQuiet(tx, { chainTime: input.chainTime, quietSince, limit: MAX_ROWS_AT_ONCE });
}
