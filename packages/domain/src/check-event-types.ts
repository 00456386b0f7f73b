import { ApiError } from "./errors.ts";
import { nearestName } from "./nearest-name.ts";
import { type WebhookEventType, webhookEventTypes } from "./webhook-event.ts";

/** Longer names are not repeated in messages. */
const SHOWN_CHARS = 64;

/**
 * Returns the distinct event types in the given order. `field` is the name of the list on the wire.
 * @throws INVALID_EVENT_TYPE that names each unknown one, the nearest known one, and all types.
 */
export function checkEventTypes(names: readonly string[], field = "eventTypes"): WebhookEventType[] {
  const details = names.flatMap((name, index) =>
    isEventType(name) ? [] : [{ path: `${field}.${index}`, message: faultOf(name) }],
  );
  if (details.length > 0) {
    const message = `An event type is not supported. Known: ${webhookEventTypes.join(", ")}.`;
    throw new ApiError("INVALID_EVENT_TYPE", { message, details });
  }
  return [...new Set(names.filter(isEventType))];
}

function isEventType(name: string): name is WebhookEventType {
  return webhookEventTypes.some((known) => known === name);
}

function faultOf(name: string): string {
  const shown = name === "" || name.length > SHOWN_CHARS ? "this" : name;
  const meant = nearestName(name, webhookEventTypes);
  return `${shown} is not an event${meant === undefined ? "" : `: did you mean ${meant}?`}`;
}
