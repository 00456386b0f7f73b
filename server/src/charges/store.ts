import { maybeOne, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { IssuedAddress } from "../addresses/address-source.ts";
import { issuedInDirectory } from "../addresses/directory-store.ts";
import { type ChargeKind, chargeMachine } from "../domain/charge.ts";
import type { ChargeId, MerchantId, SettlementAccountId } from "../domain/ids.ts";
import type { Currency } from "../domain/money.ts";
import type { Fee, FeeMode, Price } from "../domain/order.ts";
import { counted } from "../lists/list-store.ts";
import { insertedSums } from "../sums/sums-store.ts";
import type { NewCharge } from "./charge.ts";
import type { ChargeRequest } from "./charge-request.ts";
import { tokenBytes } from "./checkout-token.ts";

/** Everything a charge is created with. */
export type ChargeTerms = ChargeRequest & {
  readonly id: ChargeId;
  readonly kind: ChargeKind;
  readonly issued: IssuedAddress;
  readonly feeMode: FeeMode;
  readonly fee: Fee;
  readonly price: Price | null;
  readonly toleranceBasisPoints: number;
  readonly checkoutToken: string;
  /** null for a receive address, which never expires */
  readonly lifetimeSeconds: number | null;
  readonly lateWindowSeconds: number;
};

/**
 * Stores a new charge. Its life begins at the later of the database's time and the scanned chain's, so that a
 * chain whose clock is ahead does not expire it early.
 */
export async function insertCharge(tx: Transaction, terms: ChargeTerms): Promise<NewCharge> {
  const { issued, fee, price, lifetimeSeconds } = terms;
  const { expiresAt } = one(
    await tx.query<{ expiresAt: Date | null }>(sql`
      with charge as (
      insert into deposit_addresses (
        id, merchant_id, kind, account_key_id, derivation_index, address, currency, fee_mode, fee_basis_points,
        fee_fixed_units, tolerance_basis_points, expected_units, pay_units, order_ref, label, success_url,
        cancel_url, settlement_account_id, api_key_id, checkout_token, expires_at, late_until)
      select ${terms.id}, ${terms.merchantId}, ${terms.kind}, ${issued.accountKeyId}, ${issued.index},
        ${issued.address}, ${terms.currency}, ${terms.feeMode}, ${fee.basisPoints}, ${fee.fixed},
        ${terms.toleranceBasisPoints}, ${price?.expected ?? null}, ${price?.pay ?? null}, ${terms.orderRef},
        ${terms.label}, ${terms.successUrl}, ${terms.cancelUrl}, ${terms.settlementAccountId}, ${terms.apiKeyId},
        ${terms.checkoutToken}, life.until, life.until + ${terms.lateWindowSeconds} * interval '1 second'
      from (
        select greatest(now(), (select max(time) from scan_cursors))
          + ${lifetimeSeconds}::integer * interval '1 second' as until
      ) life
      returning *
      ), tokens as (
        insert into token_directory (token, merchant_id, charge_id)
        select ${tokenBytes(terms.checkoutToken)}, merchant_id, id from charge
      ), totals as (${counted("deposit_addresses", sql`select merchant_id, array[kind, status, chain] as facets, 1 as delta from charge`)}
      ), issued as (${issuedInDirectory(sql`
        select ${issued.hash}::bytea, merchant_id, id, account_key_id, derivation_index from charge`)}
      ), sums as (${insertedSums(sql`select merchant_id, id from charge`)})
      select expires_at as "expiresAt" from charge`),
  );
  return {
    ...terms,
    address: issued.address,
    chain: "tron",
    status: chargeMachine.initial,
    expiresAt,
    expectedAmount: price?.expected ?? null,
    payAmount: price?.pay ?? null,
    fiatCurrency: null,
    fiatAmount: null,
    quote: null,
  };
}

/** The id of the one receive address of a settlement account in a currency. */
export async function findReceiveAddressId(
  db: Queryable,
  key: { merchantId: MerchantId; currency: Currency; settlementAccountId: SettlementAccountId },
): Promise<ChargeId | undefined> {
  return maybeOne(
    await db.query<{ id: ChargeId }>(sql`
      select id from deposit_addresses
      where merchant_id = ${key.merchantId} and chain = 'tron' and currency = ${key.currency}
        and settlement_account_id = ${key.settlementAccountId} and kind = 'receive'`),
  )?.id;
}
