import type { EndpointId, MerchantId } from "@daric/domain/ids";
import { currentFirst, openSealed, type SealPlace, seal } from "@daric/runtime/seal";

/** The version of the format, and of the key once there are several. */
const FORMAT = 2;

/** The place of a sealed secret. In another row, merchant, column or a later generation it does not open. */
export type SecretPlace = {
  readonly endpointId: EndpointId;
  readonly merchantId: MerchantId;
  readonly column: "secret_ciphertext" | "previous_secret_ciphertext";
  /** the number of secrets made for the endpoint */
  readonly generation: number;
};

/** The master keys that secrets may be sealed under. */
export function sealKeysOf(webhooks: {
  readonly masterKey: Buffer;
  readonly previousMasterKey: Buffer | undefined;
}): readonly Buffer[] {
  return currentFirst(webhooks.masterKey, webhooks.previousMasterKey);
}

/** Encrypts an endpoint's secret for storage. */
export function sealSecret(masterKey: Buffer, place: SecretPlace, secret: string): Buffer {
  return seal(masterKey, placeOf(place), secret);
}

/**
 * The exact inverse of `sealSecret`.
 *
 * @throws Error on other master keys, another place and any changed byte.
 */
export function openSecret(masterKeys: readonly Buffer[], place: SecretPlace, sealed: Buffer): string {
  return openSealed(masterKeys, placeOf(place), sealed);
}

function placeOf({ endpointId, merchantId, column, generation }: SecretPlace): SealPlace {
  return {
    format: FORMAT,
    boundTo: `webhook_endpoints.${column}|${endpointId}|${merchantId}|${generation}`,
  };
}
