import { copyFile, mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "@daric/postgres/migrate";
import { sql } from "@daric/postgres/sql";
import { createEmptyDatabase } from "@daric/testing/database";
import { expect, it } from "vitest";
import { MIGRATIONS_DIRECTORY } from "./migrations.ts";

it("the migration of shares keeps the payment state of a paid order, and computes that of an open one by its deposits' quotes", async () => {
  const database = await createEmptyDatabase();
  const before = await mkdtemp(join(tmpdir(), "migrations-"));
  for (const name of (await readdir(MIGRATIONS_DIRECTORY)).filter((each) => each < "0022"))
    await copyFile(join(MIGRATIONS_DIRECTORY, name), join(before, name));
  await migrate(database.ownerUrl, before);
  const db = database.owner;
  const merchantId = "0198f0a0-0000-7000-8000-000000000001";
  const id = (n: number) => `0198f0a0-0000-7000-8000-0000000000${(n + 16).toString(16)}`;
  await db.query(sql`insert into merchants (id, name) values (${merchantId}, 'shop')`);
  for (const [n, paid] of [
    [1, true],
    [2, false],
  ] as const) {
    await db.query(sql`insert into deposit_addresses (merchant_id, id, kind, account_key_id, derivation_index, address, currency, fee_mode,
      fee_basis_points, fee_fixed_units, tolerance_basis_points, expected_units, fiat_currency, fiat_amount, checkout_token, expires_at, late_until,
      newest_quote_id, quote_rate_e4, quote_source, quote_expires_at, paid_at, status)
      values (${merchantId}, ${id(n)}, 'order', ${id(9)}, ${n}, ${`T${"a".repeat(33)}`}, 'TRX', 'merchant', 0, 0, 0, 1000000000, 'USD', '100', ${`t${n}`}, now(), now(),
      ${id(20 + n)}, 100000, 's', now(), ${paid ? new Date() : null}, ${paid ? "ARCHIVED" : "ACTIVE"})`);
    // the older quote, at 10, counts; the newest is at 20
    for (const [q, rate] of [
      [10 + n, 100000],
      [20 + n, 200000],
    ] as const)
      await db.query(sql`insert into quotes (merchant_id, id, deposit_address_id, rate_e4, source, expected_units, fetched_at, locked_at, expires_at)
        values (${merchantId}, ${id(q)}, ${id(n)}, ${rate}, 's', ${rate * 10000}, now(), now(), now() + interval '1 minute' * ${q})`);
    for (const [d, q, units, status] of [
      [30 + n, 10 + n, 600000000, "CONFIRMED"],
      [40 + n, 20 + n, 400000000, "CONFIRMED"],
      [50 + n, 20 + n, 100, "CONFIRMING"],
    ] as const)
      await db.query(sql`insert into deposits (merchant_id, id, deposit_address_id, network, tx_id, source, event_index, address, currency, units, status,
        block_number, block_id, block_time, required_confirmations, final_confirmations, late, past_window, unmatched, confirmed_at, quote_id)
        values (${merchantId}, ${id(d)}, ${id(n)}, 'nile', ${d.toString(16).padStart(64, "0")}, 'transfer', 0, 'T', 'TRX', ${units}, ${status}, 1, 'x', now(), 19,
        ${status === "CONFIRMED" ? 19 : null}, false, false, false, ${status === "CONFIRMED" ? new Date() : null}, ${id(q)})`);
    await db.query(
      sql`insert into charge_sums (merchant_id, deposit_address_id, confirmed) values (${merchantId}, ${id(n)}, 1000000000)`,
    );
  }
  await migrate(database.ownerUrl, MIGRATIONS_DIRECTORY);
  const rows =
    await db.query(sql`select c.quote_rate_e4::text as rate, c.expected_units::text as due, s.confirmed_share as conf, s.confirmed_on_time_share as ontime, s.confirmed_in_window_share as inw, s.pending_share as pend,
    div(s.confirmed_share * c.expected_units, 1000000000000000000) as credited, (c.newest_quote_id = ${id(11)}) as frozen
    from deposit_addresses c join charge_sums s on s.deposit_address_id = c.id order by c.id`);
  await database.drop();
  const whole = "1000000000000000000";
  const part = "800000000000000000";
  expect(rows).toEqual([
    // 600 and 400 of the 1,000 that were due when it was paid
    {
      rate: "100000",
      due: "1000000000",
      conf: whole,
      ontime: whole,
      inw: whole,
      pend: "100000000000",
      credited: "1000000000",
      frozen: true,
    },
    // 600 of 1,000 and 400 of 2,000, of the 2,000 of the newest offer
    {
      rate: "200000",
      due: "2000000000",
      conf: part,
      ontime: part,
      inw: part,
      pend: "50000000000",
      credited: "1600000000",
      frozen: false,
    },
  ]);
});
