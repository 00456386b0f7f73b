import { type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { findChargesByToken, type ShownCharge } from "../charges/charge.ts";
import type { Branding, CheckoutDeposit, CheckoutRecord } from "../domain/checkout.ts";
import { amountFromUnits } from "../domain/money.ts";

/** The deposits that a page names at most. Sums are not made of these: they are the charge's. */
const MAX_DEPOSITS = 10;

/** A deposit as JSON has it: its units and its time as text. */
type DepositColumns = Omit<CheckoutDeposit, "amount" | "confirmedAt"> & {
  units: string;
  confirmedAt: string | null;
};
type Columns = Branding & {
  readonly unmatchedUnits: string;
  readonly now: Date;
  /** null where the charge has none */
  readonly deposits: readonly DepositColumns[] | null;
};

/** What whoever has a checkout token is shown. */
export type Checkout = { readonly charge: ShownCharge; readonly record: CheckoutRecord };

/** Reads the checkouts behind tokens in one statement, whatever was ever paid to them; tokens without a charge are left out. */
export async function findCheckouts(
  db: Queryable,
  tokens: readonly string[],
): Promise<Map<string, Checkout>> {
  const found = await findChargesByToken<Columns>(db, tokens, checkoutColumns());
  return new Map(
    [...found].map(([token, { charge, beside }]) => [token, { charge, record: toRecord(beside) }]),
  );
}

/** Of a `charge` with its `sums`. One that nobody paid is not looked up among the deposits. */
function checkoutColumns(): Sql {
  return sql`
    select merchant.name, merchant.logo_url as "logoUrl", merchant.accent_color as "accentColor",
      coalesce(sums.unmatched, 0) as "unmatchedUnits", greatest(now(), (select max(time) from scan_cursors)) as now,
      case when sums.newest_block_time is not null then (
        select json_agg(json_build_object(
          'txId', deposit.tx_id, 'units', deposit.units::text, 'status', deposit.status,
          'blockNumber', deposit.block_number,
          'headNumber', coalesce(
            (select number from scan_cursors where network = deposit.network), deposit.block_number),
          'requiredConfirmations', deposit.required_confirmations,
          'finalConfirmations', deposit.final_confirmations, 'late', deposit.late,
          'confirmedAt', deposit.confirmed_at
        ) order by deposit.is_final, deposit.created_at desc, deposit.id desc)
        from (${shownDeposits()}) deposit
      ) end as deposits
    from merchants merchant where merchant.id = charge.merchant_id`;
}

/**
 * The deposits that are shown, merged from the ends of two indexes. Twice as many of the newest are read as are shown:
 * if those that can still change do not fill the page, there are enough others among these.
 */
function shownDeposits(): Sql {
  const newest = sql`
    deposits.merchant_id = charge.merchant_id and deposits.deposit_address_id = charge.id and not deposits.unmatched`;
  const isOpen = sql`confirmed_at is null and failed_at is null`;
  return sql`
    select * from (
      (
        select deposits.*, false as is_final from deposits where ${newest} and ${isOpen} and sums.open > 0
        order by created_at desc, id desc limit ${MAX_DEPOSITS}
      )
      union all
      select * from (
        select deposits.*, true as is_final from deposits where ${newest}
        order by created_at desc, id desc limit ${2 * MAX_DEPOSITS}
      ) newest where not (${isOpen})
    ) merged
    order by is_final, created_at desc, id desc limit ${MAX_DEPOSITS}`;
}

function toRecord({ name, logoUrl, accentColor, unmatchedUnits, now, deposits }: Columns): CheckoutRecord {
  return {
    merchant: { name, logoUrl, accentColor },
    deposits: (deposits ?? []).map(toDeposit),
    unmatched: amountFromUnits(BigInt(unmatchedUnits)),
    now,
  };
}

function toDeposit({ units, confirmedAt, ...deposit }: DepositColumns): CheckoutDeposit {
  return {
    ...deposit,
    amount: amountFromUnits(BigInt(units)),
    confirmedAt: confirmedAt === null ? null : new Date(confirmedAt),
  };
}
