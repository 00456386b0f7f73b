import type { MerchantId, MessageChannelId, PersonId } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import type { MessageChoices } from "@daric/domain/message";
import { oneOf, type Queryable, sql } from "@daric/postgres/sql";

/** A member of a merchant with the chosen messages; `choices` is null before any choice. */
export type ToldMember = {
  readonly merchantId: MerchantId;
  readonly personId: PersonId;
  readonly role: MerchantRole;
  readonly choices: MessageChoices | null;
  readonly everyPaid: boolean;
  /** the chats that the member confirmed */
  readonly channels: readonly MessageChannelId[];
};

/** The members of these merchants whose account is not disabled. */
export async function listToldMembers(
  db: Queryable,
  merchantIds: readonly MerchantId[],
): Promise<ToldMember[]> {
  return db.query<ToldMember>(sql`
    select member.merchant_id as "merchantId", member.person_id as "personId", member.role, choice.choices,
      coalesce(choice.every_paid, false) as "everyPaid",
      array(select id from message_channels channel where channel.merchant_id = member.merchant_id
        and channel.person_id = member.person_id and channel.confirmed_at is not null and channel.removed_at is null) as channels
    from memberships member
    join people person on person.id = member.person_id and person.disabled_at is null
    left join message_choices choice on choice.merchant_id = member.merchant_id and choice.person_id = member.person_id
    where member.merchant_id = any(${merchantIds}::uuid[])
    order by member.created_at, member.person_id`);
}

/** Those of the merchants to which a program listens: an endpoint is on, gets paid orders, and has not failed five times in a row. */
export async function listWithWorkingEndpoint(
  db: Queryable,
  merchantIds: readonly MerchantId[],
): Promise<ReadonlySet<MerchantId>> {
  const rows = await db.query<{ merchantId: MerchantId }>(sql`
    select distinct endpoint.merchant_id as "merchantId" from webhook_endpoints endpoint
    left join endpoint_health health on health.merchant_id ${oneOf(merchantIds)} and health.merchant_id = endpoint.merchant_id
      and health.endpoint_id = endpoint.id
    where endpoint.merchant_id ${oneOf(merchantIds)} and endpoint.is_active and endpoint.deleted_at is null
      and endpoint.event_types && array['order.paid', 'deposit.confirmed'] and health.probe_at is null`);
  return new Set(rows.map(({ merchantId }) => merchantId));
}
