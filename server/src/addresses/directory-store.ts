import { isUniqueViolation } from "@daric/postgres/errors";
import { one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { ChargeId, MerchantId } from "../domain/ids.ts";
import { globally } from "../runtime/global-statements.ts";
import { databaseIdentity } from "./database-identity-store.ts";

/** So many addresses are read at once: some milliseconds of the server. */
const PAGE = 20_000;
const HASH_BYTES = 20;

/** Whom an address belongs to; nobody where it was derived and is watched without a merchant. */
export type AddressOwner = {
  /** the 20 bytes of the address */
  readonly hash: Buffer;
  readonly merchantId: MerchantId | null;
  readonly chargeId: ChargeId | null;
};

/**
 * Part of a statement that stores charges: a data-modifying CTE's text that says whom their addresses belong to. `rows`
 * is a query of (address, merchant_id, charge_id, account_key_id, derivation_index), the address as its 20 bytes. The
 * statement fails with what {@link isAddressTaken} knows where one of them is in the directory already.
 */
export function issuedInDirectory(rows: Sql): Sql {
  return sql`
    insert into address_directory (address, merchant_id, charge_id, account_key_id, derivation_index) ${rows}`;
}

/** Whether a statement failed, and wrote nothing, because an address is in the directory already. */
export function isAddressTaken(error: unknown): boolean {
  return isUniqueViolation(error, "address_directory_pkey");
}

/** Whether an address was ever issued to a merchant. */
export async function hasIssued(db: Queryable): Promise<boolean> {
  const { has } = one(
    await db.query<{ has: boolean }>(
      sql`select exists (select from address_directory where merchant_id is not null) as has`,
    ),
  );
  return has;
}

/** The owners of those of these addresses (20 bytes each) that are in the directory. */
export async function findOwners(db: Queryable, hashes: readonly Buffer[]): Promise<AddressOwner[]> {
  return db.query(sql`
    select address as hash, merchant_id as "merchantId", charge_id as "chargeId"
    from address_directory where address = any(${hashes}::bytea[])`);
}

/**
 * Part of a statement: the life that the directory lives in, as long as transactions are counted on in it. A crash of one
 * connection makes the server recover without being started anew: then it has lost its statistics.
 */
const life = sql`concat_ws('/', extract(epoch from pg_postmaster_start_time()),
  extract(epoch from pg_stat_get_bgwriter_stat_reset_time()), ${databaseIdentity("address_directory")})`;

/** Addresses behind each other, 20 bytes each, and how to find those that are issued later. */
export type IssuedSince = {
  readonly hashes: Buffer;
  /** whatever is not seen yet is put there by this transaction or a later one */
  readonly beyond: bigint;
  /** a server that was started anew or has recovered from a crash may count transactions again, and a restored table others' */
  readonly life: string;
};

/**
 * Every address that a transaction from `since` on has put into the directory, as far as it is committed when the statement
 * begins; none where `since` is undefined. A transaction that was still running then is not before `beyond`: asking from there
 * on misses nothing, in whatever order they commit.
 */
export async function findIssuedSince(db: Queryable, since: bigint | undefined): Promise<IssuedSince> {
  // The value is hidden from the planner, which else plans each question anew. Later ones than the newest transaction come
  // from another server, with a dump.
  const row = one(
    await db.query<Omit<IssuedSince, "hashes"> & { hashes: Buffer | null }>(
      globally(
        "newly-issued",
        sql`
        select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as beyond, ${life} as life,
          (select string_agg(address, ''::bytea) from address_directory
            where issued_in >= (select ${since ?? null}::bigint)
              and issued_in < pg_snapshot_xmax(pg_current_snapshot())::text::bigint) as hashes`,
      ),
    ),
  );
  return { ...row, hashes: row.hashes ?? Buffer.alloc(0) };
}

/** How many addresses the directory has, as of when it was last analyzed. */
export async function estimateIssued(db: Queryable): Promise<number> {
  const { count } = one(
    await db.query<{ count: number }>(
      sql`select greatest(0, reltuples)::float8 as count from pg_class where oid = 'address_directory'::regclass`,
    ),
  );
  return count;
}

/** Some addresses behind each other, 20 bytes each, of one life of the directory. */
type IssuedPage = Pick<IssuedSince, "hashes" | "life"> & { readonly last: Buffer | undefined };

/** The next addresses in their order, and the last of them; undefined after all. */
export async function pageOfIssued(db: Queryable, after: Buffer | undefined): Promise<IssuedPage> {
  const page = one(
    await db.query<{ hashes: Buffer | null; life: string }>(
      globally(
        "all-issued",
        sql`
        select string_agg(address, ''::bytea order by address) as hashes, ${life} as life
        from (
          select address from address_directory where address > ${after ?? Buffer.alloc(0)}
          order by address limit ${PAGE}
        ) page`,
      ),
    ),
  );
  const { hashes } = page;
  return { life: page.life, hashes: hashes ?? Buffer.alloc(0), last: hashes?.subarray(-HASH_BYTES) };
}
