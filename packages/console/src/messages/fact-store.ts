import type { EndpointId, EventId, MerchantId, PersonId } from "@daric/domain/ids";
import { findChoices } from "@daric/messages/choice-store";
import type { DailySpan } from "@daric/messages/local-time";
import { literals, maybeOne, type Queryable, sql } from "@daric/postgres/sql";

/** The shop as its payers see it. */
export type ShopFacts = {
  readonly name: string;
  readonly accentColor: string | null;
  readonly logoId: string | null;
  readonly supportEmail: string | null;
  readonly supportUrl: string | null;
  /** the support address that its reader confirmed; replies go there */
  readonly confirmedSupportEmail: string | null;
  /** offered beside English */
  readonly languages: readonly string[];
};

export async function findShopFacts(db: Queryable, merchantId: MerchantId): Promise<ShopFacts | undefined> {
  return maybeOne(
    await db.query<ShopFacts>(sql`
      select name, accent_color as "accentColor", logo_id as "logoId", support_email as "supportEmail",
        support_url as "supportUrl", confirmed_support_email as "confirmedSupportEmail",
        coalesce(checkout_languages, '{}') as languages
      from merchants where id = ${merchantId}`),
  );
}

/** The bytes of a logo. */
export async function findShopLogo(db: Queryable, id: string): Promise<Buffer | undefined> {
  return maybeOne(await db.query<{ content: Buffer }>(sql`select content from logos where id = ${id}`))
    ?.content;
}

/** The address of a member and when it is left alone; undefined once the membership or the account has ended. */
export type MemberAddress = {
  readonly email: string;
  readonly quiet: DailySpan | undefined;
  readonly timeZone: string;
};

export async function findMemberAddress(
  db: Queryable,
  { merchantId, personId }: { readonly merchantId: MerchantId; readonly personId: PersonId },
): Promise<MemberAddress | undefined> {
  const person = maybeOne(
    await db.query<{ email: string }>(sql`
      select person.email from memberships member
      join people person on person.id = member.person_id and person.disabled_at is null
      where member.merchant_id = ${merchantId} and member.person_id = ${personId}`),
  );
  if (person === undefined) return undefined;
  const { quiet, timeZone = "UTC" } = (await findChoices(db, { merchantId, personId })) ?? {};
  return { ...person, quiet, timeZone };
}

/** An endpoint, and the last failure of its deliveries. */
export type ToldEndpoint = { readonly url: string; readonly lastError: string | null };

export async function findToldEndpoint(
  db: Queryable,
  { merchantId, id }: { readonly merchantId: MerchantId; readonly id: EndpointId },
): Promise<ToldEndpoint | undefined> {
  return maybeOne(
    await db.query<ToldEndpoint>(sql`
      select endpoint.url, (
          select last_error from webhook_deliveries delivery
          where delivery.merchant_id = ${merchantId} and delivery.endpoint_id = endpoint.id
            and delivery.status in (${literals("PENDING", "FAILED")}) and delivery.last_error is not null
          order by delivery.next_attempt_at limit 1) as "lastError"
      from webhook_endpoints endpoint where endpoint.merchant_id = ${merchantId} and endpoint.id = ${id}`),
  );
}

/** An event with its bytes; its MAC is not checked yet. */
type StoredEvent = { readonly type: string; readonly mac: Buffer | null; readonly body: Buffer };

/** An event whose bytes are kept. */
export async function findStoredEvent(
  db: Queryable,
  { merchantId, id }: { readonly merchantId: MerchantId; readonly id: EventId },
): Promise<StoredEvent | undefined> {
  return maybeOne(
    await db.query<StoredEvent>(sql`
      select event.type, event.mac, body.body from webhook_events event
      join webhook_event_bodies body on body.merchant_id = ${merchantId} and body.event_id = event.id
        and body.created_at = event.created_at
      where event.merchant_id = ${merchantId} and event.id = ${id}`),
  );
}

/** An event of a paid order, with its bytes; its MAC is not checked yet. */
export type PaidEvent = {
  readonly id: EventId;
  readonly position: bigint;
  readonly mac: Buffer | null;
  readonly body: Buffer;
};

/** The next events of these types in a time, in the order of the merchant's events. */
export async function listPaidEvents(
  db: Queryable,
  merchantId: MerchantId,
  {
    from,
    until,
    after,
    limit,
    types,
  }: { from: Date; until: Date; after: bigint; limit: number; types: readonly string[] },
): Promise<PaidEvent[]> {
  return db.query<PaidEvent>(sql`
    select event.id, event.position, event.mac, body.body
    from webhook_events event
    join webhook_event_bodies body on body.merchant_id = ${merchantId} and body.event_id = event.id
      and body.created_at = event.created_at
    where event.merchant_id = ${merchantId} and event.created_at >= ${from} and event.created_at < ${until}
      and event.type = any(${types}::text[]) and event.position > ${after}
    order by event.position limit ${limit}`);
}

/** A member who gets messages of days or months. */
export type ScheduledMember = {
  readonly merchantId: MerchantId;
  readonly personId: PersonId;
  readonly timeZone: string;
  /** when the member chose */
  readonly chosenAt: Date;
  readonly daily: readonly string[];
  readonly monthly: readonly string[];
};

/** The members who chose a summary of the day or the statement of the month, with the channels of each. */
export async function listScheduledMembers(db: Queryable): Promise<ScheduledMember[]> {
  return db.query<ScheduledMember>(sql`
    select choice.merchant_id as "merchantId", choice.person_id as "personId", choice.time_zone as "timeZone", choice.updated_at as "chosenAt",
      coalesce(choice.choices -> 'daily_summary', '[]') as daily, coalesce(choice.choices -> 'monthly_statement', '[]') as monthly
    from message_choices choice
    join people person on person.id = choice.person_id and person.disabled_at is null
    where choice.choices ?| array['daily_summary', 'monthly_statement']`);
}
