import { createHmac } from "node:crypto";
import { idOf } from "@daric/domain/ids";
import { isAccepted } from "@daric/domain/webhook-delivery";
import { type Clock, systemClock } from "@daric/runtime/clock";
import type { Daric } from "@daric/sdk";
import { SECRET_PREFIX, signWebhook } from "@daric/webhooks/sending/signature";

const DEADLINE_MS = 15_000;
const PURPOSE = "daric listen";

type ListedEvent = Awaited<ReturnType<Daric["events"]["retrieve"]>>;

/** A delivery of `daric listen`, with the receiver's answer. */
export type Forwarded = {
  /** ISO 8601, UTC */
  readonly at: string;
  readonly id: string;
  readonly event: string;
  readonly isAccepted: boolean;
  /** the status, or why there is none */
  readonly outcome: string;
  /** undefined if nothing was sent */
  readonly durationMs?: number;
};

/** A secret that follows from an API key, which it does not reveal. */
export function derivedWebhookSecret(apiKey: string): string {
  return `${SECRET_PREFIX}${createHmac("sha256", apiKey).update(PURPOSE).digest("hex")}`;
}

export function isWebhookSecret(text: string): boolean {
  return /^whsec_[0-9a-f]{64}$/.test(text);
}

/**
 * Delivers an event to a receiver as the service does, once: same body, same signatures, 15 s, no redirect. Never throws.
 */
export async function forwardEvent(
  event: ListedEvent,
  { url, secret, clock = systemClock }: { url: string; secret: string; clock?: Clock },
): Promise<Forwarded> {
  const at = clock.now();
  const facts = { at: at.toISOString(), id: event.id, event: event.event };
  if (event.data === null)
    return { ...facts, isAccepted: false, outcome: "not sent, because its data is not kept any more" };
  const body = Buffer.from(JSON.stringify(event));
  const eventId = idOf("event", event.id);
  const timestampSeconds = Math.floor(at.getTime() / 1_000);
  const startMs = clock.monotonicMs();
  const answer = await post(url, {
    body,
    headers: {
      ...signWebhook({ secret, body, eventId, timestampSeconds }),
      "content-type": "application/json",
      "user-agent": "Daric-Webhooks/1",
      "x-service-event": event.event,
      "x-service-attempt": "1",
    },
  });
  const durationMs = Math.round(clock.monotonicMs() - startMs);
  return { ...facts, ...answer, durationMs };
}

async function post(
  url: string,
  { body, headers }: { body: Buffer<ArrayBuffer>; headers: Record<string, string> },
): Promise<Pick<Forwarded, "isAccepted" | "outcome">> {
  const init = { method: "POST", redirect: "manual", headers, body } as const;
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(DEADLINE_MS) });
    await response.body?.cancel();
    const { status, statusText } = response;
    return { isAccepted: isAccepted(status), outcome: `${status} ${statusText}`.trim() };
  } catch (error) {
    const { name, cause, message } = error as Error & { cause?: { code?: string } };
    const reason =
      name === "TimeoutError" ? `no answer within ${DEADLINE_MS / 1_000} s` : (cause?.code ?? message);
    return { isAccepted: false, outcome: `not delivered: ${reason}` };
  }
}
