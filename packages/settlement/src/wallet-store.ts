import type { MerchantId } from "@daric/domain/ids";
import type { SweepRecipient } from "@daric/domain/ledger";
import { type Queryable, type Sql, sql } from "@daric/postgres/sql";

/** The recipient of a sweep: a wallet of its merchant, or the operator's. */
export type SweptTo = {
  readonly merchantId: MerchantId;
  readonly recipient: SweepRecipient;
  /** base58 */
  readonly destination: string;
};

/** The merchant that the signer's list has the wallet for. */
function payeeOf({ merchantId, recipient }: SweptTo): string {
  return recipient === "operator" ? recipient : merchantId;
}

/** Identifies the wallet of one merchant, or of the operator: two merchants may have the same wallet. */
export function walletKey(sweep: SweptTo): string {
  return keyOf(payeeOf(sweep), sweep.destination);
}

/** The {@link walletKey} of the operator's wallet. */
export function operatorWalletKey(address: string): string {
  return keyOf("operator", address);
}

function keyOf(payee: string, address: string): string {
  return `${payee} ${address}`;
}

/**
 * The keys that may move a wallet's money, as persons confirmed them: at the settlement account, and in the signer's
 * newest entry for this wallet. Entries and accounts that name nothing are left out.
 */
export async function findConfirmedKeys(db: Queryable, sweep: SweptTo): Promise<string[]> {
  const { merchantId, recipient, destination } = sweep;
  const rows = await db.query<{ permissions: string | null }>(sql`
    select account.permissions from settlement_accounts account
    where account.merchant_id = ${merchantId} and account.address = ${destination} and ${recipient === "merchant"}
    union all (
      select entry.permissions from signer_destinations entry
      where entry.merchant_id = ${payeeOf(sweep)}::text and entry.address = ${destination} and entry.acts_from <= now()
      order by entry.counter desc limit 1)`);
  return rows.flatMap(({ permissions }) => permissions ?? []);
}

/**
 * SQL: the entries of the signer's list that are in force, each with the merchant's newest entry that is not
 * additional.
 */
export const listedEntries: Sql = sql`
  select merchant_id, address, counter, max(counter) filter (where not is_additional) over (partition by merchant_id) as newest
  from signer_destinations where acts_from <= now()`;

/** Whether the signer's list still names the wallet, so that money goes there. */
export async function isListed(db: Queryable, sweep: SweptTo): Promise<boolean> {
  const rows = await db.query(sql`
    select from (${listedEntries}) listed
    where merchant_id = ${payeeOf(sweep)}::text and address = ${sweep.destination} and counter >= coalesce(newest, 0)`);
  return rows.length > 0;
}
