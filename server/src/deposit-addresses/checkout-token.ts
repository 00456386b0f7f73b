import { randomBytes } from "node:crypto";

const TOKEN_BYTES = 24;

/** 192 random bits, base64url: whoever can name the token was given it. */
export function newCheckoutToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}
