import { ApiError } from "@daric/domain/errors";
import { type FieldRule, fieldRule } from "@daric/domain/field-rule";
import { idOf, type MerchantId } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import { uuidv7 } from "uuidv7";
import { auditAct, personIdOf } from "../audit-act.ts";
import { type Actor, dashboardUrlOf, type LinkContext, peppersOf } from "../context.ts";
import { findPersonByEmail, type Person } from "../person-store.ts";
import { holdSession, listMerchantNames } from "../session-store.ts";
import { newToken, readToken } from "../token.ts";
import {
  countOpenLinks,
  findOpenLink,
  insertLink,
  MAX_OPEN_LINKS,
  mayBeMailed,
  type NewLink,
  type OneTimeLink,
} from "./link-store.ts";
import { mailLink } from "./mail-link.ts";
import { countMembers, isMember, MAX_MEMBERS } from "./membership-store.ts";

const INVITATION_MS = 7 * 24 * 3_600_000;
const RESET_MS = 24 * 3_600_000;
/** The token stands behind the #, which browsers send to no server. */
const PATH = "/dashboard/link#";

/** A link, with the only copy of its URL. `isMailed`: the mail server accepted it for its person. */
export type IssuedLink = { readonly link: OneTimeLink; readonly url: string; readonly isMailed: boolean };

/** An invitation of a member of a merchant, or of an operator without `membership`. */
export type Invitation = {
  readonly email: string;
  readonly membership?: { readonly merchantId: MerchantId; readonly role: MerchantRole };
};

/** The maker of a link: a signed-in person, or an operator at the command line by name. */
export type Maker = Actor | { readonly operator: string };

/**
 * @throws VALIDATION_ERROR when the e-mail is a member's already; NOT_FOUND when there is no such merchant;
 * SESSION_ENDED when the maker's session ended meanwhile; CAP_REACHED.
 */
export async function invite(
  context: LinkContext,
  maker: Maker,
  invitation: Invitation,
): Promise<IssuedLink> {
  const { membership } = invitation;
  const email = invitation.email.toLowerCase();
  if (membership !== undefined) {
    if (!(await listMerchantNames(context.db, [membership.merchantId])).has(membership.merchantId))
      throw new ApiError("NOT_FOUND", { message: `There is no merchant ${membership.merchantId}.` });
    if (await isMember(context.db, membership.merchantId, email))
      throw validationError("email", "is a member's already: change the role instead", fieldRule("member"));
    if ((await countMembers(context.db, membership.merchantId)) >= MAX_MEMBERS)
      throw new ApiError("CAP_REACHED", {
        message: `A merchant can have ${MAX_MEMBERS} people: remove some first.`,
      });
  }
  const { merchantId = null, role = null } = membership ?? {};
  const link = { kind: "invitation", email, merchantId, role, resetsSecondFactor: false } as const;
  return issueLink(context, maker, { ...link, lifeMs: INVITATION_MS });
}

/**
 * Makes a link that sets a new password. With `resetsSecondFactor` it also removes the second factor.
 *
 * @throws SESSION_ENDED when the maker's session ended meanwhile; CAP_REACHED.
 */
export async function offerReset(
  context: LinkContext,
  maker: Maker,
  { email, resetsSecondFactor }: { readonly email: string; readonly resetsSecondFactor: boolean },
): Promise<IssuedLink> {
  const link = { kind: "reset", email, merchantId: null, role: null, resetsSecondFactor } as const;
  return issueLink(context, maker, { ...link, lifeMs: RESET_MS });
}

async function issueLink(
  context: LinkContext,
  maker: Maker,
  link: Omit<NewLink, "id" | "tokenHash" | "madeBy">,
): Promise<IssuedLink> {
  const { db, config } = context;
  const token = newToken(config.merchants.keyPepper, "link");
  const tokenHash = hashOf({ config }, token);
  const id = idOf("link", uuidv7());
  const stored = await db.transaction(async (tx) => {
    // A change that ends the maker's right ends the session first: it waits for this link, and then ends it too.
    if ("session" in maker && !(await holdSession(tx, maker.session.id))) throw new ApiError("SESSION_ENDED");
    await auditAct(tx, maker, {
      action: link.kind === "reset" ? "offer reset" : "invite",
      subject: `link ${id}`,
      after: auditedLink(link),
      merchantId: link.merchantId,
    });
    const made = await insertLink(tx, { ...link, id, tokenHash, madeBy: personIdOf(maker) });
    if ((await countOpenLinks(tx, link.merchantId)) > MAX_OPEN_LINKS)
      throw new ApiError("CAP_REACHED", {
        message: `${MAX_OPEN_LINKS} links can be open at once: withdraw some that are not needed.`,
      });
    return made;
  });
  const url = `${dashboardUrlOf(config) ?? ""}${PATH}${token}`;
  const { merchantId } = stored;
  const names = await listMerchantNames(db, merchantId === null ? [] : [merchantId]);
  const merchantName = merchantId === null ? undefined : names.get(merchantId);
  const sender = "session" in maker ? maker.session.name : undefined;
  const isMailed =
    (await mayBeMailed(db, stored)) && (await mailLink(context, stored, { url, merchantName, sender }));
  return { link: stored, url, isMailed };
}

/** The entry of the audit log about a link: for whom, and with which role. */
export function auditedLink({
  kind,
  email,
  role,
  resetsSecondFactor,
}: Pick<OneTimeLink, "kind" | "email" | "role" | "resetsSecondFactor">): object {
  return kind === "reset" ? { email, resetsSecondFactor } : { email, role: role ?? "operator" };
}

/**
 * The purpose of an open link.
 *
 * @throws LINK_NOT_VALID when it is unknown, used, withdrawn or too old.
 */
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

/** @throws LINK_NOT_VALID for a token that this service did not make. */
export function hashOf({ config }: Pick<LinkContext, "config">, token: string): Buffer {
  const read = readToken(peppersOf(config), "link", token);
  if (read === undefined) throw new ApiError("LINK_NOT_VALID");
  return read.hash;
}

export function validationError(path: string, message: string, rule: FieldRule): ApiError {
  return new ApiError("VALIDATION_ERROR", { details: [{ path, message, rule }] });
}
