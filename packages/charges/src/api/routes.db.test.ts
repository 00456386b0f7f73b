import type { ApiScope } from "@daric/domain/api-scope";
import { fiatCurrencies } from "@daric/domain/fiat";
import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import type { MerchantTerms } from "@daric/merchants/merchant-terms";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext, withSettings } from "@daric/testing/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const PATH = "/v1/deposit-addresses";
const UNKNOWN = "0193a1b2-0000-7000-8000-000000000001";
/** The fields of a create answer, in the order of the contract, then the additions. */
const CONTRACT_FIELDS = [
  "id",
  "address",
  "chain",
  "currency",
  "status",
  "expires_at",
  "fee_mode",
  "expected_amount",
  "pay_amount",
  "fiat_currency",
  "fiat_amount",
  "quote_rate",
  "quote_source",
  "quote_expires_at",
  "order_ref",
  "success_url",
  "cancel_url",
  "checkout_token",
  "checkout_url",
  "amount_due",
  "metadata",
  "customer_ref",
];

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let key: string;

beforeAll(async () => {
  context = await createTestContext({ RATE_LIMIT_KEY_PER_SECOND: "100000", RATE_LIMIT_KEY_BURST: "100000" });
  app = createApp(context);
  await app.ready();
  merchantId = (await aMerchant(context.db)).id;
  key = (await anApiKey(context, merchantId)).key;
});
afterAll(async () => {
  await app.close();
  await context.close();
});

type Answer = Awaited<ReturnType<typeof call>>;

async function call(method: "GET" | "POST", url: string, options: { body?: unknown; as?: string } = {}) {
  const response = await app.inject({
    method,
    url,
    headers: { "x-api-key": options.as ?? key },
    ...(options.body === undefined ? {} : { payload: options.body as object }),
  });
  return { status: response.statusCode, body: response.json() };
}

const create = (body: unknown, as?: string) => call("POST", PATH, as === undefined ? { body } : { body, as });
const retrieve = (id: string, as?: string) => call("GET", `${PATH}/${id}`, as === undefined ? {} : { as });

async function aMerchantWithKey(terms: Partial<MerchantTerms> = {}, scopes?: ApiScope[]) {
  const { id } = await aMerchant(context.db, terms);
  const { key: apiKey } = await anApiKey(context, id, scopes ? { scopes } : {});
  return { id, apiKey };
}

function refusal({ status, body }: Answer) {
  return [status, body.error?.code];
}

function failingPaths({ status, body }: Answer) {
  expect(refusal({ status, body })).toEqual([422, "VALIDATION_ERROR"]);
  return body.error.details.map(({ path }: { path: string }) => path);
}

