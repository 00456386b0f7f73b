import { createAddressSource } from "@daric/addresses/address-source";
import { createCharge } from "@daric/charges/create/create-charge";
import { createChargeMemory } from "@daric/charges/create/write-charge";
import { createTermWriter } from "@daric/console/dashboard/search/write-terms";
import { scanChain } from "@daric/deposits/follow/scan-chain";
import type { MerchantId } from "@daric/domain/ids";
import { openDatabase } from "@daric/postgres/database";
import { type Database, sql } from "@daric/postgres/sql";
import { isNight } from "@daric/testing/at-night";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { aChargeRequest } from "@daric/testing/charge-request";
import { createTestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { noRates } from "@daric/testing/rate-builders";
import { KEPT, notingReads, type Reads } from "@daric/testing/rows-read";
import { aScanner, scanToRest } from "@daric/testing/watch";
import { anEndpointRow } from "@daric/testing/webhook-builders";
import type { ClaimedDelivery } from "@daric/webhooks/deliveries/delivery-store";
import { releaseClaims, saveAttempts } from "@daric/webhooks/deliveries/result-store";
import { claimDeliveries } from "@daric/webhooks/deliveries/worker";
import { afterAll, beforeAll, expect, it } from "vitest";

/** Reads of all that waits, in each step, grow with the square of a burst. So it is as large by day as at night. */
const PAYMENTS = 4_000;
/** In small tables the planner finds the merchant's index as cheap as a key, so there are not fewer orders by day. */
const ORDERS = isNight ? 1_000 : 400;
const PAYMENTS_EACH = PAYMENTS / ORDERS;
/** PostgreSQL may keep a statement's plan after its fifth run on a connection. */
const PAYMENTS_BEFORE = 8;
const BLOCK_MS = 3_000;
/** Makes payments final. */
const FINAL_AFTER = 25;
const FIRST_BLOCKS = 20;
/** Time for all payments, none of which is late. */
const EXPIRES_AFTER_MS = (FIRST_BLOCKS + PAYMENTS_BEFORE * (1 + FINAL_AFTER) + PAYMENTS_EACH + 1) * BLOCK_MS;
/** A node may read each payment so often in one statement. */
const OFTEN = 5;
/** All statements together may read so many rows of a table for each payment. */
const OFTEN_TOGETHER = 30;
const RECORDED_AT_ONCE = 40;
/** The sums of an order are written as a payment is found and as it is final. Explaining a statement first leaves a version too. */
const VERSIONS = 2 * 2 * PAYMENTS_EACH;
/**
 * A look-up by its whole key reads the levels of an index and the versions of the row. All of them may be left, since none goes while
 * a transaction of another test has been open for longer, in whichever database. Without the whole key it reads several times as many.
 */
const PAGES_OF_A_KEY = 5 + VERSIONS;

let context: Awaited<ReturnType<typeof createTestContext>>;
/** one connection, so that it keeps its plans */
let service: Database;
let merchantId: MerchantId;
const seen: Reads[] = [];

beforeAll(async () => {
  context = await createTestContext();
  const tables = await context.owner.query<{ name: string }>(sql`
    select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
  for (const { name } of tables)
    await context.owner.query(sql([`alter table ${name} set (autovacuum_enabled = off)`]));
  await makeIndexesLast();
  service = openDatabase({
    url: context.directUrl,
    max: 1,
    isKept: true,
    onError: () => undefined,
  });
  const startMs = Date.now();
  const chain = createForkChain(startMs);
  chain.mine(FIRST_BLOCKS);
  await scanToRest(context, await aScanner(context, chain.reader));
  merchantId = (await aMerchant(context.db)).id;
  await anEndpointRow(context.db, merchantId, { eventTypes: ["deposit.confirmed"] });
  const expiresAt = new Date(startMs + EXPIRES_AFTER_MS);
  const addresses = await unpaidOrders(expiresAt);
  for (let payment = 0; payment < PAYMENTS_BEFORE; payment += 1) {
    const { address } = await aCharge(context.db, { merchantId, currency: "TRX", amount: "1", expiresAt });
    await payAll(chain, [address], { times: 1, db: service });
    await deliverAll(service);
    await writeTerms(service);
  }
  const noting = notingReads(service, (reads) => seen.push(reads));
  await payAll(chain, addresses, { times: PAYMENTS_EACH, db: noting });
  await createOne(noting);
  await deliverAll(noting);
  await writeTerms(noting);
}, 300_000);
afterAll(async () => {
  await service.close();
  await context.close();
});

/** As a restored dump has them: of two that cost the same PostgreSQL takes the one made last, so keys lose. */
async function makeIndexesLast(): Promise<void> {
  const indexes = await context.owner.query<{ name: string; definition: string }>(sql`
    select quote_ident(relname) as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relkind = 'i' and not relispartition and relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = indexrelid)`);
  for (const { name, definition } of indexes) {
    await context.owner.query(sql([`drop index ${name}`]));
    await context.owner.query(sql([definition]));
  }
}

/** The addresses of orders, of which every second one expects more than it gets, and so expires. */
async function unpaidOrders(expiresAt: Date): Promise<string[]> {
  const addresses: string[] = [];
  while (addresses.length < ORDERS) {
    const some = Array.from({ length: 20 }, (_, place) =>
      aCharge(context.db, {
        merchantId,
        currency: "TRX",
        amount: String(PAYMENTS_EACH + (place % 2)),
        expiresAt,
      }),
    );
    for (const { address } of await Promise.all(some)) addresses.push(address);
  }
  return addresses;
}

/** Pays each address in each of a few blocks; all payments turn final together. */
async function payAll(
  chain: ForkChain,
  addresses: readonly string[],
  { times, db }: { times: number; db: Database },
): Promise<void> {
  for (let block = 0; block < times; block += 1) {
    for (const address of addresses) chain.pay(address, 1_000_000n);
    chain.mine(1);
  }
  const scanner = await aScanner(context, chain.reader);
  await scanChain({ ...context, db }, scanner);
  chain.mine(FINAL_AFTER);
  while (await scanChain({ ...context, db }, scanner));
}

async function createOne(db: Database): Promise<void> {
  const { id: apiKeyId } = await anApiKey(context, merchantId);
  const made = { ...context, db };
  const addresses = createAddressSource(made);
  const creating = { ...made, addresses, ...createChargeMemory(made.db), findRate: noRates };
  await createCharge(creating, aChargeRequest({ merchantId, apiKeyId }));
  await addresses.stop();
}

/** Results are recorded as they come, so in small batches. */
function partsOf(claims: readonly ClaimedDelivery[]): ClaimedDelivery[][] {
  const starts = Array.from(
    { length: Math.ceil(claims.length / RECORDED_AT_ONCE) },
    (_, n) => n * RECORDED_AT_ONCE,
  );
  return starts.map((start) => claims.slice(start, start + RECORDED_AT_ONCE));
}

async function deliverAll(db: Database): Promise<void> {
  const room = { free: 512, held: new Map(), rooms: new Map() };
  const claim = async () => (await claimDeliveries({ ...context, db }, room)).claims;
  // A worker that stops.
  await releaseClaims(db, await claim(), 0);
  for (let claims = await claim(); claims.length > 0; claims = await claim())
    for (const part of partsOf(claims)) await saveAttempts(db, part.map(acceptedResult));
}

async function writeTerms(db: Database): Promise<void> {
  const writer = createTermWriter({ db, clock: context.clock });
  while (await writer.step());
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
  const all = PAYMENTS_BEFORE + PAYMENTS;
  expect(counts).toEqual({ confirmed: all, delivered: all, expired: ORDERS / 2 });
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
  ["releasing", "attempt_count = attempt_count - 1"],
  ["the search's payments", "from deposits deposit"],
  ["the search's orders", 'order_ref as "orderRef", customer_ref'],
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

it("all statements together read a few rows of each table for each payment", () => {
  const rowsOf = new Map<string, number>();
  for (const { of, rows } of seen.flatMap(({ reads }) => reads.filter(({ of }) => of.startsWith(KEPT))))
    rowsOf.set(of, (rowsOf.get(of) ?? 0) + rows);
  expect([...rowsOf].filter(([, rows]) => rows > OFTEN_TOGETHER * PAYMENTS)).toEqual([]);
});
