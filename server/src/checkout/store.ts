import { literals, type Queryable, sql } from "@daric/postgres/sql";
import type { Branding, CheckoutDeposit, CheckoutRecord } from "../domain/checkout.ts";
import { offChainDepositStatuses, openDepositStatuses } from "../domain/deposit.ts";
import type { ChargeId, MerchantId } from "../domain/ids.ts";
import { amountFromUnits } from "../domain/money.ts";

/** The deposits that a page names at most. Sums are not made of these: they are the charge's. */
const MAX_DEPOSITS = 10;

type DepositColumns = Omit<CheckoutDeposit, "amount" | "blockNumber" | "headNumber"> & {
  units: bigint;
  blockNumber: bigint;
  headNumber: bigint;
};
type Row = Branding & { unmatchedUnits: string; now: Date } & (DepositColumns | { txId: null });

/** Reads the branding and the deposits of a charge and the time they are shown at, in one statement. */
export async function loadCheckoutRecord(
  db: Queryable,
  charge: { id: ChargeId; merchantId: MerchantId },
): Promise<CheckoutRecord> {
  const rows = await db.query<Row>(sql`
    select merchant.name, merchant.logo_url as "logoUrl", merchant.accent_color as "accentColor",
      (
        select coalesce(sum(units), 0) from deposits
        where deposit_address_id = ${charge.id} and unmatched
          and status not in (${literals(...offChainDepositStatuses)})
      ) as "unmatchedUnits",
      greatest(now(), (select max(time) from scan_cursors)) as now,
      deposit.*
    from merchants merchant
    left join lateral (
      select d.tx_id as "txId", d.units, d.status, d.block_number as "blockNumber",
        coalesce((select c.number from scan_cursors c where c.network = d.network), d.block_number) as "headNumber",
        d.required_confirmations as "requiredConfirmations", d.final_confirmations as "finalConfirmations",
        d.late, d.confirmed_at as "confirmedAt"
      from deposits d
      where d.deposit_address_id = ${charge.id} and not d.unmatched
      order by d.status not in (${literals(...openDepositStatuses)}), d.created_at desc, d.id desc
      limit ${MAX_DEPOSITS}
    ) deposit on true
    where merchant.id = ${charge.merchantId}`);
  const [first] = rows;
  if (first === undefined) throw new Error(`charge ${charge.id} has no merchant`);
  return {
    merchant: { name: first.name, logoUrl: first.logoUrl, accentColor: first.accentColor },
    deposits: rows.flatMap((row) => (row.txId === null ? [] : [toDeposit(row)])),
    unmatched: amountFromUnits(BigInt(first.unmatchedUnits)),
    now: first.now,
  };
}

function toDeposit(row: DepositColumns): CheckoutDeposit {
  return {
    txId: row.txId,
    amount: amountFromUnits(row.units),
    status: row.status,
    blockNumber: Number(row.blockNumber),
    headNumber: Number(row.headNumber),
    requiredConfirmations: row.requiredConfirmations,
    finalConfirmations: row.finalConfirmations,
    late: row.late,
    confirmedAt: row.confirmedAt,
  };
}
