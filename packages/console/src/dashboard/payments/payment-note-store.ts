import type { Currency } from "@daric/domain/asset";
import type { Seen } from "@daric/domain/caller";
import type { ChargeId, ChargeRef, MerchantId, NoteId, PersonId } from "@daric/domain/ids";
import { WHOLE_SHARE } from "@daric/domain/money";
import { one, type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { wanted } from "@daric/totals/list-store";
import { dueBy, isDustIn, standingRest } from "@daric/totals/sums-store";

export const decisions = ["accept", "extend", "archive", "dismiss"] as const;
export type Decision = (typeof decisions)[number];

/** A note of a person about a payment; `decision` is the decision that it explains. */
export type PaymentNote = {
  readonly id: NoteId;
  readonly chargeId: ChargeId;
  readonly personId: PersonId;
  readonly decision: Decision | null;
  readonly text: string;
  readonly createdAt: Date;
};

const columns = sql`
  id, deposit_address_id as "chargeId", person_id as "personId", decision, text, created_at as "createdAt"`;

export async function insertNote(
  tx: Transaction,
  note: Omit<PaymentNote, "createdAt"> & { readonly merchantId: MerchantId },
): Promise<PaymentNote> {
  return one(
    await tx.query<PaymentNote>(sql`
      insert into payment_notes (merchant_id, id, deposit_address_id, person_id, decision, text)
      values (${note.merchantId}, ${note.id}, ${note.chargeId}, ${note.personId}, ${note.decision}, ${note.text})
      returning ${columns}`),
  );
}

/** A payment takes no more notes when it has so many. A decision is always possible, and its note with it. */
export const MAX_NOTES = 200;
/** A story shows so many of the newest notes: 100 of 2,000 characters are up to 600 kB. */
const SHOWN_NOTES = 100;

/** The newest notes of a payment, the oldest of them first. */
export async function listNotes(db: Queryable, { merchantId, id }: ChargeRef): Promise<PaymentNote[]> {
  const newest = await db.query<PaymentNote>(sql`
    select ${columns} from payment_notes
    where merchant_id = ${merchantId} and deposit_address_id = ${id} order by created_at desc, id desc limit ${SHOWN_NOTES}`);
  return newest.toReversed();
}

/** Whether a payment has all notes that it can have. */
export async function isFullOfNotes(db: Queryable, { merchantId, id }: ChargeRef): Promise<boolean> {
  const rows = await db.query(sql`
    select from payment_notes where merchant_id = ${merchantId} and deposit_address_id = ${id}
    offset ${MAX_NOTES - 1} limit 1`);
  return rows.length > 0;
}

/** The facts about a charge from its deposits. */
export type InboxCandidate = {
  readonly id: ChargeId;
  readonly at: Date;
  readonly isStuck: boolean;
  /** confirmed money of another coin than the charge's, in units, of the coin that came last; both null without any */
  readonly unmatchedUnits: bigint | null;
  readonly unmatchedCurrency: Currency | null;
  /**
   * Whether money that counts came to the order after its newest rest was asked for, and no acceptance by the merchant covers it. Null
   * unless that rest is open or got money.
   */
  readonly isBesideRest: boolean | null;
  /** paid after its time, and more orders of its payment link are paid than the link allows */
  readonly isOversold: boolean;
};

/** The inbox looks at this many newest deposits. Dust is no task. */
export const INBOX_DEPOSITS = 5_000;
const MAX_CANDIDATES = 500;

/** No decision is needed about a paid order whose price was covered up to the end of its late window. */
const isCovered = sql`case when charge.fiat_currency is null
  then sums.confirmed_in_window >= greatest(${dueBy(sql`charge`)}, 1)
  else sums.confirmed_in_window_share >= ${WHOLE_SHARE}::numeric end`;

/** The rest that takes over the task of an order, or of an older rest. */
const takingRest = (merchantId: MerchantId): Sql => sql`
  select * from (${standingRest(
    sql`rest.id, rest.created_at as asked_at, rest.paid_at is not null or rest.accepted_at is not null as is_paid`,
    {
      merchantId: sql`charge.merchant_id`,
      first: sql`coalesce(charge.rest_of, charge.id)`,
      of: (column) => sql`${column} = ${merchantId}`,
    },
  )}) standing where standing.id > charge.id`;
const isBesideRest = sql`(recent.counted_at > rest.asked_at and (charge.accepted_at is null or rest.is_paid))`;

/** The payment links of which more orders are paid than they allow: each limited link is counted once. */
const oversoldLinks = (merchantId: MerchantId): Sql => sql`
  select link.id from payment_links link
  where link.merchant_id = ${merchantId} and link.max_payments < (
    select count(*) from deposit_addresses sold
    where sold.merchant_id = ${merchantId} and sold.payment_link_id is not null and sold.payment_link_id = link.id
      and (sold.paid_at is not null or sold.accepted_at is not null))`;
/** Late money pays an order whose place was sold again. */
const isOversold = sql`(charge.paid_at > charge.expires_at and charge.payment_link_id in (select id from oversold))`;

/**
 * Charges that may be seen and need a decision. Their newest deposits decide: stuck or unmatched money, and orders that ended unpaid or got more than
 * their price. A rest takes over the task of its short order until more money comes to the order itself. A charge that was decided
 * about is left out until another deposit comes.
 */
export async function listInboxCandidates(
  db: Queryable,
  { merchantId, createdBy }: Seen,
): Promise<InboxCandidate[]> {
  return db.query<InboxCandidate>(sql`
    with oversold as materialized (${oversoldLinks(merchantId)})
    select charge.id, recent.at, recent.stuck as "isStuck", recent.unmatched_units as "unmatchedUnits",
      recent.unmatched_currency as "unmatchedCurrency",
      case when rest.asked_at is not null then coalesce(${isBesideRest}, false) end as "isBesideRest",
      coalesce(${isOversold}, false) as "isOversold"
    from (
      select deposit_address_id, max(created_at) as at, bool_or(status = 'STUCK') as stuck,
        sum(units) filter (where unmatched and status = 'CONFIRMED' and currency = newest_currency)::bigint as unmatched_units,
        max(newest_currency) filter (where unmatched and status = 'CONFIRMED') as unmatched_currency,
        bool_or(status = 'CONFIRMED') as confirmed,
        max(created_at) filter (where status = 'CONFIRMED' and not unmatched) as counted_at
      from (
        select *, first_value(currency) over (
          partition by deposit_address_id, unmatched and status = 'CONFIRMED' order by created_at desc, id desc) as newest_currency
        from (
          select id, deposit_address_id, created_at, status, unmatched, units, currency, dust from deposits
          where merchant_id = ${merchantId} order by created_at desc, id desc limit ${INBOX_DEPOSITS}
        ) newest where not ${isDustIn()}
      ) counting group by deposit_address_id
    ) recent
    join deposit_addresses charge on charge.merchant_id = ${merchantId} and charge.id = recent.deposit_address_id
    join charge_sums sums on sums.merchant_id = ${merchantId} and sums.deposit_address_id = charge.id
    left join lateral (${takingRest(merchantId)}) rest on true
    where true ${wanted(createdBy, (maker) => sql`and charge.created_by = ${maker}`)} and (recent.stuck or recent.unmatched_units is not null or (charge.kind = 'order' and recent.confirmed and (
        (rest.asked_at is null and charge.accepted_at is null and charge.status <> 'ACTIVE'
          and (charge.paid_at is null or not ${isCovered}))
        or ${isBesideRest}
        or ${isOversold}
        or sums.confirmed - sums.dust > ${dueBy(sql`charge`)})))
      and not exists (
        select from payment_notes note
        where note.merchant_id = ${merchantId} and note.deposit_address_id = charge.id and note.decision is not null
          and note.created_at > recent.at)
    order by recent.at desc, charge.id desc limit ${MAX_CANDIDATES}`);
}
