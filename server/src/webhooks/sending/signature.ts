import { createHmac } from "node:crypto";
import type { EventId } from "../../domain/ids.ts";

/** What every secret starts with; 64 lowercase hex characters follow. */
export const SECRET_PREFIX = "whsec_";

/**
 * The headers that prove a body to its receiver.
 *
 * `x-service-signature` is lowercase hex HMAC-SHA-256 of the raw body, its key the UTF-8 bytes of the whole
 * secret, exactly as in the contract. The Standard Webhooks trio (https://www.standardwebhooks.com) also
 * covers the event id and the time of the attempt, so that a receiver can refuse a replay. Stock verifiers
 * base64-decode the text after `whsec_`. Hex digits are in that alphabet and 64 of them need no padding, so
 * their key is those 48 bytes.
 *
 * While a rotation overlaps, the previous secret signs too: in `x-service-signature-previous`, and as the
 * second entry of `webhook-signature`, of which verifiers accept any.
 */
export function signWebhook(input: {
  secret: string;
  /** the one that signs too while a rotation overlaps */
  previousSecret?: string | undefined;
  body: Buffer;
  eventId: EventId;
  /** Unix time of this attempt */
  timestampSeconds: number;
}): Record<string, string> {
  const { secret, previousSecret, body, eventId, timestampSeconds } = input;
  const signed = `${eventId}.${timestampSeconds}.`;
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret];
  return {
    "x-service-signature": plainSignature(secret, body),
    ...(previousSecret === undefined
      ? {}
      : { "x-service-signature-previous": plainSignature(previousSecret, body) }),
    "webhook-id": eventId,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": secrets.map((each) => standardSignature(each, signed, body)).join(" "),
  };
}

function plainSignature(secret: string, body: Buffer): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

function standardSignature(secret: string, signed: string, body: Buffer): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(signed).update(body).digest("base64")}`;
}
