import { ApiError } from "../../domain/errors.ts";
import type { EndpointId, MerchantId } from "../../domain/ids.ts";
import type { Resolve } from "../../egress/guarded-dial.ts";
import { vetTarget } from "../../egress/vet-target.ts";
import { checkEventTypes } from "./check-event-types.ts";
import type { ApiContext } from "./context.ts";
import { updateEndpointRow, type WebhookEndpoint } from "./endpoint-store.ts";

/** What changes; a field that is undefined stays as it is. */
export type EndpointUpdate = {
  readonly merchantId: MerchantId;
  readonly id: EndpointId;
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly isActive?: boolean | undefined;
};

/**
 * Changes an endpoint, in a transaction of its row alone; the secret stays. Deliveries that wait go to the new URL.
 * What was parked while it was disabled stays so when it is enabled again, until `resumeParkedDeliveries` lines it up.
 *
 * @throws in this order, INVALID_WEBHOOK_URL when the target may not be sent to; INVALID_EVENT_TYPE when a type is
 * unknown; NOT_FOUND when the merchant has no such endpoint.
 */
export async function updateEndpoint(
  context: Pick<ApiContext, "config" | "db">,
  update: EndpointUpdate,
  resolve?: Resolve,
): Promise<WebhookEndpoint> {
  const { description, isActive } = update;
  const url =
    update.url === undefined ? undefined : await vetTarget(context.config.egress, update.url, resolve);
  const eventTypes = update.eventTypes && checkEventTypes(update.eventTypes);
  const endpoint = await updateEndpointRow(context.db, update, { url, description, eventTypes, isActive });
  if (endpoint === undefined) throw new ApiError("NOT_FOUND");
  return endpoint;
}
