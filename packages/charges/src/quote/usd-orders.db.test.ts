import type { MerchantId } from "@daric/domain/ids";
import { amountIn } from "@daric/domain/money";
import { QUOTE_LOCK_MS } from "@daric/domain/quote";
import type { FindRate, Rate } from "@daric/domain/rate";
import type { ApiApp } from "@daric/http/api-app";
import type { MerchantTerms } from "@daric/merchants/merchant-terms";
import { sql } from "@daric/postgres/sql";
import { createApp, createMemory } from "@daric/server/app";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { createTestContext, withSettings } from "@daric/testing/context";
import { aRate, freshRates, noRates } from "@daric/testing/rate-builders";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const MINUTE_MS = 60_000;
const PATH = "/v1/deposit-addresses";
let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: TestChain;
const apps: ApiApp[] = [];

beforeAll(async () => {
  [context, chain] = await Promise.all([createTestContext(), startTestChain()]);
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await chain.stop();
  await context.close();
});

function open(findRate: FindRate, quoteLockMs = QUOTE_LOCK_MS): ApiApp {
  const memory = createMemory(context);
  const often = withSettings(context, { checkout: { requotesPerMinute: 10_000 } });
  const app = createApp(often, { memory: { ...memory, findRate, quoteLockMs } });
  app.addHook("onClose", () => memory.addresses.stop());
  apps.push(app);
  return app;
}

