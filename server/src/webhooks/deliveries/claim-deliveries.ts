import type { Context } from "../../context.ts";
import type { ClaimedDelivery } from "./delivery-store.ts";
import { leaseMs } from "./lease.ts";
import { freeSlots, type SlotUse } from "./slots.ts";
import { claimDueDeliveries } from "./waiting-store.ts";

/**
 * Leases due deliveries to this process, one for each slot that may be taken, fairly between merchants and then between
 * the endpoints of each. Committed before it returns: each claim is counted as an attempt and must be delivered or
 * released.
 */
export async function claimDeliveries(
  context: Pick<Context, "config" | "db">,
  use: SlotUse,
): Promise<ClaimedDelivery[]> {
  const { WEBHOOK_ENDPOINT_CONCURRENCY: perEndpoint, WEBHOOK_TIMEOUT: timeoutMs } = context.config;
  const options = { perEndpoint, underWay: use.underWay, leaseMs: leaseMs(timeoutMs) };
  return claimDueDeliveries(context.db, { ...options, ...freeSlots(use) });
}
