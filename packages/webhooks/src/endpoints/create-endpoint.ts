import { checkEventTypes } from "@daric/domain/check-event-types";
import { ApiError } from "@daric/domain/errors";
import { idOf, type MerchantId } from "@daric/domain/ids";
import { defaultWebhookEventTypes } from "@daric/domain/webhook-event";
import type { Resolve } from "@daric/egress/guarded-dial";
import { vetTarget } from "@daric/egress/vet-target";
import { uuidv7 } from "uuidv7";
import type { ApiContext } from "./context.ts";
import { newEndpointSecret } from "./endpoint-secret.ts";
import { countEndpoints, insertEndpoint, lockEndpointCount, type WebhookEndpoint } from "./endpoint-store.ts";

const FIRST_GENERATION = 1;

export type NewEndpoint = {
  readonly merchantId: MerchantId;
  readonly url: string;
  readonly description: string | null;
  /** unvalidated; undefined for the default */
  readonly eventTypes: readonly string[] | undefined;
};

/**
 * Creates an active endpoint. Its secret is returned here and never again.
 * @throws in this order: INVALID_WEBHOOK_URL, INVALID_EVENT_TYPE, TOO_MANY_ENDPOINTS.
 */
export async function createEndpoint(
  context: Pick<ApiContext, "config" | "db">,
  input: NewEndpoint,
  resolve?: Resolve,
): Promise<WebhookEndpoint & { secret: string }> {
  const url = await vetTarget(context.config.egress, input.url, resolve);
  const eventTypes = checkEventTypes(input.eventTypes ?? defaultWebhookEventTypes);
  const id = idOf("endpoint", uuidv7());
  const { merchantId, description } = input;
  const { secret, sealedSecret } = newEndpointSecret(context, {
    endpointId: id,
    merchantId,
    generation: FIRST_GENERATION,
  });
  const endpoint = await context.db.transaction(async (tx) => {
    await lockEndpointCount(tx, merchantId);
    const count = await countEndpoints(tx, { merchantId, isActive: undefined });
    if (count >= context.config.webhooks.endpointsPerMerchant) throw new ApiError("TOO_MANY_ENDPOINTS");
    return insertEndpoint(tx, {
      id,
      merchantId,
      url,
      description,
      eventTypes,
      sealedSecret,
      generation: FIRST_GENERATION,
    });
  });
  return { ...endpoint, secret };
}
