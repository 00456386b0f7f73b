import { one, oneOf, type Queryable, sql } from "@daric/postgres/sql";
import type { MerchantId } from "../domain/ids.ts";
import { globally } from "../runtime/global-statements.ts";
import { findBreakages } from "./breakage-store.ts";
import type { CheckScope } from "./deposit-check-store.ts";
import type { Breakage } from "./invariant.ts";

/** The next merchants who ever had a charge, in the order of their ids, `limit` at most. */
export async function listChargedMerchants(
  db: Queryable,
  { after, limit }: { after: MerchantId | undefined; limit: number },
): Promise<MerchantId[]> {
  const rows = await db.query<{ id: MerchantId }>(sql`
    select merchant_id as id from charge_load
    where ${after ?? null}::uuid is null or merchant_id > ${after ?? null}::uuid
    order by merchant_id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/**
 * How the directory of addresses, by which the watcher knows whose they are, contradicts the charges, itself and the
 * indexes that were taken; and which money it should have known and did not.
 */
export async function findDirectoryBreakages(db: Queryable, network: string): Promise<Breakage[]> {
  return [
    ...(await findRepeatedIndexes(db)),
    ...(await findUntakenIndexes(db)),
    ...(await findMisowned(db)),
    ...(await findUncreditedTransfers(db, network)),
  ];
}

function findRepeatedIndexes(db: Queryable): Promise<Breakage[]> {
  return findBreakages(db, {
    sample: sql`derivation_index`,
    faults: [["I13", "index from which more than one address was issued", sql`true`]],
    from: sql`(
      select derivation_index from address_directory
      group by account_key_id, derivation_index having count(*) > 1) twice`,
  });
}

function findUntakenIndexes(db: Queryable): Promise<Breakage[]> {
  return findBreakages(db, {
    sample: sql`derivation_index`,
    faults: [["I13", "index that was issued and would be taken again", sql`true`]],
    from: sql`(
      select derivation_index from address_directory issued join account_keys key on key.id = issued.account_key_id
      where issued.merchant_id is not null and issued.derivation_index >= key.next_index) untaken`,
  });
}

function findUncreditedTransfers(db: Queryable, network: string): Promise<Breakage[]> {
  return findBreakages(db, {
    sample: sql`tx_id`,
    faults: [["I19", "transfer to a charge's address that was credited to nobody", sql`true`]],
    from: sql`(
      select tx_id from unassigned_transfers kept join address_directory owner on owner.address = kept.address
      where kept.network = ${network} and owner.merchant_id is not null) uncredited`,
  });
}

/** Every address that is somebody's beside its charge, whatever the charge's status. */
function findMisowned(db: Queryable): Promise<Breakage[]> {
  return findBreakages(db, {
    marked: (statement) => globally("owned-addresses", statement),
    sample: sql`charge_id`,
    faults: [
      ["I13", "charge that is known by more than one address", sql`times > 1`],
      ["I13", "address of a charge that there is not", sql`own_index is null`],
      [
        "I13",
        "charge whose address is known under another index",
        sql`(own_key, own_index) <> (account_key_id, derivation_index)`,
      ],
    ],
    from: sql`(
      select owner.charge_id, owner.account_key_id, owner.derivation_index,
        count(*) over (partition by owner.merchant_id, owner.charge_id) as times,
        charge.account_key_id as own_key, charge.derivation_index as own_index
      from address_directory owner
      left join deposit_addresses charge on charge.merchant_id = owner.merchant_id and charge.id = owner.charge_id
      where owner.merchant_id is not null) owned`,
  });
}

/** How many addresses are a charge's. */
export async function countOwnedAddresses(db: Queryable): Promise<bigint> {
  const { count } = one(
    await db.query<{ count: bigint }>(
      sql`select count(*) as count from address_directory where merchant_id is not null`,
    ),
  );
  return count;
}

/** How many charges these merchants have, of whatever status. */
export async function countChargesOf(db: Queryable, { merchantIds }: CheckScope): Promise<bigint> {
  const { count } = one(
    await db.query<{ count: bigint }>(
      sql`select count(*) as count from deposit_addresses where merchant_id ${oneOf(merchantIds)}`,
    ),
  );
  return count;
}

/** The charges of these merchants that the watcher does not know. Reads the whole directory. */
export async function findUnwatched(db: Queryable, { merchantIds }: CheckScope): Promise<Breakage[]> {
  return findBreakages(db, {
    sample: sql`charge.id`,
    faults: [["I19", "charge whose address is not watched", sql`true`]],
    from: sql`(
      select merchant_id, id from deposit_addresses charge
      where merchant_id ${oneOf(merchantIds)} and not exists (
        select from address_directory owner
        where owner.merchant_id = charge.merchant_id and owner.charge_id = charge.id)) charge`,
  });
}
