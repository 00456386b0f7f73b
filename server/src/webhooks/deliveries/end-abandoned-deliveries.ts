import type { Context } from "../../context.ts";
import { exhaustAbandoned } from "./waiting-store.ts";

const BATCH = 500;

/**
 * Ends some of what nobody is left to deliver to, and answers whether there may be more: deliveries of deleted
 * endpoints, and those that have waited for a disabled one longer than WEBHOOK_PARKED_FOR. They are found by the
 * state of their endpoint, so that none is forgotten, whoever dies and whenever it was enqueued. Safe to run in every
 * process at once.
 */
export async function endAbandonedDeliveries(context: Pick<Context, "config" | "db">): Promise<boolean> {
  const parkedForMs = context.config.WEBHOOK_PARKED_FOR;
  return (await exhaustAbandoned(context.db, { parkedForMs, limit: BATCH })) === BATCH;
}
