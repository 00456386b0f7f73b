import { oneOf, type Queryable, sql } from "@daric/postgres/sql";
import type { ChargeId, MerchantId } from "../domain/ids.ts";

/** An address that has received money which is final. */
export type PaidAddress = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly address: string;
  /** what its key is derived from, and the last step of the path */
  readonly xpub: string;
  readonly derivationIndex: bigint;
};

/**
 * The addresses of these merchants (200 at most) that confirmed money has reached, in either currency: those of charges in
 * USDT first, and of each currency those that received most.
 */
export async function listPaidAddresses(
  db: Queryable,
  { merchantIds, limit }: { merchantIds: readonly MerchantId[]; limit: number },
): Promise<PaidAddress[]> {
  return db.query<PaidAddress>(sql`
    select charge.merchant_id as "merchantId", charge.id as "chargeId", charge.address, key.xpub,
      charge.derivation_index as "derivationIndex"
    from charge_sums sums
    join deposit_addresses charge
      on charge.merchant_id = sums.merchant_id and charge.id = sums.deposit_address_id
    join account_keys key on key.id = charge.account_key_id
    where sums.merchant_id ${oneOf(merchantIds)} and (sums.confirmed > 0 or sums.unmatched > 0)
    order by charge.currency desc, sums.confirmed desc, charge.created_at desc, charge.id desc
    limit ${limit}`);
}
