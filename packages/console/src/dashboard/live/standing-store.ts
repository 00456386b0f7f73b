import type { MerchantId, PersonId } from "@daric/domain/ids";
import { joinedOf, oneOf, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { byMerchantLists } from "@daric/runtime/fair-rounds";

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

/** A person who sees own orders alone. */
export type OrderMaker = { readonly merchantId: MerchantId; readonly personId: PersonId };
/** The orders of a maker whose changes a page hears of; it reads older ones again from time to time. */
const WATCHED_OF_MAKER = 100;

/** Texts that change whenever the newest orders or the payment links of these makers do. */
export async function findOwnStandings(
  db: Queryable,
  makers: readonly OrderMaker[],
): Promise<(OrderMaker & { readonly payments: string })[]> {
  return byMerchantLists(makers, (list) => {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    const of = (column: Sql) => joinedOf(column, merchantIds);
    return db.query<OrderMaker & { payments: string }>(sql`
      select maker.merchant_id as "merchantId", maker.person_id as "personId", concat_ws(' ',
        (select concat_ws(' ', count(*), sum(charge.version), sum(sums.xmin::text::bigint),
            case when bool_or(sums.detected + sums.confirming > 0) then (select max(number) from scan_cursors) end)
          from (
            select own.merchant_id, own.id, own.xmin::text::bigint as version from deposit_addresses own
            where ${of(sql`own.merchant_id`)} and own.merchant_id = maker.merchant_id and own.created_by = maker.person_id
            order by own.id desc limit ${WATCHED_OF_MAKER}
          ) charge
          left join charge_sums sums on ${of(sql`sums.merchant_id`)} and sums.merchant_id = charge.merchant_id
            and sums.deposit_address_id = charge.id),
        (select sum(link.xmin::text::bigint) from payment_links link
          where ${of(sql`link.merchant_id`)} and link.merchant_id = maker.merchant_id and link.created_by = maker.person_id)) as payments
      from unnest(${merchantIds}::uuid[], ${list.map(({ personId }) => personId)}::uuid[]) as maker (merchant_id, person_id)`);
  });
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
