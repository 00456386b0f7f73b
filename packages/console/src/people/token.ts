import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { PersonId } from "@daric/domain/ids";
import { bytesOfIds, idOfBytes } from "@daric/runtime/id-bytes";

const SECRET_BYTES = 32;
const CHECK_BYTES = 8;
/** A link has no person in it; a session has. */
const FORM = /^[\w-]{54}$|^[\w-]{75}$/;

/** The purpose of a token. The names are part of the check and must not change. */
type TokenKind = "session" | "link";

/**
 * A new token: 256 random bits, the person if it is a session's, and a check of both under the pepper. So a made-up token costs no
 * query, and a session's row that is given to another person opens nothing.
 */
export function newToken(pepper: string, kind: TokenKind, personId?: PersonId): string {
  const body = Buffer.concat([randomBytes(SECRET_BYTES), ...(personId ? [bytesOfIds(personId)] : [])]);
  return Buffer.concat([body, checkOf(pepper, kind, body)]).toString("base64url");
}

/** The stored form of a token, and its person; undefined for one that this service did not make, under any of these peppers. */
export function readToken(
  peppers: readonly string[],
  kind: TokenKind,
  token: string,
): { readonly hash: Buffer; readonly personId: PersonId | undefined } | undefined {
  if (!FORM.test(token)) return undefined;
  const bytes = Buffer.from(token, "base64url");
  const body = bytes.subarray(0, -CHECK_BYTES);
  const check = bytes.subarray(-CHECK_BYTES);
  if (!peppers.some((pepper) => timingSafeEqual(check, checkOf(pepper, kind, body)))) return undefined;
  const hash = createHash("sha256").update(bytes).digest();
  return { hash, personId: idOfBytes("person", body.subarray(SECRET_BYTES)) };
}

/** The CSRF token: each write of a session repeats it in a header, and no other site can read it. */
export function csrfTokenOf(pepper: string, sessionToken: string): string {
  return createHmac("sha256", pepper).update(`csrf of ${sessionToken}`).digest("base64url");
}

function checkOf(pepper: string, kind: TokenKind, body: Buffer): Buffer {
  const mac = createHmac("sha256", pepper).update(`check of ${kind} `).update(body);
  return mac.digest().subarray(0, CHECK_BYTES);
}
