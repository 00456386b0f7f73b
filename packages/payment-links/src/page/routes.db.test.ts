import { expireCharges } from "@daric/charges/close/close-charges";
import { readInbox } from "@daric/console/dashboard/payments/inbox";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { clickLimits } from "@daric/domain/payment-link";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp, createMemory } from "@daric/server/app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { freshRates } from "@daric/testing/rate-builders";
import { announced, settleCharges } from "@daric/testing/settle-charges";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

const BASE = "https://pay.example";

let context: Awaited<ReturnType<typeof createTestContext>>;
let memory: ReturnType<typeof createMemory>;
let app: ApiApp;
let merchantId: MerchantId;
let key: string;

beforeAll(async () => {
  context = await createTestContext({
    PUBLIC_BASE_URL: BASE,
    RATE_LIMIT_KEY_PER_SECOND: "100000",
    RATE_LIMIT_KEY_BURST: "100000",
    TRUSTED_PROXIES: "127.0.0.1",
  });
  memory = { ...createMemory(context), findRate: freshRates };
  app = createApp(context, { memory });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await memory.addresses.stop();
  await context.close();
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
  key = (await anApiKey(context, merchantId)).key;
});

type Link = { readonly id: string; readonly token: string };
type Order = { readonly id: ChargeId; readonly amount_due: string };

async function api(method: "GET" | "POST" | "PATCH", url: string, payload?: object) {
  const response = await app.inject({
    method,
    url,
    headers: { "x-api-key": key },
    ...(payload && { payload }),
  });
  return response.json();
}
const aLink = async (body: object = {}): Promise<Link> =>
  (await api("POST", "/v1/payment-links", { title: "Ticket", amount: "25", ...body })).data;
const linkNow = async ({ id }: Link) => (await api("GET", `/v1/payment-links/${id}`)).data;

let client = 0;
/** Each call is of a client of its own, unless it names one. */
async function click({ token }: Link, body: object = {}, headers: Record<string, string> = {}) {
  client += 1;
  const address = `203.0.${Math.floor(client / 250)}.${(client % 250) + 1}`;
  const response = await app.inject({
    method: "POST",
    url: `/v1/links/${token}/orders`,
    headers: { "x-forwarded-for": address, ...headers },
    payload: body,
  });
  const { data, error } = response.json();
  return { status: response.statusCode, data, error, retryAfter: response.headers["retry-after"] };
}
const codeOf = async (answer: ReturnType<typeof click>) => {
  const { status, error } = await answer;
  return [status, error?.code];
};
const ordersOf = async ({ id }: Link) =>
  (await api("GET", `/v1/deposit-addresses?kind=order&paymentLinkId=${id}&limit=100`)).data;

/** Ends the time of the link's open orders, as the watcher does. */
async function expire({ id }: Link): Promise<void> {
  await context.owner.query(sql`
    update deposit_addresses set expires_at = now() - interval '1 minute'
    where merchant_id = ${merchantId} and payment_link_id = ${id} and status = 'ACTIVE'`);
  await context.owner.query(
    sql`update active_charge_counts set expires_from = now() - interval '1 minute' where merchant_id = ${merchantId}`,
  );
  await context.db.transaction((tx) =>
    announced(context, tx, expireCharges(context, tx, { chainTime: new Date() })),
  );
}

/** Pays an order in full by a block of this time. */
async function pay({ id, amount_due: amount }: Order, blockTime = new Date()): Promise<void> {
  await aDeposit(context.db, { chargeId: id, amount, blockTime });
  await context.db.transaction((tx) => settleCharges(context, tx, [{ merchantId, id }]));
}

it("a click makes an order under the link's terms, which its list shows with what the payer typed", async () => {
  const link = await aLink({
    amount: "25.50",
    orderRefPrefix: "T-",
    ask: ["name", "note"],
    successUrl: "https://shop.example/thanks",
    metadata: { event: "7" },
  });
  const { status, data } = await click(link, { name: "Ada", note: "Row 3", ref: "mail-7" });
  expect(status).toBe(201);
  expect(data.order_ref).toMatch(/^T-[A-HJ-NP-Z2-9]{8}$/);
  const [order, ...others] = await ordersOf(link);
  expect(others).toEqual([]);
  expect(data.checkout_url).toBe(`${BASE}/c/${order.checkout_token}`);
  expect(order).toMatchObject({
    expected_amount: "25.5",
    currency: "USDT",
    order_ref: data.order_ref,
    label: "Ticket",
    payment_link_id: link.id,
    payer_ref: "mail-7",
    payer: { name: "Ada", note: "Row 3" },
    success_url: "https://shop.example/thanks",
    metadata: { event: "7" },
  });
  expect((await api("GET", "/v1/deposit-addresses?payerRef=mail-7")).meta.total).toBe(1);
  expect(await linkNow(link)).toMatchObject({ orders_open: 1, orders_paid: 0 });
});

