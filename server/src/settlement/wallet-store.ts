import { type Queryable, sql } from "@daric/postgres/sql";
import type { MerchantId } from "../domain/ids.ts";
import type { SweepRecipient } from "../domain/ledger.ts";

/** The recipient of a sweep: a wallet of its merchant, or the operator's. */
export type SweptTo = {
  readonly merchantId: MerchantId;
  readonly recipient: SweepRecipient;
  /** base58 */
  readonly destination: string;
};

/**
 * The keys that may move a wallet's money, as persons confirmed them: at the settlement account, and in the signer's
 * newest entry for this wallet. Entries and accounts that name nothing are left out.
 */
export async function findConfirmedKeys(
  db: Queryable,
  { merchantId, recipient, destination }: SweptTo,
): Promise<string[]> {
  const listed = recipient === "operator" ? "operator" : merchantId;
  const rows = await db.query<{ permissions: string | null }>(sql`
    select account.permissions from settlement_accounts account
    where account.merchant_id = ${merchantId} and account.address = ${destination} and ${recipient === "merchant"}
    union all (
      select entry.permissions from signer_destinations entry
      where entry.merchant_id = ${listed}::text and entry.address = ${destination} and entry.acts_from <= now()
      order by entry.counter desc limit 1)`);
  return rows.flatMap(({ permissions }) => permissions ?? []);
}
