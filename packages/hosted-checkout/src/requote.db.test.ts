import type { Charge } from "@daric/charges/charge";
import { newCheckoutToken } from "@daric/charges/checkout-token";
import type { MerchantId } from "@daric/domain/ids";
import type { FindRate } from "@daric/domain/rate";
import type { ApiApp } from "@daric/http/api-app";
import { one, sql } from "@daric/postgres/sql";
import { createApp, createMemory } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit, type ChargeOverrides, setChainTime } from "@daric/testing/charge-builders";
import { createTestContext, withSettings } from "@daric/testing/context";
import { createOfflineContext } from "@daric/testing/offline-context";
import { aRate, freshRates, noRates } from "@daric/testing/rate-builders";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { checkoutProjection } from "./schema.ts";

const MINUTE_MS = 60_000;
let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
const apps: ApiApp[] = [];

beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
  app = withRates(freshRates);
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await context.close();
});
afterEach(() => context.owner.query(sql`delete from scan_cursors`));

function withRates(findRate: FindRate, of = context): ApiApp {
  const memory = createMemory(of);
  const made = createApp(of, { memory: { ...memory, findRate } });
  made.addHook("onClose", () => memory.addresses.stop());
  apps.push(made);
  return made;
}

const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);
/** An order of 100 USD whose quote of 1.03 lapsed a minute ago. */
const aLapsedOrder = (overrides: Partial<ChargeOverrides> = {}) =>
  aCharge(context.db, {
    merchantId,
    fiatAmount: "100",
    quote: { rateE4: 10_300n, lockedAt: ago(11) },
    ...overrides,
  });

async function requote({ checkoutToken }: Pick<Charge, "checkoutToken">, server = app) {
  const response = await server.inject({ method: "POST", url: `/v1/checkout/${checkoutToken}/requote` });
  const { data, error } = response.json();
  return {
    status: response.statusCode,
    code: error?.code,
    order: data?.order,
    data,
    headers: response.headers,
  };
}

async function quotesOf({ id }: Charge) {
  const rows = await context.db.query<{ rateE4: bigint }>(sql`
    select rate_e4 as "rateE4" from quotes
    where merchant_id = ${merchantId} and deposit_address_id = ${id} order by locked_at`);
  return rows.map(({ rateE4 }) => rateE4);
}

describe("POST /v1/checkout/:token/requote", () => {
  it("returns the projection with a fresh quote after the last one lapsed, and moves no expiry", async () => {
    const order = await aLapsedOrder();
    const { status, data, headers } = await requote(order);
    expect(status).toBe(200);
    expect(checkoutProjection.safeParse(data).success).toBe(true);
    expect(data).toMatchObject({
      state: "awaiting",
      order: {
        amount: "100.04",
        payAmount: "100.04",
        fiatCurrency: "USD",
        fiatAmount: "100",
        quoteRate: "1.0004",
      },
      payment: { expiresAt: order.expiresAt?.toISOString() },
    });
    const lockMs = Date.parse(data.order.quoteExpiresAt) - Date.now();
    expect([lockMs > 9.5 * MINUTE_MS, lockMs < 10.5 * MINUTE_MS]).toEqual([true, true]);
    expect(headers["access-control-allow-origin"]).toBe("*");
    expect(await quotesOf(order)).toEqual([10_300n, 10_004n]);
  });

  it("returns the same quote while it holds, without a rate", async () => {
    const order = await aLapsedOrder({ quote: { rateE4: 10_300n } });
    const { status, order: shown } = await requote(order, withRates(noRates));
    expect([status, shown.quoteRate, shown.quoteExpiresAt]).toEqual([
      200,
      "1.03",
      order.quote?.expiresAt.toISOString(),
    ]);
    expect(await quotesOf(order)).toEqual([10_300n]);
  });

  it("in parallel makes one quote", async () => {
    const order = await aLapsedOrder();
    const many = withRates(freshRates, withSettings(context, { checkout: { requotesPerMinute: 100 } }));
    const answers = await Promise.all(Array.from({ length: 20 }, () => requote(order, many)));
    expect(new Set(answers.map(({ status, order: shown }) => `${status} ${shown.quoteExpiresAt}`)).size).toBe(
      1,
    );
    expect(await quotesOf(order)).toHaveLength(2);
  });

  it("of a part-paid order quotes the whole again, and the paid part stays the same share of it", async () => {
    const order = await aLapsedOrder();
    await aDeposit(context.db, { chargeId: order.id, amount: "51.5", blockTime: ago(5) });
    const { status, data, order: shown } = await requote(order);
    expect([status, shown.payAmount, shown.quoteRate]).toEqual([200, "100.04", "1.0004"]);
    expect([data.state, data.status.amountReceived]).toEqual(["underpaid", "51.5"]);
    expect((await app.inject(`/c/${order.checkoutToken}`)).body).toContain('data-copy="50.02"');
    expect(await quotesOf(order)).toEqual([10_300n, 10_004n]);
  });

  it("of a part-paid order shows the new rate and its end, and no older one", async () => {
    const order = await aLapsedOrder();
    await aDeposit(context.db, { chargeId: order.id, amount: "50", blockTime: ago(5) });
    const first = (await requote(order)).order;
    const second = (await requote(order)).order;
    expect([first.quoteRate, second.quoteRate]).toEqual(["1.0004", "1.0004"]);
    expect(Date.parse(first.quoteExpiresAt)).toBeGreaterThan(Date.now());
    expect(second.quoteExpiresAt).toBe(first.quoteExpiresAt);
    const page = (await app.inject(`/c/${order.checkoutToken}`)).body;
    expect([page.includes("1 USD = 1.0004 USDT"), page.includes("Price held ")]).toEqual([true, true]);
    expect(await quotesOf(order)).toEqual([10_300n, 10_004n]);
  });

  it("is not blocked by pending dust", async () => {
    const order = await aLapsedOrder();
    await aDeposit(context.db, { chargeId: order.id, amount: "0.009", status: "DETECTED" });
    expect((await requote(order)).status).toBe(200);
  });

  it("in client fee mode quotes the price with the fee on top", async () => {
    const order = await aLapsedOrder({ feeMode: "client", feeBasisPoints: 100, payAmount: "104.040405" });
    // 100.04 / 0.99
    expect((await requote(order)).order).toMatchObject({ amount: "100.04", payAmount: "101.050506" });
  });
});

