import { createHmac, randomInt, timingSafeEqual } from "node:crypto";

/*
 * XXXX-XXXX-XXXX-XXXX: twelve characters by chance, 60 bits, and four of their HMAC under the pepper, so that a made-up code costs no
 * query. The characters are Crockford's base 32, without I, L, O and U.
 */
const CHARACTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const [SECRET_CHARS, CHECK_CHARS] = [12, 4];
const FORM = /^[0-9A-HJKMNP-TV-Z]{16}$/;

/** Makes a code. It is the only copy: the stored form is its hash. */
export function newShopCode(pepper: string): { readonly code: string; readonly hash: Buffer } {
  const secret = Array.from({ length: SECRET_CHARS }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join(
    "",
  );
  const characters = secret + checkOf(pepper, secret);
  return { code: characters.replace(/.{4}(?!$)/g, "$&-"), hash: hashOf(pepper, characters) };
}

/** The stored form of a code as a person types it; undefined for one that this service did not make, under any of these peppers. */
export function hashOfShopCode(peppers: readonly string[], typed: string): Buffer | undefined {
  const characters = typed.toUpperCase().replace(/[\s-]/g, "").replace(/[IL]/g, "1").replace(/O/g, "0");
  if (!FORM.test(characters)) return undefined;
  const check = Buffer.from(characters.slice(SECRET_CHARS));
  const secret = characters.slice(0, SECRET_CHARS);
  const pepper = peppers.find((one) => timingSafeEqual(check, Buffer.from(checkOf(one, secret))));
  return pepper === undefined ? undefined : hashOf(pepper, characters);
}

/** The hashed text differs from that of the stored hash, so neither reveals the other. */
function checkOf(pepper: string, secret: string): string {
  const mac = createHmac("sha256", pepper).update(`check of shop code ${secret}`).digest();
  return Array.from(mac.subarray(0, CHECK_CHARS), (byte) => CHARACTERS[byte % CHARACTERS.length]).join("");
}

function hashOf(pepper: string, characters: string): Buffer {
  return createHmac("sha256", pepper).update(`shop code ${characters}`).digest();
}
