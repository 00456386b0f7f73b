import type { Queryable } from "@daric/postgres/sql";
import type { CheckScope } from "./deposit-check-store.ts";
import { type ChargeRange, chargeRangesTo, DEPOSITS_AT_ONCE } from "./id-range.ts";
import { findRangeEnd } from "./sum-check-store.ts";

/** Ranges of a list's charges, each for one statement. */
export async function listChargeRanges(
  db: Queryable,
  { merchantIds, size }: Pick<CheckScope, "merchantIds"> & { readonly size: bigint },
): Promise<ChargeRange[]> {
  const ends: string[] = [];
  let after: string | undefined = "00000000-0000-0000-0000-000000000000";
  while (size > DEPOSITS_AT_ONCE && after !== undefined) {
    after = await findRangeEnd(db, { merchantIds, after, limit: DEPOSITS_AT_ONCE });
    if (after !== undefined) ends.push(after);
  }
  return chargeRangesTo(ends);
}
