import { randomBytes } from "node:crypto";
import { openSecret, type SecretPlace, sealSecret } from "../sending/seal-secret.ts";
import { SECRET_PREFIX } from "../sending/signature.ts";
import type { ApiContext } from "./context.ts";

const SECRET_BYTES = 32;

/** Which of the secrets of which endpoint. */
type Endpoint = Pick<SecretPlace, "endpointId" | "merchantId" | "generation">;

/** A new secret for an endpoint: as it is shown, this once, and sealed as it is kept. */
export function newEndpointSecret(
  { config }: Pick<ApiContext, "config">,
  endpoint: Endpoint,
): { secret: string; sealedSecret: Buffer } {
  const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("hex");
  const place = { ...endpoint, column: "secret_ciphertext" } as const;
  return { secret, sealedSecret: sealSecret(config.webhooks.masterKey, place, secret) };
}

/**
 * The secret that an endpoint has, sealed as the one before that of the next generation. Undefined where it does not open: what was
 * put there by others than us signs nothing.
 */
export function sealAsPrevious(
  { config }: Pick<ApiContext, "config">,
  { generation, ...endpoint }: Endpoint,
  sealed: Buffer,
): Buffer | undefined {
  const { masterKey } = config.webhooks;
  let secret: string;
  try {
    secret = openSecret(masterKey, { ...endpoint, column: "secret_ciphertext", generation }, sealed);
  } catch {
    return undefined;
  }
  const place = { ...endpoint, column: "previous_secret_ciphertext", generation: generation + 1 } as const;
  return sealSecret(masterKey, place, secret);
}
