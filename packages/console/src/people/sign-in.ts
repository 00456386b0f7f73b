import { ApiError } from "@daric/domain/errors";
import { idOf, type PersonId } from "@daric/domain/ids";
import type { Session } from "@daric/domain/session";
import type { Transaction } from "@daric/postgres/sql";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { uuidv7 } from "uuidv7";
import { auditAct } from "./audit-act.ts";
import { type Actor, type Context, type Origin, peppersOf } from "./context.ts";
import { type PasskeySite, readSignIn } from "./passkey.ts";
import { hashAsItIs, isPassword, isUnderPepper, storedHash } from "./password.ts";
import {
  findPasskey,
  findPerson,
  findPersonByEmail,
  holdPasskey,
  lockPerson,
  type Person,
  storePassword,
  usePasskey,
} from "./person-store.ts";
import { proveSecondFactor } from "./prove-second-factor.ts";
import { insertSession, replaceToken } from "./session-store.ts";
import { findOwnSession } from "./sessions.ts";
import { newToken, readToken } from "./token.ts";

/** A session and the only copy of its token. */
export type SignedIn = { readonly token: string; readonly session: Session };
/** A password with the code of the second factor, if there is one. */
export type PasswordProof = { readonly password: string; readonly code?: string | undefined };

const PASSKEY_FAILED = "This passkey is not known here, or its answer came too late: try again.";

/**
 * Signs a person in with password and code. An unknown e-mail, a wrong password and a disabled person get one answer, which takes the
 * same time. Passkeys and recovery codes never wait.
 *
 * @throws SIGN_IN_FAILED; CODE_REQUIRED or WRONG_CODE behind a right password; RATE_LIMITED after too many wrong codes.
 */
export async function signIn(
  context: Context,
  { email, ...proof }: PasswordProof & { readonly email: string },
  from: Origin,
): Promise<SignedIn> {
  const person = await findPersonByEmail(context.db, email.toLowerCase());
  const keys = { peppers: peppersOf(context.config), personId: person?.id };
  if (!(await isPassword(person?.passwordHash, proof.password, keys))) throw new ApiError("SIGN_IN_FAILED");
  if (person === undefined || person.isDisabled) throw new ApiError("SIGN_IN_FAILED");
  await proveSecondFactor(context, person, proof.code);
  const renewed = await renewHash(context, person, proof.password);
  return context.db.transaction(async (tx) => {
    await holdProven(tx, person);
    if (renewed !== undefined) await storePassword(tx, person.id, renewed);
    return startSession(tx, context, { personId: person.id, from, by: "password" });
  });
}

/** The hash of a right password under the current pepper, if the stored one is under the pepper before it. */
async function renewHash(
  { config }: Context,
  { id, passwordHash }: Person,
  password: string,
): Promise<string | undefined> {
  const peppers = peppersOf(config);
  if (isUnderPepper(passwordHash, config.merchants.keyPepper)) return undefined;
  // A right password may be weaker than today's rules ask for: it is hashed as it is.
  return storedHash(await hashAsItIs(password, peppers), id);
}

/** @throws SIGN_IN_FAILED when the passkey is unknown, its answer is wrong, late or repeated, or its person is disabled. */
export async function signInByPasskey(
  context: Context,
  { response, site }: { readonly response: AuthenticationResponseJSON; readonly site: PasskeySite },
  from: Origin,
): Promise<SignedIn> {
  const personId = await provePasskey(context, response, site);
  return context.db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId);
    if (person.isDisabled || !(await holdPasskey(tx, response.id)))
      throw new ApiError("SIGN_IN_FAILED", { message: PASSKEY_FAILED });
    return startSession(tx, context, { personId, from, by: "passkey" });
  });
}

/**
 * Locks a person whose password and code were right, until the transaction ends. A change of the person that came first fails
 * the proof. One that comes later ends the session.
 *
 * @throws SIGN_IN_FAILED when the person changed since `proven` was read.
 */
export async function holdProven(tx: Transaction, proven: Person): Promise<void> {
  const person = await lockPerson(tx, proven.id);
  const isSame =
    person.passwordHash === proven.passwordHash &&
    person.passkeys === proven.passkeys &&
    (person.totpCiphertext === null) === (proven.totpCiphertext === null);
  if (person.isDisabled || !isSame) throw new ApiError("SIGN_IN_FAILED");
}

