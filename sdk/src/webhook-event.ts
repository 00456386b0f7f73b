import type { WebhookBodies } from "./contract.ts";

/**
 * The body of a webhook; `event` says which `data` it has. A newer service may send names that are not here: answer 204
 * and leave them be.
 */
export type WebhookEvent = {
  [Name in keyof WebhookBodies]: Omit<WebhookBodies[Name], "event"> & { event: Name };
}[keyof WebhookBodies];

/** What an event of this name says. */
export type EventData<Name extends keyof WebhookBodies> = WebhookBodies[Name]["data"];
