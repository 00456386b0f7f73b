import type { Currency } from "@daric/domain/asset";
import type { FiatCurrency } from "@daric/domain/fiat";
import type { ChargeId, DepositId, MerchantId, RefundId } from "@daric/domain/ids";
import type { JournalFact } from "@daric/domain/journal";
import type { LedgerKind } from "@daric/domain/ledger";
import { amountFromUnits } from "@daric/domain/money";
import { empty, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { findPaidTimes } from "@daric/refunds/transfer-store";
import { wanted } from "@daric/totals/list-store";

/** The entries of a merchant that were booked from `from` on and before `to`. */
export type JournalRange = {
  readonly merchantId: MerchantId;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** these kinds alone */
  readonly kinds?: readonly LedgerKind[];
};

/** The place of an entry. Its time is text, because PostgreSQL's clock is finer than a `Date`. */
export type JournalPlace = { readonly at: string; readonly id: string; readonly line: number };

/** An entry as it was booked, with what its value and its price follow from. */
export type BookedFact = JournalFact & {
  readonly place: JournalPlace;
  readonly bookedAt: Date;
  readonly currency: Currency;
  readonly chargeId: ChargeId;
  readonly orderRef: string | null;
  readonly depositId: DepositId | null;
  readonly refundId: RefundId | null;
  readonly txHash: string | null;
  /** the time of its block, where a row has it; else when it was booked */
  readonly valuedAt: Date;
  /** the price of the order that a deposit paid, and its share of the due */
  readonly price:
    | {
        readonly fiatCurrency: FiatCurrency;
        readonly fiatAmount: string;
        readonly before: bigint;
        readonly own: bigint;
      }
    | undefined;
};

/** Up to `limit` entries behind a place, the oldest first: lines of the ledger, and refunds that the merchant's wallet paid. */
export async function listJournalFacts(
  db: Queryable,
  { merchantId, from, to, kinds }: JournalRange,
  { limit, after }: { readonly limit: number; readonly after: JournalPlace | undefined },
): Promise<BookedFact[]> {
  const part = (columns: Sql, source: Sql, [at, id, line]: readonly [Sql, Sql, Sql]) => sql`(
    select ${columns} from ${source}
      ${wanted(from, (time) => sql`and ${at} >= ${time}`)} ${wanted(to, (time) => sql`and ${at} < ${time}`)}
      ${after === undefined ? empty : sql`and (${at}, ${id}, ${line}) > (${after.at}::timestamptz, ${after.id}::uuid, ${after.line}::smallint)`}
    order by ${at}, ${id}, ${line} limit ${limit})`;
  const ledgerColumns = sql`booked_at, transaction_id as id, line, kind, debit, credit, currency, units, tx_id, deposit_address_id`;
  const ledgerPlace = [sql`booked_at`, sql`transaction_id`, sql`line`] as const;
  const ofKinds = kinds === undefined ? empty : sql`and kind = any(${kinds}::text[])`;
  // Each half has its index. Money that changes its place on our addresses alone is no entry.
  const ofMerchant = part(
    ledgerColumns,
    sql`ledger_entries where merchant_id = ${merchantId} and 'merchant' in (debit, credit) ${ofKinds}`,
    ledgerPlace,
  );
  const others = part(
    ledgerColumns,
    sql`ledger_entries where merchant_id = ${merchantId} and not ('merchant' in (debit, credit))
      and kind not in ('sweep_sent', 'sweep_returned')`,
    ledgerPlace,
  );
  const refunds = part(
    sql`completed_at as booked_at, id, 0::smallint as line, 'refund' as kind, 'refunds' as debit,
      'wallet' as credit, currency, paid_units as units, tx_id, deposit_address_id`,
    sql`refunds where merchant_id = ${merchantId} and status = 'COMPLETED' and paid_units is not null`,
    [sql`completed_at`, sql`id`, sql`0::smallint`],
  );
  const rows = await db.query<FactRow>(sql`
    select entry.booked_at as "bookedAt", entry.booked_at::text as at, entry.id, entry.line, entry.kind, entry.debit, entry.credit,
      entry.currency, entry.units::text as units, entry.deposit_address_id as "chargeId", charge.order_ref as "orderRef",
      deposit.id as "depositId", case when entry.kind = 'refund' then entry.id end as "refundId",
      coalesce(entry.tx_id, deposit.tx_id) as "txHash",
      coalesce(deposit.block_time,
        (select block.time from sweep_transactions sent join blocks block on block.id = sent.block_id
          where sent.merchant_id = ${merchantId} and sent.tx_id = entry.tx_id),
        entry.booked_at) as "valuedAt",
      charge.fiat_currency as "fiatCurrency", charge.fiat_amount as "fiatAmount", deposit.share::text as own,
      case when charge.fiat_amount is not null and entry.kind = 'deposit' then (
        select coalesce(sum(earlier.share), 0)::text from deposits earlier
        where earlier.merchant_id = ${merchantId} and earlier.deposit_address_id = entry.deposit_address_id
          and earlier.status = 'CONFIRMED' and not earlier.unmatched
          and (earlier.block_number, earlier.id) < (deposit.block_number, deposit.id)) end as before
    from (
      select * from (${ofMerchant}${kinds === undefined ? sql` union all ${others} union all ${refunds}` : empty}) of_all
      order by booked_at, id, line limit ${limit}
    ) entry
    join deposit_addresses charge on charge.merchant_id = ${merchantId} and charge.id = entry.deposit_address_id
    left join deposits deposit on deposit.merchant_id = ${merchantId} and deposit.id = entry.id
    order by entry.booked_at, entry.id, entry.line`);
  const refundIds = rows.flatMap(({ refundId }) => refundId ?? []);
  const paidTimes = await findPaidTimes(db, merchantId, refundIds);
  return rows.map((row) => {
    const paidAt = row.refundId === null ? undefined : paidTimes.get(row.refundId);
    return toFact({ ...row, valuedAt: paidAt ?? row.valuedAt });
  });
}

type FactRow = Omit<BookedFact, "place" | "units" | "price"> &
  JournalPlace & {
    readonly units: string;
    readonly fiatCurrency: FiatCurrency | null;
    readonly fiatAmount: string | null;
    readonly before: string | null;
    readonly own: string | null;
  };

function toFact({ at, id, line, units, fiatCurrency, fiatAmount, before, own, ...row }: FactRow): BookedFact {
  const isPriced = fiatCurrency !== null && fiatAmount !== null && before !== null && own !== null;
  return {
    ...row,
    units: amountFromUnits(BigInt(units)),
    place: { at, id, line: Number(line) },
    price: isPriced ? { fiatCurrency, fiatAmount, before: BigInt(before), own: BigInt(own) } : undefined,
  } as BookedFact;
}
