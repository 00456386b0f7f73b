import type { Currency } from "@daric/domain/asset";
import type { ChargeId, MerchantId, SettlementAccountId, SettlementId, SweepId } from "@daric/domain/ids";
import type { SweepRecipient } from "@daric/domain/ledger";
import { type Amount, amountFromUnits, amountIn } from "@daric/domain/money";
import type { SettlementStatus, SweepStatus } from "@daric/domain/sweep";
import { one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { follows, listPage, type Page, pageOf, wanted } from "@daric/totals/list-store";
import type { TransactionEnd, TransactionPurpose } from "../transactions/transaction-store.ts";

/** The most sweeps in an answer; a plan makes fewer. */
const MAX_SWEEPS = 500;

/** A settlement with the sums of its sweeps so far. */
export type ListedSettlement = {
  readonly id: SettlementId;
  readonly currency: Currency;
  readonly status: SettlementStatus;
  readonly settlementAccountId: SettlementAccountId;
  readonly address: string;
  /** money that has reached the merchant's wallet */
  readonly paid: Amount;
  /** fees that have reached the operator's wallet */
  readonly feesPaid: Amount;
  /** the fees that the chain took from all senders together */
  readonly networkCost: Amount<"TRX">;
  readonly sweepCount: number;
  readonly failureReason: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
};

export type SettlementFilter = {
  readonly merchantId: MerchantId;
  readonly status?: SettlementStatus | undefined;
  readonly currency?: Currency | undefined;
};

type ListedRow = Omit<ListedSettlement, "paid" | "feesPaid" | "networkCost" | "sweepCount"> &
  Record<"paid" | "feesPaid" | "networkCost", string> & { readonly sweepCount: bigint };

/** SQL on settlements (s). */
const columns = sql`s.id, s.currency, s.status, s.settlement_account_id as "settlementAccountId", account.address,
  s.failure_reason as "failureReason", s.created_at as "createdAt", s.ended_at as "endedAt", sums.*`;
const joined = sql`settlements s
  join settlement_accounts account on account.merchant_id = s.merchant_id and account.id = s.settlement_account_id
  cross join lateral (
    select coalesce(sum(w.units) filter (where w.status in ('SOLID', 'RECLAIMED') and w.recipient = 'merchant'), 0)::text as paid,
      coalesce(sum(w.units) filter (where w.status in ('SOLID', 'RECLAIMED') and w.recipient = 'operator'), 0)::text as "feesPaid",
      coalesce(sum(w.cost), 0)::text as "networkCost", count(*) as "sweepCount"
    from (
      select sweep.*, (
        select sum(t.fee_units) from sweep_transactions t where t.merchant_id = sweep.merchant_id and t.sweep_id = sweep.id
      ) as cost
      from sweeps sweep where sweep.merchant_id = s.merchant_id and sweep.settlement_id = s.id
    ) w
  ) sums`;

function conditions({ merchantId, status, currency }: SettlementFilter): Sql {
  return sql`s.merchant_id = ${merchantId}
    ${wanted(status, (value) => sql`and s.status = ${value}`)}
    ${wanted(currency, (value) => sql`and s.currency = ${value}`)}`;
}

/** One page of a merchant's settlements, newest first, and the number of all matches. */
export async function listSettlements(
  db: Queryable,
  filter: SettlementFilter,
  page: Page<SettlementId>,
): Promise<{ rows: ListedSettlement[]; total: number }> {
  const { merchantId } = filter;
  return listPage(page, {
    rows: async (part) => {
      const newest = sql`
        select ${columns} from ${joined}
        where ${conditions(filter)} ${follows(part.after, { merchantId, table: sql`settlements`, row: sql`s` })}
        order by s.created_at desc, s.id desc`;
      return (await db.query<ListedRow>(pageOf(newest, part))).map(toListed);
    },
    total: async () => {
      const rows = await db.query<{ total: bigint }>(
        sql`select count(*) as total from settlements s where ${conditions(filter)}`,
      );
      return Number(one(rows).total);
    },
    find: (id) => findSettlement(db, { merchantId, id }),
  });
}

/** The merchant's settlement with this id; another merchant's looks like a missing one. */
export async function findSettlement(
  db: Queryable,
  { merchantId, id }: { merchantId: MerchantId; id: SettlementId },
): Promise<ListedSettlement | undefined> {
  const [row] = await db.query<ListedRow>(
    sql`select ${columns} from ${joined} where s.merchant_id = ${merchantId} and s.id = ${id}`,
  );
  return row && toListed(row);
}

function toListed({ paid, feesPaid, networkCost, sweepCount, ...row }: ListedRow): ListedSettlement {
  return {
    ...row,
    paid: amountFromUnits(BigInt(paid)),
    feesPaid: amountFromUnits(BigInt(feesPaid)),
    networkCost: amountIn("TRX", BigInt(networkCost)),
    sweepCount: Number(sweepCount),
  };
}

/** A transaction of a sweep, as far as it is known. */
export type ListedTransaction = {
  readonly purpose: TransactionPurpose;
  readonly txId: string | null;
  readonly outcome: TransactionEnd | null;
  readonly blockNumber: number | null;
  /** the fee in sun; null while it is unknown */
  readonly fee: Amount<"TRX"> | null;
};

/** A sweep of a settlement, with its transactions in their order. */
export type ListedSweep = {
  readonly id: SweepId;
  readonly chargeId: ChargeId;
  readonly address: string;
  readonly recipient: SweepRecipient;
  readonly destination: string;
  readonly units: Amount;
  readonly status: SweepStatus;
  readonly reason: string | null;
  readonly transactions: readonly ListedTransaction[];
};

type TransactionJson = Omit<ListedTransaction, "fee"> & { readonly fee: string | null };

export async function listSweeps(
  db: Queryable,
  { merchantId, id }: { merchantId: MerchantId; id: SettlementId },
): Promise<ListedSweep[]> {
  const rows = await db.query<
    Omit<ListedSweep, "units" | "transactions"> & { units: bigint; transactions: TransactionJson[] }
  >(sql`
    select s.id, s.deposit_address_id as "chargeId", a.address, s.recipient, s.destination, s.units, s.status, s.reason,
      coalesce((
        select jsonb_agg(jsonb_build_object('purpose', t.purpose, 'txId', t.tx_id, 'outcome', t.outcome,
          'blockNumber', t.block_number, 'fee', t.fee_units::text) order by t.id)
        from sweep_transactions t where t.merchant_id = s.merchant_id and t.sweep_id = s.id), '[]') as transactions
    from sweeps s
    join deposit_addresses a on a.merchant_id = s.merchant_id and a.id = s.deposit_address_id
    where s.merchant_id = ${merchantId} and s.settlement_id = ${id}
    order by s.id limit ${MAX_SWEEPS}`);
  return rows.map((row) => ({
    ...row,
    units: amountFromUnits(row.units),
    transactions: row.transactions.map((transaction) => ({
      ...transaction,
      fee: transaction.fee === null ? null : amountIn("TRX", BigInt(transaction.fee)),
    })),
  }));
}
