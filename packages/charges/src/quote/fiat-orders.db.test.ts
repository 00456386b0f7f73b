import type { LocalCurrency } from "@daric/domain/fiat";
import type { MerchantId } from "@daric/domain/ids";
import { amountIn } from "@daric/domain/money";
import { QUOTE_LOCK_MS } from "@daric/domain/quote";
import { type FindRate, throughTether } from "@daric/domain/rate";
import type { ApiApp } from "@daric/http/api-app";
import type { MerchantTerms } from "@daric/merchants/merchant-terms";
import { sql } from "@daric/postgres/sql";
import { createApp, createMemory } from "@daric/server/app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { createTestContext, withSettings } from "@daric/testing/context";
import { aRate } from "@daric/testing/rate-builders";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

const PATH = "/v1/deposit-addresses";
const USUAL = { TRX: 31_260_000n, EUR: 86_130_000n, JPY: 15_637_000_000n, NGN: 145_700_000_000n };
const SHORT_LOCK_MS = 300;
/** Prices in 10^-8: of TRX in USD, and of 1 USDT in each currency. */
let prices: typeof USUAL;
let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: TestChain;
let merchantId: MerchantId;
let headers: { "x-api-key": string };
/** Locks rates for ten minutes. */
let lasting: ApiApp;
/** Locks rates for a moment. */
let brief: ApiApp;

beforeAll(async () => {
  [context, chain] = await Promise.all([createTestContext(), startTestChain()]);
  lasting = open();
  brief = open(SHORT_LOCK_MS);
});
afterAll(async () => {
  await Promise.all([lasting.close(), brief.close()]);
  await chain.stop();
  await context.close();
});
beforeEach(async () => {
  prices = USUAL;
  await signIn();
});

/** 1 USDT is 0.9997 USD. */
const findRate: FindRate = async (currency, fiatCurrency) => {
  const tether = aRate("USDT", { source: "delta" });
  const priceE8 = prices[fiatCurrency as keyof typeof prices];
  const local = aRate("USDT", { fiatCurrency, priceE8, source: "beta+epsilon" });
  if (currency === "USDT") return local;
  return throughTether(aRate("TRX", { priceE8: prices.TRX, source: "alpha+beta" }), { local, tether });
};

function open(quoteLockMs = QUOTE_LOCK_MS): ApiApp {
  const memory = createMemory(context);
  const often = withSettings(context, { checkout: { requotesPerMinute: 10_000 } });
  const app = createApp(often, { memory: { ...memory, findRate, quoteLockMs } });
  app.addHook("onClose", () => memory.addresses.stop());
  return app;
}

async function signIn(terms: Partial<MerchantTerms> = {}): Promise<void> {
  merchantId = (await aMerchant(context.db, terms)).id;
  headers = { "x-api-key": (await anApiKey(context, merchantId)).key };
}

async function send(app: ApiApp, method: "GET" | "POST", url: string, payload?: object) {
  const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, ...answer.json() };
}

const create = (pricingCurrency: LocalCurrency, body: object, app = lasting) =>
  send(app, "POST", PATH, { pricingCurrency, ...body });
const row = async ({ id }: { id: string }) => (await send(lasting, "GET", `${PATH}/${id}`)).data;
const askForRest = ({ id }: { id: string }) => send(lasting, "POST", `${PATH}/${id}/rest`);
const requote = ({ checkout_token: token }: { checkout_token: string }) =>
  send(lasting, "POST", `/v1/checkout/${token}/requote`);

async function pay(address: string, amounts: { usdt?: string; trx?: string }): Promise<void> {
  await chain.pay(address, amounts);
  await chain.mine(25);
  await chain.scan(context);
}

/** The data of the newest event of this type about an order. */
async function eventOf({ id }: { id: string }, type: string) {
  const [event] = await context.db.query<{ body: string }>(sql`
    select convert_from(body.body, 'utf8') as body from webhook_events event
    join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
    where event.merchant_id = ${merchantId} and type = ${type}
      and convert_from(body.body, 'utf8')::json #>> '{data,depositAddressId}' = ${id}
    order by sequence desc limit 1`);
  return JSON.parse(event?.body ?? "{}").data;
}

