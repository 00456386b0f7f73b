import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { EndpointId, MerchantId } from "../../domain/ids.ts";

const ALGORITHM = "aes-256-gcm";
/** Says how the rest was made, and with which key once there are several. */
const FORMAT = Buffer.from([2]);
/** Names the endpoint and its merchant alone: what was sealed before generations were counted. */
const FORMER_FORMAT = Buffer.from([1]);
/** That of a secret from before they were counted. */
const UNCOUNTED = 0;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Where a sealed secret belongs. Moved to another row, merchant or column, or met in a later generation, it does not open. */
export type SecretPlace = {
  readonly endpointId: EndpointId;
  readonly merchantId: MerchantId;
  readonly column: "secret_ciphertext" | "previous_secret_ciphertext";
  /** how often a secret of the endpoint was made */
  readonly generation: number;
};

/** Encrypts an endpoint's secret for storage: format, random 96-bit nonce, tag, ciphertext. */
export function sealSecret(masterKey: Buffer, place: SecretPlace, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, masterKey, nonce);
  cipher.setAAD(boundTo(place));
  const ciphertext = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([FORMAT, nonce, cipher.getAuthTag(), ciphertext]);
}

/**
 * The exact inverse of `sealSecret`; opens what an earlier release sealed, too, while its endpoint is of no generation yet.
 *
 * @throws Error on another master key, another place and any changed byte.
 */
export function openSecret(masterKey: Buffer, place: SecretPlace, sealed: Buffer): string {
  const tagStart = FORMAT.length + NONCE_BYTES;
  const textStart = tagStart + TAG_BYTES;
  const format = sealed.subarray(0, FORMAT.length);
  const isFormer = format.equals(FORMER_FORMAT) && place.generation === UNCOUNTED;
  if ((!isFormer && !format.equals(FORMAT)) || sealed.length < textStart)
    throw new Error("the sealed secret has an unknown format");
  const decipher = createDecipheriv(ALGORITHM, masterKey, sealed.subarray(FORMAT.length, tagStart), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(isFormer ? formerlyBoundTo(place) : boundTo(place));
  decipher.setAuthTag(sealed.subarray(tagStart, textStart));
  return Buffer.concat([decipher.update(sealed.subarray(textStart)), decipher.final()]).toString("utf8");
}

function boundTo({ endpointId, merchantId, column, generation }: SecretPlace): Buffer {
  return Buffer.from(`webhook_endpoints.${column}|${endpointId}|${merchantId}|${generation}`);
}

function formerlyBoundTo({ endpointId, merchantId }: SecretPlace): Buffer {
  return Buffer.from(`webhook_endpoints.secret|${endpointId}|${merchantId}`);
}
