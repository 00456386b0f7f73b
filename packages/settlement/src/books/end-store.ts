import type { Currency } from "@daric/domain/asset";
import type { MerchantId, SettlementAccountId, SettlementId } from "@daric/domain/ids";
import type { SweepRecipient } from "@daric/domain/ledger";
import { type Amount, amountFromUnits } from "@daric/domain/money";
import { type SettlementEnd, settlementMachine } from "@daric/domain/sweep";
import { MAX_EVENT_TRANSFERS } from "@daric/domain/webhook-event";
import { literals, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";

/** The statuses of settlements that have not ended. */
const open = literals(
  ...new Set(settlementMachine.events.flatMap((event) => settlementMachine.edge(event).from)),
);

export type SettlementRef = { readonly merchantId: MerchantId; readonly id: SettlementId };

/** Open settlements without a sweep that can continue by itself. */
export async function listEndable(db: Queryable): Promise<SettlementRef[]> {
  return db.query<SettlementRef>(
    globally(
      "settlements-to-end",
      sql`
        select merchant_id as "merchantId", id from settlements
        where status in (${open}) and not exists (
          select from sweeps s
          where s.merchant_id = settlements.merchant_id and s.settlement_id = settlements.id
            and s.status not in ('SOLID', 'RECLAIMED', 'DROPPED', 'FROZEN'))
        limit 100`,
    ),
  );
}

/** A settlement with the sums of its sweeps. */
export type EndedSettlement = SettlementRef & {
  readonly settlementAccountId: SettlementAccountId;
  readonly address: string;
  readonly currency: Currency;
  readonly paid: Amount;
  readonly feesPaid: Amount;
  readonly landed: number;
  /** why one of its sweeps is frozen */
  readonly frozen: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date;
};

/** The sums of an open settlement, whose row it locks; undefined if the settlement has ended. */
export async function lockSettlement(
  tx: Transaction,
  { merchantId, id }: SettlementRef,
): Promise<EndedSettlement | undefined> {
  const held = await tx.query(sql`
    select id from settlements where merchant_id = ${merchantId} and id = ${id} and status in (${open}) for update`);
  if (held.length === 0) return undefined;
  const rows = await tx.query<
    Omit<EndedSettlement, "paid" | "feesPaid" | "landed"> &
      Record<"paid" | "feesPaid", string> & { landed: bigint }
  >(sql`
    select settlement.merchant_id as "merchantId", settlement.id, settlement.settlement_account_id as "settlementAccountId",
      account.address, settlement.currency, sums.*, settlement.created_at as "createdAt", now() as "endedAt"
    from settlements settlement
    join settlement_accounts account on account.merchant_id = settlement.merchant_id and account.id = settlement.settlement_account_id
    cross join lateral (
      select coalesce(sum(s.units) filter (where s.status in ('SOLID', 'RECLAIMED') and s.recipient = 'merchant'), 0)::text as paid,
        coalesce(sum(s.units) filter (where s.status in ('SOLID', 'RECLAIMED') and s.recipient = 'operator'), 0)::text as "feesPaid",
        count(*) filter (where s.status in ('SOLID', 'RECLAIMED')) as landed,
        min(s.reason) filter (where s.status = 'FROZEN') as frozen
      from sweeps s where s.merchant_id = settlement.merchant_id and s.settlement_id = settlement.id
    ) sums
    where settlement.merchant_id = ${merchantId} and settlement.id = ${id}`);
  const [row] = rows;
  return (
    row && {
      ...row,
      landed: Number(row.landed),
      paid: amountFromUnits(BigInt(row.paid)),
      feesPaid: amountFromUnits(BigInt(row.feesPaid)),
    }
  );
}

export async function endSettlement(
  tx: Transaction,
  { merchantId, id }: SettlementRef,
  { event, failureReason }: { event: SettlementEnd; failureReason: string | null },
): Promise<void> {
  const { from, to } = settlementMachine.edge(event);
  await tx.query(sql`
    update settlements set status = ${to}, failure_reason = ${failureReason}, ended_at = now()
    where merchant_id = ${merchantId} and id = ${id} and status in (${literals(...from)})`);
}

export type LandedTransfer = {
  readonly txId: string;
  readonly units: Amount;
  readonly recipient: SweepRecipient;
};

/** The first transfers of a settlement that have landed. */
export async function listLanded(
  db: Queryable,
  { merchantId, id }: SettlementRef,
): Promise<LandedTransfer[]> {
  const rows = await db.query<Omit<LandedTransfer, "units"> & { units: bigint }>(sql`
    select t.tx_id as "txId", s.units, s.recipient
    from sweeps s
    join sweep_transactions t on t.merchant_id = s.merchant_id and t.sweep_id = s.id and t.purpose = 'sweep' and t.outcome = 'landed'
    where s.merchant_id = ${merchantId} and s.settlement_id = ${id}
    order by t.id limit ${MAX_EVENT_TRANSFERS}`);
  return rows.map((row) => ({ ...row, units: amountFromUnits(row.units) }));
}