describe("create", () => {
  it("returns 201 Created with the fields of the contract and the additions", async () => {
    const { status, body } = await create({
      amount: "25.50",
      orderRef: "A-1",
      successUrl: "https://shop.example/ok?x=1",
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ success: true, message: "Created" });
    expect(Object.keys(body.data)).toEqual(CONTRACT_FIELDS);
    expect(body.data).toMatchObject({
      chain: "tron",
      currency: "USDT",
      status: "ACTIVE",
      fee_mode: "merchant",
      expected_amount: "25.5",
      pay_amount: null,
      fiat_currency: null,
      fiat_amount: null,
      quote_rate: null,
      quote_source: null,
      quote_expires_at: null,
      order_ref: "A-1",
      success_url: "https://shop.example/ok?x=1",
      cancel_url: null,
      checkout_url: `http://127.0.0.1:3000/c/${body.data.checkout_token}`,
    });
    expect(body.data.address).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
    expect(body.data.expires_at).toBe(new Date(body.data.expires_at).toISOString());
  });

  it("of an empty body makes an open address", async () => {
    const { status, body } = await create({});
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ expected_amount: null, pay_amount: null });
    expect((await retrieve(body.data.id)).body.data.kind).toBe("open");
  });

  it("treats null as missing and ignores unknown fields, including a caller's apiKeyId", async () => {
    const { status, body } = await create({
      chain: null,
      currency: null,
      amount: null,
      pricingCurrency: null,
      orderRef: null,
      label: null,
      successUrl: null,
      cancelUrl: null,
      settlementAccountId: null,
      reusable: null,
      apiKeyId: "not even a uuid",
      unknown: { deep: [1] },
    });
    expect(status).toBe(201);
    const [row] = await context.db.query<{ own: boolean }>(sql`
      select api_key_id in (select id from api_keys where merchant_id = ${merchantId}) as own
      from deposit_addresses where id = ${body.data.id}`);
    expect(row?.own).toBe(true);
  });

  it("returns the amount due: with the fee on top, and null for an open address and an order of zero", async () => {
    const { apiKey } = await aMerchantWithKey({ feeMode: "client", feeBasisPoints: 100 });
    const client = await create({ amount: "25" }, apiKey);
    expect(client.body.data).toMatchObject({
      expected_amount: "25",
      pay_amount: "25.252526",
      amount_due: "25.252526",
    });
    expect((await create({ amount: "25" })).body.data.amount_due).toBe("25");
    const free = await create({ amount: "0" });
    expect(free.body.data).toMatchObject({ expected_amount: "0", amount_due: null });
    expect((await retrieve(free.body.data.id)).body.data.amount_due).toBeNull();
    const open = await create({});
    expect(open.body.data.amount_due).toBeNull();
    expect((await retrieve(client.body.data.id, apiKey)).body.data.amount_due).toBe("25.252526");
    expect((await retrieve(open.body.data.id)).body.data.amount_due).toBeNull();
  });

  it("keeps metadata unchanged, and shows it to no payer", async () => {
    const metadata = { cart: "8842-canary", constructor: "text", empty: "", clé: "☕\u0001" };
    const made = await create({ amount: "1", metadata });
    expect(made.status).toBe(201);
    expect(made.body.data.metadata).toEqual(metadata);
    expect((await retrieve(made.body.data.id)).body.data.metadata).toEqual(metadata);
    for (const path of ["/v1/checkout/", "/c/"]) {
      const seen = await app.inject({ method: "GET", url: path + made.body.data.checkout_token });
      expect(seen.statusCode).toBe(200);
      expect(seen.body).not.toContain("8842-canary");
    }
    expect((await create({})).body.data.metadata).toBeNull();
  });

  it("accepts 2,048 bytes of metadata as JSON in UTF-8, and not one more", async () => {
    const fill = (last: string) => ({
      ...Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`k${n}`, "x".repeat(490)])),
      last,
    });
    const room = 2_048 - Buffer.byteLength(JSON.stringify(fill("")));
    expect((await create({ metadata: fill("x".repeat(room)) })).status).toBe(201);
    expect(failingPaths(await create({ metadata: fill("x".repeat(room + 1)) }))).toEqual(["metadata"]);
    // Two bytes each in UTF-8, and one character of a value.
    expect(failingPaths(await create({ metadata: fill("é".repeat(room / 2 + 1)) }))).toEqual(["metadata"]);
  });

  it("finds or makes one standing address for each customerRef, which the list finds", async () => {
    const { id, apiKey } = await aMerchantWithKey();
    await aSettlementAccount(context.db, id);
    const standing = async (body: object) => (await create({ reusable: true, ...body }, apiKey)).body.data;
    const [first, again, other, unknownId] = [
      await standing({ customerRef: "c-1" }),
      await standing({ customerRef: "c-1", orderRef: "ignored" }),
      await standing({ customerRef: "C-1" }),
      await standing({}),
    ];
    expect(again).toEqual(first);
    expect(new Set([first.id, other.id, unknownId.id]).size).toBe(3);
    expect([first.customer_ref, unknownId.customer_ref]).toEqual(["c-1", null]);
    const list = await call("GET", `${PATH}?customerRef=c-1`, { as: apiKey });
    expect(list.body.data.map((row: { id: string }) => row.id)).toEqual([first.id]);
    expect(list.body.meta.total).toBe(1);
  });

  it("returns a reusable address twice with 201 and the same row", async () => {
    const { id, apiKey } = await aMerchantWithKey();
    await aSettlementAccount(context.db, id);
    const first = await create({ reusable: true }, apiKey);
    const second = await create({ reusable: true }, apiKey);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.data).toEqual(first.body.data);
    expect(first.body.data).toMatchObject({ expires_at: null, expected_amount: null, fee_mode: "merchant" });
  });

  it("in client fee mode returns the amount that the payer must send", async () => {
    const { apiKey } = await aMerchantWithKey({ feeMode: "client", feeBasisPoints: 100 });
    const { body } = await create({ amount: "99" }, apiKey);
    expect(body.data).toMatchObject({ fee_mode: "client", expected_amount: "99", pay_amount: "100" });
  });

  it("has no checkout_url without a public base URL", async () => {
    const bare = createApp(withSettings(context, { http: { publicBaseUrl: undefined } }));
    const response = await bare.inject({
      method: "POST",
      url: PATH,
      headers: { "x-api-key": key },
      payload: {},
    });
    await bare.close();
    expect(response.json().data.checkout_url).toBeNull();
  });
});

it.each(["25.5000000", `25.5${"0".repeat(50)}`, "25.50"])(
  "zeros at the end of a fraction have no meaning: %s is 25.5",
  async (amount) => {
    const { status, body } = await create({ amount });
    expect([status, body.data.expected_amount]).toEqual([201, "25.5"]);
  },
);

