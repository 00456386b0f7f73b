import { checkEventTypes } from "@daric/domain/check-event-types";
import { ApiError } from "@daric/domain/errors";
import { idOf, type MerchantId } from "@daric/domain/ids";
import { defaultWebhookEventTypes } from "@daric/domain/webhook-event";
import type { Resolve } from "@daric/egress/guarded-dial";
import { vetTarget } from "@daric/egress/vet-target";
import type { Transaction } from "@daric/postgres/sql";
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
): Promise<IssuedEndpoint> {
  const url = await vetTarget(context.config.egress, input.url, resolve);
  const eventTypes = checkEventTypes(input.eventTypes ?? defaultWebhookEventTypes);
  return context.db.transaction((tx) => addEndpoint(tx, context, { ...input, url, eventTypes }));
}

/** A new endpoint with the only copy of its secret. */
export type IssuedEndpoint = WebhookEndpoint & { readonly secret: string };

/** Adds an endpoint whose URL is vetted and whose event types are known. @throws TOO_MANY_ENDPOINTS */
export async function addEndpoint(
  tx: Transaction,
  { config }: Pick<ApiContext, "config">,
  endpoint: Pick<WebhookEndpoint, "merchantId" | "url" | "description" | "eventTypes">,
): Promise<IssuedEndpoint> {
  const { merchantId } = endpoint;
  await lockEndpointCount(tx, merchantId);
  const count = await countEndpoints(tx, { merchantId, isActive: undefined });
  if (count >= config.webhooks.endpointsPerMerchant) throw new ApiError("TOO_MANY_ENDPOINTS");
  const id = idOf("endpoint", uuidv7());
  const generation = FIRST_GENERATION;
  const { secret, sealedSecret } = newEndpointSecret({ config }, { endpointId: id, merchantId, generation });
  return { ...(await insertEndpoint(tx, { ...endpoint, id, sealedSecret, generation })), secret };
}
