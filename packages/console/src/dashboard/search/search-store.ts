import { findOwners, listOwnersBetween } from "@daric/addresses/directory-store";
import { selectRefsByToken } from "@daric/charges/checkout-token-store";
import { referenceStartsWith } from "@daric/charges/list-filter-store";
import type { Seen } from "@daric/domain/caller";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { join, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { isSharded } from "@daric/postgres/tenants";
import { wanted } from "@daric/totals/list-store";
import { andSeen } from "@daric/totals/seen-store";
import { addressToBase58 } from "@daric/tron/address";

/** The field of a payment that matches the searched text. */
export const searchReasons = [
  "id",
  "order reference",
  "customer",
  "transaction",
  "address",
  "sender",
  "amount",
  "label",
  "metadata",
] as const;
export type SearchReason = (typeof searchReasons)[number];
export type Found = { readonly id: ChargeId; readonly why: SearchReason };

/** The most payments of an answer. */
export const MAX_FOUND = 20;
/** New amounts of a requote, and those of the last seconds, have no terms: they are compared among this many newest charges. */
export const COMPARED_BACK = 2_000;
/** The most senders, with the same first characters, of which the last ones are compared. */
const MAX_SENDERS = 500;
/** The greatest character: a range of texts with the same beginning ends with it. */
export const GREATEST = "\u{10ffff}";

/**
 * The first rows of an ordered query that may be seen: rows of a person among others' are compared, so many at most. The query has the
 * charge's `id`.
 */
function firstSeen(seen: Seen, ordered: Sql): Sql {
  if (seen.createdBy === undefined) return sql`(${ordered} limit ${MAX_FOUND})`;
  return sql`(
    select * from (${ordered} limit ${COMPARED_BACK}) compared where true ${andSeen(seen, sql`compared.id`)} limit ${MAX_FOUND})`;
}

/** The charges that an index finds at once: by id, reference or its beginning, customer or deposit. */
export async function findByIndex(
  db: Queryable,
  seen: Seen,
  { id, text }: { readonly id: string | null; readonly text: string },
): Promise<Found[]> {
  const { merchantId } = seen;
  const having = (why: SearchReason, condition: Sql, order = sql`id desc`) =>
    firstSeen(
      seen,
      sql`select id, ${why}::text from deposit_addresses where merchant_id = ${merchantId} and ${condition} order by ${order}`,
    );
  return db.query<Found>(sql`
    (select id, 'id' as why from deposit_addresses where merchant_id = ${merchantId} and id = ${id}::uuid)
    union all
    (select deposit_address_id, 'id' from deposits where merchant_id = ${merchantId} and id = ${id}::uuid)
    union all ${having("order reference", sql`order_ref = ${text}`)}
    union all ${having("order reference", referenceStartsWith(text), sql`order_ref using ~>~, id desc`)}
    union all ${having("customer", sql`customer_ref = ${text}`)}`);
}

/** The charge of an address, by the directory of all addresses. */
export async function findByAddress(
  db: Queryable,
  merchantId: MerchantId,
  address: Buffer,
): Promise<Found[]> {
  const owners = await findOwners(db, [address]);
  return owners.flatMap(({ merchantId: owner, chargeId: id }): Found[] =>
    owner === merchantId && id !== null ? [{ id, why: "address" }] : [],
  );
}

/** The charge behind a checkout token. */
export async function findByToken(db: Queryable, merchantId: MerchantId, token: string): Promise<Found[]> {
  const refs = await selectRefsByToken(db, [token]);
  return refs.flatMap((ref): Found[] => (ref.merchantId === merchantId ? [{ id: ref.id, why: "id" }] : []));
}

/** A text of which only both ends are known, as pages show addresses and transactions. */
export type Ends = { readonly head: string; readonly tail: string };

/** The charges of the addresses, and those that got deposits of the transactions or senders, with these ends. `hashes` is the range of the address. */
export async function findByEnds(
  db: Queryable,
  seen: Seen,
  {
    head,
    tail,
    hashes,
  }: Ends & { readonly hashes: { readonly from: Buffer; readonly to: Buffer } | undefined },
): Promise<Found[]> {
  const { merchantId } = seen;
  const found: Sql[] = [
    sql`(select distinct deposit_address_id as id, 'transaction' as why from deposits
      where merchant_id = ${merchantId} and tx_id >= ${head.toLowerCase()} and tx_id <= ${`${head.toLowerCase()}g`}
        and right(tx_id, ${tail.length}) = ${tail.toLowerCase()} ${andSeen(seen, sql`deposit_address_id`)} limit ${MAX_FOUND})`,
    sql`(select newest.id, 'sender' as why from (${sendersLike({ head, tail }, merchantId)}) sender
      cross join lateral (
        ${firstSeen(
          seen,
          sql`select deposit_address_id as id from search_terms
        where merchant_id = ${merchantId} and term = sender.term order by deposit_address_id desc`,
        )}) newest
      limit ${MAX_FOUND})`,
  ];
  // The coordinator of a distributed database has the directory alone.
  if (hashes !== undefined && isSharded())
    return [
      ...(await findByEndsOfAddress(db, merchantId, { tail, hashes })),
      ...(await db.query<Found>(join(found, " union all "))),
    ];
  if (hashes !== undefined)
    found.unshift(sql`(select charge.id, 'address' as why from address_directory directory
      join deposit_addresses charge on charge.merchant_id = ${merchantId} and charge.id = directory.charge_id
      where directory.address >= ${hashes.from} and directory.address <= ${hashes.to} and directory.merchant_id = ${merchantId}
        and right(charge.address, ${tail.length}) = ${tail} ${andSeen(seen, sql`charge.id`)} limit ${MAX_FOUND})`);
  return db.query<Found>(join(found, " union all "));
}

async function findByEndsOfAddress(
  db: Queryable,
  merchantId: MerchantId,
  { tail, hashes }: { tail: string; hashes: { readonly from: Buffer; readonly to: Buffer } },
): Promise<Found[]> {
  const owners = await listOwnersBetween(db, merchantId, { ...hashes, limit: COMPARED_BACK });
  return owners
    .filter(({ bytes }) => addressToBase58(`41${bytes.toString("hex")}`).endsWith(tail))
    .flatMap(({ chargeId: id }): Found[] => (id === null ? [] : [{ id, why: "address" }]))
    .slice(0, MAX_FOUND);
}

/** The terms of the senders with these ends. It goes from one sender to the next, whatever number of deposits each has. */
function sendersLike({ head, tail }: Ends, merchantId: MerchantId): Sql {
  const next = (place: Sql) => sql`
    select term from search_terms where merchant_id = ${merchantId} and ${place} and term <= ${`@${head}${GREATEST}`} order by term limit 1`;
  return sql`
    with recursive senders as (
      select first.term, 1 as number from (${next(sql`term >= ${`@${head}`}`)}) first
      union all
      select following.term, number + 1 from senders
      cross join lateral (${next(sql`term > senders.term`)}) following where number < ${MAX_SENDERS}
    )
    select term from senders where right(term, ${tail.length}) = ${tail}`;
}

/** The newest charges with one of these terms. */
export async function findByTerms(db: Queryable, seen: Seen, terms: readonly string[]): Promise<ChargeId[]> {
  if (terms.length === 0) return [];
  const termMatches = (term: string) =>
    firstSeen(
      seen,
      sql`select deposit_address_id as id from search_terms where merchant_id = ${seen.merchantId} and term = ${term}
      order by deposit_address_id desc`,
    );
  return idsOf(db.query(join(terms.map(termMatches), " union all ")));
}

/** Charges with a term that begins so, greatest term first. */
export async function findByBeginning(db: Queryable, seen: Seen, beginning: string): Promise<ChargeId[]> {
  return idsOf(
    db.query(
      firstSeen(
        seen,
        sql`select deposit_address_id as id from search_terms
      where merchant_id = ${seen.merchantId} and term >= ${beginning} and term <= ${beginning + GREATEST}
      order by term desc, deposit_address_id desc`,
      ),
    ),
  );
}

/** Of the newest charges those with one of these prices. */
export async function findAmongNewest(
  db: Queryable,
  { merchantId, createdBy }: Seen,
  { units, decimals }: { readonly units: readonly bigint[]; readonly decimals: readonly string[] },
): Promise<ChargeId[]> {
  return idsOf(
    db.query(sql`
      select id from (
        select id, expected_units, pay_units, fiat_amount from deposit_addresses
        where merchant_id = ${merchantId} ${wanted(createdBy, (maker) => sql`and created_by = ${maker}`)}
        order by id desc limit ${COMPARED_BACK}
      ) newest
      where expected_units = any(${units}::bigint[]) or pay_units = any(${units}::bigint[]) or fiat_amount::numeric = any(${decimals}::numeric[])
      order by id desc limit ${MAX_FOUND}`),
  );
}

async function idsOf(rows: Promise<{ readonly id: ChargeId }[]>): Promise<ChargeId[]> {
  return (await rows).map(({ id }) => id);
}
