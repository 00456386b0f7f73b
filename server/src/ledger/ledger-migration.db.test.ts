import { copyFile, mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "@daric/postgres/migrate";
import { type Database, sql } from "@daric/postgres/sql";
import { createEmptyDatabase } from "@daric/testing/database";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MIGRATIONS_DIRECTORY } from "../deployment/migrations.ts";
import { addEntries, findLedgerViolations, findWrongTotals } from "../doctor/ledger-check-store.ts";
import { depositFee, fixedFeeDue } from "../domain/fees.ts";
import { idOf } from "../domain/ids.ts";
import { amountIn } from "../domain/money.ts";
import { derivedId } from "../runtime/derived-id.ts";

const merchantId = idOf("merchant", "0198f0a0-0000-7000-8000-000000000001");
const id = (n: number) => `0198f0a0-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
const hash = (n: number) => n.toString(16).padStart(64, "0");
const address = (n: number) => `T${String.fromCharCode(97 + n).repeat(33)}`;
const ALL = { after: id(0), upTo: "ffffffff-ffff-ffff-ffff-ffffffffffff" };

/** An order and a receive address with 1.5 % and 2 USDT, and an order without a fee; deposits in the order of their blocks. */
const charges = [
  { n: 1, kind: "order", fee: { basisPoints: 150, fixed: amountIn("USDT", 2_000_000n) } },
  { n: 2, kind: "receive", fee: { basisPoints: 150, fixed: amountIn("USDT", 2_000_000n) } },
  { n: 3, kind: "order", fee: { basisPoints: 0, fixed: amountIn("USDT", 0n) } },
] as const;
const confirmed = [1_500_000n, 200_033n, 10_000_000n, 1n, 7_000_000n];

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let db: Database;

/** A database of the version before the ledger. */
beforeAll(async () => {
  database = await createEmptyDatabase();
  db = database.owner;
  const before = await mkdtemp(join(tmpdir(), "migrations-"));
  for (const name of (await readdir(MIGRATIONS_DIRECTORY)).filter((each) => each < "0027"))
    await copyFile(join(MIGRATIONS_DIRECTORY, name), join(before, name));
  await migrate(database.ownerUrl, before);
  await db.query(sql`insert into merchants (id, name) values (${merchantId}, 'shop')`);
  for (const charge of charges) await insertCharge(charge);
  for (const { n } of charges)
    for (const [place, units] of confirmed.entries()) await insertDeposit({ charge: n, place, units });
  await insertDeposit({ charge: 1, place: 10, units: 30_000_000n, currency: "TRX" });
  await insertDeposit({ charge: 1, place: 11, units: 5n, status: "CONFIRMING" });
  await insertChain();
  for (const [place, block] of [1, 2, 3].entries()) await insertOutflow(place, block);
  await migrate(database.ownerUrl, MIGRATIONS_DIRECTORY);
}, 60_000);
afterAll(() => database.drop());

async function insertCharge({ n, kind, fee }: (typeof charges)[number]): Promise<void> {
  const isOrder = kind === "order";
  await db.query(sql`
    insert into deposit_addresses (merchant_id, id, kind, account_key_id, derivation_index, address, currency, fee_mode,
      fee_basis_points, fee_fixed_units, tolerance_basis_points, expected_units, checkout_token, expires_at, late_until, status)
    values (${merchantId}, ${id(n)}, ${kind}, ${id(99)}, ${n}, ${address(n)}, 'USDT', 'merchant', ${fee.basisPoints},
      ${fee.fixed}, 0, ${isOrder ? 10_000_000n : null}, ${`t${n}`}, ${isOrder ? new Date() : null}, ${isOrder ? new Date() : null}, 'ACTIVE')`);
}

type NewDeposit = {
  readonly charge: number;
  readonly place: number;
  readonly units: bigint;
  readonly currency?: "USDT" | "TRX";
  readonly status?: "CONFIRMED" | "CONFIRMING";
};

const depositId = (charge: number, place: number) => id(charge * 1_000 + place);

async function insertDeposit({ charge, place, units, currency = "USDT", status = "CONFIRMED" }: NewDeposit) {
  const confirmations = status === "CONFIRMED" ? 19 : null;
  const confirmedAt = status === "CONFIRMED" ? `2026-0${1 + (place % 2)}-03T00:00:${10 + place}Z` : null;
  await db.query(sql`
    insert into deposits (merchant_id, id, deposit_address_id, network, tx_id, source, event_index, address, currency, units, status,
      block_number, block_id, block_time, required_confirmations, final_confirmations, late, past_window, unmatched, confirmed_at)
    values (${merchantId}, ${depositId(charge, place)}, ${id(charge)}, 'nile', ${hash(charge * 1_000 + place)}, 'log', 0,
      ${address(charge)}, ${currency}, ${units}, ${status}, ${place}, 'x', now(), 19, ${confirmations}, false, false,
      ${currency === "TRX"}, ${confirmedAt})`);
}

/** Block 1 is solid, block 2 has left the chain, block 3 is not solid. */
async function insertChain(): Promise<void> {
  for (const number of [1, 2, 3])
    await db.query(sql`
      insert into blocks (id, network, number, parent_id, time, transaction_count, transfer_count, leader_epoch, orphaned_at)
      values (${hash(number)}, 'nile', ${number}, 'x', '2026-02-01', 1, 1, 1, ${number === 2 ? new Date() : null})`);
  await db.query(sql`
    insert into scan_cursors (network, number, block_id, solid_number, time, leader_epoch)
    values ('nile', 3, ${hash(3)}, 2, now(), 1)`);
}

async function insertOutflow(place: number, block: number): Promise<void> {
  await db.query(sql`
    insert into outflows (merchant_id, network, tx_id, source, event_index, deposit_address_id, address, to_address, currency, units,
      is_merkle_proven, block_number, block_id)
    values (${merchantId}, 'nile', ${hash(500 + place)}, 'log', 0, ${id(2)}, ${address(2)}, ${address(9)}, 'USDT', 1000000,
      true, ${block}, ${hash(block)})`);
}

it("the migration books every confirmed deposit with the fees that the service would have charged", async () => {
  const rows = await db.query<{ line: string }>(sql`
    select concat_ws(' ', transaction_id, kind, units) as line from ledger_entries where kind <> 'outflow' order by 1`);
  const expected = charges.flatMap(({ n, ...terms }) => {
    let taken = amountIn("USDT", 0n);
    // Deposits are confirmed in the order of their numbers: those with even numbers in January, those with odd ones
    // in February.
    const order = [0, 2, 4, 1, 3];
    return order.flatMap((place) => {
      const units = amountIn("USDT", confirmed[place] ?? 0n);
      const { share, fixed } = depositFee(units, {
        basisPoints: terms.fee.basisPoints,
        fixedDue: fixedFeeDue(terms, taken),
      });
      taken = amountIn("USDT", taken + fixed);
      const named = (kind: string, amount: bigint) =>
        amount === 0n ? [] : [`${depositId(n, place)} ${kind} ${amount}`];
      return [...named("deposit", units), ...named("fee", share), ...named("fixed_fee", fixed)];
    });
  });
  expect(rows.map(({ line }) => line).toSorted()).toEqual(
    [...expected, `${depositId(1, 10)} unmatched 30000000`].toSorted(),
  );
});

it("the migration books outflows of solid blocks under the ids that the service derives, and leaves the others open", async () => {
  const booked = await db.query<{ id: string; line: string }>(sql`
    select transaction_id as id, concat_ws(' ', debit, credit, units) as line from ledger_entries where kind = 'outflow'`);
  expect(booked).toEqual([
    {
      id: derivedId("outflow", "nile", hash(500), "log", 0, address(2)),
      line: "merchant on_addresses 1000000",
    },
  ]);
  const open = await db.query<{ txId: string }>(
    sql`select tx_id as "txId" from open_outflows order by tx_id`,
  );
  expect(open.map(({ txId }) => txId)).toEqual([hash(501), hash(502)]);
});

it("the migration makes balances without a violation, in the months of the confirmations", async () => {
  const scope = { merchantIds: [merchantId] };
  const sums = new Map<string, bigint>();
  await addEntries(db, sums, { ...scope, ...ALL });
  expect([
    ...(await findLedgerViolations(db, scope, ALL)),
    ...(await findWrongTotals(db, scope, sums)),
  ]).toEqual([]);
  const months = await db.query<{ month: string }>(sql`
    select distinct to_char(month, 'YYYY-MM') as month from ledger_totals order by 1`);
  expect(months).toEqual([{ month: "2026-01" }, { month: "2026-02" }]);
});
