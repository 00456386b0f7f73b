import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const SECRET_BYTES = 32;
const CHECK_BYTES = 8;
const FORM = /^[\w-]{54}$/;

/** The purpose of a token. The names are part of the check and must not change. */
type TokenKind = "session" | "link";

/** A new token: 256 random bits and a check under the pepper, so that made-up tokens cost no query. */
export function newToken(pepper: string, kind: TokenKind): string {
  const secret = randomBytes(SECRET_BYTES);
  return Buffer.concat([secret, checkOf(pepper, kind, secret)]).toString("base64url");
}

/** The stored form of a token; undefined for one that this service did not make, under any of these peppers. */
export function hashToken(peppers: readonly string[], kind: TokenKind, token: string): Buffer | undefined {
  if (!FORM.test(token)) return undefined;
  const bytes = Buffer.from(token, "base64url");
  const secret = bytes.subarray(0, SECRET_BYTES);
  const check = bytes.subarray(SECRET_BYTES);
  if (!peppers.some((pepper) => timingSafeEqual(check, checkOf(pepper, kind, secret)))) return undefined;
  return createHash("sha256").update(bytes).digest();
}

/** The CSRF token: each write of a session repeats it in a header, and no other site can read it. */
export function csrfTokenOf(pepper: string, sessionToken: string): string {
  return createHmac("sha256", pepper).update(`csrf of ${sessionToken}`).digest("base64url");
}

function checkOf(pepper: string, kind: TokenKind, secret: Buffer): Buffer {
  return createHmac("sha256", pepper)
    .update(`check of ${kind} `)
    .update(secret)
    .digest()
    .subarray(0, CHECK_BYTES);
}