/** The new proof that the person of a session is there. */
export type PersonProof =
  | PasswordProof
  | { readonly response: AuthenticationResponseJSON; readonly site: PasskeySite };

/**
 * Checks a new proof of the session's person (password and code, or a passkey), and gives the session another token.
 *
 * @throws as {@link signIn} and {@link signInByPasskey}.
 */
export async function reauthenticate(context: Context, actor: Actor, proof: PersonProof): Promise<SignedIn> {
  const { personId } = actor.session;
  const isByPasskey = "response" in proof;
  if (isByPasskey && (await provePasskey(context, proof.response, proof.site)) !== personId)
    throw new ApiError("SIGN_IN_FAILED", { message: PASSKEY_FAILED });
  const proven = isByPasskey ? undefined : await provePassword(context, personId, proof);
  return context.db.transaction(async (tx) => {
    if (proven !== undefined) await holdProven(tx, proven);
    await auditAct(tx, actor, { action: "reauthenticate", subject: `person ${personId}` });
    return renewSession(tx, context, { actor, isProven: true });
  });
}

/** @throws as {@link signIn}. */
export async function provePassword(
  context: Context,
  personId: PersonId,
  proof: PasswordProof,
): Promise<Person> {
  const person = await findPerson(context.db, personId);
  const keys = { peppers: peppersOf(context.config), personId };
  if (!(await isPassword(person?.passwordHash, proof.password, keys)) || person === undefined)
    throw new ApiError("SIGN_IN_FAILED", { message: "The password is wrong." });
  await proveSecondFactor(context, person, proof.code);
  return person;
}

/** Starts a session in this transaction, and writes the sign-in into the audit log. */
export async function startSession(
  tx: Transaction,
  context: SignInContext,
  { personId, from, by }: { readonly personId: PersonId; readonly from: Origin; readonly by: string },
): Promise<SignedIn> {
  const issued = issueToken(context, personId);
  const id = idOf("session", uuidv7());
  await insertSession(tx, { id, personId, tokenHash: issued.hash, from });
  const session = await getSession(tx, context, issued);
  const act = { action: "sign in", subject: `session ${id}`, after: { by } };
  await auditAct(tx, { session, address: from.address }, act);
  return { token: issued.token, session };
}

/** Gives the session of the actor another token, after a proof or a change of rights. */
export async function renewSession(
  tx: Transaction,
  context: SignInContext,
  { actor, isProven = false }: { readonly actor: Actor; readonly isProven?: boolean },
): Promise<SignedIn> {
  const issued = issueToken(context, actor.session.personId);
  await replaceToken(tx, { id: actor.session.id, tokenHash: issued.hash, isProven });
  return { token: issued.token, session: await getSession(tx, context, issued) };
}

type SignInContext = Pick<Context, "config" | "log" | "metrics">;
type IssuedToken = { readonly token: string; readonly hash: Buffer; readonly personId: PersonId };

function issueToken({ config }: SignInContext, personId: PersonId): IssuedToken {
  const token = newToken(config.merchants.keyPepper, "session", personId);
  const read = readToken([config.merchants.keyPepper], "session", token);
  if (read === undefined) throw new Error("a new token has not the form of one");
  return { token, hash: read.hash, personId };
}

/** @throws SESSION_ENDED when the session ended meanwhile, or its person is refused. */
async function getSession(tx: Transaction, context: SignInContext, issued: IssuedToken): Promise<Session> {
  const found = await findOwnSession(context, tx, issued);
  if (found === undefined) throw new ApiError("SESSION_ENDED");
  return found.session;
}

/** Takes the answer of a passkey, once. Returns its person. */
async function provePasskey(
  { db, clock }: Context,
  response: AuthenticationResponseJSON,
  site: PasskeySite,
): Promise<PersonId> {
  const passkey = await findPasskey(db, response.id);
  const proof = passkey && (await readSignIn(site, response, { passkey, now: clock.now() }));
  if (passkey === undefined || proof === undefined || !(await usePasskey(db, { id: passkey.id, ...proof })))
    throw new ApiError("SIGN_IN_FAILED", { message: PASSKEY_FAILED });
  return passkey.personId;
}
