import type { Context } from "../context.ts";
import type { Transaction } from "../db/sql.ts";
import { ApiError } from "../domain/errors.ts";
import { checkEventTypes } from "./check-event-types.ts";
import { exhaustParked, spreadParked } from "./delivery-store.ts";
import { lockEndpoint, updateEndpointRow, type WebhookEndpoint } from "./endpoint-store.ts";
import type { Resolve } from "./resolve-host.ts";
import { vetTarget } from "./vet-target.ts";

/** The rate at which deliveries go out that waited for their endpoint to be enabled: a receiver is coming back. */
const RESUMED_EVERY_MS = 50;

/** What changes; a field that is undefined stays as it is. */
export type EndpointUpdate = {
  readonly merchantId: string;
  readonly id: string;
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly isActive?: boolean | undefined;
};

/**
 * Changes an endpoint; the secret stays. Deliveries that wait go to the new URL. Enabling a disabled endpoint sends
 * out what was parked meanwhile, slowly, save deliveries older than WEBHOOK_PARKED_FOR, which end as
 * `parked_too_long`. Refuses, in this order: INVALID_WEBHOOK_URL, INVALID_EVENT_TYPE, NOT_FOUND.
 */
export async function updateEndpoint(
  context: Pick<Context, "config" | "db">,
  update: EndpointUpdate,
  resolve?: Resolve,
): Promise<WebhookEndpoint> {
  const { merchantId, id, description, isActive } = update;
  const url = update.url === undefined ? undefined : await vetTarget(context, update.url, resolve);
  const eventTypes = update.eventTypes && checkEventTypes(update.eventTypes);
  return await context.db.transaction(async (tx) => {
    const before = await lockEndpoint(tx, merchantId, id);
    if (!before) throw new ApiError("NOT_FOUND");
    if (isActive === true && !before.isActive) await resumeParked(context, tx, id);
    return await updateEndpointRow(tx, id, { url, description, eventTypes, isActive });
  });
}

async function resumeParked(
  context: Pick<Context, "config">,
  tx: Transaction,
  endpointId: string,
): Promise<void> {
  const olderThanMs = context.config.WEBHOOK_PARKED_FOR;
  await exhaustParked(tx, endpointId, { olderThanMs, error: "parked_too_long" });
  await spreadParked(tx, endpointId, RESUMED_EVERY_MS);
}
