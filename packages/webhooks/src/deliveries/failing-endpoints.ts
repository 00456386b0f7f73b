import type { EndpointId } from "@daric/domain/ids";
import { announceEndpoint } from "@daric/messages/announce";
import { hungServer } from "@daric/postgres/tenants";
import { disableHopeless, findFailingSince } from "../queue/health-store.ts";
import type { WebhooksContext } from "./context.ts";
import type { FailingEndpoint } from "./result-rows-store.ts";

/** Of one endpoint. A suspended one has an attempt a minute. */
const LOOK_EVERY_MS = 60_000;
const MAX_LOOKED = 10_000;

/**
 * Returns what is done about endpoints after failed attempts. Those that nothing reached for days, or that answered 410 for a day, are
 * disabled. Members of their merchants get messages about these, and about others that have failed for a while.
 */
export function createFailingEndpoints(
  context: WebhooksContext,
): (failing: readonly FailingEndpoint[]) => Promise<void> {
  const lookedMs = new Map<EndpointId, number>();
  const isToLook = ({ endpointId }: FailingEndpoint) => {
    const now = context.clock.monotonicMs();
    if (now - (lookedMs.get(endpointId) ?? Number.NEGATIVE_INFINITY) < LOOK_EVERY_MS) return false;
    if (lookedMs.size >= MAX_LOOKED) lookedMs.clear();
    lookedMs.set(endpointId, now);
    return true;
  };
  return async (failing) => {
    // Disabling writes to every server of a distributed database.
    if (hungServer() !== undefined) return;
    for (const endpoint of failing) {
      try {
        if (endpoint.isHopeless) await disable(context, endpoint);
        else if (isToLook(endpoint)) await tellOfFailing(context, endpoint);
      } catch (error) {
        // The next failed attempt tries again.
        if (!context.databaseOutage.report(error))
          context.log.error(
            { event: "webhook_not_recorded", endpoint_id: endpoint.endpointId, err: error },
            "an endpoint could not be disabled, or no message about it written",
          );
      }
    }
  };
}

async function disable(context: WebhooksContext, { merchantId, endpointId }: FailingEndpoint): Promise<void> {
  const isDisabled = await context.db.transaction(async (tx) => {
    if (!(await disableHopeless(tx, { merchantId, endpointId }))) return false;
    await announceEndpoint(context, tx, { merchantId, endpointId, kind: "endpoint_disabled" });
    return true;
  });
  if (!isDisabled) return;
  context.metrics.endpointsDisabled.inc();
  context.log.warn(
    { event: "webhook_endpoint_disabled", merchant_id: merchantId, endpoint_id: endpointId },
    "an endpoint was disabled: nothing reached it for five days, or it answered nothing but 410 for a day; its merchant can enable it again",
  );
}

async function tellOfFailing(
  context: WebhooksContext,
  { merchantId, endpointId }: FailingEndpoint,
): Promise<void> {
  const since = await findFailingSince(context.db, { merchantId, endpointId });
  if (since !== undefined)
    await announceEndpoint(context, context.db, { merchantId, endpointId, kind: "endpoint_failing", since });
}