/** Requests a quote until the short lock is over. */
async function requoteTo(order: { checkout_token: string }, payAmount: string): Promise<void> {
  await expect
    .poll(async () => (await requote(order)).data?.order.payAmount, { timeout: 20_000 })
    .toBe(payAmount);
}

describe("an order that is created in a currency other than USD", () => {
  it.each([
    { code: "EUR", coin: "USDT", amount: "25.50", rate: "1.1610356438", expected: "29.606409" },
    { code: "EUR", coin: "TRX", amount: "25.50", rate: "3.7130113982", expected: "94.681791" },
    { code: "JPY", coin: "USDT", amount: "10000", rate: "0.0063950886", expected: "63.950886" },
    { code: "JPY", coin: "TRX", amount: "10000", rate: "0.0204515997", expected: "204.515997" },
    { code: "NGN", coin: "USDT", amount: "41250.75", rate: "0.0006863418", expected: "28.312115" },
    { code: "NGN", coin: "TRX", amount: "41250.75", rate: "0.0021949325", expected: "90.542612" },
  ] as const)(
    "of $amount $code costs $expected $coin: its rate has 10 decimals, and both are rounded up",
    async ({ code, coin, amount, rate, expected }) => {
      const { status, data } = await create(code, { amount, currency: coin });
      expect(status).toBe(201);
      expect(data).toMatchObject({
        currency: coin,
        expected_amount: expected,
        pay_amount: null,
        amount_due: expected,
        fiat_currency: code,
        fiat_amount: amount,
        quote_rate: rate,
        quote_source: coin === "USDT" ? "beta+epsilon" : "alpha+beta+delta+epsilon",
      });
      expect(await row(data)).toMatchObject(data);
      const quotes = await context.db.query(sql`
        select rate_e4 as "rateE4", rate_e10 as "rateE10" from quotes
        where merchant_id = ${merchantId} and deposit_address_id = ${data.id}`);
      expect(quotes).toEqual([{ rateE4: null, rateE10: BigInt(rate.replace(/^0?\.?0*|\./g, "")) }]);
    },
  );

  it.each([
    ["EUR", "19.9900", "19.99"],
    ["EUR", "20.000000", "20"],
    ["JPY", "100.00", "100"],
  ] as const)("in %s of %s costs what %s costs, and fiat_amount stays as sent", async (code, sent, plain) => {
    const { status, data } = await create(code, { amount: sent });
    expect([status, data.fiat_amount, data.expected_amount]).toEqual([
      201,
      sent,
      (await create(code, { amount: plain })).data.expected_amount,
    ]);
  });

  it("in client fee mode adds the fee to the quoted price", async () => {
    await signIn({
      feeMode: "client",
      feeBasisPoints: 100,
      feeFixedUsdt: amountIn("USDT", 500_000n),
    });
    expect((await create("EUR", { amount: "24.9" })).data).toMatchObject({
      expected_amount: "28.909788",
      pay_amount: "29.706857",
      fiat_amount: "24.9",
    });
  });

  it("is refused if the sum has more than 12 digits before the point", async () => {
    expect(await create("EUR", { amount: "999999999999" })).toMatchObject({
      status: 422,
      error: { code: "VALIDATION_ERROR", details: [{ path: "amount" }] },
    });
  });
});

describe("a requote", () => {
  it.each([
    { code: "EUR", coin: "USDT", amount: "100", expected: "111.111112", rate: "1.1111111112" },
    { code: "JPY", coin: "USDT", amount: "10000", expected: "66.666667", rate: "0.0066666667" },
    { code: "NGN", coin: "TRX", amount: "41250.75", expected: "87.947057", rate: "0.0021320111" },
  ] as const)(
    "of an order in $code locks the rate of now, and its fiat amount stays",
    async ({ code, coin, amount, expected, rate }) => {
      const { data: order } = await create(code, { amount, currency: coin }, brief);
      prices = { ...USUAL, EUR: 90_000_000n, JPY: 15_000_000_000n, NGN: 150_000_000_000n };
      await requoteTo(order, expected);
      expect(await row(order)).toMatchObject({
        expected_amount: expected,
        fiat_currency: code,
        fiat_amount: amount,
        quote_rate: rate,
      });
    },
  );

  it("of a part-paid order in EUR leaves each part its share: two halves pay it, and difference is 0", async () => {
    await chain.scan(context);
    const { data: order } = await create("EUR", { amount: "100", currency: "TRX" }, brief);
    expect(order.expected_amount).toBe("371.30114");
    await pay(order.address, { trx: "185.65057" });
    prices = { ...USUAL, TRX: 50_000_000n };
    await requoteTo(order, "232.137469");
    await pay(order.address, { trx: "116.068735" });
    expect(await row(order)).toMatchObject({
      status: "ARCHIVED",
      payment_state: "exact",
      amount_received: "301.719305",
    });
    expect(await eventOf(order, "order.paid")).toMatchObject({
      orderAmount: "232.137469",
      amountReceived: "301.719305",
      difference: "0",
      fiatCurrency: "EUR",
      fiatAmount: "100",
      quoteRate: "2.3213746866",
    });
  });
});

