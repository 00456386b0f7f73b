import { findOwners } from "@daric/addresses/directory-store";
import type { MerchantId } from "@daric/domain/ids";
import { one, oneOf, type Queryable, sql } from "@daric/postgres/sql";
import { MAX_SAMPLES, type Violation } from "./invariant.ts";

/** The next merchants with charges, in the order of their ids, `limit` at most. */
export async function listChargedMerchants(
  db: Queryable,
  { after, limit }: { after: MerchantId | undefined; limit: number },
): Promise<MerchantId[]> {
  const rows = await db.query<{ id: MerchantId }>(sql`
    select merchant_id as id from active_charge_counts
    where ${after ?? null}::uuid is null or merchant_id > ${after ?? null}::uuid
    order by merchant_id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** The length of the longer of a merchant's lists, charges or deposits, from the stored totals. */
export async function sizeLists(
  db: Queryable,
  merchantIds: readonly MerchantId[],
): Promise<Map<MerchantId, bigint>> {
  const rows = await db.query<{ id: MerchantId; size: bigint }>(sql`
    select merchant_id as id, greatest(sum(rows) filter (where list = 'deposit_addresses'),
      sum(rows) filter (where list = 'deposits'), 0)::bigint as size
    from list_counts where merchant_id ${oneOf(merchantIds)} group by merchant_id`);
  return new Map(rows.map(({ id, size }) => [id, size]));
}

/** The number of charges of these merchants. */
export async function countOffered(db: Queryable, merchantIds: readonly MerchantId[]): Promise<bigint> {
  const { count } = one(
    await db.query<{ count: bigint }>(sql`
      select count(*) as count from deposit_addresses where merchant_id ${oneOf(merchantIds)}`),
  );
  return count;
}

/** A page of these merchants' charges, in the order of their ids. */
export type ChargePage = { readonly merchantIds: readonly MerchantId[]; readonly after: string };

/** A charge and the address that payers see. */
export type OfferedAddress = {
  readonly merchantId: MerchantId;
  readonly id: string;
  readonly address: string;
};

/** A charge's address with the input of its derivation. */
export type DerivableAddress = OfferedAddress & { readonly xpub: string; readonly derivationIndex: bigint };

/** The next charges of these merchants, in the order of their ids, `limit` at most. */
export async function listDerivable(
  db: Queryable,
  { merchantIds, after, limit }: ChargePage & { readonly limit: number },
): Promise<DerivableAddress[]> {
  return db.query(sql`
    select merchant_id as "merchantId", charge.id, address, derivation_index as "derivationIndex", key.xpub
    from (
      select merchant_id, id, address, derivation_index, account_key_id from deposit_addresses
      where merchant_id ${oneOf(merchantIds)} and id > ${after}::uuid order by id limit ${limit}
    ) charge
    join account_keys key on key.id = charge.account_key_id
    order by charge.id`);
}

/** Charges whose address (as bytes) the watcher does not know as theirs. */
export async function findUnwatched(
  db: Queryable,
  offered: readonly (OfferedAddress & { bytes: Buffer })[],
): Promise<Violation[]> {
  const owners = await findOwners(
    db,
    offered.map(({ bytes }) => bytes),
  );
  const watched = new Set(
    owners.map(({ bytes, merchantId, chargeId }) => `${bytes.toString("hex")} ${merchantId} ${chargeId}`),
  );
  const unwatched = offered.filter(
    ({ bytes, merchantId, id }) => !watched.has(`${bytes.toString("hex")} ${merchantId} ${id}`),
  );
  if (unwatched.length === 0) return [];
  const samples = unwatched
    .map(({ id }) => id)
    .toSorted()
    .slice(0, MAX_SAMPLES);
  return [
    { invariant: "I19", what: "charge whose address is not watched", count: unwatched.length, samples },
  ];
}
