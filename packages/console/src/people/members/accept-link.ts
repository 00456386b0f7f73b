import { ApiError } from "@daric/domain/errors";
import { fieldRule } from "@daric/domain/field-rule";
import { idOf, type PersonId } from "@daric/domain/ids";
import type { Session } from "@daric/domain/session";
import type { Transaction } from "@daric/postgres/sql";
import { uuidv7 } from "uuidv7";
import { auditAct } from "../audit-act.ts";
import { type Actor, type Context, type LinkContext, type Origin, peppersOf } from "../context.ts";
import { hashPassword, storedHash } from "../password.ts";
import {
  deletePasskeys,
  insertPerson,
  makeOperator,
  type Person,
  replaceRecoveryCodes,
  storePassword,
  storeTotp,
} from "../person-store.ts";
import { changeRights, sealPerson } from "../rights.ts";
import { endSessions } from "../session-store.ts";
import { renewSession, type SignedIn, startSession } from "../sign-in.ts";
import { type OneTimeLink, takeLink } from "./link-store.ts";
import { hashOf, lookUpLink, validationError } from "./links.ts";
import { insertMembership } from "./membership-store.ts";

type Acceptance = {
  readonly token: string;
  readonly name?: string | undefined;
  readonly password?: string | undefined;
  /** the session of the request, if there is one */
  readonly session?: Session | undefined;
};

/**
 * Uses a link up. A new person is signed in; a person with an account must be signed in already. A reset starts no
 * session.
 *
 * @throws LINK_NOT_VALID as {@link lookUpLink}; SESSION_ENDED when the account's person is not signed in; VALIDATION_ERROR of name or
 * password.
 */
export async function acceptLink(
  context: Context,
  acceptance: Acceptance,
  from: Origin,
): Promise<SignedIn | undefined> {
  const { link, person } = await lookUpLink(context, acceptance.token);
  if (person?.isDisabled) throw new ApiError("LINK_NOT_VALID");
  if (link.kind === "reset") return reset(context, { link, person, acceptance }, from);
  if (person === undefined) return enrol(context, { link, acceptance }, from);
  const { session } = acceptance;
  if (session?.personId !== person.id)
    throw new ApiError("SESSION_ENDED", {
      message: `Sign in as ${link.email} first, then open the link again.`,
    });
  const actor = { session, address: from.address };
  return context.db.transaction(async (tx) => {
    const taken = await take(tx, context, acceptance.token);
    await changeRights(tx, { context, personId: person.id }, () => join(tx, actor, taken));
    return renewSession(tx, context, { actor });
  });
}

async function enrol(
  context: Context,
  { link, acceptance }: { link: OneTimeLink; acceptance: Acceptance },
  from: Origin,
): Promise<SignedIn> {
  const { email } = link;
  const { name = "", password = "" } = acceptance;
  if (name.trim() === "")
    throw validationError("name", "must have 1 to 120 characters", fieldRule("length", 1, 120));
  const id = idOf("person", uuidv7());
  const hash = await hashPassword(password, { email, path: "password", peppers: peppersOf(context.config) });
  const passwordHash = storedHash(hash, id);
  return context.db.transaction(async (tx) => {
    const taken = await take(tx, context, acceptance.token);
    if (!(await insertPerson(tx, { id, email, name, passwordHash }))) throw new ApiError("LINK_NOT_VALID");
    await sealPerson(tx, context.config.integrity.key, id);
    const signedIn = await startSession(tx, context, { personId: id, from, by: "invitation" });
    const actor = { session: signedIn.session, address: from.address };
    await changeRights(tx, { context, personId: id }, () => join(tx, actor, taken));
    return renewSession(tx, context, { actor });
  });
}

async function join(tx: Transaction, actor: Actor, link: OneTimeLink): Promise<void> {
  const { merchantId, role } = link;
  const { personId } = actor.session;
  if (merchantId === null || role === null) await makeOperator(tx, personId);
  else if (!(await insertMembership(tx, { merchantId, personId, role })))
    throw new ApiError("LINK_NOT_VALID");
  await auditAct(tx, actor, {
    action: "accept invitation",
    subject: `person ${personId}`,
    after: { role: role ?? "operator", link: link.id },
    merchantId,
  });
}

async function reset(
  context: Context,
  { person, acceptance }: { link: OneTimeLink; person: Person | undefined; acceptance: Acceptance },
  from: Origin,
): Promise<undefined> {
  if (person === undefined) throw new ApiError("LINK_NOT_VALID");
  const { password = "" } = acceptance;
  const { id, email } = person;
  const hash = await hashPassword(password, { email, path: "password", peppers: peppersOf(context.config) });
  await context.db.transaction(async (tx) => {
    const link = await take(tx, context, acceptance.token);
    await storePassword(tx, id, storedHash(hash, id));
    if (link.resetsSecondFactor)
      await changeRights(tx, { context, personId: id }, () => removeSecondFactors(tx, id));
    await endSessions(tx, person.id);
    const actor = { session: { personId: person.id }, address: from.address };
    const after = { resetsSecondFactor: link.resetsSecondFactor, link: link.id };
    await auditAct(tx, actor, { action: "reset password", subject: `person ${person.id}`, after });
  });
}

async function removeSecondFactors(tx: Transaction, id: PersonId): Promise<void> {
  await storeTotp(tx, id, null);
  await deletePasskeys(tx, id);
  await replaceRecoveryCodes(tx, id, []);
}

/** Takes the link. Only one of several simultaneous uses gets it. */
async function take(tx: Transaction, context: LinkContext, token: string): Promise<OneTimeLink> {
  const link = await takeLink(tx, hashOf(context, token));
  if (link === undefined) throw new ApiError("LINK_NOT_VALID");
  return link;
}
