import { ApiError } from "../../domain/errors.ts";
import { type WebhookEventType, webhookEventTypes } from "../../domain/webhook-event.ts";

/**
 * The names as event types, each once, in the order given.
 *
 * @throws INVALID_EVENT_TYPE that names each unknown one.
 */
export function checkEventTypes(names: readonly string[]): WebhookEventType[] {
  const details = names.flatMap((name, index) =>
    isEventType(name) ? [] : [{ path: `eventTypes.${index}`, message: "is not an event type" }],
  );
  if (details.length > 0) throw new ApiError("INVALID_EVENT_TYPE", { details });
  return [...new Set(names.filter(isEventType))];
}

function isEventType(name: string): name is WebhookEventType {
  return webhookEventTypes.some((known) => known === name);
}
