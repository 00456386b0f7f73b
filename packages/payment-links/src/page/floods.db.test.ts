import { newCheckoutToken } from "@daric/charges/checkout-token";
import type { MerchantId } from "@daric/domain/ids";
import { parseAmount } from "@daric/domain/money";
import { clickLimits } from "@daric/domain/payment-link";
import type { ApiApp } from "@daric/http/api-app";
import { type Database, sql } from "@daric/postgres/sql";
import { createApp, createMemory } from "@daric/server/app";
import { isNight } from "@daric/testing/at-night";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { aPaymentLink } from "@daric/testing/payment-link-builder";
import { freshRates } from "@daric/testing/rate-builders";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

const VIEWS = isNight ? 20_000 : 300;
const VIEWS_WITHIN_MS = 300_000;
const FAILURES_PER_MINUTE = 5;

let context: Awaited<ReturnType<typeof createTestContext>>;
let memory: ReturnType<typeof createMemory>;
let app: ApiApp;
let merchantId: MerchantId;
let nowMs = 0;
let statements = { queries: 0, transactions: 0 };

/** The database with a count of its statements. */
function counting(db: Database): Database {
  return {
    query: (statement) => {
      statements.queries += 1;
      return db.query(statement);
    },
    transaction: (work) => {
      statements.transactions += 1;
      return db.transaction(work);
    },
    answeringWithin: (ms) => counting(db.answeringWithin(ms)),
    forTenant: (tenant) => counting(db.forTenant(tenant)),
    close: () => db.close(),
  };
}

beforeAll(async () => {
  context = await createTestContext({
    TRUSTED_PROXIES: "127.0.0.1",
    RATE_LIMIT_UNKNOWN_TOKEN_PER_MINUTE: String(FAILURES_PER_MINUTE),
  });
  const counted = {
    ...context,
    db: counting(context.db),
    clock: { now: () => new Date(), monotonicMs: () => nowMs },
  };
  memory = { ...createMemory(counted), findRate: freshRates };
  app = createApp(counted, { memory });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await memory.addresses.stop();
  await context.close();
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
  nowMs += 60_000;
});

let client = 0;
const newAddress = () => {
  client += 1;
  return `203.0.${client >> 8}.${client & 255}`;
};
async function statusOf(
  method: "GET" | "POST",
  url: string,
  { address = newAddress(), payload }: { address?: string; payload?: object } = {},
): Promise<number> {
  const headers = { "x-forwarded-for": address };
  return (await app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode;
}
const aTicket = () => aPaymentLink(context, merchantId, { amount: parseAmount("25") ?? null });

/** The statements of the service meanwhile. */
async function statementsOf(work: () => Promise<unknown>): Promise<typeof statements> {
  statements = { queries: 0, transactions: 0 };
  await work();
  return statements;
}

it(
  "looking costs one read a second and makes no row, however many look",
  async () => {
    const { token } = await aTicket();
    const rows = () =>
      context.owner.query(sql`
      select (select count(*) from deposit_addresses) as charges, (select count(*) from token_directory) as tokens,
        (select sum(next_index) from account_keys) as indexes`);
    const look = async () => {
      for (let n = 0; n < VIEWS / 2; n += 1)
        expect(await statusOf("GET", `/l/${token}?ref=r${n}&amount=5`)).toBe(200);
    };
    const before = await rows();
    await statusOf("GET", `/l/${token}`);
    expect(await statementsOf(look)).toEqual({ queries: 0, transactions: 0 });
    nowMs += 1_000;
    // The link and its shop.
    expect(await statementsOf(look)).toEqual({ queries: 2, transactions: 0 });
    expect(await rows()).toEqual(before);
  },
  VIEWS_WITHIN_MS,
);

it("a made-up token costs no statement", async () => {
  const made = `${"A".repeat(39)}B`;
  const guess = async () => {
    expect(await statusOf("GET", `/l/${made}`)).toBe(404);
    expect(await statusOf("POST", `/l/${made}`)).toBe(404);
    expect(await statusOf("POST", `/v1/links/${made}/orders`, { payload: {} })).toBe(404);
  };
  expect(await statementsOf(guess)).toEqual({ queries: 0, transactions: 0 });
});

it("tokens of no link that this service could have made are refused for an address that asks for many", async () => {
  const address = newAddress();
  const statuses: number[] = [];
  for (let n = 0; n <= FAILURES_PER_MINUTE; n += 1)
    statuses.push(await statusOf("GET", `/l/${newCheckoutToken(context.checkoutKey)}`, { address }));
  expect(statuses).toEqual([...Array.from({ length: FAILURES_PER_MINUTE }, () => 404), 429]);
  const { token } = await aTicket();
  expect(await statusOf("GET", `/l/${token}`, { address })).toBe(200);
});

it("clicks on a link that has all its open orders cost one transaction a second, and the same click finds its order", async () => {
  const { token } = await aTicket();
  const url = `/v1/links/${token}/orders`;
  const click = (attempt?: string) => statusOf("POST", url, { payload: { attempt } });
  const attempt = "abcdefghij0123456789";
  expect(await click(attempt)).toBe(201);
  for (let n = 1; n < clickLimits.openOfLink; n += 1) expect(await click()).toBe(201);
  const flood = async () => {
    for (let n = 0; n < 50; n += 1) expect(await click()).toBe(429);
    expect(await click(attempt)).toBe(201);
  };
  for (let second = 0; second < 2; second += 1) {
    nowMs += 1_000;
    expect((await statementsOf(flood)).transactions).toBe(1);
  }
});

it("the page of a link that takes no click is drawn for each language and address", async () => {
  const { token, id } = await aTicket();
  await context.owner.query(sql`update payment_links set is_active = false where id = ${id}`);
  const page = async (query: string) => (await app.inject({ url: `/l/${token}${query}` })).body;
  for (const [query, language] of [
    ["?lang=ar", "ar"],
    ["?lang=tr&ref=mail", "tr"],
    ["?lang=tr&ref=post", "tr"],
  ] as const) {
    const markup = await page(query);
    expect(markup).toContain(`<html lang="${language}"`);
    expect(await page(query)).toBe(markup);
    if (query.includes("ref")) expect(markup).toContain(query.slice(query.indexOf("ref")));
  }
});
