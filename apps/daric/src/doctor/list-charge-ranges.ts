import type { Queryable } from "@daric/postgres/sql";
import type { CheckScope } from "./deposit-check-store.ts";
import { type ChargeRange, chargeRangesTo, DEPOSITS_AT_ONCE } from "./id-range.ts";
import { findRangeEnd } from "./sum-check-store.ts";

/** Some small merchants together, or one alone, with the number of their rows. */
export type SizedScope = CheckScope & { readonly size: bigint };

/** Ranges of a list's charges, each for one statement. */
export async function listChargeRanges(
  db: Queryable,
  { merchantIds, size }: Pick<SizedScope, "merchantIds" | "size">,
): Promise<ChargeRange[]> {
  const ends: string[] = [];
  let after: string | undefined = "00000000-0000-0000-0000-000000000000";
  while (size > DEPOSITS_AT_ONCE && after !== undefined) {
    after = await findRangeEnd(db, { merchantIds, after, limit: DEPOSITS_AT_ONCE });
    if (after !== undefined) ends.push(after);
  }
  return chargeRangesTo(ends);
}
