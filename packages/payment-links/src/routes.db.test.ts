import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { createTestContext, withSettings } from "@daric/testing/context";
import { afterAll, beforeAll, expect, it } from "vitest";

const PATH = "/v1/payment-links";
const TOMORROW = () => new Date(Date.now() + 86_400_000).toISOString();

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let key: string;

beforeAll(async () => {
  context = await createTestContext({
    PUBLIC_BASE_URL: "https://pay.example",
    RATE_LIMIT_KEY_BURST: "10000",
  });
  app = createApp(context);
  await app.ready();
  merchantId = (await aMerchant(context.db)).id;
  key = (await anApiKey(context, merchantId)).key;
});
afterAll(async () => {
  await app.close();
  await context.close();
});

async function call(method: "GET" | "POST" | "PATCH", url: string, payload?: object, apiKey = key) {
  const response = await app.inject({
    method,
    url,
    headers: { "x-api-key": apiKey },
    ...(payload && { payload }),
  });
  const { data, error, meta } = response.json();
  return { status: response.statusCode, data, error, meta };
}
const create = (body: object) => call("POST", PATH, body);
const faultsOf = async (body: object) => {
  const { error } = await create(body);
  return error.details.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`);
};

it("a link keeps what it was created with, and its page has a token of its own", async () => {
  const expiresAt = TOMORROW();
  const account = await aSettlementAccount(context.db, merchantId);
  const { status, data } = await create({
    title: "Ticket",
    description: "Saturday",
    thanks: "See you!",
    amount: "25.50",
    pricingCurrency: "USD",
    maxPayments: 100,
    expiresAt,
    ask: ["note", "name"],
    orderRefPrefix: "T-",
    successUrl: "https://shop.example/thanks",
    settlementAccountId: account.id,
    metadata: { event: "7" },
  });
  expect(status).toBe(201);
  expect(data).toMatchObject({
    url: `https://pay.example/l/${data.token}`,
    title: "Ticket",
    description: "Saturday",
    thanks: "See you!",
    amount: "25.5",
    min_amount: null,
    max_amount: null,
    suggested_amounts: [],
    currency: "USDT",
    pricing_currency: "USD",
    max_payments: 100,
    expires_at: expiresAt,
    ask: ["name", "note"],
    order_ref_prefix: "T-",
    status: "active",
    orders_open: 0,
    orders_paid: 0,
    success_url: "https://shop.example/thanks",
    cancel_url: null,
    settlement_account_id: account.id,
    metadata: { event: "7" },
  });
  expect(await call("GET", `${PATH}/${data.id}`)).toMatchObject({ status: 200, data });
});

it("the payer chooses within bounds where there is no amount", async () => {
  const { data } = await create({
    title: "Donation",
    minAmount: "1",
    suggestedAmounts: ["5", "10"],
    currency: "TRX",
  });
  expect(data).toMatchObject({
    amount: null,
    min_amount: "1",
    max_amount: null,
    suggested_amounts: ["5", "10"],
    currency: "TRX",
  });
});

it.each([
  [{ amount: "5" }, ["title is required"]],
  [{ title: " " }, ["title must have at least 1 character"]],
  [{ title: "a\nb" }, ["title must have no line breaks or control characters"]],
  [{ title: "A", amount: "0" }, ["amount must be above 0"]],
  [{ title: "A", amount: "5", minAmount: "1" }, ["minAmount cannot be given beside amount"]],
  [{ title: "A", amount: "5", suggestedAmounts: ["1"] }, ["suggestedAmounts cannot be given beside amount"]],
  [{ title: "A", minAmount: "5", maxAmount: "4.99" }, ["maxAmount must not be below minAmount"]],
  [
    { title: "A", minAmount: "5", suggestedAmounts: ["4"] },
    ["suggestedAmounts must lie between minAmount and maxAmount"],
  ],
  [{ title: "A", amount: "1.999", pricingCurrency: "USD" }, ["amount must have at most 2 decimals in USD"]],
  [{ title: "A", amount: "1.999", pricingCurrency: "EUR" }, ["amount must have at most 2 decimals in EUR"]],
  [{ title: "A", amount: "1.5", pricingCurrency: "JPY" }, ["amount must have no decimals in JPY"]],
  [
    {
      title: "A",
      minAmount: "0.5",
      maxAmount: "9.5",
      suggestedAmounts: ["1", "1.5"],
      pricingCurrency: "JPY",
    },
    ["minAmount", "maxAmount", "suggestedAmounts"].map((path) => `${path} must have no decimals in JPY`),
  ],
  [
    { title: "A", pricingCurrency: "USDT", currency: "TRX" },
    ["pricingCurrency cannot be USDT for a link in another coin"],
  ],
  [{ title: "A", maxPayments: 0 }, ["maxPayments must be at least 1"]],
  [{ title: "A", expiresAt: "2020-01-01T00:00:00Z" }, ["expiresAt must be in the future"]],
  [
    { title: "A", suggestedAmounts: ["1", "2", "3", "4", "5"] },
    ["suggestedAmounts must have at most 4 items"],
  ],
])("%j is refused: %j", async (body, faults) => {
  expect(await faultsOf(body)).toEqual(faults);
});

