import type { Currency } from "@daric/domain/asset";
import type { ChargeId, MerchantId, SweepId, SweepTransactionId } from "@daric/domain/ids";
import type { SweepRecipient } from "@daric/domain/ledger";
import type { SweepStatus } from "@daric/domain/sweep";
import { type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";
import type { TransactionEnd } from "../transactions/transaction-store.ts";
import type { OpenSweep, SweepRef } from "./sweep-store.ts";

/** A transaction that an offline signer is to sign. */
export type OfflineTransaction = {
  readonly id: SweepTransactionId;
  readonly merchantId: MerchantId;
  readonly sweepId: SweepId;
  readonly chargeId: ChargeId;
  readonly purpose: "sweep" | "top_up";
};

/** Stores the transactions of an export before they are signed. */
export async function insertOffline(
  tx: Transaction,
  transactions: readonly OfflineTransaction[],
  expiresAt: Date,
): Promise<void> {
  await tx.query(sql`
    insert into sweep_transactions (merchant_id, id, sweep_id, deposit_address_id, purpose, expires_at)
    select wanted.*, ${expiresAt}::timestamptz
    from unnest(
      ${transactions.map(({ merchantId }) => merchantId)}::uuid[], ${transactions.map(({ id }) => id)}::uuid[],
      ${transactions.map(({ sweepId }) => sweepId)}::uuid[], ${transactions.map(({ chargeId }) => chargeId)}::uuid[],
      ${transactions.map(({ purpose }) => purpose)}::text[]
    ) as wanted (merchant_id, id, sweep_id, deposit_address_id, purpose)`);
}

/** The owner of an address, with the proof. */
export type AddressProof = {
  readonly chargeId: ChargeId;
  readonly index: number;
  readonly address: string;
  readonly checkoutToken: string;
  readonly addressMac: Buffer | null;
};

export async function findProofs(
  db: Queryable,
  charges: readonly { readonly merchantId: MerchantId; readonly chargeId: ChargeId }[],
): Promise<AddressProof[]> {
  return db.query<AddressProof>(sql`
    select a.id as "chargeId", a.derivation_index::float8 as index, a.address, a.checkout_token as "checkoutToken",
      a.address_mac as "addressMac"
    from unnest(
      ${charges.map(({ merchantId }) => merchantId)}::uuid[], ${charges.map(({ chargeId }) => chargeId)}::uuid[]
    ) as wanted (merchant_id, id)
    join deposit_addresses a on a.merchant_id = wanted.merchant_id and a.id = wanted.id`);
}

/** An exported transaction as it was planned, with the status of its sweep. */
export type ExportedTransaction = OfflineTransaction & {
  readonly address: string;
  readonly currency: Currency;
  readonly recipient: SweepRecipient;
  readonly destination: string;
  /** the amount of the sweep, in units of its currency */
  readonly units: bigint;
  /** sun */
  readonly topUp: bigint;
  readonly feeLimit: bigint;
  readonly status: SweepStatus;
  readonly txId: string | null;
  readonly outcome: TransactionEnd | null;
  readonly expiresAt: Date;
};

/** All transactions of the sweeps that contain one of these, of any merchant. */
export async function findExported(db: Queryable, ids: readonly string[]): Promise<ExportedTransaction[]> {
  return db.query<ExportedTransaction>(
    globally(
      "exported-transactions",
      sql`
        select t.merchant_id as "merchantId", t.id, t.sweep_id as "sweepId", t.deposit_address_id as "chargeId", t.purpose, a.address,
          s.currency, s.recipient, s.destination, s.units, s.top_up_units as "topUp", s.fee_limit as "feeLimit", s.status,
          t.tx_id as "txId", t.outcome, t.expires_at as "expiresAt"
        from sweep_transactions named
        join sweeps s on s.merchant_id = named.merchant_id and s.id = named.sweep_id and s.is_offline
        join sweep_transactions t on t.merchant_id = s.merchant_id and t.sweep_id = s.id
        join deposit_addresses a on a.merchant_id = s.merchant_id and a.id = s.deposit_address_id
        where named.id = any(${ids}::uuid[])
        group by t.merchant_id, t.id, a.merchant_id, a.id, s.merchant_id, s.id order by t.id`,
    ),
  );
}

/** An entry of the signer's list, as its signed file reports it. */
export type ReportedDestination = {
  readonly counter: number;
  readonly merchantId: string;
  readonly name: string;
  readonly address: string | null;
  readonly feeCeiling: Readonly<Record<string, string>>;
  readonly seenMs: number;
  readonly actsFromMs: number;
  readonly isAdditional?: true | undefined;
  readonly permissions?: string | undefined;
};

/** Stores the signer's list; entries of earlier reports stay. */
export async function storeDestinations(
  tx: Transaction,
  reported: readonly ReportedDestination[],
): Promise<void> {
  for (const {
    counter,
    merchantId,
    name,
    address,
    feeCeiling,
    seenMs,
    actsFromMs,
    isAdditional = false,
    permissions = null,
  } of reported)
    await tx.query(sql`
      insert into signer_destinations (counter, merchant_id, name, address, fee_ceiling, seen_at, acts_from, is_additional,
        permissions)
      values (${counter}, ${merchantId}, ${name}, ${address}, ${feeCeiling}, ${new Date(seenMs)}, ${new Date(actsFromMs)},
        ${isAdditional}, ${permissions})
      on conflict (counter) do nothing`);
}

/** Whether any sweep was ever exported. */
export async function hasOfflineSweeps(db: Queryable): Promise<boolean> {
  const rows = await db.query(
    globally("offline-sweeps", sql`select 1 as one from sweeps where is_offline limit 1`),
  );
  return rows.length > 0;
}

/** Exported sweeps of all merchants whose signatures could not land after `now`, at most `limit`. */
export async function listOverdueExports(db: Queryable, now: Date, limit: number): Promise<SweepRef[]> {
  return db.query<SweepRef>(
    globally(
      "overdue-exports",
      sql`
        select s.merchant_id as "merchantId", s.id from sweeps s
        where s.is_offline and s.status = 'PLANNED' and exists (
          select from sweep_transactions t
          where t.merchant_id = s.merchant_id and t.sweep_id = s.id and t.expires_at <= ${now})
        limit ${limit}`,
    ),
  );
}

/** The number of exported sweeps of all merchants, and when the first one is dropped; undefined without any. */
export async function countExports(
  db: Queryable,
): Promise<{ readonly count: number; readonly until: Date } | undefined> {
  const rows = await db.query<{ count: bigint; until: Date | null }>(
    globally(
      "open-exports",
      sql`
        select count(distinct s.id) as count, min(t.expires_at) as until
        from sweeps s join sweep_transactions t on t.merchant_id = s.merchant_id and t.sweep_id = s.id
        where s.is_offline and s.status = 'PLANNED'`,
    ),
  );
  const [row] = rows;
  return row?.until ? { count: Number(row.count), until: row.until } : undefined;
}

/** Ends the open transactions of a sweep, which cannot land any more. */
export async function endOpenTransactions(
  tx: Transaction,
  { merchantId, id }: Pick<OpenSweep, "merchantId" | "id">,
  outcome: "expired" | "refused",
): Promise<void> {
  await tx.query(sql`
    update sweep_transactions set outcome = ${outcome}, is_successful = false
    where merchant_id = ${merchantId} and sweep_id = ${id} and outcome is null`);
}
