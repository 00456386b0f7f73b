import { words } from "../words/words.ts";

/** The browser's passkey functions that take and return JSON. Older browsers lack them. */
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

/** Whether this browser can use passkeys at this address; the pages offer none otherwise. */
export function hasPasskeys(): boolean {
  return passkeys()?.parseRequestOptionsFromJSON !== undefined && isName(location.hostname);
}

/** Why a passkey cannot be added here, in words; undefined if it can. */
export function passkeyObstacle(): string | undefined {
  if (hasPasskeys()) return undefined;
  return isName(location.hostname)
    ? words.signIn.security.noPasskeysHere
    : words.signIn.security.passkeysNeedName;
}

/** Browsers keep no passkey for an IP address. */
function isName(hostname: string): boolean {
  return !/^[\d.]+$|:/.test(hostname);
}

/** @throws Error in words if the service keeps its passkeys for another host than the one of this page. */
function requireOwnHost(host: string | undefined): void {
  if (host === undefined || `.${location.hostname}`.endsWith(`.${host}`)) return;
  throw new Error(words.signIn.passkeysOf({ host }));
}

/** The message after a passkey was not made or not accepted. */
export function passkeyProblem(fault: unknown): Error {
  const isInWords = fault instanceof Error && !(fault instanceof DOMException || fault instanceof TypeError);
  return isInWords ? fault : new Error(words.signIn.passkeyFailed);
}

/**
 * Asks the person for a passkey.
 *
 * @throws DOMException if the person gives up; Error in words if the page has another host than the passkeys.
 */
export async function getPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  requireOwnHost(options.rpId);
  const publicKey = passkeys()?.parseRequestOptionsFromJSON?.(options);
  return toJson(await navigator.credentials.get({ ...(publicKey && { publicKey }) }));
}

/**
 * Makes a passkey on the person's device.
 *
 * @throws DOMException if the person gives up; Error in words if the page has another host than the passkeys.
 */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  requireOwnHost(options.rp.id);
  const publicKey = passkeys()?.parseCreationOptionsFromJSON?.(options);
  return toJson(await navigator.credentials.create({ ...(publicKey && { publicKey }) }));
}

function toJson(credential: Credential | null): unknown {
  return (credential as PublicKeyCredential | null)?.toJSON();
}
