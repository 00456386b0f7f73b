import { addressBytes } from "@daric/addresses/address-bytes";
import { findOwners } from "@daric/addresses/directory-store";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { oneOf, type Queryable, sql } from "@daric/postgres/sql";
import { byMerchantLists } from "@daric/runtime/fair-rounds";
import { globally } from "@daric/runtime/global-statements";
import { hexToAddress } from "@daric/tron/address";
import type { SettlementTransaction } from "../transactions/transaction-store.ts";

/** The stake in sun of delegations of all merchants that are requested and have not landed. */
export async function sumRequestedLoans(db: Queryable): Promise<bigint> {
  const rows = await db.query<{ sun: bigint }>(
    globally(
      "requested-loans",
      sql`
        select coalesce(sum(r.units), 0)::bigint as sun
        from sweep_transactions t join signing_requests r on r.id = t.id
        where t.purpose = 'delegate' and t.outcome is null`,
    ),
  );
  return rows[0]?.sun ?? 0n;
}

/**
 * The energy that planned sweeps of all merchants need and have not requested yet. Their addresses are activated
 * first, which takes a minute.
 */
export async function sumPromisedEnergy(db: Queryable): Promise<bigint> {
  const rows = await db.query<{ energy: bigint }>(
    globally(
      "promised-energy",
      sql`
        select coalesce(sum(s.energy), 0)::bigint as energy from sweeps s
        where s.resources = 'delegate' and s.currency <> 'TRX' and s.status in ('PLANNED', 'ACTIVATING')
          and not exists (
            select from sweep_transactions t
            where t.merchant_id = s.merchant_id and t.sweep_id = s.id and t.purpose = 'delegate'
              and (t.outcome is null or t.outcome = 'landed'))`,
    ),
  );
  return rows[0]?.energy ?? 0n;
}

/** Whether a sweep of any merchant waits for energy from the stake. */
export async function doesLoanWait(db: Queryable): Promise<boolean> {
  const rows = await db.query(
    globally(
      "waiting-loans",
      sql`select from sweeps where resources = 'delegate' and currency <> 'TRX' and status = 'WAITING' limit 1`,
    ),
  );
  return rows.length > 0;
}

/** One of our addresses that has energy from the stake. */
export type Borrower = {
  readonly address: string;
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
};

/**
 * Those of these addresses that belong to our charges, have no sweep under way, and no return of their energy under
 * way.
 */
export async function findIdleBorrowers(db: Queryable, addresses: readonly string[]): Promise<Borrower[]> {
  const owners = await findOwners(db, addresses.map(addressBytes));
  const borrowers = owners.flatMap(({ bytes, merchantId, chargeId }): Borrower[] =>
    merchantId && chargeId
      ? [{ address: hexToAddress(`41${bytes.toString("hex")}`), merchantId, chargeId }]
      : [],
  );
  const busy = await byMerchantLists(borrowers, (list) => {
    const merchant = oneOf(list.map(({ merchantId }) => merchantId));
    const ids = list.map(({ chargeId }) => chargeId);
    return db.query<{ chargeId: ChargeId }>(sql`
      select deposit_address_id as "chargeId" from sweeps
      where merchant_id ${merchant} and deposit_address_id = any(${ids}::uuid[])
        and status in ('PLANNED', 'ACTIVATING', 'RESOURCED', 'SIGNED', 'SENT', 'SOLID')
      union
      select deposit_address_id from sweep_transactions
      where merchant_id ${merchant} and deposit_address_id = any(${ids}::uuid[])
        and purpose = 'undelegate' and outcome is null`);
  });
  const busyIds = new Set(busy.map(({ chargeId }) => chargeId));
  return borrowers.filter(({ chargeId }) => !busyIds.has(chargeId));
}

/** A return of delegated energy that is under way, with its address. */
export type Return = {
  readonly merchantId: MerchantId;
  readonly address: string;
  readonly transaction: SettlementTransaction;
};

/** The returns under way, of all merchants, that belong to no sweep. */
export async function listReturns(db: Queryable): Promise<Return[]> {
  const rows = await db.query<SettlementTransaction & { merchantId: MerchantId; address: string }>(
    globally(
      "open-returns",
      sql`
        select t.merchant_id as "merchantId", r.address, t.id, t.purpose, t.expires_at as "expiresAt", t.tx_id as "txId", t.bytes,
          t.sent_at as "sentAt", t.outcome, answer.tx_id as "signedTxId", answer.transaction as "signedBytes", answer.refusal,
          null as "blockNumber", null as "blockId"
        from sweep_transactions t
        join signing_requests r on r.id = t.id
        left join signing_results answer on answer.request_id = t.id
        where t.sweep_id is null and t.outcome is null order by t.id limit 200`,
    ),
  );
  return rows.map(({ merchantId, address, ...transaction }) => ({ merchantId, address, transaction }));
}