it("lists what was made from `from` on and before `to`, with exact totals", async () => {
  const { id: merchantId, apiKey } = await aMerchantWithKey();
  for (const day of ["2026-01-01", "2026-01-02", "2026-01-03"])
    for (const status of ["EXPIRED", "ARCHIVED"] as const)
      await aCharge(context.db, {
        merchantId,
        status,
        orderRef: day,
        createdAt: new Date(`${day}T00:00:00Z`),
      });
  const list = async (query: string) => {
    const { body } = await call("GET", `${PATH}?${query}`, { as: apiKey });
    expect(body.meta.total).toBe(body.data.length);
    return body.data
      .map((row: { order_ref: string; status: string }) => `${row.order_ref} ${row.status}`)
      .sort();
  };
  const second = "from=2026-01-02T00:00:00Z&to=2026-01-03T00:00:00Z";
  expect(await list(second)).toEqual(["2026-01-02 ARCHIVED", "2026-01-02 EXPIRED"]);
  expect(await list(`${second}&kind=order&status=EXPIRED`)).toEqual(["2026-01-02 EXPIRED"]);
  expect(await list(`${second}&orderRef=2026-01-01`)).toEqual([]);
  expect(await list("from=2026-01-02T00:00:00.001Z")).toHaveLength(2);
  expect(await list("to=2026-01-02T00:00:00.001Z&orderRef=2026-01-02")).toHaveLength(2);
  expect(failingPaths(await call("GET", `${PATH}?from=yesterday`, { as: apiKey }))).toEqual(["from"]);
});

