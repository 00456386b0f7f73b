import { type Sql, sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, type ChargeOverrides } from "@daric/testing/charge-builders";
import { copyLedger, type Ledger, openLedger } from "@daric/testing/ledger";
import { beforeAll, describe, expect, it } from "vitest";
import { auditDatabase, listScopes, rangesOf } from "./audit.ts";
import type { Diagnosis } from "./invariant.ts";
import { listSuspects } from "./suspect-store.ts";

const HOUR_MS = 3_600_000;
const SETTLEMENT_ID = "0198f0a0-0000-7000-8000-000000000099";

let chain: Ledger["chain"];
let context: Ledger["context"];
let merchantId: Ledger["merchantId"];

/**
 * Deposits of all kinds: paid, paid late, reorganised and back, reorganised, pending, and in the other
 * currency.
 */
beforeAll(async () => {
  const ledger = await openLedger();
  ({ chain, context, merchantId } = ledger);
  await aMerchant(context.db);
  await paid({ amount: "25" }, { usdt: "25" });
  await paid({ amount: "7", status: "EXPIRED", expiresAt: new Date(Date.now() - HOUR_MS) }, { usdt: "7" });
  await paid({ kind: "receive", amount: "3" }, { trx: "3" });
  // Dust of the other currency has no event.
  await paid({ amount: "8" }, { trx: "0.01" });
  await chain.mine(1);
  await chain.scan(context);
  await paid({ amount: "6" }, { usdt: "6" });
  const [dropped = ""] = await paid({ amount: "9" }, { usdt: "9" });
  await chain.mine(1);
  await chain.scan(context);
  await chain.reorg({ depth: 1, drop: [dropped] });
  await chain.mine(2);
  await chain.scan(context);
  await chain.mine(20);
  await chain.scan(context);
  await paid({ amount: "4" }, { usdt: "4" });
  await chain.mine(2);
  await chain.scan(context);
  return ledger.close;
}, 60_000);

async function paid(
  overrides: Omit<ChargeOverrides, "merchantId">,
  amounts: { usdt?: string; trx?: string },
): Promise<string[]> {
  const { address } = await aCharge(context.db, { merchantId, ...overrides });
  return chain.pay(address, amounts);
}

/** A summary of the violations. */
function broken(diagnoses: readonly Diagnosis[]): Record<string, string[]> {
  return Object.fromEntries(
    diagnoses.flatMap(({ invariant, violations }) =>
      violations.length === 0 ? [] : [[invariant, violations.map(({ what }) => what).sort()]],
    ),
  );
}

it("finds nothing in a database that only the service wrote, whatever the chain did", async () => {
  const statuses = await context.owner.query<{ status: string }>(
    sql`select distinct status from deposits order by status`,
  );
  expect(statuses.map(({ status }) => status)).toEqual(["CONFIRMED", "CONFIRMING", "REORG_PENDING"]);
  const diagnoses = await auditDatabase(context.db, "devnet");
  expect(broken(diagnoses)).toEqual({});
  expect(diagnoses.map(({ invariant }) => invariant)).toEqual(
    "I1 I2 I3 I4 I5 I6 I13 I19 I21 I22 I25 I26 I27 I28".split(" "),
  );
});

it("checks in detail deposits that are not final or were reorganised, and no ordinary confirmed one", async () => {
  const later = await context.owner.query<{ id: string }>(
    sql`select id from deposits where ${whereShop()} and block_number > (select min(block_number) from deposits)`,
  );
  const [scope] = await listScopes(context.db, "devnet");
  const [range] = scope ? rangesOf(scope) : [];
  const suspects = range ? await listSuspects(context.db, range) : [];
  expect(later).toHaveLength(3);
  expect(suspects.toSorted()).toEqual(later.map(({ id }) => id).sort());
});

/** Damages a copy of the database by hand and returns the diagnoses. */
async function afterBreaking(...statements: Sql[]): Promise<Diagnosis[]> {
  const { db } = await copyLedger(context, statements);
  return auditDatabase(db, "devnet");
}

const whereShop = () => sql`merchant_id = ${merchantId}`;
/** Those in the first block were confirmed in the ordinary way; in the charge's own currency first. */
const confirmed = (skipped = 0) =>
  sql`(select id from deposits where ${whereShop()} and status = 'CONFIRMED' order by block_number, unmatched, id limit 1 offset ${skipped})`;
