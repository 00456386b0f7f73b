import type { Currency } from "@daric/domain/asset";
import type { ChargeId, MerchantId, SettlementId, SweepId } from "@daric/domain/ids";
import type { SweepRecipient } from "@daric/domain/ledger";
import { type Amount, amountFromUnits, amountIn } from "@daric/domain/money";
import { endedSweepStatuses, type SweepEvent, type SweepStatus, sweepMachine } from "@daric/domain/sweep";
import type { SweepPrice, SweepResources } from "@daric/domain/sweep-price";
import { literals, type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";
import type { SettlementTransaction } from "../transactions/transaction-store.ts";

/** A sweep that is not over, with its current transaction: the first open one, or else the newest. */
export type OpenSweep = SweepPrice & {
  readonly merchantId: MerchantId;
  readonly id: SweepId;
  readonly settlementId: SettlementId;
  readonly chargeId: ChargeId;
  readonly address: string;
  readonly currency: Currency;
  readonly recipient: SweepRecipient;
  readonly destination: string;
  readonly resources: SweepResources;
  readonly status: SweepStatus;
  readonly reason: string | null;
  readonly attempts: number;
  /** for a signer without a network */
  readonly isOffline: boolean;
  readonly updatedAt: Date;
  readonly transaction: SettlementTransaction | undefined;
  /** the money that left the address by its newest transaction, in units of the sweep's currency */
  readonly moved: Amount;
};

type SweepRow = Omit<OpenSweep, "units" | "price" | "topUp" | "feeLimit" | "transaction" | "moved"> &
  Record<"units" | "price" | "topUp" | "feeLimit", bigint> & { readonly moved: string } & {
    readonly [Name in keyof SettlementTransaction as `t_${Name}`]: SettlementTransaction[Name] | null;
  };

/**
 * SQL: the current transaction of a sweep (s), with its block in our chain. Ids of requests grow with time. A sweep
 * that was signed offline has two open transactions at first.
 */
const currentTransaction = (network: string): Sql => sql`
  select t.id as "t_id", t.purpose as "t_purpose", t.expires_at as "t_expiresAt", t.tx_id as "t_txId", t.bytes as "t_bytes",
    t.sent_at as "t_sentAt", t.outcome as "t_outcome", answer.tx_id as "t_signedTxId", answer.transaction as "t_signedBytes",
    answer.refusal as "t_refusal", own.block_number::float8 as "t_blockNumber", own.block_id as "t_blockId",
    coalesce((
      select sum(o.units) from outflows o
      where o.merchant_id = t.merchant_id and o.network = ${network} and o.tx_id = t.tx_id and o.currency = s.currency
        and o.block_id = own.block_id), 0)::text as moved
  from sweep_transactions t
  left join signing_results answer on answer.request_id = t.id
  left join own_transactions own on own.merchant_id = t.merchant_id and own.network = ${network} and own.tx_id = t.tx_id
    and exists (select from blocks b where b.id = own.block_id and b.orphaned_at is null)
  where t.merchant_id = s.merchant_id and t.sweep_id = s.id
  order by t.outcome is null desc, case when t.outcome is null then t.id end, t.id desc limit 1`;

/**
 * The due sweeps of all merchants, the oldest first. `wokenAt` makes those due that have waited since before. An
 * exported sweep is due once it is imported.
 */
export async function listDueSweeps(
  db: Queryable,
  { network, wokenAt, limit }: { network: string; wokenAt: Date | null; limit: number },
): Promise<OpenSweep[]> {
  const rows = await db.query<SweepRow>(
    globally(
      "due-sweeps",
      sql`
        select s.merchant_id as "merchantId", s.id, s.settlement_id as "settlementId", s.deposit_address_id as "chargeId", a.address,
          s.currency, s.recipient, s.destination, s.units, s.resources, s.price, s.top_up_units as "topUp", s.energy,
          s.fee_limit as "feeLimit", s.status, s.reason, s.attempts, s.is_offline as "isOffline",
          s.updated_at as "updatedAt", current.*
        from sweeps s
        join deposit_addresses a on a.merchant_id = s.merchant_id and a.id = s.deposit_address_id
        left join lateral (${currentTransaction(network)}) current on true
        where s.status not in (${literals(...endedSweepStatuses)}) and not (s.is_offline and s.status = 'PLANNED')
          and (s.due_at <= now() or (s.status in ('WAITING', 'FROZEN') and s.updated_at < ${wokenAt}))
        order by s.due_at limit ${limit}`,
    ),
  );
  return rows.map(toSweep);
}

function toSweep(row: SweepRow): OpenSweep {
  const own = Object.entries(row).filter(([name]) => !name.startsWith("t_"));
  const transaction = Object.entries(row).filter(([name]) => name.startsWith("t_"));
  const trx = (units: bigint) => amountIn("TRX", units);
  return {
    ...(Object.fromEntries(own) as Omit<OpenSweep, "transaction">),
    units: amountFromUnits(row.units),
    price: trx(row.price),
    topUp: trx(row.topUp),
    feeLimit: trx(row.feeLimit),
    moved: amountFromUnits(BigInt(row.moved ?? "0")),
    transaction:
      row.t_id === null
        ? undefined
        : (Object.fromEntries(
            transaction.map(([name, value]) => [name.slice(2), value]),
          ) as SettlementTransaction),
  };
}

export type SweepRef = { readonly merchantId: MerchantId; readonly id: SweepId };

type SweepChange = {
  readonly event: SweepEvent;
  readonly reason?: string | null;
  readonly waitMs?: number;
  /** one more of its transactions is in a block and moved nothing */
  readonly isFailure?: boolean;
};

/**
 * Moves a sweep along the edge of an event.
 *
 * @throws Error if its status does not have the event.
 */
export async function moveSweep(
  tx: Transaction,
  { merchantId, id }: SweepRef,
  { event, reason = null, waitMs = 0, isFailure = false }: SweepChange,
): Promise<void> {
  const { from, to } = sweepMachine.edge(event);
  const moved = await tx.query(sql`
    update sweeps set status = ${to}, reason = ${reason}, attempts = attempts + ${isFailure ? 1 : 0},
      due_at = now() + ${waitMs}::float8 * interval '1 millisecond', updated_at = now()
    where merchant_id = ${merchantId} and id = ${id} and status in (${literals(...from)})
    returning 1 as one`);
  if (moved.length === 0) throw new Error(`sweep ${id} is in no state that has the event ${event}`);
}

/** Prolongs the wait of a sweep, with its reason. */
export async function keepWaiting(
  tx: Transaction,
  { merchantId, id }: SweepRef,
  { reason, waitMs }: { reason: string; waitMs: number },
): Promise<void> {
  await tx.query(sql`
    update sweeps set reason = ${reason}, due_at = now() + ${waitMs}::float8 * interval '1 millisecond', updated_at = now()
    where merchant_id = ${merchantId} and id = ${id}`);
}

/** Stores the new price of a sweep that is planned again. */
export async function repriceSweep(
  tx: Transaction,
  { merchantId, id }: SweepRef,
  { units, price, topUp, energy, feeLimit, resources }: SweepPrice & { readonly resources: SweepResources },
): Promise<void> {
  await tx.query(sql`
    update sweeps set units = ${units}, price = ${price}, top_up_units = ${topUp}, energy = ${energy}, fee_limit = ${feeLimit},
      resources = ${resources}
    where merchant_id = ${merchantId} and id = ${id}`);
}
