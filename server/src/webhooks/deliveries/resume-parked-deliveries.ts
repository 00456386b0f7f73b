import type { Context } from "../../context.ts";
import { lineUpParked } from "./waiting-store.ts";

/** The rate at which what was parked goes out: a receiver is coming back. */
const EVERY_MS = 50;
/** How far ahead of now the line of an endpoint is kept, so that disabling it again leaves little behind. */
const AHEAD_MS = 5_000;
const BATCH = 500;

/**
 * Lines up some of what is parked for an endpoint that was enabled again, and answers whether there may be more to do
 * now. Deliveries older than WEBHOOK_PARKED_FOR end as `parked_too_long`. Each call is one statement and what is
 * parked is found by its time, so that dying in between loses and repeats nothing. Safe to run in every process at
 * once.
 */
export async function resumeParkedDeliveries(context: Pick<Context, "config" | "db">): Promise<boolean> {
  const parkedForMs = context.config.WEBHOOK_PARKED_FOR;
  const options = { parkedForMs, everyMs: EVERY_MS, aheadMs: AHEAD_MS, limit: BATCH };
  return (await lineUpParked(context.db, options)) > 0;
}
