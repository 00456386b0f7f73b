import type { LinkId, MerchantId, PersonId } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import { maybeOne, milliseconds, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";

/**
 * A link that works once: an invitation of a member, an invitation of an operator (`merchantId` is null), or a reset
 * of the password.
 */
export type OneTimeLink = {
  readonly id: LinkId;
  readonly kind: "invitation" | "reset";
  readonly email: string;
  readonly merchantId: MerchantId | null;
  readonly role: MerchantRole | null;
  readonly resetsSecondFactor: boolean;
  readonly madeBy: PersonId | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

const columns = sql`
  id, kind, email, merchant_id as "merchantId", role, resets_second_factor as "resetsSecondFactor",
  made_by as "madeBy", created_at as "createdAt", expires_at as "expiresAt"`;
const isOpen = sql`used_at is null and withdrawn_at is null and expires_at > now()`;

export type NewLink = Omit<OneTimeLink, "createdAt" | "expiresAt"> & {
  readonly tokenHash: Buffer;
  readonly lifeMs: number;
};

/** A new link ends those before it for the same purpose. */
export async function insertLink(tx: Transaction, link: NewLink): Promise<OneTimeLink> {
  await tx.query(sql`
    update one_time_links set withdrawn_at = now()
    where email = ${link.email} and kind = ${link.kind} and ${isOpen}
      and merchant_id is not distinct from ${link.merchantId}::uuid`);
  return one(
    await tx.query<OneTimeLink>(sql`
      insert into one_time_links
        (id, token_hash, kind, email, merchant_id, role, resets_second_factor, made_by, expires_at)
      values (${link.id}, ${link.tokenHash}, ${link.kind}, ${link.email}, ${link.merchantId}, ${link.role},
        ${link.resetsSecondFactor}, ${link.madeBy}, now() + ${milliseconds(link.lifeMs)})
      returning ${columns}`),
  );
}

export async function findOpenLink(db: Queryable, tokenHash: Buffer): Promise<OneTimeLink | undefined> {
  return maybeOne(
    await db.query<OneTimeLink>(sql`
      select ${columns} from one_time_links where token_hash = ${tokenHash} and ${isOpen}`),
  );
}

/** Uses the link up; undefined when it is not open. Only one of two simultaneous uses gets it. */
export async function takeLink(tx: Transaction, tokenHash: Buffer): Promise<OneTimeLink | undefined> {
  return maybeOne(
    await tx.query<OneTimeLink>(sql`
      update one_time_links set used_at = now() where token_hash = ${tokenHash} and ${isOpen}
      returning ${columns}`),
  );
}

/** A merchant has at most so many open links, and so has the service. */
export const MAX_OPEN_LINKS = 200;

/** The open links of a merchant. Null: those of the service, which invite operators and reset passwords. Newest first. */
export async function listOpenLinks(db: Queryable, merchantId: MerchantId | null): Promise<OneTimeLink[]> {
  return db.query<OneTimeLink>(sql`
    select ${columns} from one_time_links
    where merchant_id is not distinct from ${merchantId}::uuid and ${isOpen}
    order by created_at desc, id limit ${MAX_OPEN_LINKS}`);
}

/** A link is mailed unless its address got another one in so many minutes, or its merchant had more links in a day. */
const QUIET_MINUTES = 15;
const MAILS_A_DAY = 50;

/** Whether this stored link may be mailed. Used links do not count. Of simultaneous ones to an address, at most one may. */
export async function mayBeMailed(
  db: Queryable,
  { id, email, merchantId }: Pick<OneTimeLink, "id" | "email" | "merchantId">,
): Promise<boolean> {
  const rows = await db.query<{ mayBeMailed: boolean }>(sql`
    select not exists (
        select from one_time_links where email = ${email} and id <> ${id} and used_at is null
          and created_at > now() - make_interval(mins => ${QUIET_MINUTES}::integer))
      and (select count(*) from one_time_links
        where merchant_id is not distinct from ${merchantId}::uuid and used_at is null
          and created_at > now() - interval '1 day') <= ${MAILS_A_DAY}::integer as "mayBeMailed"`);
  return one(rows).mayBeMailed;
}

export async function countOpenLinks(db: Queryable, merchantId: MerchantId | null): Promise<number> {
  const rows = await db.query<{ count: number }>(sql`
    select count(*)::int as count from one_time_links
    where merchant_id is not distinct from ${merchantId}::uuid and ${isOpen}`);
  return one(rows).count;
}

/** Ends one of the links that {@link listOpenLinks} has; undefined when it has no such link. */
export async function withdrawLink(
  tx: Transaction,
  { merchantId, id }: { merchantId: MerchantId | null; id: LinkId },
): Promise<OneTimeLink | undefined> {
  return maybeOne(
    await tx.query<OneTimeLink>(sql`
      update one_time_links set withdrawn_at = now()
      where id = ${id} and merchant_id is not distinct from ${merchantId}::uuid and ${isOpen}
      returning ${columns}`),
  );
}

/** Ends the open links for a person and those that the person made: all, or those of one merchant. */
export async function withdrawLinks(
  tx: Transaction,
  { id, email }: { id: PersonId; email: string },
  merchantId: MerchantId | null,
): Promise<void> {
  await tx.query(sql`
    update one_time_links set withdrawn_at = now()
    where (email = ${email} or made_by = ${id}) and ${isOpen}
      and (${merchantId}::uuid is null or merchant_id = ${merchantId}::uuid)`);
}