it("what the payer typed is sealed in the row, and the client is forgotten when the order ends", async () => {
  const link = await aLink({ ask: ["name"] });
  await click(link, { name: "Ada Lovelace" });
  const read = async () =>
    (
      await context.owner.query<{ payer: Buffer; client: Buffer | null }>(sql`
        select payer, click_client as client from deposit_addresses where payment_link_id = ${link.id}`)
    )[0];
  const row = await read();
  expect(row?.payer.toString("latin1")).not.toContain("Ada");
  expect(row?.client).toHaveLength(16);
  const [order] = await ordersOf(link);
  await api("POST", `/v1/deposit-addresses/${order.id}/archive`);
  expect((await read())?.client).toBeNull();
});

it("the same attempt answers the same order, also of many at once, until it can no longer be paid", async () => {
  const link = await aLink();
  const attempt = "abcdefghij0123456789";
  const answers = await Promise.all(Array.from({ length: 20 }, () => click(link, { attempt })));
  expect(new Set(answers.map(({ data }) => data.checkout_url)).size).toBe(1);
  expect(await ordersOf(link)).toHaveLength(1);
  await expire(link);
  const { data } = await click(link, { attempt });
  expect(data.checkout_url).not.toBe(answers[0]?.data.checkout_url);
});

it("the same attempt with another amount or another text is another click", async () => {
  const link = await aLink({ amount: null, maxAmount: "100", ask: ["note"] });
  const attempt = "abcdefghij0123456789";
  const refOf = async (body: object) => (await click(link, { attempt, ...body })).data?.order_ref;
  const first = await refOf({ amount: "5" });
  expect(await refOf({ amount: "5.00" })).toBe(first);
  expect(await refOf({ amount: "50" })).not.toBe(first);
  expect(await refOf({ amount: "5", note: "for Ada" })).not.toBe(first);
  expect(await codeOf(click(link, { attempt, amount: "101" }))).toEqual([422, "VALIDATION_ERROR"]);
});

