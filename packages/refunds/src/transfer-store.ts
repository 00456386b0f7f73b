import type { Currency } from "@daric/domain/asset";
import type { TransferSource } from "@daric/domain/deposit";
import type { MerchantId, PersonId, RefundId } from "@daric/domain/ids";
import { type Amount, amountFromUnits } from "@daric/domain/money";
import type { RefundTransferStatus } from "@daric/domain/refund";
import { oneOf, type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { byMerchantLists } from "@daric/runtime/fair-rounds";
import { isSameMac, macOf } from "@daric/runtime/mac";
import type { RefundRef, SealingContext } from "./refund.ts";

/** A transfer on the chain, by which a refund may have been paid. */
export type RefundTransfer = {
  readonly network: string;
  readonly txId: string;
  readonly source: TransferSource;
  readonly eventIndex: number;
  readonly fromAddress: string;
  readonly toAddress: string;
  readonly currency: Currency;
  readonly units: Amount;
  readonly blockNumber: number;
  readonly blockId: string;
  readonly blockTime: Date;
  /** after which no block can include its transaction */
  readonly txExpiresAt: Date | null;
};

/** A transfer that was given to a refund. No other refund gets it. */
export type GivenTransfer = RefundTransfer & {
  readonly merchantId: MerchantId;
  readonly refundId: RefundId;
  readonly status: RefundTransferStatus;
  readonly confirmedBy: PersonId | null;
  readonly mac: Buffer;
};

/** The columns under the MAC of a transfer. Its block may change. */
export type SealedTransfer = Omit<
  GivenTransfer,
  "mac" | "blockNumber" | "blockId" | "blockTime" | "txExpiresAt"
>;

/** The MAC over the transfer, its refund, and the person that decided. */
export function transferMac({ config }: SealingContext, row: SealedTransfer): Buffer {
  const { network, txId, source, eventIndex, merchantId, refundId, status, confirmedBy } = row;
  const { fromAddress, toAddress, currency, units } = row;
  const what = [fromAddress, toAddress, currency, String(units), status, confirmedBy ?? ""];
  const parts = [network, txId, source, eventIndex, merchantId, refundId, ...what];
  return macOf(config.integrity.key, "refund transfer", parts);
}

export function isTransferOurs(context: SealingContext, row: GivenTransfer): boolean {
  return isSameMac(row.mac, transferMac(context, row));
}

type TransferRow = Omit<GivenTransfer, "units" | "blockNumber"> & {
  readonly units: bigint;
  readonly blockNumber: bigint;
};

/** The columns of `given`, a row of `refund_transfers`, under its MAC. */
export const sealedTransferColumns: Sql = sql`
  given.network, given.tx_id as "txId", given.source, given.event_index as "eventIndex", given.merchant_id as "merchantId",
  given.refund_id as "refundId", given.from_address as "fromAddress", given.to_address as "toAddress", given.currency,
  given.units, given.status, given.confirmed_by as "confirmedBy"`;

const columns: Sql = sql`
  ${sealedTransferColumns}, given.mac, given.block_number as "blockNumber", given.block_id as "blockId",
  given.block_time as "blockTime", given.tx_expires_at as "txExpiresAt"`;

function toTransfer<Row extends TransferRow>({ units, blockNumber, ...row }: Row) {
  return { ...row, units: amountFromUnits(units), blockNumber: Number(blockNumber) };
}

/** The transfers of these transactions that were given to a refund. */
export async function findGiven(
  db: Queryable,
  network: string,
  txIds: readonly string[],
): Promise<GivenTransfer[]> {
  const rows = await db.query<TransferRow>(sql`
    select ${columns} from refund_transfers given where given.network = ${network} and given.tx_id = any(${txIds}::text[])`);
  return rows.map(toTransfer);
}

/** Gives a transfer to a refund, or changes how it is given. One that another refund was paid by stays so: then false. A proposal binds nothing. */
export async function giveTransfer(tx: Transaction, row: GivenTransfer): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into refund_transfers as given (network, tx_id, source, event_index, merchant_id, refund_id, from_address, to_address,
      currency, units, status, confirmed_by, mac, block_number, block_id, block_time, tx_expires_at)
    values (${row.network}, ${row.txId}, ${row.source}, ${row.eventIndex}, ${row.merchantId}, ${row.refundId},
      ${row.fromAddress}, ${row.toAddress}, ${row.currency}, ${row.units}, ${row.status}, ${row.confirmedBy}, ${row.mac},
      ${row.blockNumber}, ${row.blockId}, ${row.blockTime}, ${row.txExpiresAt})
    on conflict (network, tx_id, source, event_index) do update set
      merchant_id = excluded.merchant_id, refund_id = excluded.refund_id, status = excluded.status, confirmed_by = excluded.confirmed_by, mac = excluded.mac,
      block_number = excluded.block_number, block_id = excluded.block_id, block_time = excluded.block_time, updated_at = now()
    where given.status = 'PROPOSED' or (given.merchant_id = excluded.merchant_id and given.refund_id = excluded.refund_id)
    returning 1`);
  return rows.length > 0;
}

/** The transfers that were given to a refund, the oldest first, and whether each is in a block of our chain. */
export async function listTransfersOf(
  db: Queryable,
  { merchantId, id }: RefundRef,
): Promise<(GivenTransfer & { readonly isInChain: boolean })[]> {
  const rows = await db.query<TransferRow & { isInChain: boolean }>(sql`
    select ${columns}, ${isInChain} as "isInChain" from refund_transfers given
    where given.merchant_id = ${merchantId} and given.refund_id = ${id} order by given.block_number, given.tx_id`);
  return rows.map(toTransfer);
}

/** The refunds of a merchant that a transfer of our chain may have paid, and since when; the newest first. */
export async function listProposed(
  db: Queryable,
  merchantId: MerchantId,
  limit: number,
): Promise<{ id: RefundId; at: Date }[]> {
  return db.query(sql`
    select given.refund_id as id, max(given.created_at) as at from refund_transfers given
    where given.merchant_id = ${merchantId} and given.status = 'PROPOSED' and ${isInChain}
    group by given.refund_id order by max(given.created_at) desc limit ${limit}`);
}

/** The refunds of a merchant that a transaction paid, or may have paid. */
export async function listRefundsPaidBy(
  db: Queryable,
  { merchantId, txId }: { readonly merchantId: MerchantId; readonly txId: string },
): Promise<RefundId[]> {
  const rows = await db.query<{ id: RefundId }>(sql`
    select distinct refund_id as id from refund_transfers where merchant_id = ${merchantId} and tx_id = ${txId} limit 20`);
  return rows.map(({ id }) => id);
}

/** The time of the block that paid each of these refunds of a merchant. Left out are refunds without a final transfer. */
export async function findPaidTimes(
  db: Queryable,
  merchantId: MerchantId,
  ids: readonly RefundId[],
): Promise<Map<RefundId, Date>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: RefundId; at: Date }>(sql`
    select refund_id as id, max(block_time) as at from refund_transfers
    where merchant_id = ${merchantId} and refund_id = any(${ids}::uuid[]) and status = 'FINAL'
    group by refund_id`);
  return new Map(rows.map(({ id, at }) => [id, at]));
}

const isInChain: Sql = sql`exists (select from blocks b where b.id = given.block_id and b.orphaned_at is null)`;

/** A transaction lives at most so long (java-tron, MAXIMUM_TIME_UNTIL_EXPIRATION). */
const MAX_LIFE = sql`interval '24 hours'`;

/** The condition on a TAKEN transfer, `given`: a verified block has made it final, or it left the chain and can land no more. */
function isOver({ number, time }: FinalTip): Sql {
  return sql`given.status = 'TAKEN' and (
    (given.block_number <= ${number} and ${isInChain})
    or (coalesce(given.tx_expires_at, given.block_time + ${MAX_LIFE}) < ${time} and not ${isInChain}))`;
}

/** The newest verified block. */
export type FinalTip = { readonly number: number; readonly time: Date };

export async function hasTransferToEnd(db: Queryable, network: string, tip: FinalTip): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from refund_transfers given where given.network = ${network} and ${isOver(tip)} limit 1`);
  return rows.length > 0;
}

