import { minIdAt } from "@daric/charges/min-id";
import { decidingSums, IS_SETTLED } from "@daric/charges/payment-status-store";
import type { Currency } from "@daric/domain/asset";
import type { Seen } from "@daric/domain/caller";
import { literals, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { wanted } from "@daric/totals/list-store";
import { andSeen } from "@daric/totals/seen-store";
import { lastCalendarDays } from "./calendar-days.ts";

/** How far the figures look back. */
const HOME_DAYS = 30;

/** The figures of orders that may be seen: days are calendar days of this time zone. */
export type HomeQuestion = Seen & { readonly timeZone: string; readonly now: Date };

type DayVolume = { readonly date: string; readonly currency: Currency; readonly units: string };
type DayOrders = {
  readonly date: string;
  readonly created: number;
  readonly paid: number;
  readonly abandoned: number;
};
type Speed = { readonly toPay: number | null; readonly toConfirm: number | null };

/** No zone is further ahead of UTC: no day begins earlier than so long before its midnight in UTC. */
const FURTHEST_AHEAD_MS = 14 * 3_600_000;

/** The dates of the figures, the oldest first. */
export function datesOf({ now, timeZone }: HomeQuestion): string[] {
  return lastCalendarDays(now, timeZone, HOME_DAYS);
}

/** No later than the start of the oldest date. Rows of the date before it may be read too; the figures leave them out. */
function since(question: HomeQuestion): Date {
  const [oldest = ""] = datesOf(question);
  return new Date(Date.parse(oldest) - FURTHEST_AHEAD_MS);
}

/**
 * The day of a quarter of an hour that `slot` begins. Every time zone begins its days at one. Rows are counted by quarters first, because
 * computing the day of a time costs more than reading its row.
 */
const dayOf = (timeZone: string) => sql`to_char(slot at time zone ${timeZone}, 'YYYY-MM-DD')`;
const slotOf = (time: Sql) => sql`date_bin('15 minutes', ${time}, timestamptz 'epoch')`;

/** Confirmed money by the day of its confirmation; of the last deposits, by the index of confirmed ones. */
export async function readVolumes(db: Queryable, question: HomeQuestion): Promise<DayVolume[]> {
  const { merchantId, timeZone } = question;
  return db.query<DayVolume>(sql`
    select ${dayOf(timeZone)} as date, currency, sum(units)::text as units
    from (
      select ${slotOf(sql`confirmed_at`)} as slot, currency, sum(units) as units from deposits
      where merchant_id = ${merchantId} and confirmed_at is not null and created_at > ${since(question)}
        ${andSeen(question, sql`deposit_address_id`)}
      group by 1, 2
    ) slots
    group by 1, 2`);
}

/** Orders by the day that they were made on: those that are paid, and those that ended without money that counts. One paid too late is among these. */
export async function readOrders(db: Queryable, question: HomeQuestion): Promise<DayOrders[]> {
  const { merchantId, createdBy, timeZone } = question;
  const oldest = minIdAt(since(question));
  return db.query<DayOrders>(sql`
    select ${dayOf(timeZone)} as date, sum(created)::int as created, sum(paid)::int as paid, sum(abandoned)::int as abandoned
    from (
      select ${slotOf(sql`created_at`)} as slot, count(*) as created, count(*) filter (where is_paid) as paid,
        count(*) filter (where not is_paid and status <> ${literals("ACTIVE")}) as abandoned
      from (
        select created_at, status, ${IS_SETTLED} as is_paid
        from deposit_addresses charge ${decidingSums(merchantId, sql`and deposit_address_id >= ${oldest}`)}
        where merchant_id = ${merchantId} and kind = 'order' and id >= ${oldest}
          ${wanted(createdBy, (maker) => sql`and created_by = ${maker}`)}
      ) made
      group by 1
    ) slots
    group by 1`);
}

/** Median seconds from an order to its payment, and from a payment to its confirmation, of the last 1,000 confirmed. */
export async function readSpeed(db: Queryable, question: HomeQuestion): Promise<Speed> {
  const { merchantId } = question;
  return one(
    await db.query<Speed>(sql`
      select
        percentile_cont(0.5) within group (order by extract(epoch from paid.detected_at - charge.created_at))
          filter (where charge.kind = 'order') as "toPay",
        percentile_cont(0.5) within group (order by extract(epoch from paid.confirmed_at - paid.detected_at)) as "toConfirm"
      from (
        select deposit_address_id, detected_at, confirmed_at from deposits
        where merchant_id = ${merchantId} and confirmed_at is not null and dust is not true
          ${andSeen(question, sql`deposit_address_id`)}
        order by created_at desc, id desc limit 1000
      ) paid
      join deposit_addresses charge on charge.merchant_id = ${merchantId} and charge.id = paid.deposit_address_id`),
  );
}
