import { type Database, one, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";

// A distributed database finds a charge by keys of its server, and its directories do not name charges. The key
// `deposit_addresses_derivation` marks such a database, also in a dump that was restored into a plain PostgreSQL.

export async function hasServerKeys(db: Queryable): Promise<boolean> {
  const { has } = one(
    await db.query<{ has: boolean }>(
      sql`select to_regclass('deposit_addresses_derivation') is not null as has`,
    ),
  );
  return has;
}

/** Makes the keys, and lets the directory name a merchant without a charge. Needs the owner of the tables. */
export async function addServerKeys(db: Pick<Database, "transaction">): Promise<void> {
  await inOrder(db, [
    sql`alter table address_directory drop constraint if exists address_directory_check`,
    sql`create index if not exists deposit_addresses_checkout_token on deposit_addresses (checkout_token)`,
    sql`create unique index if not exists deposit_addresses_derivation
      on deposit_addresses (merchant_id, account_key_id, derivation_index)`,
  ]);
}

/**
 * Makes a plain PostgreSQL of a restored dump of a distributed database. The directories then name every charge, and
 * reserved addresses are those of an index gap. Needs the owner of the tables.
 */
export async function dropServerKeys(db: Pick<Database, "transaction">): Promise<void> {
  await inOrder(db, [
    sql`
      update address_directory owner set charge_id = charge.id from deposit_addresses charge
      where owner.charge_id is null and charge.merchant_id = owner.merchant_id
        and charge.account_key_id = owner.account_key_id and charge.derivation_index = owner.derivation_index`,
    sql`update address_directory set merchant_id = null where charge_id is null and merchant_id is not null`,
    sql`
      insert into token_directory (token, merchant_id, charge_id)
      select decode(translate(checkout_token, '-_', '+/'), 'base64'), merchant_id, id from deposit_addresses
      on conflict (token) do nothing`,
    sql`alter table address_directory
      add constraint address_directory_check check ((merchant_id is null) = (charge_id is null))`,
    sql`drop index deposit_addresses_checkout_token, deposit_addresses_derivation`,
  ]);
}

async function inOrder(db: Pick<Database, "transaction">, statements: readonly Sql[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(sql`set local statement_timeout = 0`);
    for (const statement of statements) await tx.query(globally("keys-of-servers", statement));
  });
}
