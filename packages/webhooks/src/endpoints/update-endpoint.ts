import { checkEventTypes } from "@daric/domain/check-event-types";
import { ApiError } from "@daric/domain/errors";
import type { EndpointId, MerchantId } from "@daric/domain/ids";
import type { Resolve } from "@daric/egress/guarded-dial";
import { vetTarget } from "@daric/egress/vet-target";
import type { ApiContext } from "./context.ts";
import { findEndpoint, updateEndpointRow, type WebhookEndpoint } from "./endpoint-store.ts";

/** An undefined field keeps its value. */
export type EndpointUpdate = {
  readonly merchantId: MerchantId;
  readonly id: EndpointId;
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly isActive?: boolean | undefined;
  /** when the row was changed last that the form shows; it overwrites nothing newer */
  readonly shownAt?: Date | undefined;
};

/**
 * Changes an endpoint. Waiting deliveries go to the new URL. Parked ones of an endpoint that is enabled again stay
 * parked until `resumeParkedDeliveries` schedules them.
 * @throws in this order: INVALID_WEBHOOK_URL, INVALID_EVENT_TYPE, NOT_FOUND, CHANGED_MEANWHILE.
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
  if (endpoint !== undefined) return endpoint;
  throw new ApiError(
    (await findEndpoint(context.db, update)) === undefined ? "NOT_FOUND" : "CHANGED_MEANWHILE",
  );
}
