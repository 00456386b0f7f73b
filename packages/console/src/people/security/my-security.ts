import { ApiError } from "@daric/domain/errors";
import { fieldRule } from "@daric/domain/field-rule";
import type { PersonId } from "@daric/domain/ids";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { auditAct } from "../audit-act.ts";
import { type Actor, type Context, peppersOf } from "../context.ts";
import { type PasskeySite, readRegistration } from "../passkey.ts";
import { hashPassword, storedHash } from "../password.ts";
import {
  deletePasskey,
  insertPasskey,
  lockPerson,
  MAX_PASSKEYS,
  type Passkey,
  renamePerson,
  replaceRecoveryCodes,
  storePassword,
  storeTotp,
} from "../person-store.ts";
import { changeRights } from "../rights.ts";
import { endSessions } from "../session-store.ts";
import { holdProven, provePassword, renewSession, type SignedIn } from "../sign-in.ts";
import { hashRecoveryCode, isTotpSecret, newRecoveryCodes, sealTotp, stepOfCode } from "../totp.ts";

/* Changes that people make to their own sign-in. Each change ends their other sessions and renews the current one. */

const subjectOf = ({ session }: Actor): string => `person ${session.personId}`;

/** @throws SIGN_IN_FAILED when the old password is wrong; VALIDATION_ERROR when the new one is too weak. */
export async function changePassword(
  context: Context,
  actor: Actor,
  { password, code, newPassword }: { password: string; code?: string | undefined; newPassword: string },
): Promise<SignedIn> {
  const person = await provePassword(context, actor.session.personId, { password, code });
  const peppers = peppersOf(context.config);
  const hash = await hashPassword(newPassword, { email: person.email, path: "newPassword", peppers });
  return context.db.transaction(async (tx) => {
    await holdProven(tx, person);
    await storePassword(tx, person.id, storedHash(hash, person.id));
    await auditAct(tx, actor, { action: "change password", subject: subjectOf(actor) });
    await endSessions(tx, person.id, actor.session.id);
    return renewSession(tx, context, { actor, isProven: true });
  });
}

export async function changeName(context: Context, actor: Actor, name: string): Promise<SignedIn> {
  return context.db.transaction(async (tx) => {
    const before = await lockPerson(tx, actor.session.personId);
    await renamePerson(tx, before.id, name);
    const values = { before: { name: before.name }, after: { name } };
    await auditAct(tx, actor, { action: "change name", subject: subjectOf(actor), ...values });
    return renewSession(tx, context, { actor });
  });
}

/**
 * Stores the secret of an authenticator app once a code proves that the app has it. Returns new recovery codes, the only copy.
 *
 * @throws VALIDATION_ERROR when the secret has not the form of one; WRONG_CODE.
 */
export async function confirmTotp(
  context: Context,
  actor: Actor,
  { secret, code }: { secret: string; code: string },
): Promise<SignedIn & { recoveryCodes: readonly string[] }> {
  const { personId } = actor.session;
  if (!isTotpSecret(secret))
    throw new ApiError("VALIDATION_ERROR", {
      details: [{ path: "secret", message: "must be the secret that was made for you" }],
    });
  const step = stepOfCode(secret, code, context.clock.now());
  if (step === undefined) throw new ApiError("WRONG_CODE");
  const ciphertext = sealTotp(context.config.webhooks.masterKey, personId, secret);
  const { recoveryCodes, hashes } = makeRecoveryCodes(context, personId);
  return context.db.transaction(async (tx) => {
    await changeRights(tx, { context, personId }, () => storeTotp(tx, personId, { ciphertext, step }));
    await replaceRecoveryCodes(tx, personId, hashes);
    await auditAct(tx, actor, { action: "set up authenticator app", subject: subjectOf(actor) });
    await endSessions(tx, personId, actor.session.id);
    return { ...(await renewSession(tx, context, { actor })), recoveryCodes };
  });
}

