import { randomBytes } from "node:crypto";
import { openSecret, type SecretPlace, sealKeysOf, sealSecret } from "../sending/seal-secret.ts";
import { SECRET_PREFIX } from "../sending/signature.ts";
import type { ApiContext } from "./context.ts";

const SECRET_BYTES = 32;

type Endpoint = Pick<SecretPlace, "endpointId" | "merchantId" | "generation">;

/** Makes a secret: `secret` is shown once, `sealedSecret` is stored. */
export function newEndpointSecret(
  { config }: Pick<ApiContext, "config">,
  endpoint: Endpoint,
): { secret: string; sealedSecret: Buffer } {
  const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("hex");
  const place = { ...endpoint, column: "secret_ciphertext" } as const;
  return { secret, sealedSecret: sealSecret(config.webhooks.masterKey, place, secret) };
}

/**
 * Seals the current secret again as the previous one of the next generation. Undefined if it was not sealed by us.
 */
export function sealAsPrevious(
  { config }: Pick<ApiContext, "config">,
  { generation, ...endpoint }: Endpoint,
  sealed: Buffer,
): Buffer | undefined {
  const { masterKey } = config.webhooks;
  const keys = sealKeysOf(config.webhooks);
  let secret: string;
  try {
    secret = openSecret(keys, { ...endpoint, column: "secret_ciphertext", generation }, sealed);
  } catch {
    return undefined;
  }
  const place = { ...endpoint, column: "previous_secret_ciphertext", generation: generation + 1 } as const;
  return sealSecret(masterKey, place, secret);
}
