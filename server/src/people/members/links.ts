import type { Transaction } from "@daric/postgres/sql";
import { uuidv7 } from "uuidv7";
import { ApiError, type ErrorDetail } from "../../domain/errors.ts";
import { idOf, type MerchantId, type PersonId } from "../../domain/ids.ts";
import type { MerchantRole } from "../../domain/merchant-role.ts";
import type { Session } from "../../domain/session.ts";
import { auditAct, personIdOf } from "../audit-act.ts";
import type { Actor, Author, Context, LinkContext, Origin } from "../context.ts";
import { hashPassword } from "../password.ts";
import {
  deletePasskeys,
  findPersonByEmail,
  insertPerson,
  makeOperator,
  type Person,
  replaceRecoveryCodes,
  storePassword,
  storeTotp,
} from "../person-store.ts";
import { endSessions, listMerchantNames } from "../session-store.ts";
import { renewSession, type SignedIn, startSession } from "../sign-in.ts";
import { hashToken, newToken } from "../token.ts";
import { findOpenLink, insertLink, type NewLink, type OneTimeLink, takeLink } from "./link-store.ts";
import { insertMembership, isMember } from "./membership-store.ts";

const INVITATION_MS = 7 * 24 * 3_600_000;
const RESET_MS = 24 * 3_600_000;
/** The token stands behind the #, which browsers send to no server. */
const PATH = "/dashboard/link#";

/** A link, with the only copy of its URL. */
export type IssuedLink = { readonly link: OneTimeLink; readonly url: string };

/** To become a member of a merchant; without `place` an operator. */
export type Invitation = {
  readonly email: string;
  readonly place?: { readonly merchantId: MerchantId; readonly role: MerchantRole };
};

/** @throws VALIDATION_ERROR when the e-mail is a member's already; NOT_FOUND when there is no such merchant. */
export async function invite(
  context: LinkContext,
  author: Author,
  invitation: Invitation,
): Promise<IssuedLink> {
  const { place } = invitation;
  const email = invitation.email.toLowerCase();
  if (place !== undefined) {
    if (!(await listMerchantNames(context.db, [place.merchantId])).has(place.merchantId))
      throw new ApiError("NOT_FOUND", { message: `There is no merchant ${place.merchantId}.` });
    if (await isMember(context.db, place.merchantId, email))
      throw invalid("email", "is a member's already: change the role instead");
  }
  const { merchantId = null, role = null } = place ?? {};
  const link = { kind: "invitation", email, merchantId, role, resetsSecondFactor: false } as const;
  return issueLink(context, author, { ...link, lifeMs: INVITATION_MS });
}

/** A link by which a person sets a new password, and loses the second factor if that is lost too. */
export async function offerReset(
  context: LinkContext,
  author: Author,
  { email, resetsSecondFactor }: { readonly email: string; readonly resetsSecondFactor: boolean },
): Promise<IssuedLink> {
  const link = { kind: "reset", email, merchantId: null, role: null, resetsSecondFactor } as const;
  return issueLink(context, author, { ...link, lifeMs: RESET_MS });
}

async function issueLink(
  { db, config }: LinkContext,
  author: Author,
  link: Omit<NewLink, "id" | "tokenHash" | "madeBy">,
): Promise<IssuedLink> {
  const token = newToken(config.merchants.keyPepper, "link");
  const tokenHash = hashOf({ config }, token);
  const id = idOf("link", uuidv7());
  const stored = await db.transaction(async (tx) => {
    const { email, role, merchantId, resetsSecondFactor } = link;
    await auditAct(tx, author, {
      action: link.kind === "reset" ? "offer reset" : "invite",
      subject: `link ${id}`,
      after: link.kind === "reset" ? { email, resetsSecondFactor } : { email, role: role ?? "operator" },
      merchantId,
    });
    return insertLink(tx, { ...link, id, tokenHash, madeBy: personIdOf(author) });
  });
  return { link: stored, url: `${config.http.publicBaseUrl ?? ""}${PATH}${token}` };
}

/** What an open link is for. @throws LINK_NOT_VALID when it is unknown, used, withdrawn or too old. */
export async function lookUpLink(
  context: LinkContext,
  token: string,
): Promise<{ link: OneTimeLink; person: Person | undefined; merchantName: string | undefined }> {
  const link = await findOpenLink(context.db, hashOf(context, token));
  if (link === undefined) throw new ApiError("LINK_NOT_VALID");
  const { email, merchantId } = link;
  const person = await findPersonByEmail(context.db, email);
  const names = await listMerchantNames(context.db, merchantId === null ? [] : [merchantId]);
  return { link, person, merchantName: merchantId === null ? undefined : names.get(merchantId) };
}

type Acceptance = {
  readonly token: string;
  readonly name?: string | undefined;
  readonly password?: string | undefined;
  /** the session of the request, if there is one */
  readonly session?: Session | undefined;
};

/**
 * Uses a link up: a new person is signed in, a person with an account must be signed in already, and a reset signs
 * in no one.
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
    await join(tx, actor, await take(tx, context, acceptance.token));
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
  if (name.trim() === "") throw invalid("name", "must have 1 to 120 characters");
  const passwordHash = await hashPassword(password, { email, path: "password" });
  const id = idOf("person", uuidv7());
  return context.db.transaction(async (tx) => {
    const taken = await take(tx, context, acceptance.token);
    if (!(await insertPerson(tx, { id, email, name, passwordHash }))) throw new ApiError("LINK_NOT_VALID");
    const signedIn = await startSession(tx, context, { personId: id, from, by: "invitation" });
    const actor = { session: signedIn.session, address: from.address };
    await join(tx, actor, taken);
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
  const hash = await hashPassword(password, { email: person.email, path: "password" });
  await context.db.transaction(async (tx) => {
    const link = await take(tx, context, acceptance.token);
    await storePassword(tx, person.id, hash);
    if (link.resetsSecondFactor) await removeSecondFactors(tx, person.id);
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

/** Of several uses at once, one gets the link. */
async function take(tx: Transaction, context: LinkContext, token: string): Promise<OneTimeLink> {
  const link = await takeLink(tx, hashOf(context, token));
  if (link === undefined) throw new ApiError("LINK_NOT_VALID");
  return link;
}

/** @throws LINK_NOT_VALID for a token that this service did not make. */
function hashOf({ config }: Pick<LinkContext, "config">, token: string): Buffer {
  const hash = hashToken(config.merchants.keyPepper, "link", token);
  if (hash === undefined) throw new ApiError("LINK_NOT_VALID");
  return hash;
}

export function invalid(path: string, message: string): ApiError {
  const details: ErrorDetail[] = [{ path, message }];
  return new ApiError("VALIDATION_ERROR", { details });
}