/** @throws SECOND_FACTOR_REQUIRED on a live service, when the app is the only second factor. */
export async function removeTotp(context: Context, actor: Actor): Promise<SignedIn> {
  return context.db.transaction(async (tx) => {
    const { id, passkeys } = await lockPerson(tx, actor.session.personId);
    requireAnotherFactor(context, passkeys > 0);
    await changeRights(tx, { context, personId: id }, () => storeTotp(tx, id, null));
    await auditAct(tx, actor, { action: "remove authenticator app", subject: subjectOf(actor) });
    await endSessions(tx, id, actor.session.id);
    return renewSession(tx, context, { actor });
  });
}

/** Makes new recovery codes, and ends the old ones. */
export async function renewRecoveryCodes(context: Context, actor: Actor): Promise<readonly string[]> {
  const { personId } = actor.session;
  const { recoveryCodes, hashes } = makeRecoveryCodes(context, personId);
  await context.db.transaction(async (tx) => {
    await replaceRecoveryCodes(tx, personId, hashes);
    await auditAct(tx, actor, { action: "renew recovery codes", subject: subjectOf(actor) });
  });
  return recoveryCodes;
}

/** @throws VALIDATION_ERROR when the browser's answer is wrong, late, or of a passkey that is known already; CAP_REACHED. */
export async function addPasskey(
  context: Context,
  actor: Actor,
  input: { name: string; response: RegistrationResponseJSON; site: PasskeySite },
): Promise<Passkey> {
  const { personId } = actor.session;
  const proof = { personId, now: context.clock.now() };
  const passkey = await readRegistration(input.site, input.response, proof);
  if (passkey === undefined)
    throw refusedPasskey("is not an answer to a question of the last five minutes: try again");
  return context.db.transaction(async (tx) => {
    if ((await lockPerson(tx, personId)).passkeys >= MAX_PASSKEYS)
      throw new ApiError("CAP_REACHED", {
        message: `You can have ${MAX_PASSKEYS} passkeys: remove one first.`,
      });
    const added = await changeRights(tx, { context, personId }, () =>
      insertPasskey(tx, personId, { ...passkey, name: input.name }),
    );
    if (added === undefined)
      throw refusedPasskey("is of a passkey or a question that was taken already: try again");
    const after = { id: added.id, name: added.name };
    await auditAct(tx, actor, { action: "add passkey", subject: subjectOf(actor), after });
    await endSessions(tx, personId, actor.session.id);
    return added;
  });
}

function refusedPasskey(message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", {
    details: [{ path: "response", message, rule: fieldRule("passkey") }],
  });
}

/** @throws NOT_FOUND when the person has no such passkey; SECOND_FACTOR_REQUIRED as {@link removeTotp}. */
export async function removePasskey(context: Context, actor: Actor, id: string): Promise<Passkey> {
  return context.db.transaction(async (tx) => {
    const person = await lockPerson(tx, actor.session.personId);
    const removed = await changeRights(tx, { context, personId: person.id }, () =>
      deletePasskey(tx, { personId: person.id, id }),
    );
    if (removed === undefined) throw new ApiError("NOT_FOUND");
    requireAnotherFactor(context, person.totpCiphertext !== null || person.passkeys > 1);
    const before = { id, name: removed.name };
    await auditAct(tx, actor, { action: "remove passkey", subject: subjectOf(actor), before });
    await endSessions(tx, person.id, actor.session.id);
    return removed;
  });
}

function requireAnotherFactor({ config }: Context, hasAnother: boolean): void {
  if (config.environment === "live" && !hasAnother) throw new ApiError("SECOND_FACTOR_REQUIRED");
}

function makeRecoveryCodes({ config }: Context, personId: PersonId) {
  const recoveryCodes = newRecoveryCodes();
  const hashes = recoveryCodes.flatMap(
    (code) => hashRecoveryCode(config.merchants.keyPepper, personId, code) ?? [],
  );
  return { recoveryCodes, hashes };
}
