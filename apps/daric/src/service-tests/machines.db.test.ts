import { chargeMachine } from "@daric/domain/charge";
import { depositMachine, openDepositStatuses } from "@daric/domain/deposit";
import { deliveryMachine } from "@daric/domain/webhook-delivery";
import { sql } from "@daric/postgres/sql";
import { createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Every constraint, index predicate and default of a table that names a status, and the statuses it names. */
async function statusesInSchema(table: string): Promise<Record<string, string[]>> {
  const rows = await database.db.query<{ name: string; definition: string }>(sql`
    select conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where conrelid = ${table}::regclass and contype = 'c'
    union all
    select indexrelid::regclass::text, pg_get_expr(indpred, indrelid)
    from pg_index where indrelid = ${table}::regclass and indpred is not null
    union all
    select 'default', pg_get_expr(adbin, adrelid)
    from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
    where adrelid = ${table}::regclass and attname = 'status'
    order by name`);
  const namesStatus = rows.filter(({ definition }) => /status|^'/.test(definition));
  return Object.fromEntries(
    namesStatus.map(({ name, definition }) => [name, definition.match(/[A-Z_]+(?=')/g) ?? []]),
  );
}

// Migrations spell out statuses, so they must equal those of the machine.
describe("the statuses that the schema names are those of the machine", () => {
  it("of a charge", async () => {
    const { initial, states, edge } = chargeMachine;
    expect(await statusesInSchema("deposit_addresses")).toEqual({
      default: [initial],
      deposit_addresses_status_check: states,
      deposit_addresses_accepted_order: [edge("accepted").to],
      deposit_addresses_to_expire: edge("expired").from,
      deposit_addresses_to_archive: edge("quiet").from,
      deposit_addresses_newest_active: [initial],
      deposit_addresses_one_open_rest: [initial],
      deposit_addresses_newest_done: [initial],
      deposit_addresses_click_client: [initial],
      deposit_addresses_places_of_link: [edge("quiet").to],
    });
  });

  it("of a deposit", async () => {
    const { states, edge } = depositMachine;
    const confirmed = [edge("finalized").to];
    expect(await statusesInSchema("deposits")).toEqual({
      deposits_status_check: states,
      // The checks are numbered in the order of the migration: confirmed_at, final_confirmations; failed_at;
      // unpaid_block_id; stuck_reason.
      deposits_check1: confirmed,
      deposits_check2: confirmed,
      deposits_check3: [edge("failed").to],
      deposits_check5: [...edge("failed").from, edge("failed").to],
      deposits_check6: [edge("stalled").to],
    });
    expect(await statusesInSchema("open_deposits")).toEqual({
      open_deposits_status_check: openDepositStatuses,
    });
  });

  it("of a delivery", async () => {
    const { initial, states, edge } = deliveryMachine;
    const claimed = edge("claimed");
    expect(await statusesInSchema("webhook_deliveries")).toEqual({
      default: [initial],
      webhook_deliveries_status_check: states,
      webhook_deliveries_check: [claimed.to],
      webhook_deliveries_check1: claimed.from,
      webhook_deliveries_due: claimed.from,
      webhook_deliveries_expiring: claimed.from,
      webhook_deliveries_leased: [claimed.to],
      webhook_deliveries_newest_of_facet: [edge("accepted").to, edge("rejected").to, edge("spent").to],
    });
  });
});

// Which coins there are is in the programs alone, so that a coin needs no migration and a row adds none.
it("the schema names no coin: a code has a form", async () => {
  const checks = await database.db.query<{ definition: string }>(sql`
    select distinct replace(pg_get_constraintdef(oid), ' NOT VALID', '') as definition
    from pg_constraint where contype = 'c' and conname like '%currency_check'
      and conname not like '%fiat_currency_check' and conname not like '%pricing_currency_check'
      and conname not like '%book_currency_check'`);
  expect(checks).toEqual([{ definition: "CHECK ((currency ~ '^[A-Z0-9]{2,10}$'::text))" }]);
  const named = await database.db.query<{ name: string }>(sql`
    select conname as name from pg_constraint where contype = 'c' and pg_get_constraintdef(oid) ~ '''(USDT|TRX)'''`);
  expect(named).toEqual([]);
});
