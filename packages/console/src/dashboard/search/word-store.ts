import type { Seen } from "@daric/domain/caller";
import type { ChargeId } from "@daric/domain/ids";
import { type Queryable, sql } from "@daric/postgres/sql";
import { andSeen } from "@daric/totals/seen-store";
import { COMPARED_BACK, GREATEST, MAX_FOUND } from "./search-store.ts";

/** The most look-ups of a walk for several words: some hundredths of a second. */
const MAX_LOOKUPS = 2_000;
/** The most rows that have every word but the last, which is compared with their texts; and the most with its beginning. */
const MAX_COMPARED = 100;
const GREATEST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Charges that may have the words. `isCut`: the search ended before all of the merchant's rows had been looked at. */
export type Candidates = { readonly ids: readonly ChargeId[]; readonly isCut: boolean };

/**
 * The newest charges with all these words: those that have the whole last word, then those in which it begins one. Where none has it
 * whole, the newest with the other words follow, and the caller compares the last word with their texts.
 */
export async function findByWords(db: Queryable, seen: Seen, words: readonly string[]): Promise<Candidates> {
  const whole = await walkWords(db, seen, { words, max: MAX_FOUND });
  if (whole.ids.length === MAX_FOUND) return whole;
  const begun = await findByLastBeginning(db, seen, words);
  const others = words.slice(0, -1);
  const ids = [...whole.ids, ...begun.ids];
  if (!begun.isCut || whole.ids.length > 0 || others.length === 0) return { ids, isCut: whole.isCut };
  const before = await walkWords(db, seen, { words: others, max: MAX_COMPARED });
  return { ids: [...ids, ...before.ids], isCut: before.isCut || before.ids.length === MAX_COMPARED };
}

/**
 * The newest charges with all these words. The words take turns: each goes on from the last found id to its own next older row. Where
 * all meet, the charge has them. So a rare word leads over the many rows of a common one, and one look-up is one descent of the index.
 */
async function walkWords(
  db: Queryable,
  seen: Seen,
  { words, max }: { words: readonly string[]; max: number },
): Promise<Candidates> {
  const { merchantId, createdBy } = seen;
  // A person's own rows are chosen from those found.
  const found = createdBy === undefined ? max : MAX_LOOKUPS;
  const rows = await db.query<{ id: ChargeId; fits: boolean; isCut: boolean }>(sql`
    with recursive walk as (
      select ${GREATEST_ID}::uuid as id, 0 as agreed, 0 as found, 0 as step
      union all
      select older.id, now.agreed, found + (now.agreed = ${words.length})::integer, step + 1
      from walk
      cross join lateral (
        select deposit_address_id as id from search_terms
        where merchant_id = ${merchantId} and term = (${words}::text[])[1 + step % ${words.length}] and deposit_address_id <= walk.id
          and (deposit_address_id < walk.id or walk.agreed < ${words.length})
        order by deposit_address_id desc limit 1) older
      cross join lateral (select case when older.id = walk.id then walk.agreed + 1 else 1 end as agreed) now
      where step < ${MAX_LOOKUPS} and found < ${found}
    )
    select id, agreed = ${words.length} as fits, step = ${MAX_LOOKUPS} as "isCut" from walk
    where (agreed = ${words.length} ${andSeen(seen, sql`walk.id`)}) or step = ${MAX_LOOKUPS} order by step limit ${max}`);
  const ids = rows.filter(({ fits }) => fits).map(({ id }) => id);
  return { ids, isCut: ids.length < max && rows.at(-1)?.isCut === true };
}

/** Charges with all words but the last, and one that begins with the last. A few rows of the greatest such words are looked at. */
async function findByLastBeginning(db: Queryable, seen: Seen, words: readonly string[]): Promise<Candidates> {
  const { merchantId, createdBy } = seen;
  const compared = createdBy === undefined ? MAX_COMPARED : COMPARED_BACK;
  const last = words.at(-1) ?? "";
  const others = words.slice(0, -1);
  // Looked up row by row: the planner would read every row of a common word to join it.
  const rows = await db.query<{ id: ChargeId; fits: boolean }>(sql`
    select begun.deposit_address_id as id, (
      select count(*) from unnest(${others}::text[]) word
      where (select true from search_terms other where other.merchant_id = ${merchantId}
        and other.term = word and other.deposit_address_id = begun.deposit_address_id)) = ${others.length} as fits
    from (
      select deposit_address_id from search_terms where merchant_id = ${merchantId} and term >= ${last} and term <= ${last + GREATEST}
      order by term desc, deposit_address_id desc limit ${compared}) begun
    where true ${andSeen(seen, sql`begun.deposit_address_id`)}
    order by 1 desc`);
  const ids = [...new Set(rows.filter(({ fits }) => fits).map(({ id }) => id))];
  return { ids, isCut: createdBy !== undefined || rows.length === compared };
}
