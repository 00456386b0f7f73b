import { createHmac } from "node:crypto";
import { ApiError, type ErrorDetail } from "@daric/domain/errors";
import { fieldRule } from "@daric/domain/field-rule";
import type { PersonId } from "@daric/domain/ids";
import { isSameMac, pepperIdOf } from "@daric/runtime/mac";
import { hash, verify } from "@node-rs/argon2";

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

/** The peppers of the service, the current one first, and the person whose password it is. */
export type PasswordKeys = { readonly peppers: readonly string[]; readonly personId: PersonId };

/**
 * Hashes a new password.
 *
 * @throws VALIDATION_ERROR of the field `path` when the password is too short, too long or easily guessed.
 */
export async function hashPassword(
  password: string,
  {
    email,
    path,
    peppers: [pepper = ""],
  }: Pick<PasswordKeys, "peppers"> & { readonly email: string; readonly path: string },
): Promise<PepperedHash> {
  const fault = faultOf(password, email);
  if (fault !== undefined) throw new ApiError("VALIDATION_ERROR", { details: [{ path, ...fault }] });
  return hashAsItIs(password, [pepper]);
}

/** As {@link hashPassword}, of a password that was accepted before. */
export async function hashAsItIs(password: string, [pepper = ""]: readonly string[]): Promise<PepperedHash> {
  return { pepper, hash: await hash(normal(password), { ...COST, secret: secretOf(pepper) }) };
}

/** A hash under a pepper that belongs to no person yet. */
type PepperedHash = { readonly pepper: string; readonly hash: string };

/**
 * The stored form of a hash: its own name, the id of the pepper, a code that binds it to the person, and the hash. Without the pepper
 * nothing of it can be made, and the hash of one person is none of another.
 */
export function storedHash({ pepper, hash }: PepperedHash, personId: PersonId): string {
  return [FORM, pepperIdOf(pepper).toString("hex"), bindingOf(pepper, hash, personId), hash].join(":");
}

/** Whether the password has this stored hash. Takes the same time without one, or with one of another form or pepper. */
export async function isPassword(
  stored: string | null | undefined,
  password: string,
  { peppers, personId }: { readonly peppers: readonly string[]; readonly personId: PersonId | undefined },
): Promise<boolean> {
  const [form, pepperId, binding, hash = ""] = stored?.split(":") ?? [];
  const pepper = peppers.find((candidate) => pepperIdOf(candidate).toString("hex") === pepperId);
  const isOurs =
    form === FORM &&
    pepper !== undefined &&
    personId !== undefined &&
    isSameMac(Buffer.from(binding ?? ""), Buffer.from(bindingOf(pepper, hash, personId)));
  const secret = secretOf(pepper ?? "");
  const text = normal(password.slice(0, 2 * MAX_CHARS));
  return (await verify(isOurs ? hash : DISCARDED_HASH, text, { secret })) && isOurs;
}

/** Whether the hash was made under this pepper. */
export function isUnderPepper(stored: string | null, pepper: string): boolean {
  return stored?.split(":")[1] === pepperIdOf(pepper).toString("hex");
}

/** The name of the stored form. Other forms are refused: else a thief who writes to the database could write one. */
const FORM = "argon2-pepper-1";

/** The secret value K of Argon2 (RFC 9106, 3.1). */
function secretOf(pepper: string): Buffer {
  return createHmac("sha256", pepper).update("secret of passwords").digest();
}

function bindingOf(pepper: string, hash: string, personId: PersonId): string {
  return createHmac("sha256", pepper).update(`password of ${personId} ${hash}`).digest("hex").slice(0, 32);
}

function faultOf(password: string, email: string): Omit<ErrorDetail, "path"> | undefined {
  const chars = [...password];
  if (chars.length < MIN_CHARS || chars.length > MAX_CHARS)
    return {
      message: `must have ${MIN_CHARS} to ${MAX_CHARS} characters`,
      rule: fieldRule("length", MIN_CHARS, MAX_CHARS),
    };
  const [mailbox = ""] = email.split("@");
  const whole = password.toLowerCase().replaceAll(email, "");
  const rest = whole.replaceAll(mailbox, "");
  if (new Set(rest).size < MIN_DISTINCT_CHARS)
    return {
      message: `must have at least ${MIN_DISTINCT_CHARS} different characters beside the e-mail address`,
      rule: fieldRule("distinct"),
    };
  // A short mailbox such as me@ is a part of common words, so the whole is judged too.
  if ([whole, rest].some((text) => new Set(withoutCommon(text)).size < MIN_DISTINCT_CHARS))
    return {
      message: "is made of the most used passwords and rows of keys: use other words",
      rule: fieldRule("common"),
    };
  return undefined;
}

/** The parts of most guessed passwords. */
const COMMON_WORDS =
  `password passwort passw senha contraseña parol motdepasse administrator admin root user guest login welcome
  letmein secret changeme default master iloveyou loveyou monkey dragon football baseball basketball soccer hockey sunshine princess
  superman batman spiderman starwars pokemon naruto shadow michael jennifer jordan ashley charlie daniel thomas jessica andrea
  trustno hello freedom whatever computer internet service samsung iphone google facebook linkedin yahoo gmail mustang ferrari
  harley corvette cowboys liverpool chelsea arsenal barcelona summer winter spring autumn january december monday friday
  blink cheese cookie banana chocolate butterfly flower angel family lovely forever money bitcoin crypto wallet daric tron`
    .split(/\s/)
    .filter(Boolean);
const KEY_ROWS = [
  "01234567890",
  "qwertyuiop",
  "qwertzuiop",
  "azertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "1qaz2wsx3edc4rfv",
  "1q2w3e4r5t6y7u8i9o0p",
  "q1w2e3r4t5y6u7i8o9p0",
  "qazwsxedcrfvtgbyhnujm",
  "123qweasdzxc",
  "a1b2c3d4e5f6g7h8i9j0",
  "1a2s3d4f5g6h7j8k9l0",
  "йцукенгшщзхъ",
  "abcdefghijklmnopqrstuvwxyz",
];
const MIN_RUN = 4;

/** A text in lower case without common words, also in digits and signs for letters, and without runs on the keyboard or in the alphabet. */
function withoutCommon(text: string): string {
  const runs = KEY_ROWS.flatMap((row) => [row, [...row].reverse().join("")]).flatMap(runsOf);
  const rest = runs.toSorted((left, right) => right.length - left.length).reduce(without, text);
  const letters = rest.replaceAll("@", "a").replaceAll("$", "s").replaceAll("0", "o").replaceAll("3", "e");
  return COMMON_WORDS.reduce(without, letters.replaceAll("1", "i"));
}

function runsOf(row: string): string[] {
  return Array.from(row, (_, from) => row.slice(from)).flatMap((end) =>
    Array.from(end, (_, length) => end.slice(0, length + 1)).filter(({ length }) => length >= MIN_RUN),
  );
}

function without(text: string, part: string): string {
  return text.replaceAll(part, "");
}

/** The same text typed on another keyboard may have other code points. */
function normal(password: string): string {
  return password.normalize("NFKC");
}
