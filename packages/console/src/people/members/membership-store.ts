import type { MerchantId, PersonId } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import type { Membership } from "@daric/domain/session";
import { maybeOne, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import { MAX_SESSIONS } from "../session-store.ts";
import { MAX_OPEN_LINKS } from "./link-store.ts";

/** A person as a member of a merchant. */
export type MerchantMember = {
  readonly id: PersonId;
  readonly email: string;
  readonly name: string;
  readonly role: MerchantRole;
  readonly hasSecondFactor: boolean;
  readonly isDisabled: boolean;
  readonly joinedAt: Date;
  readonly lastSeenAt: Date | null;
};

/** A merchant with so many members invites no more. The invitations that are open then can still be accepted. */
export const MAX_MEMBERS = 500;

/** The members of a merchant, the first ones first; or the one with this id. */
export async function listMembers(
  db: Queryable,
  merchantId: MerchantId,
  only: PersonId | null = null,
): Promise<MerchantMember[]> {
  return db.query<MerchantMember>(sql`
    select person.id, person.email, person.name, member.role, member.created_at as "joinedAt",
      person.totp_ciphertext is not null or exists (select from passkeys where person_id = person.id)
        as "hasSecondFactor",
      person.disabled_at is not null as "isDisabled",
      (select max(seen_at) from (
        select seen_at from sessions where person_id = person.id order by created_at desc limit ${MAX_SESSIONS}) last) as "lastSeenAt"
    from (
      select * from memberships where merchant_id = ${merchantId} and (${only}::uuid is null or person_id = ${only}::uuid)
      order by created_at, person_id limit ${MAX_MEMBERS + MAX_OPEN_LINKS}
    ) member join people person on person.id = member.person_id
    order by member.created_at, person.id`);
}

export async function countMembers(db: Queryable, merchantId: MerchantId): Promise<number> {
  const rows = await db.query<{ count: number }>(sql`
    select count(*)::int as count from memberships where merchant_id = ${merchantId}`);
  return one(rows).count;
}

/** Locks all members of a merchant, so that two owners cannot remove each other at once. */
export async function lockMembers(
  tx: Transaction,
  merchantId: MerchantId,
): Promise<ReadonlyMap<PersonId, MerchantRole>> {
  const rows = await tx.query<{ personId: PersonId; role: MerchantRole }>(sql`
    select person_id as "personId", role from memberships where merchant_id = ${merchantId}
    order by person_id for update`);
  return new Map(rows.map(({ personId, role }) => [personId, role]));
}

type Member = { readonly merchantId: MerchantId; readonly personId: PersonId };

/** False when the person is a member already. */
export async function insertMembership(
  tx: Transaction,
  { merchantId, personId, role }: Member & { readonly role: MerchantRole },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into memberships (merchant_id, person_id, role) values (${merchantId}, ${personId}, ${role})
    on conflict (merchant_id, person_id) do nothing returning person_id`);
  return rows.length === 1;
}

export async function storeRole(
  tx: Transaction,
  { merchantId, personId, role }: Member & { readonly role: MerchantRole },
): Promise<void> {
  await tx.query(sql`
    update memberships set role = ${role} where merchant_id = ${merchantId} and person_id = ${personId}`);
}

export async function deleteMembership(tx: Transaction, { merchantId, personId }: Member): Promise<void> {
  await tx.query(sql`
    delete from memberships where merchant_id = ${merchantId} and person_id = ${personId}`);
}

export async function isMember(db: Queryable, merchantId: MerchantId, email: string): Promise<boolean> {
  const row = maybeOne(
    await db.query<{ id: PersonId }>(sql`
      select person.id from people person join memberships member on member.person_id = person.id
      where person.email = ${email} and member.merchant_id = ${merchantId}`),
  );
  return row !== undefined;
}

/** A person, as operators list them. */
export type ListedPerson = {
  readonly id: PersonId;
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  readonly disabledAt: Date | null;
  readonly hasSecondFactor: boolean;
  readonly memberships: readonly Membership[];
};

/** All people by e-mail, or so many of them behind an e-mail; or the one with this e-mail or id. */
export async function listPeople(
  db: Queryable,
  {
    only = null,
    after = null,
    limit = null,
  }: {
    readonly only?: string | null;
    readonly after?: string | null;
    readonly limit?: number | null;
  } = {},
): Promise<ListedPerson[]> {
  return db.query<ListedPerson>(sql`
    select person.id, email, name, is_operator as "isOperator", disabled_at as "disabledAt",
      totp_ciphertext is not null or exists (select from passkeys where person_id = person.id) as "hasSecondFactor",
      (select coalesce(jsonb_agg(jsonb_build_object('merchantId', merchant_id, 'role', role) order by created_at),
        '[]') from memberships where person_id = person.id) as memberships
    from people person
    where (${only}::text is null or email = ${only} or person.id::text = ${only})
      and (${after}::text is null or email > ${after}) order by email limit ${limit}`);
}
