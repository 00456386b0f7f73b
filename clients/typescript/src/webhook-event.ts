import type { WebhookBodies } from "./contract.ts";

/**
 * The body of a webhook; `event` determines its `data`. A newer service may send other names: answer 204 and
 * ignore them.
 */
export type WebhookEvent = {
  [Name in keyof WebhookBodies]: Omit<WebhookBodies[Name], "event"> & { event: Name };
}[keyof WebhookBodies];

/** An event in the list. Its `data` is null once the service has deleted the body. */
export type ListedEvent = {
  [Name in keyof WebhookBodies]: Omit<WebhookBodies[Name], "event" | "data"> & {
    event: Name;
    data: WebhookBodies[Name]["data"] | null;
  };
}[keyof WebhookBodies];

/** The data of an event of this name. */
export type EventData<Name extends keyof WebhookBodies> = WebhookBodies[Name]["data"];
