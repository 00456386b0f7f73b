import type { Context } from "../context.ts";
import { type ClaimedDelivery, claimDueDeliveries } from "./delivery-store.ts";
import { leaseMs } from "./lease.ts";

/**
 * Leases at most `limit` due deliveries to this process, fairly between endpoints. Committed before it returns: each
 * claim is counted as an attempt and must be delivered or released.
 */
export async function claimDeliveries(
  context: Pick<Context, "config" | "db">,
  limit: number,
): Promise<ClaimedDelivery[]> {
  return await claimDueDeliveries(context.db, {
    limit,
    perEndpoint: context.config.WEBHOOK_ENDPOINT_CONCURRENCY,
    leaseMs: leaseMs(context.config.WEBHOOK_TIMEOUT),
  });
}