describe("the events of an order", () => {
  it.each([
    { code: "EUR", coin: "usdt", amount: "25.50", due: "29.606409", rate: "1.1610356438" },
    { code: "JPY", coin: "trx", amount: "10000", due: "204.515997", rate: "0.0204515997" },
    { code: "NGN", coin: "usdt", amount: "41250.75", due: "28.312115", rate: "0.0006863418" },
  ] as const)(
    "in $code have its price and rate in $code, and no difference at the exact sum",
    async ({ code, coin, amount, due, rate }) => {
      await chain.scan(context);
      const { data: order } = await create(code, { amount, currency: coin.toUpperCase() });
      await pay(order.address, { [coin]: due });
      for (const type of ["deposit.confirmed", "order.paid"])
        expect(await eventOf(order, type), type).toMatchObject({
          orderAmount: due,
          fiatCurrency: code,
          fiatAmount: amount,
          quoteRate: rate,
          paymentState: "exact",
          difference: "0",
        });
    },
  );

  it("tell the surplus of an overpaid order in JPY in the coin", async () => {
    await chain.scan(context);
    const { data: order } = await create("JPY", { amount: "10000" });
    await pay(order.address, { usdt: "65" });
    expect(await eventOf(order, "order.overpaid")).toMatchObject({
      fiatCurrency: "JPY",
      fiatAmount: "10000",
      paymentState: "over",
      difference: "1.049114",
    });
    expect((await eventOf(order, "order.paid")).difference).toBe("1.049114");
  });
});

describe("the rest of an order", () => {
  it.each([
    {
      code: "JPY",
      amount: "10000",
      paid: "20",
      missing: "-43.950886",
      // 6,872.6 yen are missing.
      rest: { fiat_amount: "6873", quote_rate: "0.0066666667", expected_amount: "45.820001" },
    },
    {
      code: "EUR",
      amount: "100",
      paid: "50",
      missing: "-66.103565",
      // 56.935 euros are missing.
      rest: { fiat_amount: "56.94", quote_rate: "1.1111111112", expected_amount: "63.266667" },
    },
  ] as const)(
    "in $code is what is missing in $code at a fresh rate, rounded up to the smallest unit",
    async ({ code, amount, paid, missing, rest: expected }) => {
      await chain.scan(context);
      const { data: order } = await create(code, { amount });
      await pay(order.address, { usdt: paid });
      expect(await eventOf(order, "deposit.confirmed")).toMatchObject({
        paymentState: "under",
        difference: missing,
        fiatCurrency: code,
      });
      prices = { ...USUAL, EUR: 90_000_000n, JPY: 15_000_000_000n };
      const { status, data: rest } = await askForRest(order);
      expect(status).toBe(201);
      expect(rest).toMatchObject({ fiat_currency: code, rest_of: order.id, ...expected });
      expect((await askForRest(order)).data).toMatchObject({ id: rest.id, ...expected });
      await pay(rest.address, { usdt: expected.expected_amount });
      expect(await eventOf(rest, "order.paid")).toMatchObject({
        fiatCurrency: code,
        fiatAmount: expected.fiat_amount,
        quoteRate: expected.quote_rate,
        restCompletes: true,
        difference: "0",
      });
      expect(await row(order)).toMatchObject({ payment_status: "paid", fiat_amount: amount });
    },
  );
});