/** TAKEN transfers that are over at a verified block, the oldest first. */
export async function listOver(
  db: Queryable,
  network: string,
  { limit, ...tip }: FinalTip & { readonly limit: number },
): Promise<(GivenTransfer & { readonly isInChain: boolean })[]> {
  const rows = await db.query<TransferRow & { isInChain: boolean }>(sql`
    select ${columns}, ${isInChain} as "isInChain" from refund_transfers given
    where given.network = ${network} and ${isOver(tip)}
    order by given.block_number, given.tx_id, given.event_index limit ${limit}`);
  return rows.map(toTransfer);
}

/** The wallets that pay refunds, by {@link payingWalletKey}. A person's word never outweighs the operator's. */
export type PayingWallets = {
  /** settlement wallets, which operators add */
  readonly settlement: ReadonlySet<string>;
  /** the senders of transfers that a person confirmed */
  readonly confirmed: ReadonlySet<string>;
};

/** The paying wallets of these merchants. */
export async function listPayingWallets(
  db: Queryable,
  context: SealingContext,
  merchantIds: readonly MerchantId[],
): Promise<PayingWallets> {
  const confirmed = await db.query<TransferRow>(sql`
    select ${columns} from refund_transfers given
    where given.merchant_id = any(${merchantIds}::uuid[]) and given.confirmed_by is not null`);
  const ours = confirmed.map(toTransfer).filter((row) => isTransferOurs(context, row));
  return {
    settlement: await listSettlementWallets(db, merchantIds),
    confirmed: new Set(ours.map(({ merchantId, fromAddress }) => payingWalletKey(merchantId, fromAddress))),
  };
}

/** The settlement wallets of these merchants, by {@link payingWalletKey}. */
async function listSettlementWallets(
  db: Queryable,
  merchantIds: readonly MerchantId[],
): Promise<Set<string>> {
  const rows = await byMerchantLists(
    merchantIds.map((merchantId) => ({ merchantId })),
    (list) =>
      db.query<{ merchantId: MerchantId; address: string }>(sql`
        select merchant_id as "merchantId", address from settlement_accounts
        where merchant_id ${oneOf(list.map(({ merchantId }) => merchantId))}`),
  );
  return new Set(rows.map(({ merchantId, address }) => payingWalletKey(merchantId, address)));
}

export function payingWalletKey(merchantId: MerchantId, address: string): string {
  return `${merchantId} ${address}`;
}

/** Those of these refunds of a merchant that a transfer completed by a person's word, sent by no settlement wallet. */
export async function findNamedByPerson(
  db: Queryable,
  merchantId: MerchantId,
  refunds: readonly RefundRef[],
): Promise<Set<RefundId>> {
  const named = await db.query<{ id: RefundId; address: string }>(sql`
    select refund_id as id, from_address as address from refund_transfers
    where merchant_id = ${merchantId} and refund_id = any(${refunds.map(({ id }) => id)}::uuid[]) and confirmed_by is not null`);
  if (named.length === 0) return new Set();
  const wallets = await listSettlementWallets(db, [merchantId]);
  const strange = named.filter(({ address }) => !wallets.has(payingWalletKey(merchantId, address)));
  return new Set(strange.map(({ id }) => id));
}
