import type { EndpointId, MerchantId } from "@daric/domain/ids";
import { openSecret, type SecretPlace } from "./seal-secret.ts";
import { type EndpointKey, signingKeyOf } from "./signature.ts";

/** The sealed secrets of an endpoint, as its row has them. */
export type SealedSecrets = {
  readonly merchantId: MerchantId;
  readonly endpointId: EndpointId;
  readonly sealedSecret: Buffer;
  /** the previous secret, while a rotation overlaps */
  readonly previousSealedSecret: Buffer | null;
  /** both secrets are sealed for this generation */
  readonly secretGeneration: number;
};

/**
 * Opens the secrets of an endpoint: its key, and the previous one's while a rotation overlaps.
 * @throws Error when a secret was not sealed for this place.
 */
export type FindSigningKeys = (sealed: SealedSecrets) => readonly EndpointKey[];

/** Endpoints whose keys are kept; each is a kilobyte. */
const MAX_KEPT = 5_000;

/** Keeps opened keys by endpoint, as long as its sealed secrets stay the same. */
export function createSigningKeys(masterKeys: readonly Buffer[]): FindSigningKeys {
  const kept = new Map<
    EndpointId,
    { readonly sealed: SealedSecrets; readonly keys: readonly EndpointKey[] }
  >();
  return (sealed) => {
    const known = kept.get(sealed.endpointId);
    if (known !== undefined && isSame(known.sealed, sealed)) return known.keys;
    const keys = openKeys(masterKeys, sealed);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(sealed.endpointId, { sealed, keys });
    return keys;
  };
}

function isSame(left: SealedSecrets, right: SealedSecrets): boolean {
  const [leftPrevious, rightPrevious] = [left.previousSealedSecret, right.previousSealedSecret];
  return (
    left.merchantId === right.merchantId &&
    left.secretGeneration === right.secretGeneration &&
    left.sealedSecret.equals(right.sealedSecret) &&
    (leftPrevious === null || rightPrevious === null
      ? leftPrevious === rightPrevious
      : leftPrevious.equals(rightPrevious))
  );
}

function openKeys(masterKeys: readonly Buffer[], sealed: SealedSecrets): readonly EndpointKey[] {
  const { merchantId, endpointId, secretGeneration: generation, sealedSecret, previousSealedSecret } = sealed;
  const open = (column: SecretPlace["column"], secret: Buffer) =>
    signingKeyOf(openSecret(masterKeys, { merchantId, endpointId, column, generation }, secret));
  const key = open("secret_ciphertext", sealedSecret);
  return previousSealedSecret === null
    ? [key]
    : [key, open("previous_secret_ciphertext", previousSealedSecret)];
}