describe("create refuses", () => {
  it.each([
    25.5,
    "+1",
    "-1",
    "1e3",
    " 1",
    "1 ",
    "",
    "01",
    ".5",
    "5.",
    "1.0000001",
    "1000000000000",
    "0x10",
    "１",
    "NaN",
    true,
    {},
    ["1"],
  ])("the amount %j", async (amount) => {
    expect(failingPaths(await create({ amount }))).toEqual(["amount"]);
  });

  it.each([
    ["currency", { currency: "BTC" }],
    ["chain", { chain: "ethereum" }],
    ["pricingCurrency", { pricingCurrency: "XYZ", amount: "1" }],
    ["pricingCurrency", { pricingCurrency: "eur", amount: "1" }],
    ["pricingCurrency", { pricingCurrency: 978, amount: "1" }],
    ["pricingCurrency", { pricingCurrency: "USDT", currency: "TRX", amount: "1" }],
    ["amount", { reusable: true, amount: "1" }],
    ["amount", { pricingCurrency: "USD", amount: "1.005" }],
    ["amount", { pricingCurrency: "USD", amount: "1.1010" }],
    ["amount", { pricingCurrency: "EUR", amount: "1.001" }],
    ["amount", { pricingCurrency: "JPY", amount: "1.5" }],
    ["reusable", { reusable: "true" }],
    ["customerRef", { customerRef: "c-1" }],
    ["customerRef", { customerRef: "c-1", reusable: false }],
    ["customerRef", { customerRef: "", reusable: true }],
    ["customerRef", { customerRef: "x".repeat(121), reusable: true }],
    ["customerEmail", { customerEmail: "ada" }],
    ["customerEmail", { customerEmail: "ada@mail.example", reusable: true }],
    ["metadata", { metadata: "text" }],
    ["metadata", { metadata: ["text"] }],
    ["metadata", { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, ""])) }],
    ["metadata.count", { metadata: { count: 5 } }],
    ["metadata.nested", { metadata: { nested: { a: "b" } } }],
    ["metadata.long", { metadata: { long: "x".repeat(501) } }],
    [`metadata.${"k".repeat(41)}`, { metadata: { ["k".repeat(41)]: "" } }],
    ["metadata.", { metadata: { "": "no key" } }],
    ["metadata.nul", { metadata: { nul: "\u0000" } }],
    ["metadata.k\u0000", { metadata: { "k\u0000": "nul" } }],
    ["settlementAccountId", { settlementAccountId: "main" }],
    ["orderRef", { orderRef: "x".repeat(121) }],
    ["label", { label: "x".repeat(121) }],
    ["orderRef", { orderRef: "nul\u0000" }],
    ["orderRef", { orderRef: "half \ud800" }],
    ["label", { label: "half \udc00" }],
    ["successUrl", { successUrl: "javascript:alert(1)" }],
    ["successUrl", { successUrl: "ftp://shop.example/" }],
    ["successUrl", { successUrl: "/relative" }],
    ["cancelUrl", { cancelUrl: "https://user:secret@shop.example/" }],
    ["cancelUrl", { cancelUrl: `https://shop.example/${"x".repeat(2048)}` }],
    ["cancelUrl", { cancelUrl: 5 }],
  ])("a wrong %s: %j", async (path, body) => {
    expect(failingPaths(await create(body))).toEqual([path]);
  });

  it("decimals that a currency does not have, with its name", async () => {
    const messages = async (pricingCurrency: string, amount: string) =>
      (await create({ pricingCurrency, amount })).body.error.details.map(
        ({ path, message }: { path: string; message: string }) => `${path} ${message}`,
      );
    expect(await messages("JPY", "1.5")).toEqual(["amount must have no decimals in JPY"]);
    expect(await messages("EUR", "1.001")).toEqual(["amount must have at most 2 decimals in EUR"]);
  });

  it("fiat as the currency to pay in, with the field that names the currency of the price", async () => {
    for (const [currency, named] of [
      ["USD", "USD"],
      ["usd", "USD"],
      ["EUR", "EUR"],
    ] as const) {
      const { body } = await create({ amount: "25.5", currency });
      expect(body.error.details[0].message).toContain(`"pricingCurrency": "${named}"`);
      expect(body.message).toContain(`"pricingCurrency": "${named}"`);
    }
  });

  it("with every failing field named at once", async () => {
    const body = { amount: 1, currency: "BTC", label: 5, successUrl: "x" };
    expect(failingPaths(await create(body)).sort()).toEqual(["amount", "currency", "label", "successUrl"]);
  });

  it("each case of the contract with its code", async () => {
    const { id, apiKey } = await aMerchantWithKey({ feeMode: "client", activeAddressCap: 1 });
    const { id: disabled } = await aSettlementAccount(context.db, id, { status: "disabled" });
    const refusalOf = async (body: unknown) => refusal(await create(body, apiKey));
    expect(await refusalOf({ pricingCurrency: "USD" })).toEqual([422, "USD_AMOUNT_REQUIRED"]);
    expect(await refusalOf({ pricingCurrency: "USD", amount: "0.00" })).toEqual([422, "USD_AMOUNT_REQUIRED"]);
    for (const amount of [undefined, null, "0", "0.00"]) {
      expect(await refusalOf({ pricingCurrency: "EUR", amount })).toEqual([422, "FIAT_AMOUNT_REQUIRED"]);
      expect(await refusalOf({ pricingCurrency: "JPY", amount })).toEqual([422, "FIAT_AMOUNT_REQUIRED"]);
    }
    const standing = { reusable: true, settlementAccountId: disabled };
    expect(await refusalOf({ ...standing, pricingCurrency: "USD" })).toEqual([422, "USD_AMOUNT_REQUIRED"]);
    expect(await refusalOf({ ...standing, pricingCurrency: "EUR" })).toEqual([422, "FIAT_AMOUNT_REQUIRED"]);
    expect(await refusalOf({})).toEqual([422, "EXPECTED_AMOUNT_REQUIRED"]);
    expect(await refusalOf({ amount: "1", settlementAccountId: UNKNOWN })).toEqual([
      404,
      "SETTLEMENT_ACCOUNT_NOT_FOUND",
    ]);
    expect(await refusalOf({ amount: "1", settlementAccountId: disabled })).toEqual([
      422,
      "SETTLEMENT_ACCOUNT_DISABLED",
    ]);
    expect(await refusalOf({ reusable: true })).toEqual([422, "NO_SETTLEMENT_ACCOUNT"]);
    expect(await refusalOf({ amount: "1", pricingCurrency: "USD" })).toEqual([503, "RATE_UNAVAILABLE"]);
    for (const body of [
      { amount: "19.9900", pricingCurrency: "EUR" },
      { amount: "100.00", pricingCurrency: "JPY" },
    ])
      expect(await refusalOf(body)).toEqual([503, "RATE_UNAVAILABLE"]);
    expect((await create({ amount: "1", pricingCurrency: "USDT" }, apiKey)).status).toBe(201);
    expect(await refusalOf({ amount: "1" })).toEqual([429, "MAX_ACTIVE_ADDRESSES"]);
  });

  it("a key without the scope, and vice versa", async () => {
    const reader = await aMerchantWithKey({}, ["charges:read"]);
    const writer = await aMerchantWithKey({}, ["charges:write"]);
    expect(refusal(await create({}, reader.apiKey))).toEqual([403, "INSUFFICIENT_SCOPE"]);
    expect(refusal(await call("GET", PATH, { as: writer.apiKey }))).toEqual([403, "INSUFFICIENT_SCOPE"]);
  });
});

