import { maybeOne, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { globally } from "../runtime/global-statements.ts";
import { byKey, findBreakages } from "./breakage-store.ts";
import type { Breakage } from "./invariant.ts";

/** So many pages of the directory are read by one statement: some 200,000 addresses. */
const PAGES_AT_ONCE = 2_500n;

/** The part of the directory that lies on some of its pages: in the order in which it was written, which costs no index. */
export type DirectoryPart = { readonly from: bigint; readonly to: bigint };

/** Parts that together hold the whole directory of this snapshot. */
export async function listDirectoryParts(db: Queryable): Promise<DirectoryPart[]> {
  const row = maybeOne(
    await db.query<{ pages: bigint }>(sql`
      select pg_relation_size('address_directory') / current_setting('block_size')::bigint as pages`),
  );
  const count = (row?.pages ?? 0n) / PAGES_AT_ONCE + 1n;
  return Array.from({ length: Number(count) }, (_, index) => {
    const from = BigInt(index) * PAGES_AT_ONCE;
    return { from, to: from + PAGES_AT_ONCE };
  });
}

const isIn = ({ from, to }: DirectoryPart): Sql =>
  sql`owner.ctid >= ${`(${from},0)`}::tid and owner.ctid < ${`(${to},0)`}::tid`;

/** The indexes from which the addresses of a part were derived, of each account key; four bytes each, the highest first. */
export async function readIndexes(
  db: Queryable,
  part: DirectoryPart,
): Promise<{ keyId: string; indexes: Buffer }[]> {
  return db.query(sql`
    select account_key_id as "keyId", string_agg(int4send(derivation_index::integer), ''::bytea) as indexes
    from address_directory owner where ${isIn(part)} group by account_key_id`);
}

/** How many addresses of a part are a charge's. */
export async function countOwned(db: Queryable, part: DirectoryPart): Promise<bigint> {
  const row = maybeOne(
    await db.query<{ count: bigint }>(sql`
      select count(*) as count from address_directory owner where ${isIn(part)} and merchant_id is not null`),
  );
  return row?.count ?? 0n;
}

/** Issued addresses of a part whose index their account key would issue again. */
export function findUntakenIndexes(db: Queryable, part: DirectoryPart): Promise<Breakage[]> {
  return findBreakages(db, {
    sample: sql`derivation_index`,
    faults: [["I13", "index that was issued and would be taken again", sql`true`]],
    from: sql`(
      select derivation_index from address_directory owner join account_keys key on key.id = owner.account_key_id
      where ${isIn(part)} and owner.merchant_id is not null and owner.derivation_index >= key.next_index) untaken`,
  });
}

/** Every address of a part that is somebody's beside its charge, whatever the charge's status. */
export function findMisowned(db: Queryable, part: DirectoryPart): Promise<Breakage[]> {
  return findBreakages(db, {
    marked: (statement) => globally("owned-addresses", statement),
    sample: sql`charge_id`,
    faults: [
      ["I13", "address of a charge that there is not", sql`own_index is null`],
      [
        "I13",
        "charge whose address is known under another index",
        sql`(own_key, own_index) <> (account_key_id, derivation_index)`,
      ],
    ],
    from: sql`(
      select owner.charge_id, owner.account_key_id, owner.derivation_index,
        charge.account_key_id as own_key, charge.derivation_index as own_index
      from address_directory owner
      left join lateral (
        select account_key_id, derivation_index from deposit_addresses charge
        where charge.merchant_id = owner.merchant_id and charge.id = owner.charge_id ${byKey}
      ) charge on true
      where ${isIn(part)} and owner.merchant_id is not null) owned`,
  });
}

/** So many addresses are held against each other by one statement. */
const ADDRESSES_AT_ONCE = 2_000_000n;

/** Charges that are known by several addresses, of `owned` that are somebody's; a share of the charges at a time, each in the order in which they lie. */
export async function findTwiceKnown(db: Queryable, owned: bigint): Promise<Breakage[]> {
  const shares = Number(owned / ADDRESSES_AT_ONCE) + 1;
  const found: Breakage[] = [];
  for (let share = 0; share < shares; share += 1) {
    const look = {
      sample: sql`charge_id`,
      faults: [["I13", "charge that is known by more than one address", sql`true`]] as const,
      from: sql`(
        select charge_id from address_directory
        where ctid >= '(0,0)'::tid and merchant_id is not null and abs(uuid_hash(charge_id)::bigint) % ${shares} = ${share}
        group by merchant_id, charge_id having count(*) > 1) twice`,
    };
    found.push(...(await findBreakages(db, look)));
  }
  return found;
}
