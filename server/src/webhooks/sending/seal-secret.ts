import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { EndpointId, MerchantId } from "../../domain/ids.ts";

const ALGORITHM = "aes-256-gcm";
/** The version of the format, and of the key once there are several. */
const FORMAT = Buffer.from([2]);
/** Binds a secret to its endpoint and merchant only: the form before generations existed. */
const FORMER_FORMAT = Buffer.from([1]);
/** The generation of a secret from before generations existed. */
const UNCOUNTED = 0;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The place of a sealed secret. In another row, merchant, column or a later generation it does not open. */
export type SecretPlace = {
  readonly endpointId: EndpointId;
  readonly merchantId: MerchantId;
  readonly column: "secret_ciphertext" | "previous_secret_ciphertext";
  /** the number of secrets made for the endpoint */
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
 * The exact inverse of `sealSecret`; it also opens a secret of an earlier release while the endpoint has no generation.
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
