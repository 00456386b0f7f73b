import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import type { EventId } from "@daric/domain/ids";

/** Every secret starts with it; 64 lowercase hex characters follow. */
export const SECRET_PREFIX = "whsec_";
/** The bytes of a SHA-256 HMAC, and of the two of a key. */
const MAC_BYTES = 32;
const OF_KEY = 2 * MAC_BYTES;

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
  return signatureHeaders(signaturesOf(secrets.map(signingKeyOf), signed), signed);
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

/**
 * The signatures with each key: the HMAC of the body alone, then the one that also covers id and time.
 * {@link signatureHeaders} writes them. While a rotation overlaps, the second key is that of the previous secret.
 */
export function signaturesOf(
  keys: readonly EndpointKey[],
  { body, eventId, timestampSeconds }: ToSign,
): Buffer {
  if (keys.length === 0) throw new Error("a webhook is signed with a key at least");
  const signed = `${eventId}.${timestampSeconds}.`;
  return Buffer.concat(
    keys.flatMap(({ plain, standard }) => [
      createHmac("sha256", plain).update(body).digest(),
      createHmac("sha256", standard).update(signed).update(body).digest(),
    ]),
  );
}

/** The headers of {@link signWebhook} with these signatures. */
export function signatureHeaders(
  signatures: Buffer,
  { eventId, timestampSeconds }: Omit<ToSign, "body">,
): Record<string, string> {
  const plain = (place: number) => signatures.toString("hex", place, place + MAC_BYTES);
  const standard = (place: number) =>
    `v1,${signatures.toString("base64", place + MAC_BYTES, place + OF_KEY)}`;
  const headers: Record<string, string> = {
    "x-service-signature": plain(0),
    "webhook-id": eventId,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": standard(0),
  };
  if (signatures.length > OF_KEY) {
    headers["x-service-signature-previous"] = plain(OF_KEY);
    headers["webhook-signature"] += ` ${standard(OF_KEY)}`;
  }
  return headers;
}