it.each([
  ["EUR", "19.9900", "19.99"],
  ["JPY", "100.00", "100"],
  ["NGN", "41250.75", "41250.75"],
])("a link priced in %s of %s is a link of %s", async (pricingCurrency, sent, amount) => {
  const { status, data } = await create({ title: "A", amount: sent, pricingCurrency });
  expect([status, data.pricing_currency, data.amount]).toEqual([201, pricingCurrency, amount]);
});

it("a currency that cannot be priced here is refused before any other field", async () => {
  const onNile = createApp(withSettings(context, { chain: { network: "nile" } }));
  const priceable = "USD, AUD, BRL, CAD, CHF, EUR, GBP, JPY, KRW, TRY, USDT";
  const refused = async (payload: object) => {
    const response = await onNile.inject({
      method: "POST",
      url: PATH,
      headers: { "x-api-key": key },
      payload,
    });
    return [response.statusCode, response.json().error.details];
  };
  expect(await refused({ amount: "1e3", pricingCurrency: "XYZ" })).toEqual([
    422,
    [{ path: "pricingCurrency", message: `must be one of ${priceable}` }],
  ]);
  const tooFew = `must be one of ${priceable}: fewer than three markets of this one can be asked`;
  expect(await refused({ title: "A", amount: "1", pricingCurrency: "NGN" })).toEqual([
    422,
    [{ path: "pricingCurrency", message: tooFew }],
  ]);
  await onNile.close();
});

it("a settlement account of another merchant is not found", async () => {
  const other = await aMerchant(context.db);
  const account = await aSettlementAccount(context.db, other.id);
  const { status, error } = await create({ title: "A", settlementAccountId: account.id });
  expect([status, error.code]).toEqual([404, "SETTLEMENT_ACCOUNT_NOT_FOUND"]);
});

it("a change keeps what it does not name, null empties a field, and false pauses the link", async () => {
  const { data: link } = await create({
    title: "A",
    description: "B",
    maxPayments: 5,
    expiresAt: TOMORROW(),
  });
  const change = (body: object) => call("PATCH", `${PATH}/${link.id}`, body);
  expect((await change({ title: "New" })).data).toMatchObject({
    title: "New",
    description: "B",
    max_payments: 5,
  });
  expect((await change({ description: null, maxPayments: null, expiresAt: null })).data).toMatchObject({
    title: "New",
    description: null,
    max_payments: null,
    expires_at: null,
  });
  expect((await change({ isActive: false })).data.status).toBe("disabled");
  expect((await change({ isActive: true })).data.status).toBe("active");
  const past = await change({ expiresAt: "2020-01-01T00:00:00Z" });
  expect([past.status, past.error.details[0].path]).toEqual([422, "expiresAt"]);
});

it("a link of another merchant is not found, and is in no list but its own", async () => {
  const { data: link } = await create({ title: "Mine" });
  const other = await aMerchant(context.db);
  const { key: otherKey } = await anApiKey(context, other.id);
  for (const [method, body] of [
    ["GET", undefined],
    ["PATCH", { title: "Theirs" }],
  ] as const)
    expect((await call(method, `${PATH}/${link.id}`, body, otherKey)).status).toBe(404);
  expect((await call("GET", PATH, undefined, otherKey)).meta.total).toBe(0);
});

it("lists are newest first, by status, and read on after a row", async () => {
  const { id } = await aMerchant(context.db);
  const { key: own } = await anApiKey(context, id);
  const links: { id: string }[] = [];
  for (const title of ["one", "two", "three"]) links.push((await call("POST", PATH, { title }, own)).data);
  await call("PATCH", `${PATH}/${links[1]?.id}`, { isActive: false }, own);
  const titlesOf = async (query: string) => {
    const { data, meta } = await call("GET", `${PATH}?${query}`, undefined, own);
    return [data.map(({ title }: { title: string }) => title), meta.total];
  };
  expect(await titlesOf("")).toEqual([["three", "two", "one"], 3]);
  expect(await titlesOf(`after=${links[1]?.id}`)).toEqual([["one"], 3]);
  expect(await titlesOf("status=active")).toEqual([["three", "one"], 2]);
  expect(await titlesOf("status=disabled")).toEqual([["two"], 1]);
  expect(await titlesOf("status=sold_out")).toEqual([[], 0]);
  expect(await titlesOf("status=expired")).toEqual([[], 0]);
});