describe("a requote is refused", () => {
  it.each<[string, Partial<ChargeOverrides>, [string, string][], string]>([
    ["of an order that is not priced in fiat", { fiatAmount: null }, [], "NOT_FIAT_PRICED"],
    ["once it is paid", {}, [["103", "CONFIRMED"]], "ORDER_ALREADY_PAID"],
    ["once it is paid and archived", { status: "ARCHIVED" }, [["103", "CONFIRMED"]], "ORDER_ALREADY_PAID"],
    ["while a payment is detected", {}, [["103", "DETECTED"]], "PAYMENT_IN_PROGRESS"],
    ["while a payment has left the chain", {}, [["1", "REORG_PENDING"]], "PAYMENT_IN_PROGRESS"],
    [
      "while its quote holds and a payment is on its way",
      { quote: {} },
      [["1", "CONFIRMING"]],
      "PAYMENT_IN_PROGRESS",
    ],
    ["of an order whose time is over", { expiresAt: ago(1) }, [], "ORDER_CLOSED"],
    ["of an EXPIRED order", { status: "EXPIRED" }, [], "ORDER_CLOSED"],
    ["of an order that was archived unpaid", { status: "ARCHIVED" }, [["1", "CONFIRMED"]], "ORDER_CLOSED"],
  ])("%s", async (_title, overrides, deposits, code) => {
    const order = await aLapsedOrder(overrides);
    for (const [amount, status] of deposits)
      await aDeposit(context.db, { chargeId: order.id, amount, status: status as "CONFIRMED" });
    const before = await quotesOf(order);
    expect((await requote(order)).code).toBe(code);
    expect(await quotesOf(order)).toEqual(before);
  });

  it("once the scanned chain is past the order's time", async () => {
    const order = await aLapsedOrder();
    await setChainTime(context.db, new Date((order.expiresAt?.getTime() ?? 0) + 1));
    expect((await requote(order)).code).toBe("ORDER_CLOSED");
  });

  it("without a rate, with a Retry-After", async () => {
    const order = await aLapsedOrder();
    const { status, code, headers } = await requote(order, withRates(noRates));
    expect([status, code, headers["retry-after"]]).toEqual([503, "RATE_UNAVAILABLE", "7"]);
  });

  it("if the sum has too many digits at the current rate", async () => {
    const order = await aLapsedOrder({
      fiatAmount: "999999999999",
      quote: { rateE4: 1n, lockedAt: ago(11) },
    });
    expect(await requote(order)).toMatchObject({ status: 422, code: "VALIDATION_ERROR" });
  });

  it("with a rate that is too old at the lock", async () => {
    const stale: FindRate = async (currency) => aRate(currency, { fetchedAt: ago(1.1) });
    expect((await requote(await aLapsedOrder(), withRates(stale))).code).toBe("RATE_UNAVAILABLE");
  });

  it("for an unknown token like a read, and for a malformed one without a statement", async () => {
    const unknown = { checkoutToken: newCheckoutToken(context.checkoutKey) };
    expect(await requote(unknown)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    const offline = createApp(createOfflineContext());
    for (const checkoutToken of ["x", "A".repeat(40), "%00", "A".repeat(300)])
      expect(await requote({ checkoutToken }, offline)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    await offline.close();
  });

  it("more than six times a minute for one token, without a cost for other tokens", async () => {
    const limited = withRates(freshRates);
    const [order, other] = [await aLapsedOrder(), await aLapsedOrder()];
    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1) statuses.push((await requote(order, limited)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    expect((await requote(order, limited)).headers["retry-after"]).toMatch(/^\d+$/);
    expect((await requote(other, limited)).status).toBe(200);
    expect((await limited.inject(`/v1/checkout/${order.checkoutToken}`)).statusCode).toBe(200);
  });
});

describe("the form of the page, without scripts", () => {
  const requestPage = ({ checkoutToken }: Pick<Charge, "checkoutToken">, server = app, query = "") =>
    server.inject({
      method: "POST",
      url: `/c/${checkoutToken}${query}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: "requote=now",
    });

  it("locks a fresh rate and redirects to the page, in its language and below any path of the service", async () => {
    const order = await aLapsedOrder();
    const { statusCode, headers } = await requestPage(
      order,
      app,
      "?lang=ru&utm_source=a&utm_source=b&lang=tr",
    );
    expect(statusCode).toBe(303);
    const page = new URL(String(headers.location), `http://x/below/c/${order.checkoutToken}`);
    expect(page.href).toBe(
      `http://x/below/c/${order.checkoutToken}?lang=ru&utm_source=a&utm_source=b&lang=tr`,
    );
    expect(await quotesOf(order)).toEqual([10_300n, 10_004n]);
    const shown = await app.inject(`/c/${order.checkoutToken}`);
    expect([shown.body.includes("100.04"), shown.body.includes("data-requote")]).toEqual([true, false]);
  });

  it("redirects too if the order changed meanwhile", async () => {
    const paid = await aLapsedOrder({ status: "ARCHIVED" });
    await aDeposit(context.db, { chargeId: paid.id, amount: "103", status: "CONFIRMED" });
    for (const order of [paid, await aLapsedOrder({ status: "EXPIRED" })])
      expect((await requestPage(order)).statusCode).toBe(303);
  });

  it("shows a page without a rate, and reloads the page itself", async () => {
    const { statusCode, headers, body } = await requestPage(await aLapsedOrder(), withRates(noRates));
    expect([statusCode, headers["retry-after"]]).toEqual([503, "7"]);
    expect(body).toContain("No rate just now");
    expect(body).toContain('<meta http-equiv="refresh" content="7">');
  });

  it("shares the budget of requotes, and opens nothing to an unknown token", async () => {
    const limited = withRates(freshRates);
    const order = await aLapsedOrder();
    for (let n = 0; n < 3; n += 1) {
      expect((await requote(order, limited)).status).toBe(200);
      expect((await requestPage(order, limited)).statusCode).toBe(303);
    }
    const refused = await requestPage(order, limited);
    expect([refused.statusCode, refused.body.includes("One moment, please")]).toEqual([429, true]);
    expect((await limited.inject(`/c/${order.checkoutToken}`)).statusCode).toBe(200);
    for (const checkoutToken of [newCheckoutToken(context.checkoutKey), "A".repeat(40)])
      expect((await requestPage({ checkoutToken })).statusCode).toBe(404);
  });
});

it("the row has its newest quote", async () => {
  const order = await aLapsedOrder();
  await requote(order);
  const row = one(
    await context.db.query(sql`
      select charge.quote_expires_at = quote.expires_at as same, quote.was_offered as offered, charge.expected_units as units
      from deposit_addresses charge
      join quotes quote on quote.merchant_id = charge.merchant_id and quote.id = charge.newest_quote_id
      where charge.merchant_id = ${merchantId} and charge.id = ${order.id}`),
  );
  expect(row).toEqual({ same: true, offered: true, units: 100_040_000n });
});
