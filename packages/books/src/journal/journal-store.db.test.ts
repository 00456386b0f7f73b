import { booked } from "@daric/ledger/store";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { plansOf } from "@daric/testing/plans";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listJournalFacts } from "./journal-store.ts";

const ENTRIES = 5_000;
let context: Awaited<ReturnType<typeof createTestContext>>;

beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

it("a part of the journal reads as many rows as it has, by the index of each half, whatever the merchant's number of entries", async () => {
  const { id: merchantId } = await aMerchant(context.db);
  const { id } = await aCharge(context.db, { merchantId });
  for (const [kind, debit, credit] of [
    ["outflow", "merchant", "on_addresses"],
    ["top_up", "on_addresses", "gas"],
  ])
    await context.owner.query(sql`
      with ${booked(sql`
        select ${merchantId}::uuid as merchant_id, ${id}::uuid as deposit_address_id, gen_random_uuid() as transaction_id, 0 as line,
          ${kind} as kind, ${debit} as debit, ${credit} as credit, 'TRX' as currency, n as units, null::uuid, null
        from generate_series(1, ${ENTRIES}::integer) n`)} select 1`);
  await context.owner.query(sql`
    insert into refunds (merchant_id, id, deposit_address_id, currency, units, status, address, claim_until, paid_units, completed_at, mac)
    select ${merchantId}, gen_random_uuid(), ${id}, 'USDT', 1, 'COMPLETED', 'T', now(), 1, now() - n * interval '1 second',
      decode(repeat('00', 32), 'hex')
    from generate_series(1, ${ENTRIES}::integer) n`);
  await context.owner.query(sql`
    update ledger_entries set booked_at = now() - units * interval '1 second' where merchant_id = ${merchantId}`);
  await context.owner.query(sql`analyze ledger_entries, refunds`);
  const url = context.config.runtime.databaseUrl;
  const plans = await plansOf({ db: context.db, url }, (db) =>
    listJournalFacts(db, { merchantId }, { limit: 50, after: undefined }),
  );
  // The times of the refunds' blocks are a query of their own.
  const ofEntries = plans.filter(({ scans }) => scans.some((scan) => scan.startsWith("ledger_entries")));
  expect(ofEntries.length).toBeGreaterThan(0);
  for (const { scans } of ofEntries) {
    expect(scans).toContain("ledger_entries by ledger_entries_of_journal");
    expect(scans).toContain("refunds by refunds_completed");
    expect(scans.filter((scan) => scan === "ledger_entries whole" || scan === "refunds whole")).toEqual([]);
  }
});
