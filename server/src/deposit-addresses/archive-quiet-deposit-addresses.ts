import type { Context } from "../context.ts";
import type { Transaction } from "../db/sql.ts";
import { archiveQuiet } from "./store.ts";

/** Rows that one scanned block moves at most. What is left is found again with the next block. */
const MAX_ROWS_PER_BLOCK = 500;

/**
 * Moves EXPIRED rows to ARCHIVED once their late window is over and no deposit has come for ARCHIVE_AFTER of chain
 * time. Their addresses stay watched. Runs in the transaction of the block that carries `chainTime`; answers how
 * many rows moved, 500 at most.
 */
export async function archiveQuietDepositAddresses(
  context: Pick<Context, "config">,
  tx: Transaction,
  input: { chainTime: Date },
): Promise<number> {
  const quietSince = new Date(input.chainTime.getTime() - context.config.ARCHIVE_AFTER);
  return await archiveQuiet(tx, { chainTime: input.chainTime, quietSince, limit: MAX_ROWS_PER_BLOCK });
}