/** A merchant's calls to an API with these rates. */
async function aShop(app: ApiApp, terms: Partial<MerchantTerms> = {}, of?: MerchantId) {
  const merchantId = of ?? (await aMerchant(context.db, terms)).id;
  const { key } = await anApiKey(context, merchantId);
  const send = async (method: "GET" | "POST", url: string, payload?: object) => {
    const answer = await app.inject({
      method,
      url,
      headers: { "x-api-key": key },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, headers: answer.headers, ...answer.json() };
  };
  return {
    merchantId,
    create: (body: object) => send("POST", PATH, { pricingCurrency: "USD", ...body }),
    order: async (body: object = {}) =>
      (await send("POST", PATH, { pricingCurrency: "USD", amount: "100", ...body })).data,
    row: async (id: string) => (await send("GET", `${PATH}/${id}`)).data,
    requote: (token: string) => app.inject({ method: "POST", url: `/v1/checkout/${token}/requote` }),
    checkout: async (token: string) => (await app.inject(`/v1/checkout/${token}`)).json().data,
    page: async (token: string) => (await app.inject(`/c/${token}`)).body,
  };
}

/** Rates that a test sets. */
function settable(): FindRate & { set(priceE8: bigint): void } {
  let priceE8 = 100_000_000n;
  const findRate = async (currency: Rate["currency"]) => aRate(currency, { priceE8 });
  return Object.assign(findRate, {
    set: (next: bigint) => {
      priceE8 = next;
    },
  });
}

describe("an order that is created in USD", () => {
  it.each(["19.9900", "19.990", "19.990000", "19.99000000"])(
    "costs 19.99 where %s was sent, and fiat_amount stays as sent",
    async (amount) => {
      const { create, page } = await aShop(open(freshRates));
      const { status, data } = await create({ amount });
      expect([status, data.fiat_amount, data.expected_amount]).toEqual([
        201,
        amount,
        (await create({ amount: "19.99" })).data.expected_amount,
      ]);
      expect(await page(data.checkout_token)).toMatch(/>19\.99<\/span>\s<span class="whole">USD</);
    },
  );

  it("is locked at the current rate, rounded up to 4 decimals, for ten minutes", async () => {
    const { create, row } = await aShop(open(freshRates));
    const { status, data } = await create({ amount: "25.50" });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      currency: "USDT",
      expected_amount: "25.5102",
      pay_amount: null,
      fiat_currency: "USD",
      fiat_amount: "25.50",
      quote_rate: "1.0004",
      quote_source: "alpha+beta+gamma",
    });
    const [lock] = await context.db.query<{ seconds: number }>(sql`
      select extract(epoch from expires_at - locked_at)::integer as seconds from quotes
      where deposit_address_id = ${data.id}`);
    expect(lock).toEqual({ seconds: 600 });
    expect(Math.abs(Date.parse(data.quote_expires_at) - Date.now() - 600_000)).toBeLessThan(30_000);
    expect(await row(data.id)).toMatchObject(data);
    const quotes = await context.db.query(sql`
      select rate_e4 as rate, expected_units as units, was_offered as offered, expires_at as until from quotes
      where deposit_address_id = ${data.id}`);
    expect(quotes).toEqual([
      { rate: 10_004n, units: 25_510_200n, offered: true, until: new Date(data.quote_expires_at) },
    ]);
  });

  it("in TRX is locked at TRX per USD by the same rules", async () => {
    const { data } = await (await aShop(open(freshRates))).create({ amount: "0.01", currency: "TRX" });
    expect(data).toMatchObject({
      currency: "TRX",
      expected_amount: "0.04",
      quote_rate: "4",
      fiat_amount: "0.01",
    });
  });

  it("in client fee mode adds the fee to the quoted price", async () => {
    const terms = {
      feeMode: "client",
      feeBasisPoints: 100,
      feeFixedUsdt: amountIn("USDT", 500_000n),
    } as const;
    const { data } = await (await aShop(open(freshRates), terms)).create({ amount: "24.9" });
    expect(data).toMatchObject({ expected_amount: "24.90996", pay_amount: "25.666627", fiat_amount: "24.9" });
  });

  it("shares its statement with orders of all kinds", async () => {
    const { order, create, merchantId } = await aShop(open(freshRates));
    await aSettlementAccount(context.db, merchantId);
    const [usd, plain, trx, none] = await Promise.all([
      Promise.all(Array.from({ length: 9 }, () => order())),
      Promise.all(Array.from({ length: 9 }, () => create({ pricingCurrency: null, amount: "7" }))),
      Promise.all(Array.from({ length: 9 }, () => order({ currency: "TRX" }))),
      Promise.all(Array.from({ length: 9 }, () => create({ pricingCurrency: null }))),
    ]);
    expect(new Set(usd.map((row) => row.expected_amount))).toEqual(new Set(["100.04"]));
    expect(new Set(trx.map((row) => row.expected_amount))).toEqual(new Set(["400"]));
    expect(new Set(plain.map(({ data }) => `${data.expected_amount} ${data.quote_rate}`))).toEqual(
      new Set(["7 null"]),
    );
    expect(new Set(none.map(({ data }) => `${data.expected_amount} ${data.quote_rate}`))).toEqual(
      new Set(["null null"]),
    );
  });

  it("shows the payer the price in USD, the sum, the rate and the end of its lock", async () => {
    const { order, page } = await aShop(open(freshRates));
    const { checkout_token: token, quote_expires_at: until } = await order({ amount: "24.90" });
    const markup = await page(token);
    for (const part of [
      '24.90</span>\u00a0<span class="whole">USD<',
      "24.90996",
      "1 USD = 1.0004 USDT",
      `datetime="${until}"`,
    ])
      expect(markup).toContain(part);
  });
});

