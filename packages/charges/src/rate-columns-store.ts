import type { FiatCurrency } from "@daric/domain/fiat";
import { type Sql, sql } from "@daric/postgres/sql";

const E10_IN_E4 = 1_000_000n;

/** A rate for two columns: `e4` holds one in USD, and `e10` one in any other currency. The other column is null. */
export function rateColumns({
  fiatCurrency,
  rateE10,
}: {
  readonly fiatCurrency: FiatCurrency;
  readonly rateE10: bigint;
}): { readonly e4: bigint | null; readonly e10: bigint | null } {
  return fiatCurrency === "USD" ? { e4: rateE10 / E10_IN_E4, e10: null } : { e4: null, e10: rateE10 };
}

/** The rate in 10^-10 of {@link rateColumns}. */
export function rateOf(e4: Sql, e10: Sql): Sql {
  return sql`coalesce(${e10}, ${e4} * ${E10_IN_E4}::bigint)`;
}
