import type { Seen } from "@daric/domain/caller";
import { type Sql, sql } from "@daric/postgres/sql";
import { wanted } from "./list-store.ts";

/** A further SQL condition: the charge with this id is one that may be seen. */
export function andSeen({ merchantId, createdBy }: Seen, id: Sql): Sql {
  return wanted(
    createdBy,
    (maker) => sql`and exists (
      select from deposit_addresses made
      where made.merchant_id = ${merchantId} and made.id = ${id} and made.created_by = ${maker})`,
  );
}
