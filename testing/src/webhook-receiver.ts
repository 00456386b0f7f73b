import type { IncomingHttpHeaders } from "node:http";
import { startReceiver } from "./receiver.ts";

export type ReceivedWebhook = {
  readonly headers: Record<string, string>;
  /** the exact bytes of the body as text */
  readonly body: string;
  readonly event: { id: string; event: string; sequence: number; data: Record<string, unknown> };
  /** what was answered */
  readonly status: number;
};

/** A merchant's server: it keeps what it is sent and answers as it is told. */
export type WebhookReceiver = {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** the statuses of the next answers; 200 when there are none left */
  answerNext(...statuses: number[]): void;
  stop(): Promise<void>;
};

/** A receiver that reads what it gets as webhooks. */
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
