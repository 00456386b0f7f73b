import type pg from "pg";
import { macInSql } from "./mac-in-sql.ts";

/*
 * Fills tables directly, and is the only code here that knows them. New charges are copies of one that the service
 * made, so new columns need no change here.
 */

type Expressions = Readonly<Record<string, string>>;

/** The rows of one statement: few enough to report progress, enough to make its overhead negligible. */
const BATCH = 100_000;
/** The rows of one statement for the directory, whose rows are small. */
const DIRECTORY_BATCH = 1_000_000;
/** One merchant has half of the filled charges; the others share the remainder. */
const SHARE_OF_FIRST = 2;

const ADDRESS = "'T' || translate(left(encode(f.address, 'hex'), 33), '0', 'G')";
const TOKEN = "translate(encode(f.token, 'base64'), '+/', '-_')";

/** The columns of a new charge that differ from the copied one, in terms of `filler`. */
const CHARGE: Expressions = {
  merchant_id: "f.merchant_id",
  id: "f.id",
  derivation_index: "f.derivation_index",
  address: ADDRESS,
  address_mac: macInSql("address", ["'devnet'", "f.derivation_index", ADDRESS, "f.merchant_id", TOKEN]),
  checkout_token: TOKEN,
  order_ref: "'F-' || f.n",
  api_key_id: "null",
  settlement_account_id: "null",
  status: "'ARCHIVED'",
  created_at: "f.created_at",
  updated_at: "f.created_at",
  expires_at: "f.created_at + interval '1 hour'",
  late_until: "f.created_at + interval '1 day'",
};

/** The tables with rows that belong to a charge, and the columns of their keys. */
const BELONGING: Readonly<Record<string, Expressions>> = {
  token_directory: { token: "f.token", merchant_id: "f.merchant_id", charge_id: "f.id" },
  address_directory: {
    address: "f.address",
    merchant_id: "f.merchant_id",
    charge_id: "f.id",
    derivation_index: "f.derivation_index",
  },
};

/**
 * Adds archived orders of these merchants, half of them the first one's, over the last year. The first merchant
 * needs one order. The service must be stopped, because it caches the next index.
 */
export async function fillOrders(
  db: pg.Client,
  merchants: readonly { readonly id: string }[],
  count: number,
): Promise<void> {
  const [first] = merchants;
  await withoutChecks(db);
  const indexes = await dropIndexes(db, "deposit_addresses");
  for (let done = 0; done < count; done += BATCH) {
    await makeFiller(db, { merchants, from: done, to: Math.min(count, done + BATCH) });
    const firstMerchant = `merchant_id = '${first?.id}'`;
    await copyRows(db, "deposit_addresses", {
      template: `${firstMerchant} order by created_at`,
      expressions: CHARGE,
    });
    for (const [table, expressions] of Object.entries(BELONGING)) {
      await copyRows(db, table, { template: firstMerchant, expressions });
    }
    // Each charge looks like one that was paid once.
    await db.query(
      "insert into charge_sums (merchant_id, deposit_address_id) select merchant_id, id from filler",
    );
    await db.query("drop table filler");
  }
  for (const index of indexes) await db.query(index);
  await db.query("update account_keys set next_index = next_index + $1", [count]);
  await recount(db, "deposit_addresses", "array[kind, status, chain]");
}

/**
 * Fills the directory up to `count` addresses, copied from the merchant's one order. Orders themselves are left
 * out: blocks do not read them, and they would be ten times as large.
 */
export async function fillAddresses(db: pg.Client, count: number): Promise<void> {
  await withoutChecks(db);
  await db.query("alter table address_directory drop constraint address_directory_pkey");
  for (let done = 1; done < count; done += DIRECTORY_BATCH) {
    await db.query(
      `insert into address_directory (address, merchant_id, charge_id, account_key_id, derivation_index)
       select substr(sha256(convert_to('issued ' || n, 'utf8')), 1, 20), one.merchant_id, one.charge_id, one.account_key_id,
         1000000 + n
       from generate_series($1::integer, $2::integer) n
       cross join (select * from address_directory where merchant_id is not null limit 1) one`,
      [done, Math.min(count, done + DIRECTORY_BATCH) - 1],
    );
  }
  await db.query("alter table address_directory add constraint address_directory_pkey primary key (address)");
  await db.query("vacuum analyze address_directory");
  await db.query("checkpoint");
}

