import { sql } from "@daric/postgres/sql";
import { isNight } from "@daric/testing/at-night";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { aChargeRequest } from "@daric/testing/charge-request";
import { createTestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { noRates } from "@daric/testing/rate-builders";
import { notingReads, type Reads } from "@daric/testing/rows-read";
import { aScanner, scanToRest } from "@daric/testing/watch";
import { anEndpointRow } from "@daric/testing/webhook-builders";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAddressSource } from "../addresses/address-source.ts";
import { createCharge } from "../charges/create-charge.ts";
import { createChargeMemory } from "../charges/write-charge.ts";
import { scanChain } from "../deposits/follow/scan-chain.ts";
import type { MerchantId } from "../domain/ids.ts";
import type { ClaimedDelivery } from "../webhooks/deliveries/delivery-store.ts";
import { saveAttempts } from "../webhooks/deliveries/result-store.ts";
import { claimDeliveries } from "../webhooks/deliveries/worker.ts";

/** In small tables the planner finds the merchant's index as cheap as a key, so the day's fewer orders ask for more. */
const ORDERS = isNight ? 1_000 : 500;
const PAYMENTS_EACH = 4;
const PAYMENTS = ORDERS * PAYMENTS_EACH;
/** A node may read each payment so often in one statement. */
const OFTEN = 5;
/** A look-up by its whole key reads the levels of an index and a few versions of the row. */
const PAGES_OF_A_KEY = 16;

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
const seen: Reads[] = [];

beforeAll(async () => {
  context = await createTestContext();
  const tables = await context.owner.query<{ name: string }>(sql`
    select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
  for (const { name } of tables)
    await context.owner.query(sql([`alter table ${name} set (autovacuum_enabled = off)`]));
  const startMs = Date.now();
  const chain = createForkChain(startMs);
  chain.mine(20);
  await scanToRest(context, await aScanner(context, chain.reader));
  merchantId = (await aMerchant(context.db)).id;
  await anEndpointRow(context.db, merchantId, { eventTypes: ["deposit.confirmed"] });
  const addresses = await unpaidOrders(new Date(startMs + 90_000));
  await payAll(chain, addresses);
  await createOne();
  await deliverAll();
}, 300_000);
afterAll(() => context.close());

/** The addresses of orders, of which every second one expects more than it gets, and so expires. */
async function unpaidOrders(expiresAt: Date): Promise<string[]> {
  const addresses: string[] = [];
  while (addresses.length < ORDERS) {
    const some = Array.from({ length: 20 }, (_, place) =>
      aCharge(context.db, { merchantId, currency: "TRX", amount: place % 2 === 0 ? "4" : "5", expiresAt }),
    );
    for (const { address } of await Promise.all(some)) addresses.push(address);
  }
  return addresses;
}

const noting = () => ({ ...context, db: notingReads(context.db, (reads) => seen.push(reads)) });

/** Pays each address in each of a few blocks; all payments turn final together. */
async function payAll(chain: ForkChain, addresses: readonly string[]): Promise<void> {
  for (let block = 0; block < PAYMENTS_EACH; block += 1) {
    for (const address of addresses) chain.pay(address, 1_000_000n);
    chain.mine(1);
  }
  const scanner = await aScanner(context, chain.reader);
  await scanChain(noting(), scanner);
  chain.mine(60);
  while (await scanChain(noting(), scanner));
}

async function createOne(): Promise<void> {
  const { id: apiKeyId } = await anApiKey(context, merchantId);
  const made = noting();
  const addresses = createAddressSource(made);
  const creating = { ...made, addresses, ...createChargeMemory(made.db), findRate: noRates };
  await createCharge(creating, aChargeRequest({ merchantId, apiKeyId }));
  await addresses.stop();
}

async function deliverAll(): Promise<void> {
  const { db } = noting();
  const room = { free: 512, held: new Map(), rooms: new Map() };
  const claim = async () => (await claimDeliveries({ ...context, db }, room)).claims;
  for (let claims = await claim(); claims.length > 0; claims = await claim())
    await saveAttempts(db, claims.map(acceptedResult));
}

function acceptedResult(claim: ClaimedDelivery) {
  const attempt = { statusCode: 200, snippet: "", error: null, durationMs: 1, attemptedAt: new Date() };
  return { claim, attempt, verdict: { event: "accepted", delayMs: null } as const };
}

it("all payments of a merchant are final and delivered before the tables were ever analyzed", async () => {
  const [counts] = await context.db.query(sql`
    select (select count(*) from deposits where status = 'CONFIRMED')::integer as confirmed,
      (select count(*) from webhook_deliveries where status = 'DELIVERED')::integer as delivered,
      (select count(*) from deposit_addresses where status = 'EXPIRED')::integer as expired`);
  expect(counts).toEqual({ confirmed: PAYMENTS, delivered: PAYMENTS, expired: ORDERS / 2 });
  const [analyzed] = await context.owner.query(sql`
    select count(*)::integer as tables from pg_stat_user_tables where last_autoanalyze is not null`);
  expect(analyzed).toEqual({ tables: 0 });
});

it.each([
  ["creating", "insert into deposit_addresses"],
  ["recording", "insert into deposits "],
  ["confirming and stuck", "update deposits changed"],
  ["the sums", "insert into charge_sums"],
  ["the checks", "insert into deposit_checks"],
  ["reading orders", "from deposit_addresses charge"],
  ["expiring", "archives_at = greatest"],
  ["the ledger", "insert into ledger_entries"],
  ["the outbox", "insert into webhook_events"],
  ["claiming", "lease_number = delivery.lease_number + 1"],
  ["results", "insert into webhook_attempts"],
  ["everything else", ""],
])("%s reads each row a few times, and a row that it joins by its whole key", (_what, part) => {
  const found = seen.filter(({ text }) => text.includes(part));
  expect(found.length, `a statement with ${part}`).toBeGreaterThan(0);
  for (const { text, reads } of found) {
    const tooMuch = reads.filter(
      ({ rows, runs, pagesPerRun }) => rows > OFTEN * PAYMENTS || (runs > 20 && pagesPerRun > PAGES_OF_A_KEY),
    );
    expect(tooMuch, text).toEqual([]);
  }
});
