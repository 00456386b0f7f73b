import type { MerchantId } from "@daric/domain/ids";
import { isUniqueViolation } from "@daric/postgres/errors";
import { one, type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { isServerAnswering, isSharded } from "@daric/postgres/tenants";
import { globally } from "@daric/runtime/global-statements";
import { databaseIdentity } from "./database-identity-store.ts";
import type { AddressOwner, IssuedAddress } from "./issued-address.ts";
import { isUnreserved, withCharges } from "./reserved-store.ts";

/** Addresses per page, which take the server some milliseconds. */
const PAGE = 20_000;
const HASH_BYTES = 20;

/**
 * The text of a CTE that enters the addresses of new charges in the directory. `rows` is a query of (address as 20 bytes,
 * merchant_id, charge_id, account_key_id, derivation_index). See {@link isAddressTaken} for its failure.
 */
export function issuedInDirectory(rows: Sql): Sql {
  return sql`
    insert into address_directory (address, merchant_id, charge_id, account_key_id, derivation_index) ${rows}`;
}

/**
 * Enters addresses as reserved for this merchant. Returns the first one that the directory has for another merchant, or with a
 * charge, if any. One that is reserved for this merchant already may be of an earlier call without an answer.
 */
export async function reserveFor(
  db: Queryable,
  merchantId: MerchantId,
  addresses: readonly IssuedAddress[],
): Promise<string | undefined> {
  const packed = addresses.map(({ bytes }) => bytes);
  const entered = await db.query<{ bytes: Buffer }>(sql`
    insert into address_directory (address, merchant_id, account_key_id, derivation_index)
    select address, ${merchantId}, account_key_id, index from unnest(
      ${packed}::bytea[], ${addresses.map(({ accountKeyId }) => accountKeyId)}::uuid[],
      ${addresses.map(({ index }) => index)}::bigint[]
    ) as reserved (address, account_key_id, index)
    on conflict (address) do nothing
    returning address as bytes`);
  if (entered.length === addresses.length) return undefined;
  const owners = await findOwners(db, packed);
  const used = owners.find((owner) => owner.merchantId !== merchantId || owner.chargeId !== null);
  return used && addresses.find(({ bytes }) => bytes.equals(used.bytes))?.address;
}

export function isAddressTaken(error: unknown): boolean {
  return isUnreserved(error) || isUniqueViolation(error, "address_directory_pkey");
}

export async function hasIssued(db: Queryable): Promise<boolean> {
  const { has } = one(
    await db.query<{ has: boolean }>(
      sql`select exists (select from address_directory where merchant_id is not null) as has`,
    ),
  );
  return has;
}

/** Removes an address without a merchant, so that a charge can enter it as its own. Needs the owner of the tables. */
export async function releaseUnowned(tx: Transaction, bytes: Buffer): Promise<void> {
  await tx.query(sql`delete from address_directory where address = ${bytes} and merchant_id is null`);
}

/** The owners of these addresses, of 20 bytes each. */
export async function findOwners(db: Queryable, addresses: readonly Buffer[]): Promise<AddressOwner[]> {
  const owners = await readOwners(db, addresses);
  return isSharded() ? withCharges(db, owners) : owners;
}

/** Those owners of addresses of a distributed database that have a charge, on a server that answers. */
export async function findAnsweringOwners(
  db: Queryable,
  addresses: readonly Buffer[],
): Promise<AddressOwner[]> {
  const owners = await readOwners(db, addresses);
  const answering = owners.filter(({ merchantId }) => merchantId !== null && isServerAnswering(merchantId));
  return (await withCharges(db, answering)).filter(({ chargeId }) => chargeId !== null);
}

function readOwners(db: Queryable, addresses: readonly Buffer[]): Promise<AddressOwner[]> {
  return db.query<AddressOwner>(sql`
    select address as bytes, merchant_id as "merchantId", charge_id as "chargeId", account_key_id as "accountKeyId",
      derivation_index as index
    from address_directory where address = any(${addresses}::bytea[])`);
}

/** The owners of a merchant's addresses in a range, both ends inclusive, at most `limit`. */
export async function listOwnersBetween(
  db: Queryable,
  merchantId: MerchantId,
  { from, to, limit }: { from: Buffer; to: Buffer; limit: number },
): Promise<AddressOwner[]> {
  const owners = await db.query<AddressOwner>(sql`
    select address as bytes, merchant_id as "merchantId", charge_id as "chargeId", account_key_id as "accountKeyId",
      derivation_index as index
    from address_directory
    where address >= ${from} and address <= ${to} and merchant_id = ${merchantId} order by address limit ${limit}`);
  return isSharded() ? withCharges(db, owners) : owners;
}

/** Which of these addresses a charge has; each as hex. */
export async function findCharged(db: Queryable, addresses: readonly Buffer[]): Promise<ReadonlySet<string>> {
  const owners = addresses.length === 0 ? [] : await findOwners(db, addresses);
  return new Set(owners.flatMap(({ bytes, chargeId }) => (chargeId === null ? [] : bytes.toString("hex"))));
}

/**
 * SQL: identifies the period in which transaction numbers of the directory keep their meaning. A crash of one connection
 * restarts the server inside without a new start time, but it resets the statistics.
 */
const incarnation = sql`concat_ws('/', extract(epoch from pg_postmaster_start_time()),
  extract(epoch from pg_stat_get_bgwriter_stat_reset_time()), ${databaseIdentity("address_directory")})`;

export type IssuedSince = {
  readonly hashes: Buffer;
  /** the first transaction whose addresses may be missing here */
  readonly beyond: bigint;
  /** changes with a restart, crash recovery or restore, after which transaction numbers may repeat */
  readonly incarnation: string;
};

/**
 * The committed addresses of transactions from `since` on; none if `since` is undefined. A transaction that was still running
 * is not before `beyond`, so the next call from there misses nothing, in any order of commits.
 */
export async function findIssuedSince(db: Queryable, since: bigint | undefined): Promise<IssuedSince> {
  // A subselect hides the value from the planner, which would plan each call again. Numbers above the newest transaction
  // come from another server's dump.
  const row = one(
    await db.query<Omit<IssuedSince, "hashes"> & { hashes: Buffer | null }>(
      globally(
        "newly-issued",
        sql`
        select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as beyond, ${incarnation} as incarnation,
          (select string_agg(address, ''::bytea) from address_directory
            where issued_in >= (select ${since ?? null}::bigint)
              and issued_in < pg_snapshot_xmax(pg_current_snapshot())::text::bigint) as hashes`,
      ),
    ),
  );
  return { ...row, hashes: row.hashes ?? Buffer.alloc(0) };
}

/** The approximate number of addresses, as of the last ANALYZE. */
export async function estimateIssued(db: Queryable): Promise<number> {
  const { count } = one(
    await db.query<{ count: number }>(
      sql`select greatest(0, reltuples)::float8 as count from pg_class where oid = 'address_directory'::regclass`,
    ),
  );
  return count;
}

type IssuedPage = Pick<IssuedSince, "hashes" | "incarnation"> & { readonly last: Buffer | undefined };

/** The next addresses in order, and the last of them; undefined past the end. */
export async function pageOfIssued(db: Queryable, after: Buffer | undefined): Promise<IssuedPage> {
  const page = one(
    await db.query<{ hashes: Buffer | null; incarnation: string }>(
      globally(
        "all-issued",
        sql`
        select string_agg(address, ''::bytea order by address) as hashes, ${incarnation} as incarnation
        from (
          select address from address_directory where address > ${after ?? Buffer.alloc(0)}
          order by address limit ${PAGE}
        ) page`,
      ),
    ),
  );
  const { hashes } = page;
  return {
    incarnation: page.incarnation,
    hashes: hashes ?? Buffer.alloc(0),
    last: hashes?.subarray(-HASH_BYTES),
  };
}
