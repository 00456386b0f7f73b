import { tokenBytes } from "@daric/charges/checkout-token";
import type { Seen } from "@daric/domain/caller";
import type { MerchantId, PaymentLinkId } from "@daric/domain/ids";
import { type Amount, amountFromUnits } from "@daric/domain/money";
import type { PaymentLinkStatus } from "@daric/domain/payment-link";
import { empty, join, maybeOne, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { isSharded, requireAllAnswering } from "@daric/postgres/tenants";
import { queryByTokens } from "@daric/runtime/answering-store";
import { follows, listPage, type Page, pageOf, wanted } from "@daric/totals/list-store";
import type { LinkChange, LinkTerms, PaymentLink, PaymentLinkRef } from "./payment-link.ts";
import { openPlaces, paidPlaces } from "./place-store.ts";

/** A link as its row has it: amounts in minor units, and its places as two columns. */
type LinkRow = Omit<PaymentLink, "amount" | "minAmount" | "maxAmount" | "suggestedAmounts" | "places"> & {
  readonly units: bigint | null;
  readonly minUnits: bigint | null;
  readonly maxUnits: bigint | null;
  readonly suggestedUnits: readonly bigint[];
  readonly paid: bigint;
  readonly open: bigint;
};

/** The columns of a `link` of this merchant. Without `counted` the orders of a link without a limit are not counted. */
function linkColumns(merchantId: MerchantId, { counted = true } = {}): Sql {
  const place = { merchantId, linkId: sql`link.id`, maxPayments: sql`link.max_payments` };
  const of = (places: Sql) =>
    counted ? places : sql`case when link.max_payments is null then 0 else ${places} end`;
  return sql`
    link.id, link.merchant_id as "merchantId", link.token, link.title, link.description, link.thanks, link.currency,
    link.pricing_currency as "pricingCurrency", link.units, link.min_units as "minUnits", link.max_units as "maxUnits",
    link.suggested_units as "suggestedUnits", link.max_payments as "maxPayments", link.expires_at as "expiresAt", link.ask,
    link.order_ref_prefix as "orderRefPrefix", link.success_url as "successUrl", link.cancel_url as "cancelUrl",
    link.settlement_account_id as "settlementAccountId", link.metadata, link.is_active as "isActive",
    link.closed_at as "closedAt", link.created_by as "createdBy", link.created_at as "createdAt", link.updated_at as "updatedAt",
    ${of(paidPlaces(place))} as paid, ${of(openPlaces(place))} as open`;
}

function toLink({ units, minUnits, maxUnits, suggestedUnits, paid, open, ...row }: LinkRow): PaymentLink {
  return {
    ...row,
    amount: amountOrNull(units),
    minAmount: amountOrNull(minUnits),
    maxAmount: amountOrNull(maxUnits),
    suggestedAmounts: suggestedUnits.map(amountFromUnits),
    places: { paid: Number(paid), open: Number(open) },
  };
}

function amountOrNull(units: bigint | null): Amount | null {
  return units === null ? null : amountFromUnits(units);
}

/** Inserts a link, and its token into the directory. A distributed database finds it by the link's own row. */
export async function insertPaymentLink(
  db: Queryable,
  { merchantId, id }: PaymentLinkRef,
  { token, createdBy, ...terms }: LinkTerms & Pick<PaymentLink, "token" | "createdBy">,
): Promise<void> {
  const directory = sql`
    , directory as (
      insert into token_directory (token, merchant_id, link_id) select ${tokenBytes(token)}, merchant_id, id from link
    )`;
  await db.query(sql`
    with link as (
      insert into payment_links (
        merchant_id, id, token, title, description, thanks, currency, pricing_currency, units, min_units, max_units,
        suggested_units, max_payments, expires_at, ask, order_ref_prefix, success_url, cancel_url, settlement_account_id,
        metadata, created_by)
      values (
        ${merchantId}, ${id}, ${token}, ${terms.title}, ${terms.description}, ${terms.thanks}, ${terms.currency},
        ${terms.pricingCurrency}, ${terms.amount}, ${terms.minAmount}, ${terms.maxAmount}, ${terms.suggestedAmounts}::bigint[],
        ${terms.maxPayments}, ${terms.expiresAt}, ${terms.ask}::text[], ${terms.orderRefPrefix}, ${terms.successUrl},
        ${terms.cancelUrl}, ${terms.settlementAccountId}, ${terms.metadata && JSON.stringify(terms.metadata)}, ${createdBy})
      returning merchant_id, id
    )${isSharded() ? empty : directory}
    select id from link`);
}

/** Changes the given fields. Undefined if the merchant has no such link. */
export async function changeLink(
  db: Queryable,
  { merchantId, id }: PaymentLinkRef,
  change: LinkChange,
): Promise<PaymentLink | undefined> {
  const { title, description, isActive, maxPayments, expiresAt } = change;
  const changes = [
    wanted(title, (value) => sql`, title = ${value}`),
    wanted(description, (value) => sql`, description = ${value}`),
    wanted(isActive, (value) => sql`, is_active = ${value}`),
    wanted(maxPayments, (value) => sql`, max_payments = ${value}`),
    wanted(expiresAt, (value) => sql`, expires_at = ${value}`),
  ];
  const row = maybeOne(
    await db.query<LinkRow>(sql`
      update payment_links link set updated_at = now()${join(changes, "")}
      where link.merchant_id = ${merchantId} and link.id = ${id}
      returning ${linkColumns(merchantId)}`),
  );
  return row && toLink(row);
}

/** A link of the merchant. Its page needs no `counted` orders but those of a limited stock. */
export async function findLink(
  db: Queryable,
  { merchantId, id }: PaymentLinkRef,
  options: { readonly counted?: boolean } = {},
): Promise<PaymentLink | undefined> {
  const row = maybeOne(
    await db.query<LinkRow>(sql`
      select ${linkColumns(merchantId, options)} from payment_links link
      where link.merchant_id = ${merchantId} and link.id = ${id}`),
  );
  return row && toLink(row);
}

type LinkFilter = Seen & { readonly status?: PaymentLinkStatus | undefined };

/** The condition on a `link` with its `places`, as `paymentLinkStatus` says. */
function hasStatus(status: PaymentLinkStatus): Sql {
  const isOff = sql`(not link.is_active or link.closed_at is not null)`;
  const isOver = sql`coalesce(link.expires_at <= now(), false)`;
  const isSoldOut = sql`coalesce(link.paid + link.open >= link."maxPayments", false)`;
  switch (status) {
    case "disabled":
      return isOff;
    case "expired":
      return sql`not ${isOff} and ${isOver}`;
    case "sold_out":
      return sql`not ${isOff} and not ${isOver} and ${isSoldOut}`;
    case "active":
      return sql`not ${isOff} and not ${isOver} and not ${isSoldOut}`;
  }
}

/** The links with a status, which follows from their places. */
function linksOf({ merchantId, status, createdBy }: LinkFilter): Sql {
  const made = sql`payment_links link where link.merchant_id = ${merchantId}
    ${wanted(createdBy, (maker) => sql`and link.created_by = ${maker}`)}`;
  if (status === undefined) return made;
  return sql`(
      select ${linkColumns(merchantId)}, link.is_active, link.closed_at, link.expires_at, link.created_at, link.merchant_id
      from ${made}
    ) link where ${hasStatus(status)}`;
}

/** A page of a merchant's links, newest first, and the number of all matches. With a status each link of the merchant is looked at. */
export async function listLinks(
  db: Queryable,
  filter: LinkFilter,
  page: Page<PaymentLinkId>,
): Promise<{ rows: PaymentLink[]; total: number }> {
  const { merchantId, status } = filter;
  const columns = status === undefined ? linkColumns(merchantId) : sql`link.*`;
  const behind = follows(page.after, { merchantId, table: sql`payment_links`, row: sql`link` });
  return listPage(page, {
    rows: async (part) => {
      const rows = await db.query<LinkRow>(
        pageOf(
          sql`select ${columns} from ${linksOf(filter)} ${behind} order by link.created_at desc, link.id desc`,
          part,
        ),
      );
      return rows.map(toLink);
    },
    total: async () =>
      Number(
        one(await db.query<{ total: bigint }>(sql`select count(*) as total from ${linksOf(filter)}`)).total,
      ),
    find: (id) => findLink(db, { merchantId, id }),
  });
}

/**
 * The link of a token. It never changes.
 *
 * @throws HungServerError if it is unknown to the servers that answer.
 */
export async function findLinkRef(db: Queryable, token: string): Promise<PaymentLinkRef | undefined> {
  if (!isSharded())
    return maybeOne(
      await db.query<PaymentLinkRef>(sql`
        select merchant_id as "merchantId", link_id as id from token_directory
        where token = ${tokenBytes(token)} and link_id is not null`),
    );
  const found = sql`select merchant_id as "merchantId", id from payment_links where token = ${token}`;
  const rows = await queryByTokens<PaymentLinkRef>(db, "links-of-tokens", found);
  if (rows.length === 0) requireAllAnswering();
  return maybeOne(rows);
}

/** Takes a link away, or all of a merchant, for the operator; or gives them back. Returns how many changed. */
export async function closeLinks(
  db: Queryable,
  { merchantId, id }: { readonly merchantId: MerchantId; readonly id?: PaymentLinkId },
  isClosed: boolean,
): Promise<number> {
  const rows = await db.query(sql`
    update payment_links set closed_at = case when ${isClosed} then now() end, updated_at = now()
    where merchant_id = ${merchantId} ${wanted(id, (value) => sql`and id = ${value}`)} and (closed_at is null) = ${isClosed}
    returning id`);
  return rows.length;
}
