/** What the browser's passkey functions take and give as JSON. Older browsers lack them. */
type WithJson = typeof PublicKeyCredential & {
  parseRequestOptionsFromJSON?: (
    json: PublicKeyCredentialRequestOptionsJSON,
  ) => PublicKeyCredentialRequestOptions;
  parseCreationOptionsFromJSON?: (
    json: PublicKeyCredentialCreationOptionsJSON,
  ) => PublicKeyCredentialCreationOptions;
};

function passkeys(): WithJson | undefined {
  return globalThis.PublicKeyCredential as WithJson | undefined;
}

/** Whether this browser can use passkeys; the pages offer none otherwise. */
export function hasPasskeys(): boolean {
  return passkeys()?.parseRequestOptionsFromJSON !== undefined;
}

/**
 * Asks the person for a passkey.
 *
 * @throws DOMException if the person gives up.
 */
export async function getPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  const publicKey = passkeys()?.parseRequestOptionsFromJSON?.(options);
  return toJson(await navigator.credentials.get({ ...(publicKey && { publicKey }) }));
}

/**
 * Makes a passkey on the person's device.
 *
 * @throws DOMException if the person gives up.
 */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  const publicKey = passkeys()?.parseCreationOptionsFromJSON?.(options);
  return toJson(await navigator.credentials.create({ ...(publicKey && { publicKey }) }));
}

function toJson(credential: Credential | null): unknown {
  return (credential as PublicKeyCredential | null)?.toJSON();
}
