import type { MerchantId } from "@daric/domain/ids";
import type { LedgerTotal } from "@daric/domain/ledger";
import { type Amount, amountFromUnits } from "@daric/domain/money";
import type { StatementEntry, StatementKind } from "@daric/domain/statement";
import { empty, maybeOne, type Queryable, sql } from "@daric/postgres/sql";

/** The lines of a merchant's statement from `from` on and before `to`. */
export type EntriesOfMonth = { readonly merchantId: MerchantId; readonly from: Date; readonly to: Date };

/** The position of an entry. Its time is text, because PostgreSQL's clock is finer than a `Date`. */
export type EntryPlace = { readonly at: string; readonly transactionId: string; readonly line: number };

/** Up to `limit` entries after the position `after`, or after `offset` others; oldest first. */
export type EntriesPart = {
  readonly limit: number;
  readonly offset?: number;
  readonly after?: EntryPlace | undefined;
};

export type PlacedEntry = StatementEntry & { readonly place: EntryPlace };

export async function listEntries(
  db: Queryable,
  { merchantId, from, to }: EntriesOfMonth,
  { limit, offset = 0, after }: EntriesPart,
): Promise<PlacedEntry[]> {
  const behind =
    after === undefined
      ? empty
      : sql`and (booked_at, transaction_id, line) > (${after.at}::timestamptz, ${after.transactionId}::uuid, ${after.line}::smallint)`;
  const rows = await db.query<EntryRow>(sql`
    select entry.booked_at as "bookedAt", entry.booked_at::text as at, entry.transaction_id as "transactionId", entry.line,
      entry.kind, entry.credit = 'merchant' as "isCredit", entry.currency, entry.units::text as units,
      entry.deposit_address_id as "chargeId", charge.order_ref as "orderRef", deposit.id as "depositId",
      coalesce(entry.tx_id, deposit.tx_id) as "txHash"
    from (
      select * from ledger_entries
      where merchant_id = ${merchantId} and 'merchant' in (debit, credit)
        and booked_at >= ${from} and booked_at < ${to} ${behind}
      order by booked_at, transaction_id, line
      limit ${limit} offset ${offset}
    ) entry
    join deposit_addresses charge on charge.merchant_id = ${merchantId} and charge.merchant_id = entry.merchant_id
      and charge.id = entry.deposit_address_id
    left join deposits deposit on deposit.merchant_id = ${merchantId} and deposit.merchant_id = entry.merchant_id
      and deposit.id = entry.transaction_id
    order by entry.booked_at, entry.transaction_id, entry.line`);
  return rows.map(({ at, transactionId, line, kind, isCredit, units, ...row }) => ({
    ...row,
    kind: kind === "sweep_landed" ? "sweep" : kind,
    amount: signed(units, isCredit),
    place: { at, transactionId, line },
  }));
}

type EntryRow = Omit<StatementEntry, "amount" | "kind"> &
  EntryPlace & {
    readonly kind: Exclude<StatementKind, "sweep"> | "sweep_landed";
    readonly isCredit: boolean;
    readonly units: string;
  };

function signed(units: string, isCredit: boolean): Amount {
  return amountFromUnits(isCredit ? BigInt(units) : -BigInt(units));
}

/** The time zone of a merchant's months; undefined if there is no such merchant. */
export async function findTimeZone(db: Queryable, merchantId: MerchantId): Promise<string | undefined> {
  const rows = await db.query<{ timeZone: string }>(sql`
    select time_zone as "timeZone" from merchants where id = ${merchantId}`);
  return maybeOne(rows)?.timeZone;
}

/** The sums of the lines of a merchant's account from `from` on and before `to`, and their number. */
export async function sumEntries(
  db: Queryable,
  { merchantId, from, to }: EntriesOfMonth,
): Promise<(LedgerTotal & { readonly lines: number })[]> {
  const rows = await db.query<LedgerTotal & { units: string; lines: bigint }>(sql`
    select currency, kind, debit, credit, sum(units)::text as units, count(*) as lines from ledger_entries
    where merchant_id = ${merchantId} and 'merchant' in (debit, credit) and booked_at >= ${from} and booked_at < ${to}
    group by currency, kind, debit, credit`);
  return rows.map((row) => ({ ...row, units: amountFromUnits(BigInt(row.units)), lines: Number(row.lines) }));
}
