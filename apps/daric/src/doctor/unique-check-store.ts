import type { MerchantId } from "@daric/domain/ids";
import { oneOf, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import type { Violation } from "./invariant.ts";
import { findViolations } from "./violation-store.ts";

/** The fault, the table, the columns that must differ together, and the rows among which they must. */
type Uniqueness = readonly [what: string, table: Sql, key: Sql, among?: Sql];

/** The uniqueness that money rests on, among the rows of each merchant. */
const merchantKeys: readonly Uniqueness[] = [
  [
    "customer with more than one standing address",
    sql`deposit_addresses`,
    sql`chain, currency, settlement_account_id, coalesce(customer_ref, '')`,
    sql`kind = 'receive' and settlement_account_id is not null`,
  ],
  [
    "transfer to us with more than one deposit",
    sql`deposits`,
    sql`tx_id, network, source, event_index, address`,
  ],
  [
    "transfer from us with more than one row",
    sql`outflows`,
    sql`network, tx_id, source, event_index, address`,
  ],
  ["transaction of ours with more than one row", sql`own_transactions`, sql`network, tx_id`],
  ["sweep transaction with more than one row", sql`sweep_transactions`, sql`tx_id`, sql`tx_id is not null`],
  [
    "address with more than one balance of a currency",
    sql`address_contents`,
    sql`deposit_address_id, currency`,
  ],
  ["settlement account with more than one row", sql`settlement_accounts`, sql`address`],
  ["token of more than one payment link", sql`payment_links`, sql`token`],
  ["reference of more than one refund", sql`refunds`, sql`refund_ref`, sql`refund_ref is not null`],
  ["message to one receiver about one cause with more than one row", sql`messages`, sql`cause, receiver`],
];

/** The uniqueness that keys rest on, among all rows. */
const deploymentKeys: readonly Uniqueness[] = [
  ["API key with more than one entry in the directory", sql`api_key_directory`, sql`lookup_id`],
  ["xpub with more than one row", sql`account_keys`, sql`xpub`],
  ["e-mail address of more than one person", sql`people`, sql`email`],
  ["passkey with more than one row", sql`passkeys`, sql`id`],
  ["transfer of more than one refund", sql`refund_transfers`, sql`network, tx_id, source, event_index`],
  ["lease with more than one holder", sql`leases`, sql`name`],
  ["block of our chain with more than one row", sql`blocks`, sql`network, id`],
];

/** Keys of these merchants with several rows. */
export async function findRepeatedOfMerchants(
  db: Queryable,
  merchantIds: readonly MerchantId[],
): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const [what, table, key, among = sql`true`] of merchantKeys)
    found.push(
      ...(await findRepeatedKeys(db, what, {
        key: sql`merchant_id, ${key}`,
        from: sql`${table} where merchant_id ${oneOf(merchantIds)} and ${among}`,
      })),
    );
  return found;
}

/** Keys of the deployment with several rows. */
export async function findRepeatedOfDeployment(db: Queryable): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const [what, table, key] of deploymentKeys)
    found.push(...(await findRepeatedKeys(db, what, { key, from: table })));
  return found;
}

/**
 * Groups by a digest of the key, so that no index that is broken can hide a row beside another one. An index whose order is wrong
 * holds back no duplicate.
 */
function findRepeatedKeys(
  db: Queryable,
  what: string,
  { key, from }: { key: Sql; from: Sql },
): Promise<Violation[]> {
  return findViolations(db, {
    sample: sql`key`,
    faults: [["I26", what, sql`true`]],
    from: sql`(select min(row(${key})::text) as key from ${from} group by md5(row(${key})::text) having count(*) > 1) repeated`,
  });
}
