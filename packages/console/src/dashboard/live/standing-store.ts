import type { MerchantId, SessionId } from "@daric/domain/ids";
import { oneOf, type Queryable, sql } from "@daric/postgres/sql";
import { byMerchantLists } from "@daric/runtime/fair-rounds";
import { isLive } from "../../people/session-store.ts";

/** A page that watches a merchant, or the service if it names none. */
export type Watched = { readonly sessionId: SessionId; readonly merchantId: MerchantId | undefined };
/** With the last act of a person of the merchant. */
type Entitled = Watched & { readonly act: string };

/** Those whose session lives and whose person still has the right, by one statement for any number. */
export async function findEntitled(db: Queryable, watched: readonly Watched[]): Promise<Entitled[]> {
  const rows = await db.query<{ place: bigint; act: string }>(sql`
    select watched.place,
      coalesce((select max(id)::text from audit_log where merchant_id = watched.merchant_id), '') as act
    from unnest(${watched.map(({ sessionId }) => sessionId)}::uuid[],
      ${watched.map(({ merchantId = null }) => merchantId)}::uuid[]) with ordinality
      as watched (session_id, merchant_id, place)
    join (select id, person_id from sessions where ${isLive}) live on live.id = watched.session_id
    join people person on person.id = live.person_id and person.disabled_at is null
    left join memberships member
      on member.merchant_id = watched.merchant_id and member.person_id = person.id
    where member.person_id is not null or (watched.merchant_id is null and person.is_operator)`);
  return rows.flatMap(({ place, act }) => {
    const page = watched[Number(place) - 1];
    return page === undefined ? [] : [{ ...page, act }];
  });
}

/** Texts that change whenever rows of a merchant do. */
export type MerchantStanding = {
  readonly payments: string;
  readonly webhooks: string;
  readonly account: string;
};

/** A refund whose transfer is on the chain, or which a person opened to pay: no event tells what a block says of it. */
const isBeingPaid = sql`(status = 'SENT' or (status = 'READY' and frozen_until > now() - interval '1 hour'))`;

/**
 * The standings of merchants, by one statement for as many as one may name. It reads no payment, but the last event, and the totals of the
 * lists; and the height of the chain while a deposit is not final or a refund is being paid. Rows count by their writers, so that no commit is missed.
 */
export async function findStandings(
  db: Queryable,
  ids: readonly MerchantId[],
): Promise<Map<MerchantId, MerchantStanding>> {
  const rows = await byMerchantLists(
    ids.map((merchantId) => ({ merchantId })),
    (list) =>
      db.query<MerchantStanding & { id: MerchantId }>(sql`
        select merchant.id,
          concat_ws(' ',
            (select last_position from event_positions where merchant_id = merchant.id),
            (select sum(xmin::text::bigint) from list_counts where merchant_id = merchant.id and list = 'deposit_addresses'),
            case when exists (select 1 from open_deposits where merchant_id = merchant.id)
              or exists (select 1 from refunds where merchant_id = merchant.id and ${isBeingPaid}) then chain.number end)
            as payments,
          concat_ws(' ',
            (select sum(xmin::text::bigint) from list_counts where merchant_id = merchant.id and list = 'webhook_deliveries'),
            (select sum(xmin::text::bigint) from endpoint_health where merchant_id = merchant.id),
            (select sum(xmin::text::bigint) from webhook_endpoints where merchant_id = merchant.id)) as webhooks,
          merchant.xmin::text as account
        from merchants merchant cross join (select max(number) as number from scan_cursors) chain
        where merchant.id ${oneOf(list.map(({ merchantId }) => merchantId))}`),
  );
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}

/** A text that changes with every block that is read, every leader, every alert and every act of a person. */
export async function findServiceStanding(db: Queryable): Promise<string> {
  const rows = await db.query<{ service: string }>(sql`
    select concat_ws(' ', (select string_agg(number::text, ' ' order by network) from scan_cursors),
      (select string_agg(epoch::text, ' ' order by name) from leases),
      (select string_agg(concat(id, started_at is null), ' ' order by id) from alert_occurrences where ended_at is null),
      (select max(id) from audit_log)) as service`);
  return rows[0]?.service ?? "";
}