describe("an order in USD is refused", () => {
  it("without a rate, last of all refusals, and uses no address", async () => {
    const shop = await aShop(open(noRates), { activeAddressCap: 1 });
    const unknown = "0193a1b2-0000-7000-8000-000000000001";
    const refused = async (body: object) => {
      const { status, error, headers } = await shop.create(body);
      return [status, error.code, headers["retry-after"]];
    };
    expect(await refused({})).toEqual([422, "USD_AMOUNT_REQUIRED", undefined]);
    expect(await refused({ amount: "1", settlementAccountId: unknown })).toEqual([
      404,
      "SETTLEMENT_ACCOUNT_NOT_FOUND",
      undefined,
    ]);
    expect(await refused({ amount: "1" })).toEqual([503, "RATE_UNAVAILABLE", "7"]);
    await shop.create({ pricingCurrency: "USDT", amount: "1" });
    expect(await refused({ amount: "1" })).toEqual([429, "MAX_ACTIVE_ADDRESSES", undefined]);
  });

  it("if the sum has more than 12 digits before the point", async () => {
    const { create } = await aShop(open(freshRates));
    expect(await create({ amount: "999999999999" })).toMatchObject({
      status: 422,
      error: { code: "VALIDATION_ERROR", details: [{ path: "amount" }] },
    });
  });

  it("with a rate that is too old at the write, although another one is fetched first", async () => {
    let calls = 0;
    const ageing = (ages: readonly number[]): FindRate => {
      return async (currency) => {
        const age = ages[calls] ?? 0;
        calls += 1;
        return aRate(currency, { fetchedAt: new Date(Date.now() - age * 1_000) });
      };
    };
    const stale = await (await aShop(open(ageing([61, 61])))).create({ amount: "1" });
    expect([stale.status, stale.error.code, stale.headers["retry-after"], calls]).toEqual([
      503,
      "RATE_UNAVAILABLE",
      "1",
      2,
    ]);
    calls = 0;
    const renewed = await (await aShop(open(ageing([61, 1])))).create({ amount: "1" });
    expect([renewed.status, calls]).toEqual([201, 2]);
  });
});

describe("a payment of an order in USD", () => {
  async function pay(address: string, usdt: string, aheadMs = 3_000) {
    await chain.pay(address, { usdt });
    await chain.mine(1, Math.ceil(aheadMs / 3_000) * 3_000);
    await chain.mine(25);
    await chain.scan(context);
  }

  it("of exactly the sum pays it, and its events have the price in USD", async () => {
    const shop = await aShop(open(freshRates));
    await chain.scan(context);
    const order = await shop.order();
    await pay(order.address, "100.04");
    expect(await shop.row(order.id)).toMatchObject({
      status: "ARCHIVED",
      payment_status: "paid",
      payment_state: "exact",
    });
    expect((await shop.checkout(order.checkout_token)).state).toBe("paid");
    expect((await shop.requote(order.checkout_token)).json().error.code).toBe("ORDER_ALREADY_PAID");
    const events = await context.db.query<{ body: string }>(sql`
      select convert_from(body, 'utf8') as body from webhook_event_bodies where merchant_id = ${shop.merchantId}`);
    const priced = { orderAmount: "100.04", fiatCurrency: "USD", fiatAmount: "100", quoteRate: "1.0004" };
    const bodies = events.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ event }) => event).sort()).toEqual(["deposit.confirmed", "order.paid"]);
    for (const { data } of bodies)
      expect(data).toMatchObject({ ...priced, paymentState: "exact", difference: "0" });
  });

  it.each([
    { minutes: 14, paymentState: "exact" },
    { minutes: 16, paymentState: "under" },
  ])(
    "under a quote that ended $minutes minutes before is $paymentState",
    async ({ minutes, paymentState }) => {
      const lockMs = 400;
      const rates = settable();
      const shop = await aShop(open(rates, lockMs), { orderLifetimeSeconds: 24 * 60 * 60 });
      const order = await shop.order();
      const locked = (await chain.client.getHeadBlock()).timeMs;
      expect(order.expected_amount).toBe("100");
      rates.set(97_090_000n);
      await expect
        .poll(async () => (await shop.requote(order.checkout_token)).json().data.order.payAmount, {
          timeout: 20_000,
        })
        .toBe("103");
      const head = (await chain.client.getHeadBlock()).timeMs;
      const end = Math.max(Date.parse(order.quote_expires_at), locked + lockMs);
      const wanted = end + minutes * MINUTE_MS;
      await pay(order.address, "100", wanted - head);
      expect(await shop.row(order.id)).toMatchObject({
        expected_amount: "103",
        amount_received: "100",
        payment_state: paymentState,
      });
    },
  );
});
