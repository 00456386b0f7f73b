import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { PersonId } from "@daric/domain/ids";
import { bytesOfIds } from "@daric/runtime/id-bytes";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";

const TIME_BYTES = 8;
const RANDOM_BYTES = 16;
const CHECK_BYTES = 16;
const VALID_MS = 5 * 60_000;

/** The site that passkeys belong to. */
export type PasskeySite = { readonly pepper: string; readonly origin: string };
/** A stored passkey, as its answers are verified. */
export type PasskeyProof = {
  readonly id: string;
  readonly publicKey: Uint8Array;
  readonly counter: bigint;
};
export type NewPasskey = PasskeyProof & {
  readonly transports: readonly string[];
  readonly challengedAt: Date;
};

/**
 * A challenge is its time, 128 random bits and an HMAC over both and its purpose. So none is stored: an accepted one moves the
 * passkey's time forward, and an answer to an earlier one is refused.
 */
function newChallenge({ pepper }: PasskeySite, purpose: string, now: Date): Uint8Array<ArrayBuffer> {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(now.getTime()));
  const body = Buffer.concat([time, randomBytes(RANDOM_BYTES)]);
  return new Uint8Array(Buffer.concat([body, checkOf(pepper, purpose, body)]));
}

/** When the challenge was made; undefined if it is not ours, of another purpose or older than five minutes. */
function timeOfChallenge(
  { pepper }: PasskeySite,
  challenge: string,
  { purpose, now }: { readonly purpose: string; readonly now: Date },
): Date | undefined {
  const bytes = Buffer.from(challenge, "base64url");
  const body = bytes.subarray(0, TIME_BYTES + RANDOM_BYTES);
  const check = bytes.subarray(TIME_BYTES + RANDOM_BYTES);
  if (check.length !== CHECK_BYTES || !timingSafeEqual(check, checkOf(pepper, purpose, body)))
    return undefined;
  const time = new Date(Number(body.readBigUInt64BE()));
  return now.getTime() - time.getTime() <= VALID_MS ? time : undefined;
}

function checkOf(pepper: string, purpose: string, body: Buffer): Buffer {
  const mac = createHmac("sha256", pepper).update(`challenge to ${purpose} `).update(body);
  return mac.digest().subarray(0, CHECK_BYTES);
}

/** Loaded by its first use, because its 250 modules would take a quarter of each start. */
const webauthn = () => import("@simplewebauthn/server");

const hostOf = (origin: string): string => new URL(origin).hostname;
const SIGN_IN = "sign in";
const registering = (personId: PersonId): string => `register for ${personId}`;

/** The options of `navigator.credentials.create`. The device must verify its user, so a passkey is two factors. */
export async function registrationOptions(
  site: PasskeySite,
  person: { readonly id: PersonId; readonly email: string; readonly name: string },
  { now, known }: { readonly now: Date; readonly known: readonly string[] },
) {
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpName: "Daric",
    rpID: hostOf(site.origin),
    userID: new Uint8Array(bytesOfIds(person.id)),
    userName: person.email,
    userDisplayName: person.name,
    challenge: newChallenge(site, registering(person.id), now),
    attestationType: "none",
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** The new passkey that the browser made; undefined when the answer is not valid. */
export async function readRegistration(
  site: PasskeySite,
  response: RegistrationResponseJSON,
  { personId, now }: { readonly personId: PersonId; readonly now: Date },
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse } = await webauthn();
  let challengedAt: Date | undefined;
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => {
      challengedAt = timeOfChallenge(site, challenge, { purpose: registering(personId), now });
      return challengedAt !== undefined;
    },
    expectedOrigin: site.origin,
    expectedRPID: hostOf(site.origin),
    requireUserVerification: true,
  }).catch(() => undefined);
  if (result?.verified !== true || challengedAt === undefined || isCrossOrigin(response)) return undefined;
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential;
  return { id, publicKey, counter: BigInt(counter), transports, challengedAt };
}

/** Whether a verified answer was made in a frame of another site, which no page of ours is. */
function isCrossOrigin({ response }: { readonly response: { readonly clientDataJSON: string } }): boolean {
  const data = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString()) as object;
  return "crossOrigin" in data && data.crossOrigin === true;
}

/** The options of `navigator.credentials.get`; the browser offers the passkeys that it has for this site. */
export async function signInOptions(site: PasskeySite, now: Date) {
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID: hostOf(site.origin),
    challenge: newChallenge(site, SIGN_IN, now),
    userVerification: "required",
  });
}

/** The new counter and the time of the challenge; undefined when the answer is not one of this passkey. */
export async function readSignIn(
  site: PasskeySite,
  response: AuthenticationResponseJSON,
  { passkey, now }: { readonly passkey: PasskeyProof; readonly now: Date },
): Promise<{ readonly counter: bigint; readonly challengedAt: Date } | undefined> {
  const { verifyAuthenticationResponse } = await webauthn();
  let challengedAt: Date | undefined;
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => {
      challengedAt = timeOfChallenge(site, challenge, { purpose: SIGN_IN, now });
      return challengedAt !== undefined;
    },
    expectedOrigin: site.origin,
    expectedRPID: hostOf(site.origin),
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: Number(passkey.counter),
    },
    requireUserVerification: true,
  }).catch(() => undefined);
  if (result?.verified !== true || challengedAt === undefined || isCrossOrigin(response)) return undefined;
  return { counter: BigInt(result.authenticationInfo.newCounter), challengedAt };
}
