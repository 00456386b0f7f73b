import { maybeOne, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { isSharded } from "@daric/postgres/tenants";
import { globally } from "@daric/runtime/global-statements";
import { MAX_SAMPLES, type Violation } from "./invariant.ts";
import { byKey, findViolations } from "./violation-store.ts";

const NO_CHARGE = "address of a charge that there is not";
const ANOTHER_INDEX = "charge whose address is known under another index";
/** Pages of the directory in one statement: some 200,000 addresses. */
const PAGES_AT_ONCE = 2_500n;

/**
 * Some pages of the directory, in physical order, which needs no index. On a distributed database each server has its own pages.
 * There a part is a range of the first two bytes of addresses, which are hashes.
 */
export type DirectoryPart = { readonly from: bigint; readonly to: bigint };

/** The number of different first two bytes. */
const PREFIXES = 65_536n;

/** Parts that together cover the whole directory of this snapshot. */
export async function listDirectoryParts(db: Queryable): Promise<DirectoryPart[]> {
  const row = maybeOne(
    await db.query<{ pages: bigint }>(sql`
      select pg_relation_size('address_directory') / current_setting('block_size')::bigint as pages`),
  );
  const count = (row?.pages ?? 0n) / PAGES_AT_ONCE + 1n;
  if (isSharded()) return prefixParts(count);
  return Array.from({ length: Number(count) }, (_, index) => {
    const from = BigInt(index) * PAGES_AT_ONCE;
    return { from, to: from + PAGES_AT_ONCE };
  });
}

function prefixParts(count: bigint): DirectoryPart[] {
  const size = PREFIXES / count + 1n;
  const parts: DirectoryPart[] = [];
  for (let from = 0n; from < PREFIXES; from += size) parts.push({ from, to: from + size });
  return parts;
}

function isIn({ from, to }: DirectoryPart): Sql {
  if (!isSharded()) return sql`owner.ctid >= ${`(${from},0)`}::tid and owner.ctid < ${`(${to},0)`}::tid`;
  const first = sql`owner.address >= ${prefixOf(from)}`;
  return to >= PREFIXES ? first : sql`${first} and owner.address < ${prefixOf(to)}`;
}

function prefixOf(value: bigint): Buffer {
  return Buffer.from([Number(value >> 8n), Number(value & 255n)]);
}

/** Addresses of a part, joined with their charges if there are any. */
const besideCharges = (part: DirectoryPart): Sql => sql`address_directory owner
  left join lateral (
    select address, account_key_id, derivation_index from deposit_addresses charge
    where charge.merchant_id = owner.merchant_id and charge.id = owner.charge_id ${byKey}
  ) charge on owner.merchant_id is not null
  where ${isIn(part)}`;
/** The addresses of a part that name their charge, joined on the server of the charge. */
const besideTheirCharges = (part: DirectoryPart): Sql => sql`address_directory owner
  join deposit_addresses charge on charge.merchant_id = owner.merchant_id and charge.id = owner.charge_id
  where ${isIn(part)}`;
/** The addresses of a part that a charge has, joined by the key by which a distributed database finds it. */
const besideFoundCharges = (part: DirectoryPart): Sql => sql`address_directory owner
  join deposit_addresses charge on charge.merchant_id = owner.merchant_id
    and charge.account_key_id = owner.account_key_id and charge.derivation_index = owner.derivation_index
  where ${isIn(part)}`;
const isReserved = sql`owner.merchant_id is not null`;
/** On a distributed database this leaves out addresses that were reserved for their merchant first. */
const isOwned = sql`owner.charge_id is not null`;
const hasNoCharge = sql`charge.account_key_id is null`;
const isOfAnotherIndex = sql`(charge.account_key_id, charge.derivation_index) <> (owner.account_key_id, owner.derivation_index)`;
const nextIndex = sql`(select next_index from account_keys key where key.id = owner.account_key_id)`;

/** The addresses of a part that were derived from one account key. */
export type DirectoryReading = {
  readonly keyId: string;
  /** the indexes of all of them, four bytes each */
  readonly indexes: Buffer;
  /** the number of those with a charge */
  readonly owned: bigint;
  /** the addresses with a charge, 20 bytes each */
  readonly hashes: Buffer;
  /** the addresses that these charges show to payers, 34 characters each, in the same order */
  readonly offered: string;
  /** whether one contradicts its charge, or its account key would issue it again */
  readonly isSuspect: boolean;
};

const globallyMarked = (statement: Sql): Sql => globally("owned-addresses", statement);

/** Reads a part of the directory once; twice on a distributed database. */
export async function readDirectory(db: Queryable, part: DirectoryPart): Promise<DirectoryReading[]> {
  if (isSharded()) return readDirectoryOfServers(db, part);
  return db.query(
    globallyMarked(sql`
      select owner.account_key_id as "keyId",
        string_agg(int4send(owner.derivation_index::integer), ''::bytea) as indexes,
        count(*) filter (where ${isOwned}) as owned,
        coalesce(string_agg(owner.address, ''::bytea) filter (where ${isOwned}), ''::bytea) as hashes,
        coalesce(string_agg(coalesce(charge.address, ''), '') filter (where ${isOwned}), '') as offered,
        coalesce(bool_or(${hasNoCharge} or ${isOfAnotherIndex}) filter (where ${isOwned}), false)
          or coalesce(max(owner.derivation_index) filter (where ${isOwned}) >= ${nextIndex}, false) as "isSuspect"
      from ${besideCharges(part)} group by owner.account_key_id`),
  );
}

/**
 * The directory first, then those of its addresses that a charge has, which each server joins with its own charges. An address
 * without one is reserved, unless the directory names its charge.
 */
async function readDirectoryOfServers(db: Queryable, part: DirectoryPart): Promise<DirectoryReading[]> {
  const directory = await db.query<Omit<DirectoryReading, "hashes" | "offered">>(sql`
    select owner.account_key_id as "keyId",
      string_agg(int4send(owner.derivation_index::integer), ''::bytea) as indexes,
      count(*) filter (where ${isOwned}) as owned,
      coalesce(max(owner.derivation_index) filter (where ${isReserved}) >= max(key.next_index), false) as "isSuspect"
    from address_directory owner left join account_keys key on key.id = owner.account_key_id
    where ${isIn(part)} group by owner.account_key_id`);
  const charged = await db.query<ChargedReading>(
    globallyMarked(sql`
      select owner.account_key_id as "keyId", count(*) as charges, string_agg(owner.address, ''::bytea) as hashes,
        string_agg(charge.address, '') as offered, count(*) filter (where charge.id = owner.charge_id) as named
      from ${besideFoundCharges(part)} group by owner.account_key_id`),
  );
  const byKeyId = new Map(charged.map((reading) => [reading.keyId, reading]));
  return directory.map((reading) => {
    const {
      charges = 0n,
      hashes = Buffer.alloc(0),
      offered = "",
      named = 0n,
    } = byKeyId.get(reading.keyId) ?? {};
    const isSuspect = reading.isSuspect || named !== reading.owned;
    return { ...reading, owned: charges, hashes, offered, isSuspect };
  });
}

type ChargedReading = Pick<DirectoryReading, "keyId" | "hashes" | "offered"> & {
  readonly charges: bigint;
  /** those that the directory names as the charge of their address */
  readonly named: bigint;
};

/** Issued addresses of a part whose index their account key would issue again. */
export function findUnreservedIndexes(db: Queryable, part: DirectoryPart): Promise<Violation[]> {
  return findViolations(db, {
    sample: sql`derivation_index`,
    faults: [["I13", "index that was issued and would be issued again", sql`true`]],
    from: sql`(
      select derivation_index from address_directory owner join account_keys key on key.id = owner.account_key_id
      where ${isIn(part)} and ${isReserved} and owner.derivation_index >= key.next_index) untaken`,
  });
}

/** Every owned address of a part with its charge, in any status. */
export async function findMisowned(db: Queryable, part: DirectoryPart): Promise<Violation[]> {
  if (isSharded()) return findMisownedOnServers(db, part);
  return findViolations(db, {
    marked: globallyMarked,
    sample: sql`owner.charge_id`,
    faults: [
      ["I13", NO_CHARGE, hasNoCharge],
      ["I13", ANOTHER_INDEX, isOfAnotherIndex],
    ],
    from: sql`${besideCharges(part)} and ${isOwned}`,
  });
}

async function findMisownedOnServers(db: Queryable, part: DirectoryPart): Promise<Violation[]> {
  const others = await findViolations(db, {
    marked: globallyMarked,
    sample: sql`owner.charge_id`,
    faults: [["I13", ANOTHER_INDEX, isOfAnotherIndex]],
    from: besideTheirCharges(part),
  });
  const owned = await db.query<{ id: string }>(sql`
    select charge_id::text as id from address_directory owner where ${isIn(part)} and ${isOwned}`);
  const found = await db.query<{ id: string }>(
    globallyMarked(sql`select owner.charge_id::text as id from ${besideTheirCharges(part)}`),
  );
  const charges = new Set(found.map(({ id }) => id));
  const missing = owned.map(({ id }) => id).filter((id) => !charges.has(id));
  if (missing.length === 0) return others;
  const samples = missing.toSorted().slice(0, MAX_SAMPLES);
  return [{ invariant: "I13", what: NO_CHARGE, count: missing.length, samples }, ...others];
}

/** Addresses that one statement compares. */
const ADDRESSES_AT_ONCE = 2_000_000n;

/**
 * Charges with several addresses, among `owned` addresses; a share of the charges at a time, in physical
 * order.
 */
export async function findTwiceKnown(db: Queryable, owned: bigint): Promise<Violation[]> {
  const shares = Number(owned / ADDRESSES_AT_ONCE) + 1;
  const found: Violation[] = [];
  for (let share = 0; share < shares; share += 1) {
    const parts = {
      sample: sql`charge_id`,
      faults: [["I13", "charge with more than one address", sql`true`]] as const,
      from: sql`(
        select charge_id from address_directory
        where ctid >= '(0,0)'::tid and charge_id is not null and abs(uuid_hash(charge_id)::bigint) % ${shares} = ${share}
        group by merchant_id, charge_id having count(*) > 1) twice`,
    };
    found.push(...(await findViolations(db, parts)));
  }
  return found;
}