const alsoConfirmed = () => confirmed(1);
const aPaidBlock = sql`(select min(number) from blocks where orphaned_at is null and transfer_count > 0)`;

/** Damage of accidents and of an attacker with write access. */
const accidents: Record<string, { what: Record<string, string[]>; by: () => Sql[] }> = {
  "a transfer credited twice": {
    what: {
      I1: [
        "transfer that is credited more than once",
        "block whose transfers to us are not the deposits in it",
      ],
      I2: ["charge whose sums differ from those of its deposits", "deposit without a history"],
      I6: ["confirmed deposit without its event"],
      I25: ["confirmed deposit that is missing in the ledger"],
      I26: ["transfer to us with more than one deposit"],
    },
    by: () => [
      sql`alter table deposits drop constraint deposits_merchant_id_tx_id_network_source_event_index_addre_key`,
      sql`insert into deposits select (jsonb_populate_record(d, '{"id": "00000000-0000-0000-0000-000000000001"}')).*
        from deposits d where ${whereShop()} and id = ${confirmed()}`,
    ],
  },
  "a transfer in two deposits of our chain, to different addresses": {
    what: {
      I1: ["transfer that is credited more than once"],
      I13: ["deposit to another address than that of its charge"],
    },
    by: () => [
      sql`update deposits d set tx_id = other.tx_id, event_index = other.event_index, source = other.source, network = other.network,
          address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
        from deposits other where d.${whereShop()} and other.${whereShop()} and other.id = ${confirmed()}
          and d.id = ${alsoConfirmed()}`,
    ],
  },
  "a block with a transfer that was not credited": {
    what: { I1: ["block whose transfers to us are not the deposits in it"] },
    by: () => [
      sql`update blocks set transfer_count = transfer_count + 1 where number = ${aPaidBlock} and orphaned_at is null`,
    ],
  },
  "a raised sum": {
    what: { I2: ["charge whose sums differ from those of its deposits"] },
    by: () => [sql`update charge_sums set confirmed = confirmed + 1 where ${whereShop()} and confirmed > 0`],
  },
  "a raised deposit": {
    what: {
      I2: [
        "charge whose sums differ from those of its deposits",
        "deposit with another amount than its history",
      ],
      I25: ["deposit with other facts in the ledger"],
    },
    by: () => [sql`update deposits set units = units + 1 where ${whereShop()} and id = ${confirmed()}`],
  },
  "a deposit whose history is gone": {
    what: { I2: ["deposit without a history"] },
    by: () => [sql`delete from deposit_events where ${whereShop()} and deposit_id = ${confirmed()}`],
  },
  "a missing block": {
    what: { I3: ["block that does not follow the block read before it"] },
    by: () => [sql`delete from blocks where number = (select min(number) + 1 from blocks)`],
  },
  "a block of another branch": {
    what: { I3: ["block that does not follow the block read before it"] },
    by: () => [
      sql`update blocks set parent_id = repeat('0', 64)
        where number = (select max(number) - 1 from blocks where orphaned_at is null) and orphaned_at is null`,
    ],
  },
  "a cursor behind the newest block": {
    what: { I3: ["cursor that is not at the newest block"] },
    by: () => [sql`update scan_cursors set number = number - 1`],
  },
  "a deposit confirmed in a block that left the chain": {
    what: {
      I1: ["block whose transfers to us are not the deposits in it"],
      I4: ["confirmed deposit whose block is not in our chain"],
      I5: ["deposit with another status or block than its history"],
    },
    by: () => [
      sql`update blocks set transfer_count = 0 where id = (select block_id from deposits where ${whereShop()} and id = ${confirmed()})`,
      sql`update deposits set block_id = repeat('0', 64) where ${whereShop()} and id = ${confirmed()}`,
    ],
  },
  "a block with a confirmed deposit that was taken off the chain": {
    what: {
      I1: ["block whose transfers to us are not the deposits in it"],
      I3: ["block that does not follow the block read before it"],
      I4: ["confirmed deposit whose block is not in our chain"],
    },
    by: () => [
      sql`update blocks set orphaned_at = now()
        where id = (select block_id from deposits where ${whereShop()} and id = ${confirmed()})`,
    ],
  },
  "a confirmed deposit with another height": {
    what: { I4: ["confirmed deposit whose block is not in our chain"] },
    by: () => [
      sql`update deposits set block_number = block_number - 1 where ${whereShop()} and id = ${confirmed()}`,
    ],
  },
  "a deposit confirmed above what is final": {
    what: { I4: ["confirmed deposit above the block that is final"] },
    by: () => [sql`update scan_cursors set solid_number = 1`],
  },
  "a deposit confirmed too soon": {
    what: { I4: ["confirmed deposit with too few confirmations"] },
    by: () => [
      sql`update deposits set final_confirmations = 18 where ${whereShop()} and id = ${confirmed()}`,
    ],
  },
  "an unconfirmed deposit": {
    what: { I5: ["deposit with a step that its state machine does not have"] },
    by: () => [
      sql`insert into deposit_events (merchant_id, deposit_id, event, from_status, to_status, block_number, block_id, units, leader_epoch)
        select merchant_id, id, 'orphaned', status, 'REORG_PENDING', block_number, block_id, units, 1
        from deposits where ${whereShop()} and id = ${confirmed()}`,
    ],
  },
  "an invalid step on the way to a confirmed deposit": {
    what: { I5: ["deposit with a step that its state machine does not have"] },
    by: () => [
      sql`update deposit_events set event = 'included' where ${whereShop()} and deposit_id = ${confirmed()} and event = 'buried'`,
    ],
  },
  "a history that ends in another block, and one that ends with another amount": {
    what: {
      I2: ["deposit with another amount than its history"],
      I5: ["deposit with another status or block than its history"],
    },
    by: () => [
      sql`update deposit_events set units = units + 1
        where ${whereShop()} and deposit_id = ${confirmed()} and event = 'finalized'`,
      sql`update deposit_events set block_id = repeat('0', 64)
        where ${whereShop()} and deposit_id = ${alsoConfirmed()} and event = 'finalized'`,
    ],
  },
  "a history of a missing deposit": {
    what: { I2: ["history of a missing deposit"] },
    by: () => [
      sql`insert into deposit_events (merchant_id, deposit_id, event, to_status, block_number, block_id, units, leader_epoch)
        values (${merchantId}, gen_random_uuid(), 'detected', 'DETECTED', 1, repeat('0', 64), 1, 1)`,
    ],
  },
  "a confirmed deposit set to failed": {
    what: {
      I1: ["block whose transfers to us are not the deposits in it"],
      I2: ["charge whose sums differ from those of its deposits"],
      I5: [
        "deposit with a status off our chain and a block on it",
        "deposit with another status or block than its history",
      ],
      I6: ["event of a deposit that is not confirmed"],
      I25: ["deposit in the ledger that is not confirmed"],
    },
    by: () => [
      sql`update deposits set status = 'FAILED', failed_at = now(), failure_reason = 'dropped', confirmed_at = null,
          final_confirmations = null
        where ${whereShop()} and id = ${confirmed()}`,
    ],
  },
  "a confirmed deposit with another status, past the constraints": {
    what: {
      I2: ["charge whose sums differ from those of its deposits"],
      I5: ["deposit with another status or block than its history"],
      I6: ["event of a deposit that is not confirmed"],
      I25: ["deposit in the ledger that is not confirmed"],
    },
    by: () => [
      sql`do $$ declare name text; begin
        for name in select conname from pg_constraint where conrelid = 'deposits'::regclass and contype = 'c' loop
          execute format('alter table deposits drop constraint %I', name);
        end loop; end $$`,
      sql`update deposits set status = 'STUCK' where ${whereShop()} and id = ${confirmed()}`,
    ],
  },
  "a deposit with a changed status": {
    what: {
      I1: ["block whose transfers to us are not the deposits in it"],
      I5: [
        "deposit with a status off our chain and a block on it",
        "open deposit that is missing in open_deposits, or a final one in it",
        "deposit with another status or block than its history",
      ],
    },
    by: () => [
      sql`update deposits set status = 'REORG_PENDING' where ${whereShop()} and status = 'CONFIRMING'`,
    ],
  },
  "a deposit in our chain whose block is not": {
    what: {
      I1: ["block whose transfers to us are not the deposits in it"],
      I5: [
        "deposit with a status on our chain and a block off it",
        "deposit with another status or block than its history",
      ],
    },
    by: () => [
      sql`update blocks set transfer_count = 0 where id = (select block_id from deposits where ${whereShop()} and status = 'CONFIRMING')`,
      sql`update deposits set block_id = repeat('0', 64) where ${whereShop()} and status = 'CONFIRMING'`,
    ],
  },
  "an open deposit outside the directory": {
    what: { I5: ["open deposit that is missing in open_deposits, or a final one in it"] },
    by: () => [sql`delete from open_deposits`],
  },
  "a confirmed deposit that is looked after as if it were open": {
    what: { I5: ["open deposit that is missing in open_deposits, or a final one in it"] },
    by: () => [
      sql`insert into open_deposits (network, status, block_number, merchant_id, deposit_id)
        select network, 'CONFIRMING', block_number, merchant_id, id from deposits where ${whereShop()} and id = ${confirmed()}`,
    ],
  },
  "a confirmed deposit without its event": {
    what: { I6: ["confirmed deposit without its event"] },
    by: () => [
      sql`update webhook_events set type = 'deposit.stuck' where ${whereShop()} and resource_id = ${confirmed()}`,
    ],
  },
  "an event of a missing deposit": {
    what: { I6: ["event of a deposit that is not confirmed"] },
    by: () => [
      sql`insert into webhook_events (merchant_id, id, type, resource_id, sequence)
        values (${merchantId}, gen_random_uuid(), 'deposit.confirmed', gen_random_uuid(), 1)`,
    ],
  },
  "a deposit in the other currency announced as a payment": {
    what: { I6: ["confirmed deposit with an event of the wrong type"] },
    by: () => [
      sql`update webhook_events set type = 'deposit.confirmed' where ${whereShop()} and type = 'deposit.unmatched'`,
    ],
  },
  "a confirmed deposit that is missing in the ledger": {
    what: { I25: ["confirmed deposit that is missing in the ledger"] },
    by: () => [
      sql`with gone as (delete from ledger_entries where ${whereShop()} and transaction_id = ${confirmed()} returning *),
        total as (update ledger_totals total set units = total.units - gone.units, lines = total.lines - 1 from gone
          where total.merchant_id = gone.merchant_id and total.kind = gone.kind and total.currency = gone.currency)
        update address_contents content set units = content.units - gone.units, oldest_at = null from gone
        where content.merchant_id = gone.merchant_id and content.deposit_address_id = gone.deposit_address_id
          and content.currency = gone.currency`,
    ],
  },
  "a fee that was never agreed": {
    what: {
      I25: [
        "deposit with another fee than its charge's terms give",
        "total that differs from the sum of its entries",
      ],
    },
    by: () => [
      sql`insert into ledger_entries (merchant_id, deposit_address_id, transaction_id, line, kind, debit, credit, currency, units)
        select merchant_id, deposit_address_id, transaction_id, 1, 'fee', 'merchant', 'operator_fees', currency, 1
        from ledger_entries where ${whereShop()} and transaction_id = ${confirmed()}`,
    ],
  },
  "a fixed fee that an order has borne too little of": {
    what: { I25: ["order whose deposits bear a wrong part of the fixed fee"] },
    by: () => [
      sql`update deposit_addresses set fee_fixed_units = 1 where ${whereShop()} and kind = 'order'
        and id = (select deposit_address_id from deposits where ${whereShop()} and id = ${confirmed()})`,
    ],
  },
  "a balance that was raised": {
    what: {
      I25: ["total that differs from the sum of its entries"],
      I28: ["month of the journal with other held money than the ledger"],
    },
    by: () => [
      sql`update ledger_totals set units = units + 1 where ${whereShop()} and currency = 'USDT' and kind = 'deposit'`,
    ],
  },
  "a statement that claims an entry too many": {
    what: { I25: ["total that differs from the sum of its entries"] },
    by: () => [
      sql`update ledger_totals set lines = lines + 1 where ${whereShop()} and currency = 'USDT' and kind = 'deposit'`,
    ],
  },
  "an address that seems to hold more than was booked, or to be empty": {
    what: {
      I25: [
        "address with a wrong or missing time of its oldest money",
        "address whose content differs from the sum of its entries",
      ],
    },
    by: () => [
      sql`update address_contents set units = units + 1 where ${whereShop()} and currency = 'USDT'`,
      sql`update address_contents set oldest_at = null where ${whereShop()} and currency = 'TRX'`,
    ],
  },
  "an index that was used twice": {
    what: {
      I13: [
        "index from which more than one address was issued",
        "charge whose address is known under another index",
      ],
    },
    by: () => [sql`update address_directory set derivation_index = 0 where derivation_index = 1`],
  },
  "an index that would be taken again": {
    what: { I13: ["index that was issued and would be issued again"] },
    by: () => [sql`update account_keys set next_index = 1`],
  },
  "a charge with two addresses": {
    what: {
      I13: ["charge with more than one address", "charge whose address is known under another index"],
      I19: ["charge whose address is not watched"],
    },
    by: () => [
      sql`insert into address_directory
        select '\\x0000000000000000000000000000000000000000', merchant_id, charge_id, account_key_id, next_index - 1
        from address_directory cross join lateral (select next_index from account_keys) key limit 0`,
      sql`update address_directory set charge_id = (select charge_id from address_directory order by charge_id limit 1)`,
    ],
  },
  "an address of a missing charge": {
    what: { I13: ["address of a charge that there is not"] },
    by: () => [
      sql`insert into address_directory
        select '\\x0000000000000000000000000000000000000000', merchant_id, gen_random_uuid(), account_key_id, 100 from address_directory limit 1`,
      sql`update account_keys set next_index = 101`,
    ],
  },
  "an unwatched address": {
    what: { I19: ["charge whose address is not watched"] },
    by: () => [
      sql`delete from address_directory where charge_id = (select id from deposit_addresses where ${whereShop()} and status <> 'ACTIVE' limit 1)`,
    ],
  },
  "an address that was put into the row of a charge": {
    what: {
      I13: ["deposit to another address than that of its charge"],
      I19: ["charge that shows payers another address than its index derives to"],
    },
    by: () => [
      sql`update deposit_addresses set address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
        where ${whereShop()} and id = (select deposit_address_id from deposits where ${whereShop()} and id = ${confirmed()})`,
    ],
  },
  "an address with other bytes in the directory": {
    what: { I19: ["charge whose address is not watched"] },
    by: () => [
      sql`update address_directory set address = '\\x0000000000000000000000000000000000000000'
        where charge_id = (select id from deposit_addresses where ${whereShop()} limit 1)`,
    ],
  },
  "two charges with swapped addresses": {
    what: { I19: ["charge whose address is not watched"] },
    by: () => [
      sql`create table swapped as select address, row_number() over (order by address) as place from address_directory
        where merchant_id is not null order by address limit 2`,
      sql`update address_directory d set address = '\\x0000000000000000000000000000000000000000'
        from swapped where place = 1 and d.address = swapped.address`,
      sql`update address_directory d set address = first.address from swapped first, swapped second
        where first.place = 1 and second.place = 2 and d.address = second.address`,
      sql`update address_directory d set address = second.address from swapped second
        where second.place = 2 and d.address = '\\x0000000000000000000000000000000000000000'`,
    ],
  },
  "money for a charge that was not credited": {
    what: { I19: ["transfer to a charge's address that was not credited"] },
    by: () => [
      sql`insert into unattributed_transfers (network, tx_id, source, event_index, address, currency, units, block_number, block_id, block_time)
        select 'devnet', repeat('a', 64), 'log', 0, address, 'USDT', 1, 1, repeat('b', 64), now() from address_directory limit 1`,
    ],
  },
  "an event that was written twice": {
    what: { I21: ["event that was written more than once"] },
    by: () => [
      sql`insert into webhook_events (merchant_id, id, type, resource_id, sequence)
        select merchant_id, gen_random_uuid(), type, resource_id, 99 from webhook_events
        where ${whereShop()} and type = 'order.paid' limit 1`,
    ],
  },
  "a deposit that was announced twice": {
    what: { I21: ["event that was written more than once"] },
    by: () => [
      sql`insert into webhook_events (merchant_id, id, type, resource_id, sequence)
        select merchant_id, gen_random_uuid(), type, resource_id, 99 from webhook_events
        where ${whereShop()} and type in ('deposit.confirmed', 'deposit.unmatched') and resource_id = ${confirmed()}`,
    ],
  },
  "a block that a replaced watcher wrote": {
    what: { I22: ["block that was written under an older epoch than the one before it"] },
    by: () => [
      sql`update blocks set leader_epoch = 5 where orphaned_at is null and number = (select max(number) - 1 from blocks where orphaned_at is null)`,
    ],
  },
  "rows that a broken index of keys did not hold back": {
    what: {
      I26: [
        "API key with more than one entry in the directory",
        "lease with more than one holder",
        "xpub with more than one row",
      ],
    },
    by: () => [
      sql`alter table api_key_directory drop constraint api_key_directory_pkey`,
      sql`insert into api_key_directory (lookup_id, merchant_id, api_key_id)
        select repeat('a', 16), ${merchantId}, gen_random_uuid() from generate_series(1, 2)`,
      sql`alter table leases drop constraint leases_pkey`,
      sql`insert into leases select 'planted', 'holder', 1, now() from generate_series(1, 2)`,
      sql`alter table account_keys drop constraint account_keys_xpub_key`,
      sql`insert into account_keys (id, xpub) select gen_random_uuid(), 'planted' from generate_series(1, 2)`,
    ],
  },
  "a message that was written twice": {
    what: { I26: ["message to one receiver about one cause with more than one row"] },
    by: () => [
      sql`alter table messages drop constraint messages_merchant_id_cause_receiver_key`,
      sql`insert into messages (merchant_id, lane, kind, cause, receiver, created_at, mac, due_at, gives_up_at)
        select ${merchantId}, 'mail', 'paid', 'planted', 'planted', now(), decode(repeat('00', 32), 'hex'), now(), now()
        from generate_series(1, 2)`,
    ],
  },
  "a customer with two standing addresses": {
    what: { I26: ["customer with more than one standing address"] },
    by: () => [
      sql`insert into settlement_accounts (merchant_id, id, address)
        values (${merchantId}, ${SETTLEMENT_ID}, 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8')`,
      sql`drop index deposit_addresses_one_receive`,
      sql`update deposit_addresses set kind = 'receive', expected_units = null, expires_at = null, late_until = null,
          order_ref = null, settlement_account_id = ${SETTLEMENT_ID}, customer_ref = 'c-1'
        where ${whereShop()} and kind = 'order' and status = 'ACTIVE'`,
    ],
  },
  "a cursor that a watcher without a lease moved": {
    what: { I22: ["cursor with an epoch that the lease never had"] },
    by: () => [sql`update scan_cursors set leader_epoch = 99`],
  },
  "a deposit that a replaced watcher changed": {
    what: { I22: ["deposit that was changed under an older epoch than by its previous change"] },
    by: () => [
      sql`update deposit_events set leader_epoch = 5 where ${whereShop()} and event = 'detected' and deposit_id = ${confirmed()}`,
    ],
  },
};

describe("lists", () => {
  it.each(Object.entries(accidents))("%s", async (_, { what, by }) => {
    const sorted = Object.entries(what).map(([invariant, whats]) => [invariant, whats.toSorted()]);
    expect(broken(await afterBreaking(...by()))).toEqual(Object.fromEntries(sorted));
  });

  it("each row, ordinary confirmed ones too", async () => {
    const diagnoses = await afterBreaking(sql`update scan_cursors set solid_number = 1`);
    const [violation] = diagnoses.flatMap(({ violations }) => violations);
    const [{ count } = {}] = await context.owner.query<{ count: bigint }>(
      sql`select count(*) as count from deposits where ${whereShop()} and status = 'CONFIRMED'`,
    );
    expect(violation?.count).toBe(Number(count));
  });

  it("ten samples at most", async () => {
    const diagnoses = await afterBreaking(
      sql`insert into webhook_events (merchant_id, id, type, resource_id, sequence)
        select ${merchantId}, gen_random_uuid(), 'deposit.confirmed', gen_random_uuid(), 1 from generate_series(1, 30)`,
    );
    const [violation] = diagnoses.flatMap(({ violations }) => violations);
    expect([violation?.count, violation?.samples.length]).toEqual([30, 10]);
  });
});
