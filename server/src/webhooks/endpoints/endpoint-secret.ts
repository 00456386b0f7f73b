import { randomBytes } from "node:crypto";
import { type SecretOwner, sealSecret } from "../sending/seal-secret.ts";
import { SECRET_PREFIX } from "../sending/signature.ts";
import type { ApiContext } from "./context.ts";

const SECRET_BYTES = 32;

/** A new secret for an endpoint: as it is shown, this once, and sealed as it is kept. */
export function newEndpointSecret(
  { config }: Pick<ApiContext, "config">,
  owner: SecretOwner,
): { secret: string; sealedSecret: Buffer } {
  const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("hex");
  return { secret, sealedSecret: sealSecret(config.webhooks.masterKey, owner, secret) };
}
