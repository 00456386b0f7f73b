import { amountFromUnits } from "@daric/domain/money";
import { one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";
import { addressToHex, hexToAddress } from "@daric/tron/address";
import type { RefundAddress, RefundRef } from "./refund.ts";

export type SealedAddress = RefundAddress & { readonly mac: Buffer };

/** A row as it is stored: reading many, their text would cost more than all else. */
export type AddressRow = Omit<SealedAddress, "address" | "units" | "headNumber"> & {
  readonly address: Buffer;
  readonly units: bigint;
  readonly headNumber: bigint;
};

/** Watches an address for a refund. One that the refund had before is watched from its first time on. */
export async function watchAddress(tx: Transaction, row: SealedAddress): Promise<void> {
  const { merchantId, refundId, currency, units, headNumber, mac } = row;
  await tx.query(sql`
    insert into refund_addresses (merchant_id, refund_id, address, currency, units, head_number, mac)
    values (${merchantId}, ${refundId}, ${bytesOf(row.address)}, ${currency}, ${units}, ${headNumber}, ${mac})
    on conflict (merchant_id, refund_id, address) do update set watched_until = 'infinity'`);
}

/** Ends the watch over all addresses of a refund: now, or after a number of days. */
export async function endWatch(tx: Transaction, { merchantId, id }: RefundRef, afterDays = 0): Promise<void> {
  await tx.query(sql`
    update refund_addresses set watched_until = now() + ${afterDays}::integer * interval '1 day'
    where merchant_id = ${merchantId} and refund_id = ${id}`);
}

/** The addresses that a refund was READY with, base58. */
export async function listAddressesOf(
  db: Queryable,
  { merchantId, id }: RefundRef,
): Promise<SealedAddress[]> {
  const rows = await db.query<AddressRow>(sql`
    select merchant_id as "merchantId", refund_id as "refundId", address, currency, units, head_number as "headNumber", mac
    from refund_addresses where merchant_id = ${merchantId} and refund_id = ${id} order by head_number, address`);
  return rows.map(toAddress);
}

/** A text that differs once the watched addresses of any merchant do. */
export async function findWatchVersion(db: Queryable): Promise<string> {
  const { version } = one(
    await db.query<{ version: string }>(
      globally(
        "watched-refunds-version",
        sql`select concat(count(*), ' ', sum(head_number)) as version from refund_addresses where watched_until > now()`,
      ),
    ),
  );
  return version;
}

/** All watched addresses, of all merchants, as 20 bytes each. */
export async function listWatched(db: Queryable): Promise<AddressRow[]> {
  return db.query<AddressRow>(
    globally(
      "watched-refunds",
      sql`select merchant_id as "merchantId", refund_id as "refundId", address, currency, units, head_number as "headNumber", mac
        from refund_addresses where watched_until > now()`,
    ),
  );
}

export function toAddress({ address, units, headNumber, ...row }: AddressRow): SealedAddress {
  return {
    ...row,
    address: hexToAddress(`41${address.toString("hex")}`),
    units: amountFromUnits(units),
    headNumber: Number(headNumber),
  };
}

function bytesOf(address: string): Buffer {
  return Buffer.from(addressToHex(address).slice(2), "hex");
}
