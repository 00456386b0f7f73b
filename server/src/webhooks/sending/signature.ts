import { createHmac } from "node:crypto";
import type { EventId } from "../../domain/ids.ts";

/** What every secret starts with; 64 lowercase hex characters follow. */
export const SECRET_PREFIX = "whsec_";

/**
 * The headers that prove a body to its receiver.
 *
 * `x-service-signature` is lowercase hex HMAC-SHA-256 of the raw body, its key the UTF-8 bytes of the whole secret:
 * what the contract says, literally. Beside it stands the Standard Webhooks trio
 * (https://www.standardwebhooks.com), which also binds the event id and the time of the attempt, so that a replay
 * can be refused. Stock verifiers base64-decode what follows `whsec_`; hex digits are in that alphabet and 64 of
 * them need no padding, so their key is those 48 bytes.
 */
export function signWebhook(input: {
  secret: string;
  body: Buffer;
  eventId: EventId;
  /** Unix time of this attempt */
  timestampSeconds: number;
}): Record<string, string> {
  const standardKey = Buffer.from(input.secret.slice(SECRET_PREFIX.length), "base64");
  const standard = createHmac("sha256", standardKey)
    .update(`${input.eventId}.${input.timestampSeconds}.`)
    .update(input.body)
    .digest("base64");
  return {
    "x-service-signature": createHmac("sha256", input.secret).update(input.body).digest("hex"),
    "webhook-id": input.eventId,
    "webhook-timestamp": String(input.timestampSeconds),
    "webhook-signature": `v1,${standard}`,
  };
}
