import { ApiError } from "@daric/domain/errors";
import type { LinkId, MerchantId, PersonId } from "@daric/domain/ids";
import { type MerchantRole, missingScope, scopesOfRole } from "@daric/domain/merchant-role";
import type { Transaction } from "@daric/postgres/sql";
import { auditAct } from "../audit-act.ts";
import type { Actor, Author, Context, LinkContext } from "../context.ts";
import { lockPerson, storeDisabled } from "../person-store.ts";
import { changeRights } from "../rights.ts";
import { endSessions } from "../session-store.ts";
import { type OneTimeLink, withdrawLink, withdrawLinks } from "./link-store.ts";
import { auditedLink, type IssuedLink, invite, type Maker, offerReset } from "./links.ts";
import {
  deleteMembership,
  type ListedPerson,
  listMembers,
  listPeople,
  lockMembers,
  type MerchantMember,
  storeRole,
} from "./membership-store.ts";

type Member = { readonly merchantId: MerchantId; readonly personId: PersonId };

/**
 * Changes the role of a member, whose sessions end. When the member loses a right, the links that the member made end, too. A
 * role is given, changed and ended by those who have all its rights, and one owner always remains.
 *
 * @throws NOT_FOUND when the person is no member; INSUFFICIENT_SCOPE; LAST_OWNER; CHANGED_MEANWHILE when the role is
 * not the shown one.
 */
export async function changeRole(
  context: Context,
  actor: Actor,
  {
    merchantId,
    personId,
    role,
    shownRole,
  }: Member & { readonly role: MerchantRole; readonly shownRole?: MerchantRole | undefined },
): Promise<MerchantMember> {
  return context.db.transaction(async (tx) => {
    const former = await lockMember(tx, actor, { merchantId, personId, roles: [role] });
    if (shownRole !== undefined && shownRole !== former.role) throw new ApiError("CHANGED_MEANWHILE");
    await changeRights(tx, { context, personId }, () => storeRole(tx, { merchantId, personId, role }));
    await endSessions(tx, personId, actor.session.id);
    if (missingScope(role, former.role) !== undefined) await withdrawLinks(tx, former, merchantId);
    await auditAct(tx, actor, {
      action: "change role",
      subject: `person ${personId}`,
      before: { role: former.role },
      after: { role },
      merchantId,
    });
    return { ...former, role };
  });
}

/**
 * Removes a member, whose sessions and links end; any member may leave.
 *
 * @throws as {@link changeRole}.
 */
export async function removeMember(context: Context, actor: Actor, member: Member): Promise<MerchantMember> {
  const { merchantId, personId } = member;
  return context.db.transaction(async (tx) => {
    const removed = await lockMember(tx, actor, { ...member, roles: [] });
    await changeRights(tx, { context, personId }, () => deleteMembership(tx, member));
    await endSessions(tx, personId, actor.session.id);
    await withdrawLinks(tx, removed, merchantId);
    await auditAct(tx, actor, {
      action: "remove member",
      subject: `person ${personId}`,
      before: { role: removed.role },
      merchantId,
    });
    return removed;
  });
}

/**
 * Locks the members and checks the actor's right by the locked rows. So if two owners remove each other at once, one
 * is refused. `roles` are the member's new roles; none for a removal.
 */
async function lockMember(
  tx: Transaction,
  { session }: Actor,
  { merchantId, personId, roles }: Member & { readonly roles: readonly MerchantRole[] },
): Promise<MerchantMember> {
  const members = await lockMembers(tx, merchantId);
  const own = members.get(session.personId);
  const role = members.get(personId);
  if (own === undefined || role === undefined) throw new ApiError("NOT_FOUND");
  const isLeaving = personId === session.personId && roles.length === 0;
  if (!isLeaving) requireRightOver(own, [role, ...roles]);
  const owners = [...members.values()].filter((member) => member === "owner").length;
  if (role === "owner" && owners === 1 && !roles.includes("owner")) throw new ApiError("LAST_OWNER");
  const [member] = await listMembers(tx, merchantId, personId);
  if (member === undefined) throw new ApiError("NOT_FOUND");
  return member;
}

/** @throws INSUFFICIENT_SCOPE when this role may not give, change or end one of these. */
function requireRightOver(own: MerchantRole, roles: readonly MerchantRole[]): void {
  const missing = scopesOfRole(own).includes("people:write")
    ? roles.map((role) => missingScope(own, role)).find((scope) => scope !== undefined)
    : "people:write";
  if (missing === undefined) return;
  throw new ApiError("INSUFFICIENT_SCOPE", { message: `Your role lacks the right ${missing}.` });
}

/** @throws INSUFFICIENT_SCOPE when the actor's role may not give this one; as {@link invite}. */
export async function inviteMember(
  context: LinkContext,
  actor: Actor,
  { email, merchantId, role }: { email: string; merchantId: MerchantId; role: MerchantRole },
): Promise<IssuedLink> {
  const own = actor.session.memberships.find((membership) => membership.merchantId === merchantId);
  requireRightOver(own?.role ?? "viewer", [role]);
  return invite(context, actor, { email, membership: { merchantId, role } });
}

/** Ends an open link of a merchant, or of the service if `merchantId` is null. @throws NOT_FOUND. */
export async function withdraw(
  { db }: Pick<Context, "db">,
  actor: Actor,
  linkRef: { merchantId: MerchantId | null; id: LinkId },
): Promise<OneTimeLink> {
  return db.transaction(async (tx) => {
    const link = await withdrawLink(tx, linkRef);
    if (link === undefined) throw new ApiError("NOT_FOUND");
    await auditAct(tx, actor, {
      action: link.kind === "reset" ? "withdraw reset" : "withdraw invitation",
      subject: `link ${link.id}`,
      before: auditedLink(link),
      merchantId: link.merchantId,
    });
    return link;
  });
}

/** One person, by e-mail or id. @throws NOT_FOUND. */
export async function getPerson({ db }: Pick<LinkContext, "db">, emailOrId: string): Promise<ListedPerson> {
  const [person] = await listPeople(db, { only: emailOrId.toLowerCase() });
  if (person === undefined) throw new ApiError("NOT_FOUND", { message: `There is no person ${emailOrId}.` });
  return person;
}

/**
 * Disables a person, or allows sign-in again. The sessions of a disabled person end at once, and so do the links for
 * the person and by the person.
 *
 * @throws NOT_FOUND.
 */
export async function setDisabled(
  context: Pick<LinkContext, "db">,
  author: Author,
  { person: emailOrId, isDisabled }: { readonly person: string; readonly isDisabled: boolean },
): Promise<ListedPerson> {
  const person = await getPerson(context, emailOrId);
  const { id } = person;
  await context.db.transaction(async (tx) => {
    await lockPerson(tx, id);
    if (!(await storeDisabled(tx, id, isDisabled))) return;
    if (isDisabled) {
      await endSessions(tx, id);
      await withdrawLinks(tx, person, null);
    }
    await auditAct(tx, author, {
      action: isDisabled ? "disable person" : "enable person",
      subject: `person ${id}`,
      before: { isDisabled: !isDisabled },
      after: { isDisabled },
    });
  });
  return getPerson(context, id);
}

/** @throws NOT_FOUND; as {@link offerReset}. */
export async function offerResetTo(
  context: LinkContext,
  maker: Maker,
  { person, resetsSecondFactor }: { readonly person: string; readonly resetsSecondFactor: boolean },
): Promise<IssuedLink> {
  const { email } = await getPerson(context, person);
  return offerReset(context, maker, { email, resetsSecondFactor });
}
