import type { Currency } from "@daric/domain/asset";
import type { ChargeId, DepositId, MerchantId, RefundId, SettlementId } from "@daric/domain/ids";
import { type Amount, amountFromUnits } from "@daric/domain/money";
import { empty, type Queryable, sql } from "@daric/postgres/sql";
import { findPaidTimes } from "@daric/refunds/transfer-store";

/** Money with its own moment, which is a part of a row. */
export type Piece<Id extends string = string> = {
  readonly of: Id;
  readonly currency: Currency;
  readonly units: Amount;
  readonly at: Date;
};
type PieceRow<Id extends string> = Omit<Piece<Id>, "units"> & { readonly units: string };

function toPiece<Row extends PieceRow<string>>(row: Row): Omit<Row, "units"> & { readonly units: Amount } {
  return { ...row, units: amountFromUnits(BigInt(row.units)) };
}

/** The deposits of a read: a standing address may have any number. */
const BATCH = 1_000;

export type PaidPiece = Piece<ChargeId> & {
  readonly id: DepositId;
  /** of the order's due, in 10^-18; null where it is not priced in fiat */
  readonly share: string | null;
};

/** The confirmed deposits in the coin of their charges, some at a time. */
export async function* readPaidPieces(
  db: Queryable,
  merchantId: MerchantId,
  ids: readonly ChargeId[],
): AsyncGenerator<readonly PaidPiece[]> {
  if (ids.length === 0) return;
  let last: PaidPiece | undefined;
  do {
    const behind =
      last === undefined ? empty : sql`and (deposit_address_id, id) > (${last.of}::uuid, ${last.id}::uuid)`;
    const rows = await db.query<PieceRow<ChargeId> & Pick<PaidPiece, "id" | "share">>(sql`
      select deposit_address_id as of, id, currency, units::text as units, block_time as at, share::text as share from deposits
      where merchant_id = ${merchantId} and deposit_address_id = any(${ids}::uuid[]) and not unmatched and confirmed_at is not null ${behind}
      order by deposit_address_id, id limit ${BATCH}`);
    const pieces = rows.map(toPiece);
    yield pieces;
    last = pieces.length === BATCH ? pieces.at(-1) : undefined;
  } while (last !== undefined);
}

/** The money that reached the merchant's wallet, that reached the operator's, and that the chain took. */
export type SettledPart = "amount" | "fees_paid" | "network_cost";

/** The money that settlements moved, each piece at the time of its block; or when it was booked, where no row has its block. */
export async function listSettledPieces(
  db: Queryable,
  merchantId: MerchantId,
  ids: readonly SettlementId[],
): Promise<(Piece<SettlementId> & { readonly part: SettledPart })[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<PieceRow<SettlementId> & { readonly part: SettledPart }>(sql`
    select sweep.settlement_id as of, case when entry.debit = 'merchant' then 'amount' else 'fees_paid' end as part, entry.currency,
      entry.units::text as units, coalesce(
        (select block.time from sweep_transactions sent join blocks block on block.id = sent.block_id
          where sent.merchant_id = ${merchantId} and sent.tx_id = entry.tx_id), entry.booked_at) as at
    from sweeps sweep
    join ledger_entries entry on entry.merchant_id = ${merchantId} and entry.deposit_address_id = sweep.deposit_address_id
      and entry.sweep_id = sweep.id and entry.kind = 'sweep_landed'
    where sweep.merchant_id = ${merchantId} and sweep.settlement_id = any(${ids}::uuid[])
    union all
    select sweep.settlement_id, 'network_cost', 'TRX', sent.fee_units::text,
      coalesce((select block.time from blocks block where block.id = sent.block_id), sent.created_at)
    from sweeps sweep
    join sweep_transactions sent on sent.merchant_id = ${merchantId} and sent.sweep_id = sweep.id and sent.fee_units > 0
    where sweep.merchant_id = ${merchantId} and sweep.settlement_id = any(${ids}::uuid[])`);
  return rows.map(toPiece);
}

/** The money that completed refunds moved on the chain. */
export async function listRefundedPieces(
  db: Queryable,
  merchantId: MerchantId,
  ids: readonly RefundId[],
): Promise<Piece<RefundId>[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<PieceRow<RefundId>>(sql`
    select id as of, currency, paid_units::text as units, completed_at as at from refunds
    where merchant_id = ${merchantId} and id = any(${ids}::uuid[]) and status = 'COMPLETED' and paid_units is not null`);
  const paidTimes = await findPaidTimes(db, merchantId, ids);
  return rows.map((row) => toPiece({ ...row, at: paidTimes.get(row.of) ?? row.at }));
}