/** Adds `count` confirmed deposits of 1 USDT to a charge. */
export async function fillDeposits(
  db: pg.Client,
  charge: { readonly merchantId: string; readonly id: string },
  count: number,
): Promise<void> {
  const values: Expressions = {
    merchant_id: "c.merchant_id",
    id: "gen_random_uuid()",
    deposit_address_id: "c.id",
    network: "'devnet'",
    tx_id: "encode(sha256(convert_to(c.id || ':' || n, 'utf8')), 'hex')",
    source: "'log'",
    event_index: "0",
    address: "c.address",
    from_address: "'TJQC6ECxwJBqgGRZVPfohYqFXYAane2wC4'",
    currency: "c.currency",
    units: "1000000",
    status: "'CONFIRMED'",
    block_number: "1",
    block_id: "repeat('0', 64)",
    block_time: "c.created_at",
    required_confirmations: "19",
    final_confirmations: "19",
    late: "false",
    past_window: "false",
    unmatched: "false",
    confirmed_at: "c.created_at",
    detected_at: "c.created_at",
    created_at: "c.created_at + n * interval '1 millisecond'",
  };
  await withoutChecks(db);
  const columns = (await columnsOf(db, "deposits")).filter((column) => column in values);
  await db.query(
    `insert into deposits (${columns.join(", ")})
     select ${columns.map((column) => values[column]).join(", ")}
     from deposit_addresses c cross join generate_series(1, $3::integer) n where c.merchant_id = $1 and c.id = $2`,
    [charge.merchantId, charge.id, count],
  );
  await db.query(
    `insert into charge_sums (merchant_id, deposit_address_id, confirmed, confirmed_on_time, confirmed_in_window,
       newest_deposit_id, newest_deposit_at, newest_block_time)
     select merchant_id, deposit_address_id, sum(units), sum(units), sum(units),
       (array_agg(id order by created_at desc, id desc))[1], max(created_at), max(block_time)
     from deposits where merchant_id = $1 and deposit_address_id = $2 group by merchant_id, deposit_address_id`,
    [charge.merchantId, charge.id],
  );
  await recount(db, "deposits", "array[status, currency]");
}

/**
 * Puts confirmed USDT on every address, the more the older it is. The signer's list has the wallet of one merchant alone: the last
 * `count` addresses become its own.
 */
export async function fillContents(
  db: pg.Client,
  { approved, count }: { readonly approved: string; readonly count: number },
): Promise<void> {
  await withoutChecks(db);
  await db.query(
    `update deposit_addresses set merchant_id = $1
     where id in (select id from deposit_addresses order by created_at desc limit $2)`,
    [approved, count],
  );
  await db.query(
    `insert into address_contents (merchant_id, deposit_address_id, currency, units, oldest_at)
     select merchant_id, id, 'USDT', 1000000000 + row_number() over (order by merchant_id = $1 desc, created_at desc), created_at
     from deposit_addresses`,
    [approved],
  );
  await db.query(
    `insert into signer_destinations (counter, merchant_id, name, address, fee_ceiling, seen_at, acts_from)
     select 1, merchant_id::text, 'Bench', address, '{}', now(), now() from settlement_accounts where merchant_id = $1`,
    [approved],
  );
  await db.query("vacuum analyze");
  await db.query("checkpoint");
}

/** Switches off triggers and foreign keys on this connection, since the rows are right and many. */
export async function withoutChecks(db: pg.Client): Promise<void> {
  await db.query("set session_replication_role = replica");
  await db.query("set synchronous_commit = off");
}

/** Drops indexes, which are faster to rebuild; returns the statements that create them. */
export async function dropIndexes(db: pg.Client, table: string): Promise<string[]> {
  const { rows } = await db.query(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as made from pg_index i
     where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = i.indexrelid)`,
    [table],
  );
  for (const { name } of rows) await db.query(`drop index ${name}`);
  return rows.map(({ made }) => made);
}

async function makeFiller(
  db: pg.Client,
  { merchants, from, to }: { merchants: readonly { readonly id: string }[]; from: number; to: number },
): Promise<void> {
  await db.query(
    `create temp table filler as
     select n, uuidv7(now() - n * interval '31 s' - clock_timestamp()) as id, substr(sha256(convert_to('address ' || n, 'utf8')), 1, 20) as address,
       substr(sha256(convert_to('token ' || n, 'utf8')), 1, 30) as token,
       now() - n * interval '31 s' as created_at,
       (select max(next_index) from account_keys) + n as derivation_index,
       case when n % ${SHARE_OF_FIRST} = 0 then ($1::uuid[])[1]
         else ($1::uuid[])[1 + n % array_length($1::uuid[], 1)] end as merchant_id
     from generate_series($2::integer, $3::integer - 1) n`,
    [merchants.map(({ id }) => id), from, to],
  );
}

/** Archives every active order in one commit, which changes its page's state. */
export async function archiveAll(db: pg.Client): Promise<void> {
  await db.query("update deposit_addresses set status = 'ARCHIVED', updated_at = now()");
}

/** Changes an order's reference, which its page shows. */
export async function renameOrder(db: pg.Client, token: string, orderRef: string): Promise<void> {
  await db.query(
    "update deposit_addresses set order_ref = $2, updated_at = now() where checkout_token = $1",
    [token, orderRef],
  );
}

/** Copies the template for each row of `filler`, with these expressions. */
async function copyRows(
  db: pg.Client,
  table: string,
  { template, expressions }: { template: string; expressions: Expressions },
): Promise<void> {
  const columns = await columnsOf(db, table);
  await db.query(
    `insert into ${table} (${columns.join(", ")})
     select ${columns.map((column) => expressions[column] ?? `t.${column}`).join(", ")}
     from (select * from ${table} where ${template} limit 1) t cross join filler f`,
  );
}

/** Recomputes the totals of a list from its rows. */
export async function recount(db: pg.Client, list: string, facets: string): Promise<void> {
  await db.query("delete from list_counts where list = $1", [list]);
  await db.query(
    `insert into list_counts (merchant_id, list, facets, slot, rows)
     select merchant_id, $1, ${facets}, 0, count(*) from ${list} group by merchant_id, ${facets}`,
    [list],
  );
}

/** The columns without generated ones. */
async function columnsOf(db: pg.Client, table: string): Promise<string[]> {
  const { rows } = await db.query(
    `select column_name as name from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'`,
    [table],
  );
  return rows.map(({ name }) => name);
}
