import { until } from "@daric/testing/until";
import { Webhook } from "standardwebhooks";
import { OF_TEST } from "./front.ts";
import type { Rig } from "./rig.ts";

/** A shop that was away gets one attempt a minute, until one succeeds. */
export const RESUMED_MS = 150_000;
const WEBHOOK = /daric(\/|%2F)v1(\/|%2F)webhook/;

/** A webhook to send to the shop. `at` is the time of its signature, and `signature` replaces the right one. */
export type Delivery = {
  readonly event: object;
  readonly id: string;
  readonly at?: Date;
  readonly signature?: string;
};

/** The address and the newest secret that the plugin has for its webhooks. */
export type WebhookDoor = { readonly url: string; readonly secret: string };

export async function webhookDoor({ site }: Rig): Promise<WebhookDoor> {
  return site.php<WebhookDoor>(
    `$connection = \\Daric\\WooCommerce\\Connection::current();
    return ['url' => \\Daric\\WooCommerce\\Connection::webhookUrl(), 'secret' => $connection->secrets()[0] ?? ''];`,
  );
}

/** Sends a webhook as Daric does, and returns the status of the answer. */
export async function sendWebhook(
  door: WebhookDoor,
  { event, id, at = new Date(), signature }: Delivery,
): Promise<number> {
  const body = JSON.stringify(event);
  const answer = await fetch(door.url, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      [OF_TEST]: "1",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": signature ?? new Webhook(door.secret).sign(id, at, body),
    },
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** Waits until Daric has reached the shop again: a shop that was away gets one attempt a minute. */
export async function whenReached({ site, daric }: Rig): Promise<void> {
  const id = await site.php<string>("return \\Daric\\WooCommerce\\Connection::current()->endpointId();");
  await until(
    "the endpoint is not suspended",
    async () => !(await daric.call("GET", `/v1/webhooks/endpoints/${id}/health`)).is_suspended,
    RESUMED_MS,
  );
}

/** Runs while no webhook reaches the shop, as behind a firewall. */
export async function withoutWebhooks<T>({ site }: Rig, run: () => Promise<T>): Promise<T> {
  const open = site.front.refuse(WEBHOOK, 403);
  try {
    return await run();
  } finally {
    open();
  }
}
