import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { EndpointId, MerchantId } from "../../domain/ids.ts";

const ALGORITHM = "aes-256-gcm";
/** Says how the rest was made, and with which key once there are several. */
const FORMAT = Buffer.from([1]);
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The row a sealed secret belongs to. Moved to another row, or to another merchant's, it does not open. */
export type SecretOwner = { readonly endpointId: EndpointId; readonly merchantId: MerchantId };

/** Encrypts an endpoint's secret for storage: format, random 96-bit nonce, tag, ciphertext. */
export function sealSecret(masterKey: Buffer, owner: SecretOwner, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, masterKey, nonce);
  cipher.setAAD(boundTo(owner));
  const ciphertext = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([FORMAT, nonce, cipher.getAuthTag(), ciphertext]);
}

/**
 * The exact inverse of `sealSecret`.
 *
 * @throws Error on another master key, another owner and any changed byte.
 */
export function openSecret(masterKey: Buffer, owner: SecretOwner, sealed: Buffer): string {
  const tagStart = FORMAT.length + NONCE_BYTES;
  const textStart = tagStart + TAG_BYTES;
  if (!sealed.subarray(0, FORMAT.length).equals(FORMAT) || sealed.length < textStart)
    throw new Error("the sealed secret has an unknown format");
  const decipher = createDecipheriv(ALGORITHM, masterKey, sealed.subarray(FORMAT.length, tagStart), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(boundTo(owner));
  decipher.setAuthTag(sealed.subarray(tagStart, textStart));
  return Buffer.concat([decipher.update(sealed.subarray(textStart)), decipher.final()]).toString("utf8");
}

function boundTo({ endpointId, merchantId }: SecretOwner): Buffer {
  return Buffer.from(`webhook_endpoints.secret|${endpointId}|${merchantId}`);
}
