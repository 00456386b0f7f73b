import type { EndpointId, MerchantId } from "../../domain/ids.ts";
import { currentFirst, openSealed, type SealPlace, seal } from "../../runtime/seal.ts";

/** The version of the format, and of the key once there are several. */
const FORMAT = 2;
/** Binds a secret to its endpoint and merchant only: the form before generations existed. */
const FORMER_FORMAT = 1;
/** The generation of a secret from before generations existed. */
const UNCOUNTED = 0;

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
 * The exact inverse of `sealSecret`; it also opens a secret of an earlier release while the endpoint has no generation.
 *
 * @throws Error on other master keys, another place and any changed byte.
 */
export function openSecret(masterKeys: readonly Buffer[], place: SecretPlace, sealed: Buffer): string {
  const former = place.generation === UNCOUNTED ? [formerPlaceOf(place)] : [];
  return openSealed(masterKeys, [placeOf(place), ...former], sealed);
}

function placeOf({ endpointId, merchantId, column, generation }: SecretPlace): SealPlace {
  return {
    format: FORMAT,
    boundTo: `webhook_endpoints.${column}|${endpointId}|${merchantId}|${generation}`,
  };
}

function formerPlaceOf({ endpointId, merchantId }: SecretPlace): SealPlace {
  return { format: FORMER_FORMAT, boundTo: `webhook_endpoints.secret|${endpointId}|${merchantId}` };
}
