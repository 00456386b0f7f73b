import type { Context } from "../context.ts";
import { exhaustLongParked } from "./delivery-store.ts";

const BATCH = 500;

/**
 * Ends what has been waiting for a disabled endpoint longer than WEBHOOK_PARKED_FOR, and answers whether there may
 * be more. It would not go out any more when the endpoint is enabled; ended as it gets there, it cannot pile up
 * until enabling takes too long.
 */
export async function endLongParkedDeliveries(context: Pick<Context, "config" | "db">): Promise<boolean> {
  const ended = await exhaustLongParked(context.db, {
    dueForMs: context.config.WEBHOOK_PARKED_FOR,
    error: "parked_too_long",
    limit: BATCH,
  });
  return ended === BATCH;
}
