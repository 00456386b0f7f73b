import type { IncomingHttpHeaders } from "node:http";
import { startReceiver } from "./receiver.ts";

export type ReceivedWebhook = {
  readonly headers: Record<string, string>;
  /** the exact body as text */
  readonly body: string;
  readonly event: { id: string; event: string; sequence: number; data: Record<string, unknown> };
  /** the response's status */
  readonly status: number;
};

/** A merchant's server that keeps webhooks and answers on command. */
export type WebhookReceiver = {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** the statuses of the next responses; later ones are 200 */
  answerNext(...statuses: number[]): void;
  stop(): Promise<void>;
};

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  const statuses: number[] = [];
  const receiver = await startReceiver();
  receiver.answer = (response, request) => {
    const body = request.body.toString("utf8");
    const status = statuses.shift() ?? 200;
    received.push({ headers: plain(request.headers), body, event: JSON.parse(body), status });
    response.writeHead(status).end("noted");
  };
  return {
    url: receiver.url,
    received,
    answerNext: (...next) => statuses.push(...next),
    stop: receiver.close,
  };
}

function plain(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
