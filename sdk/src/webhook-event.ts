import type { WebhookBodies } from "./contract.ts";

/**
 * The body of a webhook; `event` determines its `data`. A newer service may send other names: answer 204 and
 * ignore them.
 */
export type WebhookEvent = {
  [Name in keyof WebhookBodies]: Omit<WebhookBodies[Name], "event"> & { event: Name };
}[keyof WebhookBodies];

/** The data of an event of this name. */
export type EventData<Name extends keyof WebhookBodies> = WebhookBodies[Name]["data"];
