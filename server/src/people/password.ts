import { hash, verify } from "@node-rs/argon2";
import { ApiError, type ErrorDetail } from "../domain/errors.ts";
import { fieldRule } from "../domain/field-rule.ts";

/**
 * Argon2id, the library's algorithm, with the minimum of OWASP's Password Storage Cheat Sheet: 19 MiB, 2 passes, 1
 * lane.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** The hash of a discarded password. With it an unknown e-mail address costs as much time as a wrong password. */
const DISCARDED_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$J44MHqYF1WpTOMbVZ6yaJw$ev1mevzPW3PuSNzJRkBmloSPGHyItGer5eMKX7pyhjU";
const MIN_CHARS = 12;
const MAX_CHARS = 200;
const MIN_DISTINCT_CHARS = 5;

/**
 * Hashes a new password.
 *
 * @throws VALIDATION_ERROR of the field `path` when the password is too short, too long or easily guessed.
 */
export async function hashPassword(
  password: string,
  { email, path }: { readonly email: string; readonly path: string },
): Promise<string> {
  const fault = faultOf(password, email);
  if (fault !== undefined) throw new ApiError("VALIDATION_ERROR", { details: [{ path, ...fault }] });
  return hash(normal(password), COST);
}

/** Whether the password has this hash. Takes the same time without a hash. */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await verify(stored ?? DISCARDED_HASH, normal(password.slice(0, 2 * MAX_CHARS)));
  return isRight && typeof stored === "string";
}

function faultOf(password: string, email: string): Omit<ErrorDetail, "path"> | undefined {
  const chars = [...password];
  if (chars.length < MIN_CHARS || chars.length > MAX_CHARS)
    return {
      message: `must have ${MIN_CHARS} to ${MAX_CHARS} characters`,
      rule: fieldRule("length", MIN_CHARS, MAX_CHARS),
    };
  const [mailbox = ""] = email.split("@");
  const rest = password.toLowerCase().replaceAll(email, "").replaceAll(mailbox, "");
  if (new Set(rest).size < MIN_DISTINCT_CHARS)
    return {
      message: `must have at least ${MIN_DISTINCT_CHARS} different characters beside the e-mail address`,
      rule: fieldRule("distinct"),
    };
  return undefined;
}

/** The same text typed on another keyboard may have other code points. */
function normal(password: string): string {
  return password.normalize("NFKC");
}
