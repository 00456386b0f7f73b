import { empty, oneOf, type Queryable, sql } from "@daric/postgres/sql";
import { isSharded } from "@daric/postgres/tenants";
import type { NetworkName } from "../chain/nodes/networks.ts";
import type { Currency } from "../domain/asset.ts";
import type { ChargeId, MerchantId } from "../domain/ids.ts";
import { findCharged } from "./directory-store.ts";

/** An address that has received confirmed money. */
export type PaidAddress = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly address: string;
  /** the xpub that its key is derived from, and the last step of the path */
  readonly xpub: string;
  readonly derivationIndex: bigint;
};

/** A transfer to an address of ours without an order in this database, for example after a restore of an older backup. */
export type FoundMoney = {
  readonly txId: string;
  /** the 20 bytes of the address */
  readonly hash: Buffer;
  readonly currency: Currency;
  readonly units: bigint;
  readonly blockNumber: bigint;
  readonly xpub: string;
  readonly derivationIndex: bigint;
};

/** The newest such transfers of a network, from `limit` at most. */
export async function listFoundMoney(
  db: Queryable,
  { network, limit }: { network: NetworkName; limit: number },
): Promise<FoundMoney[]> {
  const all = await db.query<FoundMoney>(sql`
    select found.tx_id as "txId", found.address as hash, found.currency, found.units,
      found.block_number as "blockNumber", key.xpub, directory.derivation_index as "derivationIndex"
    from unattributed_transfers found
    join address_directory directory on directory.address = found.address
    join account_keys key on key.id = directory.account_key_id
    where found.network = ${network} and directory.charge_id is null
    order by found.block_number desc, found.tx_id, found.event_index
    ${isSharded() ? empty : sql`limit ${limit}`}`);
  if (!isSharded()) return all;
  // The directory does not name the charge there, so the limit comes after it.
  const charged = await findCharged(
    db,
    all.map(({ hash }) => hash),
  );
  return all.filter(({ hash }) => !charged.has(hash.toString("hex"))).slice(0, limit);
}

/**
 * The addresses of these merchants (200 at most) with confirmed money in either currency. Charges in USDT come first;
 * within a currency the largest sums come first.
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