it("a repeated or faulty parameter of the page counts as missing", async () => {
  const link = await aLink();
  const read = await app.inject({ url: `/l/${link.token}?amount=1&amount=2&lang=en&lang=es` });
  expect(read.statusCode).toBe(200);
  for (const query of ["ref=a&ref=b", "lang=en&lang=ar&ref=a%20b", "ref=a%20b"]) {
    const { statusCode } = await app.inject({
      method: "POST",
      url: `/l/${link.token}?${query}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: "suggested=",
    });
    expect(statusCode).toBe(303);
  }
  expect((await ordersOf(link)).map(({ payer_ref }: { payer_ref: string | null }) => payer_ref)).toEqual([
    null,
    null,
    null,
  ]);
});

it.each([
  ["10.125", "10.125"],
  ["1234.5", "1\u202f234.5"],
  ["1,5", ""],
  ["1e3", ""],
])("?amount=%s fills in %j", async (amount, filled) => {
  const link = await aLink({ amount: null });
  const { body } = await app.inject({ url: `/l/${link.token}?amount=${amount}` });
  expect(/id="amount"[^>]* value="([^"]*)"/.exec(body)?.[1]).toBe(filled);
});

it("an amount of the address is written and read in the page's language", async () => {
  const link = await aLink({ amount: null });
  const { body } = await app.inject({ url: `/l/${link.token}?amount=12.345&lang=es` });
  const filled = /id="amount"[^>]* value="([^"]*)"/.exec(body)?.[1] ?? "";
  await app.inject({
    method: "POST",
    url: `/l/${link.token}?lang=es`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `amount=${encodeURIComponent(filled)}`,
  });
  expect(await ordersOf(link)).toMatchObject([{ expected_amount: "12.345" }]);
});

it("a page with a fault keeps the chosen suggestion", async () => {
  const link = await aLink({ amount: null, suggestedAmounts: ["5", "10"], ask: ["name"] });
  const { statusCode, body } = await app.inject({
    method: "POST",
    url: `/l/${link.token}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "suggested=10&name=%20&amount=",
  });
  expect(statusCode).toBe(422);
  expect(body).toContain('value="10" checked');
  expect(body).not.toContain('value="5" checked');
});

it("of 100 clicks at once on a stock of 1 one gets the order, which lives 15 minutes", async () => {
  const link = await aLink({ maxPayments: 1 });
  const answers = await Promise.all(Array.from({ length: 100 }, () => click(link)));
  expect(answers.map(({ status }) => status).filter((status) => status === 201)).toEqual([201]);
  expect(new Set(answers.map(({ error }) => error?.code))).toEqual(new Set([undefined, "LINK_SOLD_OUT"]));
  const [order] = await ordersOf(link);
  expect(Date.parse(order.expires_at) - Date.parse(order.created_at)).toBeCloseTo(900_000, -4);
  expect((await linkNow(link)).status).toBe("sold_out");
});

it("a place comes back when an order expires without money above dust, and not when a part has arrived", async () => {
  const link = await aLink({ maxPayments: 1 });
  await click(link);
  await expire(link);
  expect((await linkNow(link)).status).toBe("active");
  expect((await click(link)).status).toBe(201);
  const [second] = await ordersOf(link);
  await aDeposit(context.db, { chargeId: second.id, amount: "0.001" });
  await expire(link);
  expect(await linkNow(link)).toMatchObject({ status: "active", orders_open: 0 });
  await aDeposit(context.db, { chargeId: second.id, amount: "5" });
  expect(await linkNow(link)).toMatchObject({ status: "sold_out", orders_open: 1 });
  expect(await codeOf(click(link))).toEqual([409, "LINK_SOLD_OUT"]);
});

it("a stock may not sink below what is sold", async () => {
  const link = await aLink({ maxPayments: 5 });
  for (let n = 0; n < 2; n += 1) await click(link);
  for (const order of await ordersOf(link)) await pay(order);
  expect(await linkNow(link)).toMatchObject({ orders_open: 0, orders_paid: 2 });
  const { error } = await api("PATCH", `/v1/payment-links/${link.id}`, { maxPayments: 1 });
  expect(error.details).toMatchObject([{ path: "maxPayments" }]);
  expect((await api("PATCH", `/v1/payment-links/${link.id}`, { maxPayments: 2 })).data.status).toBe(
    "sold_out",
  );
});

it("late money is honoured where the place was sold again, and the inbox says that it was sold once too often", async () => {
  const link = await aLink({ maxPayments: 1 });
  await click(link);
  const [first] = await ordersOf(link);
  await expire(link);
  await click(link);
  const [second] = await ordersOf(link);
  await pay(second);
  await pay(first);
  expect(await linkNow(link)).toMatchObject({ orders_paid: 2, max_payments: 1, status: "sold_out" });
  const inbox = await readInbox(context.db, { merchantId });
  expect(inbox.map(({ charge, reasons }) => [charge.id, reasons])).toEqual([[first.id, ["oversold"]]]);
});

it("a paused, ended or closed link, and one of a suspended merchant, takes no order", async () => {
  const refused = [409, "LINK_CLOSED"];
  const paused = await aLink();
  await api("PATCH", `/v1/payment-links/${paused.id}`, { isActive: false });
  expect(await codeOf(click(paused))).toEqual(refused);
  const ended = await aLink();
  await context.owner.query(sql`update payment_links set expires_at = now() where id = ${ended.id}`);
  expect(await codeOf(click(ended))).toEqual(refused);
  const closed = await aLink();
  await context.owner.query(sql`update payment_links set closed_at = now() where id = ${closed.id}`);
  expect(await codeOf(click(closed))).toEqual(refused);
  const resumed = await api("PATCH", `/v1/payment-links/${closed.id}`, { isActive: true });
  expect(resumed.error.code).toBe("LINK_CLOSED");
  const suspended = await aLink();
  await context.owner.query(
    sql`update merchants set suspended_at = now(), terms_version = terms_version + 1 where id = ${merchantId}`,
  );
  expect(await codeOf(click(suspended))).toEqual(refused);
});

it("the payer chooses within the bounds, and an amount has no more decimals than its currency", async () => {
  const yen = await aLink({ amount: null, minAmount: "500", maxAmount: "5000", pricingCurrency: "JPY" });
  for (const amount of ["1500.5", "1.5"]) {
    const { error } = await click(yen, { amount });
    expect(error.details).toMatchObject([{ path: "amount", message: "must have no decimals in JPY" }]);
  }
  const link = await aLink({ amount: null, minAmount: "5", maxAmount: "100", pricingCurrency: "USD" });
  for (const amount of [undefined, "4.99", "100.01", "5.001"])
    expect(await codeOf(click(link, { amount }))).toEqual([422, "VALIDATION_ERROR"]);
  await click(link, { amount: "5.50" });
  expect(await ordersOf(link)).toMatchObject([{ fiat_amount: "5.5", fiat_currency: "USD" }]);
});

it("a name that the link asks for is needed, and what it does not ask for is not kept", async () => {
  const asking = await aLink({ ask: ["name"] });
  const { error } = await click(asking, { note: "hello" });
  expect(error.details).toMatchObject([{ path: "name" }]);
  const silent = await aLink();
  await click(silent, { name: "Ada", note: "hello" });
  expect(await ordersOf(silent)).toMatchObject([{ payer: null }]);
});

it("a client has three open orders of a merchant's links at most; one that ends makes room", async () => {
  const [link, other] = [await aLink(), await aLink()];
  const from = { "x-forwarded-for": "198.51.100.7" };
  for (const each of [link, other, link]) expect((await click(each, {}, from)).status).toBe(201);
  const fourth = await click(link, {}, from);
  expect([fourth.status, fourth.error.code, fourth.retryAfter]).toEqual([429, "RATE_LIMITED", "60"]);
  expect((await click(link)).status).toBe(201);
  await expire(other);
  expect((await click(link, {}, from)).status).toBe(201);
});

it("clients of one /64 of IPv6 count as one", async () => {
  const link = await aLink();
  const statuses: number[] = [];
  for (const host of ["1", "2", "3", "4"])
    statuses.push((await click(link, {}, { "x-forwarded-for": `2001:db8:1:2::${host}` })).status);
  expect(statuses).toEqual([201, 201, 201, 429]);
});

it("a link has 200 open orders at most, and a merchant's keys create on", async () => {
  await context.owner.query(sql`update merchants set active_address_cap = 3 where id = ${merchantId}`);
  const link = await aLink();
  const answers: Awaited<ReturnType<typeof click>>[] = [];
  while (answers.length < clickLimits.openOfLink + 10)
    answers.push(...(await Promise.all(Array.from({ length: 30 }, () => click(link)))));
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(clickLimits.openOfLink);
  expect(new Set(answers.map(({ error }) => error?.code))).toEqual(new Set([undefined, "RATE_LIMITED"]));
  for (let n = 0; n < 3; n += 1)
    expect((await api("POST", "/v1/deposit-addresses", { amount: "1" })).success).toBe(true);
  expect((await api("POST", "/v1/deposit-addresses", { amount: "1" })).error.code).toBe(
    "MAX_ACTIVE_ADDRESSES",
  );
});

it("a made-up token, and the token of an order, is no link; a link's token is no order", async () => {
  const link = await aLink();
  const { data } = await click(link);
  const token = data.checkout_url.split("/").at(-1);
  const made = `${"A".repeat(39)}B`;
  for (const url of [`/l/${token}`, `/l/${made}`, `/c/${link.token}`, `/v1/checkout/${link.token}`])
    expect((await app.inject({ url })).statusCode).toBe(404);
  expect((await click({ id: "", token: made })).status).toBe(404);
});

it("a page of another site cannot click", async () => {
  const link = await aLink();
  expect(await codeOf(click(link, {}, { origin: "https://evil.example" }))).toEqual([403, "CSRF_REFUSED"]);
  expect(await codeOf(click(link, {}, { origin: "null" }))).toEqual([403, "CSRF_REFUSED"]);
  expect((await click(link, {}, { origin: BASE })).status).toBe(201);
});

it("clicks of one address that come too fast are refused before a query", async () => {
  const link = await aLink();
  const from = { "x-forwarded-for": "198.51.100.9" };
  const answers = await Promise.all(Array.from({ length: 60 }, () => click(link, {}, from)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(clickLimits.openOfClient);
  const fast = answers.filter(({ retryAfter }) => Number(retryAfter) < 60);
  expect(fast).toHaveLength(30);
});
