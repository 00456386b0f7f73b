import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
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
export function signWebhook({
  secret,
  previousSecret,
  ...signed
}: ToSign & {
  secret: string;
  /** the one that signs too while a rotation overlaps */
  previousSecret?: string | undefined;
}): Record<string, string> {
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret];
  return signWith(secrets.map(signingKeyOf), signed);
}

type ToSign = {
  body: Buffer;
  eventId: EventId;
  /** Unix time of this attempt */
  timestampSeconds: number;
};

/** The two keys of a secret. */
export type EndpointKey = { readonly plain: KeyObject; readonly standard: KeyObject };

export function signingKeyOf(secret: string): EndpointKey {
  return {
    plain: createSecretKey(secret, "utf8"),
    standard: createSecretKey(secret.slice(SECRET_PREFIX.length), "base64"),
  };
}

/** {@link signWebhook} with the keys of the secret and, while a rotation overlaps, of the previous one. */
export function signWith(
  [key, previous]: readonly EndpointKey[],
  { body, eventId, timestampSeconds }: ToSign,
): Record<string, string> {
  if (key === undefined) throw new Error("a webhook is signed with a key at least");
  const signed = `${eventId}.${timestampSeconds}.`;
  const headers: Record<string, string> = {
    "x-service-signature": plainSignature(key, body),
    "webhook-id": eventId,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": standardSignature(key, signed, body),
  };
  if (previous !== undefined) {
    headers["x-service-signature-previous"] = plainSignature(previous, body);
    headers["webhook-signature"] += ` ${standardSignature(previous, signed, body)}`;
  }
  return headers;
}

function plainSignature({ plain }: EndpointKey, body: Buffer): string {
  return createHmac("sha256", plain).update(body).digest("hex");
}

function standardSignature({ standard }: EndpointKey, signed: string, body: Buffer): string {
  return `v1,${createHmac("sha256", standard).update(signed).update(body).digest("base64")}`;
}