describe("a currency that cannot be priced here is refused before any other field", () => {
  const priceable = "USD, AUD, BRL, CAD, CHF, EUR, GBP, JPY, KRW, TRY, USDT";
  let onNile: ApiApp;
  beforeAll(() => {
    onNile = createApp(withSettings(context, { chain: { network: "nile" } }));
  });
  afterAll(() => onNile.close());

  it.each([
    ["NGN", {}, `must be one of ${priceable}: fewer than three markets of this one can be asked`],
    [
      "NGN",
      { amount: "1" },
      `must be one of ${priceable}: fewer than three markets of this one can be asked`,
    ],
    [
      "PLN",
      { amount: "1e3", label: 5 },
      `must be one of ${priceable}: fewer than three markets of this one can be asked`,
    ],
    ["XYZ", { amount: "1" }, `must be one of ${priceable}`],
    ["XYZ", { amount: 1, currency: "BTC" }, `must be one of ${priceable}`],
  ])("%s with %j: it %s", async (pricingCurrency, body, message) => {
    const response = await onNile.inject({
      method: "POST",
      url: PATH,
      headers: { "x-api-key": key },
      payload: { pricingCurrency, ...body },
    });
    const { error } = response.json();
    expect([response.statusCode, error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(error.details).toEqual([{ path: "pricingCurrency", message }]);
  });

  it("on the devnet every known currency can be priced", async () => {
    const { body } = await create({ pricingCurrency: "XYZ", amount: "1e3" });
    expect(body.error.details).toEqual([
      { path: "pricingCurrency", message: `must be one of ${[...fiatCurrencies, "USDT"].join(", ")}` },
    ]);
    expect(refusal(await create({ pricingCurrency: "NGN", amount: "1" }))).toEqual([503, "RATE_UNAVAILABLE"]);
  });
});

describe("texts", () => {
  it("of 120 characters are kept, also those outside the basic plane", async () => {
    const orderRef = "🍋".repeat(120);
    const { status, body } = await create({ orderRef, label: "naïve – 訂單 #1" });
    expect(status).toBe(201);
    expect(body.data.order_ref).toBe(orderRef);
    expect((await retrieve(body.data.id)).body.data.label).toBe("naïve – 訂單 #1");
  });

  it.each([
    "\u200f\u0623-17\u200e",
    "tab\tand\nnewline\r\n",
    "\u202eturned\u2066",
    "\u0001\u2028\ufeff",
    " blanks ",
    "",
  ])("keeps the reference and the label %j unchanged", async (text) => {
    const { status, body } = await create({ orderRef: text, label: text });
    expect([status, body.data.order_ref]).toEqual([201, text]);
    const row = await call("GET", `${PATH}/${body.data.id}`);
    expect([row.body.data.order_ref, row.body.data.label]).toEqual([text, text]);
    const found = await call("GET", `${PATH}?orderRef=${encodeURIComponent(text)}`);
    expect(found.body.data.map(({ id }: { id: string }) => id)).toContain(body.data.id);
  });

  it("that are URLs are kept in their parsed form", async () => {
    const { body } = await create({
      successUrl: "HTTPS://Shop.Example/a/../ok",
      cancelUrl: "http://shop.example",
    });
    expect(body.data).toMatchObject({
      success_url: "https://shop.example/ok",
      cancel_url: "http://shop.example/",
    });
  });
});

describe("a return address", () => {
  it("may have 2,048 characters as sent, whatever its parsed form, and leads the payer there", async () => {
    const successUrl = `https://shop.example/${"é".repeat(2048 - 21)}`;
    const { status, body } = await create({ successUrl, cancelUrl: `${successUrl}x` });
    expect([status, body.error?.details]).toEqual([
      422,
      [{ path: "cancelUrl", message: "must have at most 2048 characters" }],
    ]);
    const made = await create({ successUrl });
    expect(made.status).toBe(201);
    expect(new URL(made.body.data.success_url).href).toBe(new URL(successUrl).href);
  });
});

describe("retrieve", () => {
  it("finds a row by its id in capital letters too, like filters, and returns it in small ones", async () => {
    const { id } = await aCharge(context.db, { merchantId });
    for (const path of [`${PATH}/${id.toUpperCase()}`, `${PATH}/${id}`])
      expect((await call("GET", path)).body.data?.id).toBe(id);
    const archived = await call("POST", `${PATH}/${id.toUpperCase()}/archive`);
    expect([archived.status, archived.body.data?.id]).toEqual([200, id]);
  });

  it("shows the row with the money so far", async () => {
    const order = await aCharge(context.db, { merchantId, amount: "25", label: "shelf" });
    await aDeposit(context.db, { chargeId: order.id, amount: "10" });
    await aDeposit(context.db, { chargeId: order.id, amount: "2.5", status: "CONFIRMING" });
    await aDeposit(context.db, { chargeId: order.id, amount: "7", currency: "TRX" });
    const { status, body } = await retrieve(order.id);
    expect(status).toBe(200);
    expect(body.message).toBe("Success");
    expect(Object.keys(body.data)).toEqual([
      ...CONTRACT_FIELDS,
      "kind",
      "payment_status",
      "amount_received",
      "amount_pending",
      "payment_state",
      "paid_late",
      "refunded_amount",
      "label",
      "rest_of",
      "payment_link_id",
      "payer_ref",
      "payer",
      "customer_email",
      "customer_email_source",
      "customer_email_later",
      "settlement_account_id",
      "accepted_at",
      "accept_reason",
      "created_at",
      "updated_at",
    ]);
    expect(body.data).toMatchObject({
      id: order.id,
      kind: "order",
      payment_status: "confirming",
      amount_received: "10",
      amount_pending: "2.5",
      payment_state: "under",
      paid_late: false,
      label: "shelf",
      settlement_account_id: null,
      checkout_url: `http://127.0.0.1:3000/c/${order.checkoutToken}`,
    });
  });

  it("has a payment status for orders only", async () => {
    const { id } = await aCharge(context.db, { merchantId, kind: "open" });
    expect((await retrieve(id)).body.data).not.toHaveProperty("payment_status");
  });

  it("returns the same for another merchant's row as for an unknown one", async () => {
    const other = await aMerchantWithKey();
    const { id } = await aCharge(context.db, { merchantId });
    const [foreign, missing, malformed] = [
      await retrieve(id, other.apiKey),
      await retrieve(UNKNOWN, other.apiKey),
      await retrieve("1' or 1=1", other.apiKey),
    ];
    expect(refusal(foreign)).toEqual([404, "NOT_FOUND"]);
    for (const answer of [missing, malformed]) {
      expect(answer.status).toBe(404);
      expect({ ...answer.body, correlationId: null }).toEqual({ ...foreign.body, correlationId: null });
    }
  });
});

describe("list", () => {
  it("pages newest first, counts exactly and stays within the caller's rows", async () => {
    const { id, apiKey } = await aMerchantWithKey();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.unshift((await aCharge(context.db, { merchantId: id, createdAt: new Date(Date.now() + n) })).id);
    }
    const page = async (query: string) => (await call("GET", `${PATH}?${query}`, { as: apiKey })).body;
    const first = await page("limit=2");
    expect(first.meta).toEqual({ page: 1, limit: 2, total: 5 });
    expect(first.data.map((row: { id: string }) => row.id)).toEqual(ids.slice(0, 2));
    expect((await page("limit=2&page=3")).data.map((row: { id: string }) => row.id)).toEqual(ids.slice(4));
    expect(await page("page=1000000")).toMatchObject({ data: [], meta: { page: 1_000_000, total: 5 } });
  });

  it("has payment_status with kind=order and not without", async () => {
    const { id, apiKey } = await aMerchantWithKey();
    const order = await aCharge(context.db, { merchantId: id });
    await aDeposit(context.db, { chargeId: order.id, status: "DETECTED" });
    await aCharge(context.db, { merchantId: id, kind: "open" });
    const rows = async (query: string) => (await call("GET", `${PATH}?${query}`, { as: apiKey })).body.data;
    expect(await rows("kind=order")).toMatchObject([{ id: order.id, payment_status: "detected" }]);
    const all = await rows("");
    expect(all).toHaveLength(2);
    for (const row of all) expect(row).not.toHaveProperty("payment_status");
    expect(await rows("kind=open")).toMatchObject([{ kind: "open" }]);
  });

  it("finds the orders of a payment status, which each row then shows", async () => {
    const { id: merchantId, apiKey } = await aMerchantWithKey();
    const order = async (
      status: "ACTIVE" | "ARCHIVED",
      deposit?: "DETECTED" | "CONFIRMING" | "CONFIRMED",
    ) => {
      const { id } = await aCharge(context.db, { merchantId, status });
      if (deposit) await aDeposit(context.db, { chargeId: id, status: deposit });
      return id;
    };
    const orders = {
      awaiting: await order("ACTIVE"),
      detected: await order("ACTIVE", "DETECTED"),
      confirming: await order("ACTIVE", "CONFIRMING"),
      expired: await order("ARCHIVED", "CONFIRMING"),
      paid: await order("ARCHIVED", "CONFIRMED"),
    };
    const open = await aCharge(context.db, { merchantId, kind: "open" });
    await aDeposit(context.db, { chargeId: open.id });
    for (const [status, id] of Object.entries(orders)) {
      const { body } = await call("GET", `${PATH}?paymentStatus=${status}`, { as: apiKey });
      expect(body.data, status).toMatchObject([{ id, payment_status: status }]);
      expect(body.meta.total).toBe(1);
    }
    expect(await call("GET", `${PATH}?paymentStatus=PAID`, { as: apiKey })).toMatchObject({ status: 422 });
  });

  it("finds the charges of an order reference", async () => {
    const { apiKey } = await aMerchantWithKey();
    await create({ orderRef: "A 1&b" }, apiKey);
    await create({ orderRef: "other" }, apiKey);
    const { body } = await call("GET", `${PATH}?orderRef=${encodeURIComponent("A 1&b")}`, { as: apiKey });
    expect(body.meta.total).toBe(1);
    expect(body.data).toMatchObject([{ order_ref: "A 1&b" }]);
  });

  it("never shows another customer's order for another spelling of a reference", async () => {
    const { apiKey: as } = await aMerchantWithKey();
    for (const orderRef of ["BOB-1", "ALICE-1"]) await create({ orderRef, amount: "9.9" }, as);
    const found = await call("GET", `${PATH}?order_ref=BOB-1`, { as });
    expect([found.status, found.body.meta.total]).toEqual([200, 1]);
    expect(found.body.data).toMatchObject([{ order_ref: "BOB-1" }]);
    for (const misspelt of ["orderref", "order-ref", "OrderRef", "ref", "orderRef[]"]) {
      const answer = await call("GET", `${PATH}?${encodeURIComponent(misspelt)}=BOB-1`, { as });
      expect([misspelt, failingPaths(answer)]).toEqual([misspelt, [misspelt]]);
    }
    const both = await call("GET", `${PATH}?orderRef=BOB-1&order_ref=ALICE-1`, { as });
    expect(failingPaths(both)).toEqual(["order_ref"]);
  });

  it.each([
    "status=active",
    "kind=orders",
    "chain=eth",
    "limit=0",
    "limit=101",
    "page=0",
    "status=ACTIVE&status=EXPIRED",
  ])("refuses ?%s", async (query) => {
    expect(failingPaths(await call("GET", `${PATH}?${query}`))).toEqual([query.split("=")[0]]);
  });
});

describe("accept", () => {
  it("returns the row, which then counts as paid everywhere", async () => {
    const { id: merchant, apiKey: as } = await aMerchantWithKey();
    const { id, checkoutToken } = await aCharge(context.db, { merchantId: merchant });
    await aDeposit(context.db, { chargeId: id, amount: "20" });
    const accepted = await call("POST", `${PATH}/${id}/accept`, { as, body: { reason: "a friend" } });
    expect(accepted.status).toBe(200);
    const { data: listed } = (await call("GET", `${PATH}?kind=order`, { as })).body;
    const { data: retrieved } = (await retrieve(id, as)).body;
    for (const row of [accepted.body.data, listed[0], retrieved]) {
      expect(row).toMatchObject({ id, status: "ARCHIVED", payment_status: "paid", payment_state: "under" });
      expect(row).toMatchObject({ amount_due: "25", amount_received: "20", accept_reason: "a friend" });
      expect(row.accepted_at).toBe(new Date(row.accepted_at).toISOString());
    }
    const { data: seen } = (await app.inject(`/v1/checkout/${checkoutToken}`)).json();
    expect(seen).toMatchObject({ state: "paid", status: { paymentState: "under", amountReceived: "20" } });
    expect(JSON.stringify(seen)).not.toContain("a friend");
  });

  it("accepts no reason, no body, and no reason of more than 500 characters", async () => {
    const { id } = await aCharge(context.db, { merchantId });
    await aDeposit(context.db, { chargeId: id, amount: "20" });
    const url = `${PATH}/${id}/accept`;
    expect(failingPaths(await call("POST", url, { body: { reason: "x".repeat(501) } }))).toEqual(["reason"]);
    const { status, body } = await call("POST", url);
    expect([status, body.data.accept_reason]).toEqual([200, null]);
    expect(refusal(await call("POST", url, { body: {} }))).toEqual([409, "ORDER_ALREADY_PAID"]);
  });

  it("refuses by the codes of its rules, and finds no row of another merchant", async () => {
    const [order, open] = [
      await aCharge(context.db, { merchantId }),
      await aCharge(context.db, { merchantId, kind: "open" }),
    ];
    expect(refusal(await call("POST", `${PATH}/${order.id}/accept`))).toEqual([409, "NOTHING_RECEIVED"]);
    expect(failingPaths(await call("POST", `${PATH}/${open.id}/accept`))).toEqual(["id"]);
    const { apiKey: as } = await aMerchantWithKey();
    const foreign = await call("POST", `${PATH}/${order.id}/accept`, { as, body: { reason: 5 } });
    expect(refusal(foreign)).toEqual([404, "NOT_FOUND"]);
  });
});

describe("rest", () => {
  it("returns an order of what is missing, twice the same", async () => {
    const { id } = await aCharge(context.db, { merchantId, orderRef: "A-1042" });
    await aDeposit(context.db, { chargeId: id, amount: "20" });
    const [first, second] = [
      await call("POST", `${PATH}/${id}/rest`),
      await call("POST", `${PATH}/${id}/rest`),
    ];
    expect([first.status, first.body.message]).toEqual([201, "Created"]);
    expect(first.body.data).toMatchObject({
      rest_of: id,
      order_ref: "A-1042",
      amount_due: "5",
      status: "ACTIVE",
      payment_status: "awaiting",
    });
    expect(first.body.data.checkout_url).toContain(first.body.data.checkout_token);
    expect(second.body).toEqual(first.body);
    expect((await retrieve(id)).body.data).toMatchObject({ status: "ARCHIVED", rest_of: null });
  });

  it("refuses by the codes of its rules, and finds no row of another merchant", async () => {
    const [order, open] = [
      await aCharge(context.db, { merchantId }),
      await aCharge(context.db, { merchantId, kind: "open" }),
    ];
    expect(refusal(await call("POST", `${PATH}/${order.id}/rest`))).toEqual([409, "NOTHING_RECEIVED"]);
    expect(failingPaths(await call("POST", `${PATH}/${open.id}/rest`))).toEqual(["id"]);
    const { apiKey: as } = await aMerchantWithKey();
    expect(refusal(await call("POST", `${PATH}/${order.id}/rest`, { as }))).toEqual([404, "NOT_FOUND"]);
  });
});

describe("extend", () => {
  it("returns the row with its new end", async () => {
    const { id, expiresAt } = await aCharge(context.db, { merchantId });
    const { status, body } = await call("POST", `${PATH}/${id}/extend`, { body: { seconds: 90 } });
    expect(status).toBe(200);
    expect(Date.parse(body.data.expires_at)).toBe((expiresAt?.getTime() ?? 0) + 90_000);
  });

  it.each([
    {},
    { seconds: 0 },
    { seconds: 1.5 },
    { seconds: "60" },
    { seconds: -60 },
    { seconds: 7_776_001 },
  ])("refuses %j", async (body) => {
    const { id } = await aCharge(context.db, { merchantId });
    expect(failingPaths(await call("POST", `${PATH}/${id}/extend`, { body }))).toEqual(["seconds"]);
  });

  it("refuses by the codes of its rules, and finds no row of another merchant", async () => {
    const [closed, standing] = [
      await aCharge(context.db, { merchantId, status: "ARCHIVED" }),
      await aCharge(context.db, { merchantId, kind: "receive" }),
    ];
    const body = { seconds: 60 };
    expect(refusal(await call("POST", `${PATH}/${closed.id}/extend`, { body }))).toEqual([
      409,
      "ORDER_CLOSED",
    ]);
    expect(failingPaths(await call("POST", `${PATH}/${standing.id}/extend`, { body }))).toEqual(["id"]);
    const { apiKey: as } = await aMerchantWithKey();
    const foreign = await call("POST", `${PATH}/${closed.id}/extend`, { as, body: {} });
    expect(refusal(foreign)).toEqual([404, "NOT_FOUND"]);
  });
});

describe("archive", () => {
  it("returns the archived row, twice the same", async () => {
    const { id } = await aCharge(context.db, { merchantId });
    const first = await call("POST", `${PATH}/${id}/archive`);
    expect([first.status, first.body.data.status]).toEqual([200, "ARCHIVED"]);
    expect((await call("POST", `${PATH}/${id}/archive`)).body).toEqual(first.body);
  });

  it("ends an unpaid order: its payment status is expired, even with pending money", async () => {
    const { id: merchant, apiKey: as } = await aMerchantWithKey();
    const { id } = await aCharge(context.db, { merchantId: merchant });
    await aDeposit(context.db, { chargeId: id, status: "CONFIRMING" });
    const archived = await call("POST", `${PATH}/${id}/archive`, { as });
    const { data: listed } = (await call("GET", `${PATH}?kind=order`, { as })).body;
    const { data: retrieved } = (await retrieve(id, as)).body;
    for (const row of [archived.body.data, listed[0], retrieved]) {
      expect(row).toMatchObject({ id, status: "ARCHIVED", payment_status: "expired" });
    }
  });

  it("finds neither another merchant's row nor a malformed id", async () => {
    const other = await aMerchantWithKey();
    const { id } = await aCharge(context.db, { merchantId });
    for (const path of [`${PATH}/${id}/archive`, `${PATH}/nope/archive`]) {
      expect(refusal(await call("POST", path, { as: other.apiKey }))).toEqual([404, "NOT_FOUND"]);
    }
  });
});

describe("the OpenAPI document", () => {
  type DocumentedOperation = { responses: Record<string, { description: string }> };
  const operation = async (path: string, method: string): Promise<DocumentedOperation> =>
    (await app.inject("/v1/openapi.json")).json().paths[path][method];

  it("names every refusal of create, and Retry-After only where it exists", async () => {
    const { responses } = await operation(PATH, "post");
    expect(responses["404"]?.description).toBe("SETTLEMENT_ACCOUNT_NOT_FOUND");
    expect(responses["422"]?.description).toContain("NO_SETTLEMENT_ACCOUNT");
    expect(responses["429"]?.description).toContain("MAX_ACTIVE_ADDRESSES without it");
    expect(responses["503"]?.description).toContain("RATE_UNAVAILABLE");
  });

  it("describes the handling of a body on a route without one", async () => {
    const { responses } = await operation(`${PATH}/{id}/archive`, "post");
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["400", "413", "415"]));
    expect(Object.keys((await operation(PATH, "get")).responses)).not.toContain("400");
  });

  it("allows a UUID in capitals, like the service", async () => {
    const answer = await create({ settlementAccountId: UNKNOWN.toUpperCase() });
    expect(refusal(answer)).toEqual([404, "SETTLEMENT_ACCOUNT_NOT_FOUND"]);
    const document = (await app.inject("/v1/openapi.json")).json();
    const body = document.paths[PATH].post.requestBody.content["application/json"].schema;
    const { pattern } = body.properties.settlementAccountId;
    expect(UNKNOWN.toUpperCase()).toMatch(new RegExp(pattern));
  });
});
