import type { Context } from "../../context.ts";
import type { Post, PostResult } from "../sending/post-json.ts";
import { openSecret } from "../sending/seal-secret.ts";
import { signWebhook } from "../sending/signature.ts";
import type { ClaimedDelivery } from "./delivery-store.ts";

const USER_AGENT = "Daric-Webhooks/1";

/**
 * Signs the stored body for this moment and posts it. Counts and times the attempt. Throws only when the secret
 * cannot be opened, before anything was sent.
 */
export async function postEvent(
  context: Pick<Context, "clock" | "config" | "log" | "metrics">,
  claim: ClaimedDelivery,
  post: Post,
): Promise<PostResult> {
  const { body, eventId } = claim;
  const secret = openSecret(context.config.DARIC_MASTER_KEY, claim, claim.sealedSecret);
  const timestampSeconds = Math.floor(context.clock.now().getTime() / 1_000);
  const result = await post({
    url: claim.url,
    body,
    headers: {
      ...signWebhook({ secret, body, eventId, timestampSeconds }),
      ...unsignedHeaders(claim),
    },
  });
  const { error, statusCode, durationMs, cause } = result;
  context.metrics.webhookAttempts.inc({ result: error ?? "delivered" });
  context.metrics.webhookSeconds.observe(durationMs / 1_000);
  const { deliveryId, attempt, endpointId } = claim;
  const facts = { delivery_id: deliveryId, endpoint_id: endpointId, event_id: eventId, attempt };
  context.log.info(
    { ...facts, status_code: statusCode, error, duration_ms: durationMs, err: cause },
    "webhook attempt",
  );
  return result;
}

/** For routing and debugging at the receiver; nothing here is covered by a signature. */
function unsignedHeaders({ deliveryId, attempt, eventType }: ClaimedDelivery): Record<string, string> {
  return {
    "content-type": "application/json",
    "accept-encoding": "identity",
    "user-agent": USER_AGENT,
    "x-service-event": eventType,
    "x-service-delivery-id": deliveryId,
    "x-service-attempt": String(attempt),
  };
}
