import { ApiError } from "@daric/domain/errors";
import type { DeliveryId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import {
  countMatching,
  listMatching,
  makeManyDue,
  type ResendableStatus,
  type ResendFilter,
} from "./resend-many-store.ts";

/** The most deliveries that one call sends again, and the most events of a recovery. */
export const MAX_AT_ONCE = 100_000;
/** Rows of one statement, so that no lock lasts. */
export const BATCH = 1_000;
/** Between two deliveries of one call, to spare a receiver that has just come back. */
export const EVERY_MS = 50;

/**
 * Sends the matching deliveries of active endpoints again, oldest first, one every 50 ms beside new ones. They are in one of
 * the statuses, and their body is kept. Ended ones are tried once, FAILED ones go on with their schedule. It works in
 * batches: after a failure part of them is due, and a second call takes the rest. Returns how many.
 * @throws VALIDATION_ERROR when more than `max` match.
 */
export async function resendDeliveries(
  { db }: { db: Queryable },
  { statuses, ...filter }: ResendFilter & { statuses: readonly ResendableStatus[] },
  max = MAX_AT_ONCE,
): Promise<number> {
  let matching = 0;
  for (const status of statuses)
    matching += await countMatching(db, { ...filter, status }, max + 1 - matching);
  if (matching > max) throw new ApiError("VALIDATION_ERROR", { details: [tooMany(max)] });
  let resent = 0;
  for (const status of statuses) {
    let after: DeliveryId | undefined;
    for (;;) {
      const rows = await listMatching(db, { ...filter, status }, { after, limit: BATCH });
      const sendable = rows.filter(({ isSendable }) => isSendable);
      const start = resent;
      const planned = sendable.map((row, index) => ({ row, delayMs: (start + index) * EVERY_MS }));
      resent += await makeManyDue(db, filter.merchantId, planned);
      if (rows.length < BATCH) break;
      after = rows.at(-1)?.id;
    }
  }
  return resent;
}

function tooMany(max: number) {
  const message = `must leave at most ${max.toLocaleString("en-US")} matching deliveries up to \`to\`: choose a later one, or one endpoint`;
  return { path: "from", message };
}
