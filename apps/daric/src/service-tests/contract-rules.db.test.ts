import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import type { MerchantTerms } from "@daric/merchants/merchant-terms";
import { roles } from "@daric/runtime/setting";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext, testEnvironment } from "@daric/testing/context";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../app.ts";
import { readConfig } from "../process/config.ts";

/* Rules of the contract that hold for several operations, from a merchant's view. */

const CHARGES = "/v1/deposit-addresses";
const ENDPOINTS = "/v1/webhooks/endpoints";
const TX_ID = "ef".repeat(32);
const lists = [CHARGES, "/v1/deposits", `/v1/lookup?txHash=${TX_ID}`, ENDPOINTS, "/v1/webhooks/deliveries"];

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let apiKey: string;

beforeAll(async () => {
  context = await createTestContext({ RATE_LIMIT_KEY_BURST: "10000", WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8" });
  app = createApp(context);
  merchantId = (await aMerchant(context.db)).id;
  await aSettlementAccount(context.db, merchantId);
  apiKey = (await anApiKey(context, merchantId)).key;
});
afterAll(async () => {
  await app.close();
  await context.close();
});

async function send(method: "GET" | "POST" | "PATCH", url: string, payload?: object) {
  const response = await app.inject({
    method,
    url,
    headers: { "x-api-key": apiKey },
    ...(payload && { payload }),
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

const requested = (list: string, query: string) =>
  send("GET", `${list}${list.includes("?") ? "&" : "?"}${query}`);

/** The names of the fields in a refusal's details. */
async function refusedFields(answer: ReturnType<typeof send>): Promise<string[]> {
  const { status, body } = await answer;
  expect([status, body.error?.code]).toEqual([422, "VALIDATION_ERROR"]);
  return body.error.details.map(({ path }: { path: string }) => path);
}

describe("every list", () => {
  it("shows page 1 with 20 rows by default", async () => {
    for (const list of lists) {
      const { status, body } = await send("GET", list);
      expect([status, body.success, body.message, Array.isArray(body.data)]).toEqual([
        200,
        true,
        "Success",
        true,
      ]);
      expect(body.meta, list).toEqual({ page: 1, limit: 20, total: expect.any(Number) });
    }
  });

  it("takes the spelling of the answers for a filter, and refuses any other name", async () => {
    for (const list of lists) {
      expect(await refusedFields(requested(list, "utm_source=x")), list).toEqual(["utm_source"]);
      expect(await refusedFields(requested(list, "Limit=1")), list).toEqual(["Limit"]);
    }
    expect(await refusedFields(send("GET", "/v1/lookup?tx_hash=x"))).toEqual(["tx_hash"]);
    for (const query of [
      `deposits?deposit_address_id=${uuidv7()}`,
      `webhooks/deliveries?reference_id=${uuidv7()}`,
    ])
      expect((await send("GET", `/v1/${query}`)).body.meta.total, query).toBe(0);
  });

  it("takes a limit of 1 to 100 and a page from 1 on, and no other values", async () => {
    for (const list of lists) {
      for (const query of ["limit=1&page=1", "limit=100&page=1", "limit=100&page=9007199254740991"])
        expect((await requested(list, query)).status, `${list} ${query}`).toBe(200);
      for (const query of ["limit=0", "limit=101", "page=0"])
        expect(await refusedFields(requested(list, query))).toEqual([query.split("=")[0]]);
    }
  });
});

describe("the envelope", () => {
  it("of a read has success, Success and data, of a create Created, of a list also meta", async () => {
    const created = await send("POST", CHARGES, {});
    expect([created.status, created.body]).toEqual([
      201,
      { success: true, message: "Created", data: expect.any(Object) },
    ]);
    const { body } = await send("GET", `${CHARGES}/${created.body.data.id}`);
    expect(body).toEqual({ success: true, message: "Success", data: expect.any(Object) });
    const listed = (await send("GET", CHARGES)).body;
    expect(Object.keys(listed)).toEqual(["success", "message", "data", "meta"]);
  });
});

describe("the ignored fields of a body", () => {
  const misspelt = { amount: "1", order_ref: "A-1", success_url: "https://shop.example" };
  const reported = [
    "order_ref was ignored: did you mean orderRef?",
    "success_url was ignored: did you mean successUrl?",
  ];

  it("are repeated in warnings for a test key", async () => {
    const made = await send("POST", CHARGES, misspelt);
    expect([made.status, made.body.warnings]).toEqual([201, reported]);
    const archived = await send("POST", `${CHARGES}/${made.body.data.id}/archive`, { reson: "x" });
    expect([archived.status, archived.body.warnings]).toEqual([
      200,
      ["reson was ignored: no such field is known"],
    ]);
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`zzz${n}`, 1]));
    expect((await send("POST", CHARGES, many)).body.warnings).toHaveLength(10);
  });

  it("are in the header alone for a live key", async () => {
    const live = createApp({ ...context, config: { ...context.config, environment: "live" } });
    const { id } = await aMerchant(context.db);
    const { key } = await anApiKey({ ...context, config: { ...context.config, environment: "live" } }, id);
    const answer = await live.inject({
      method: "POST",
      url: CHARGES,
      headers: { "x-api-key": key },
      payload: misspelt,
    });
    expect([answer.statusCode, answer.headers["x-ignored-fields"]]).toEqual([
      201,
      "order_ref->orderRef, success_url->successUrl",
    ]);
    expect(answer.json()).not.toHaveProperty("warnings");
    await live.close();
  });
});

describe("a body", () => {
  async function codeOf(payload: string): Promise<string | undefined> {
    const headers = { "x-api-key": apiKey, "content-type": "application/json" };
    const { statusCode, ...answer } = await app.inject({ method: "POST", url: CHARGES, headers, payload });
    return statusCode === 201 ? "taken" : answer.json().error.code;
  }

  it("has 65,536 bytes at most, and a longer one is refused", async () => {
    expect(await codeOf("{}".padEnd(65_536))).toBe("taken");
    expect(await codeOf("{}".padEnd(65_537))).toBe("PAYLOAD_TOO_LARGE");
  });

  it("is 8 deep at most, and a deeper one is refused", async () => {
    const deep = (levels: number) => `{"unknown":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    expect(await codeOf(deep(8))).toBe("taken");
    expect(await codeOf(deep(9))).toBe("INVALID_JSON");
  });
});

describe("a create", () => {
  it("is for USDT on tron by default", async () => {
    const { body } = await send("POST", CHARGES, { amount: "1" });
    expect(body.data).toMatchObject({ chain: "tron", currency: "USDT" });
    const stated = await send("POST", CHARGES, { chain: "tron", currency: "TRX", amount: "1" });
    expect([stated.status, stated.body.data.currency]).toEqual([201, "TRX"]);
  });

  it("makes an order with an amount, a receive address if reusable, else an open address", async () => {
    const kinds = [];
    for (const body of [{ amount: "1" }, { reusable: true }, {}]) {
      const { data } = (await send("POST", CHARGES, body)).body;
      const row = (await send("GET", `${CHARGES}/${data.id}`)).body.data;
      kinds.push([row.kind, row.expires_at === null]);
    }
    expect(kinds).toEqual([
      ["order", false],
      ["receive", true],
      ["open", false],
    ]);
  });

  it("takes orderRef and label of at most 120 characters", async () => {
    for (const field of ["orderRef", "label"]) {
      expect((await send("POST", CHARGES, { [field]: "x".repeat(120) })).status).toBe(201);
      expect(await refusedFields(send("POST", CHARGES, { [field]: "x".repeat(121) }))).toEqual([field]);
    }
  });

  it("takes return URLs of at most 2,048 characters", async () => {
    const long = (length: number) => "https://shop.example/".padEnd(length, "x");
    for (const field of ["successUrl", "cancelUrl"]) {
      expect((await send("POST", CHARGES, { [field]: long(2_048) })).status).toBe(201);
      expect(await refusedFields(send("POST", CHARGES, { [field]: long(2_049) }))).toEqual([field]);
    }
  });

  it("takes amounts with at most 12 digits before the point and 6 after it, in USD 2 after it", async () => {
    const amount = "999999999999.999999";
    expect((await send("POST", CHARGES, { amount })).body.data.expected_amount).toBe(amount);
    for (const wrong of ["1000000000000", "0.0000001"])
      expect(await refusedFields(send("POST", CHARGES, { amount: wrong }))).toEqual(["amount"]);
    const inUsd = { amount: "1.001", pricingCurrency: "USD" };
    expect(await refusedFields(send("POST", CHARGES, inUsd))).toEqual(["amount"]);
    expect((await send("POST", CHARGES, { ...inUsd, amount: "1.01" })).body.error.code).toBe(
      "RATE_UNAVAILABLE",
    );
  });

  it("takes at most 20 metadata keys of 40 characters with values of 500", async () => {
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, ""]));
    const limits: [taken: object, refused: object][] = [
      [keys(20), keys(21)],
      [{ ["k".repeat(40)]: "" }, { ["k".repeat(41)]: "" }],
      [{ k: "x".repeat(500) }, { k: "x".repeat(501) }],
    ];
    for (const [taken, refused] of limits) {
      expect((await send("POST", CHARGES, { metadata: taken })).status).toBe(201);
      expect(await refusedFields(send("POST", CHARGES, { metadata: refused }))).toHaveLength(1);
    }
  });
});

describe("a create without a usable settlement account, or at the cap", () => {
  /** The refusal of each kind of charge; there are no rates here. */
  async function refusalsOf(terms: Partial<MerchantTerms>, settlementAccountId?: string): Promise<string[]> {
    const { id } = await aMerchant(context.db, terms);
    const key = (await anApiKey(context, id)).key;
    const codes: string[] = [];
    for (const body of [
      { amount: "1" },
      { reusable: true },
      { amount: "1", pricingCurrency: "USD" },
      { amount: "1" },
    ]) {
      const payload = settlementAccountId === undefined ? body : { ...body, settlementAccountId };
      const answer = await app.inject({
        method: "POST",
        url: CHARGES,
        headers: { "x-api-key": key },
        payload,
      });
      codes.push(answer.statusCode === 201 ? "taken" : answer.json().error.code);
    }
    return codes;
  }

  it("is refused for the account, for every kind of charge, with or without a rate", async () => {
    const foreign = await aSettlementAccount(context.db, (await aMerchant(context.db)).id);
    const missing = "SETTLEMENT_ACCOUNT_NOT_FOUND";
    expect(await refusalsOf({}, foreign.id)).toEqual([missing, missing, missing, missing]);
    const disabled = await aSettlementAccount(context.db, merchantId, { status: "disabled" });
    for (const body of [{ amount: "1" }, { reusable: true }, { amount: "1", pricingCurrency: "USD" }]) {
      const refused = await send("POST", CHARGES, { ...body, settlementAccountId: disabled.id });
      expect([refused.status, refused.body.error.code]).toEqual([422, "SETTLEMENT_ACCOUNT_DISABLED"]);
    }
  });

  it("is refused for the cap before the missing rate", async () => {
    expect(await refusalsOf({ activeAddressCap: 1 })).toEqual([
      "taken",
      "NO_SETTLEMENT_ACCOUNT",
      "MAX_ACTIVE_ADDRESSES",
      "MAX_ACTIVE_ADDRESSES",
    ]);
  });
});

describe("a webhook endpoint", () => {
  const url = "https://93.184.216.34/";

  it("has a description of at most 255 characters and a url of at most 2,048", async () => {
    const long = (length: number) => url.padEnd(length, "x");
    const taken = { url: long(2_048), description: "x".repeat(255) };
    expect((await send("POST", ENDPOINTS, taken)).status).toBe(201);
    expect(await refusedFields(send("POST", ENDPOINTS, { url: long(2_049) }))).toEqual(["url"]);
    const description = "x".repeat(256);
    expect(await refusedFields(send("POST", ENDPOINTS, { url, description }))).toEqual(["description"]);
  });

  it("subscribes to deposit.confirmed alone by default, and to at least one event", async () => {
    const { data } = (await send("POST", ENDPOINTS, { url })).body;
    expect(data.event_types).toEqual(["deposit.confirmed"]);
    const none = send("PATCH", `${ENDPOINTS}/${data.id}`, { eventTypes: [] });
    expect(await refusedFields(none)).toEqual(["eventTypes"]);
    const some = await send("PATCH", `${ENDPOINTS}/${data.id}`, { eventTypes: ["order.paid"] });
    expect(some.body.data.event_types).toEqual(["order.paid"]);
  });

  it("keeps the previous secret for 86,400 s by default, and for 604,800 s at most", async () => {
    const { id } = (await send("POST", ENDPOINTS, { url })).body.data;
    const rotate = (body: object) => send("POST", `${ENDPOINTS}/${id}/rotate-secret`, body);
    const leftS = async (body: object) =>
      (Date.parse((await rotate(body)).body.data.previous_secret_expires_at) - Date.now()) / 1_000;
    expect(Math.abs((await leftS({})) - 86_400)).toBeLessThan(60);
    expect(Math.abs((await leftS({ overlapSeconds: 604_800 })) - 604_800)).toBeLessThan(60);
    expect(await refusedFields(rotate({ overlapSeconds: 604_801 }))).toEqual(["overlapSeconds"]);
  });
});

describe("the list of deposit addresses", () => {
  it("is narrowed by status, chain and kind, each alone and all together", async () => {
    const wanted = await aCharge(context.db, { merchantId, kind: "open", status: "EXPIRED" });
    const others = [
      await aCharge(context.db, { merchantId, kind: "open" }),
      await aCharge(context.db, { merchantId, status: "EXPIRED" }),
    ].map(({ id }) => id);
    const [noOpen, noExpired] = others;
    for (const [filter, excluded] of [
      ["status=EXPIRED", [noOpen]],
      ["kind=open", [noExpired]],
      ["chain=tron", []],
      ["status=EXPIRED&kind=open&chain=tron", others],
    ] as const) {
      const { body } = await send("GET", `/v1/deposit-addresses?limit=100&${filter}`);
      const ids = body.data.map(({ id }: { id: string }) => id);
      expect(ids, filter).toContain(wanted.id);
      expect(
        others.filter((id) => !ids.includes(id)),
        filter,
      ).toEqual(excluded);
    }
  });
});

describe("the list of deposits", () => {
  it("is narrowed by each filter, and by all of them together", async () => {
    const order = await aCharge(context.db, { merchantId, orderRef: "list-1" });
    const other = await aCharge(context.db, { merchantId, currency: "TRX" });
    const hour = (n: number) => new Date(Date.UTC(2026, 0, 1, n));
    const first = await aDeposit(context.db, { chargeId: order.id, txId: TX_ID, createdAt: hour(1) });
    await aDeposit(context.db, { chargeId: other.id, status: "DETECTED", createdAt: hour(3) });
    const filters = [
      "status=CONFIRMED",
      "currency=USDT",
      `depositAddressId=${order.id}`,
      "orderRef=list-1",
      `txHash=${TX_ID.toUpperCase()}`,
      "to=2026-01-01T02:00:00Z",
    ];
    for (const filter of [...filters, filters.join("&")]) {
      const { body } = await send("GET", `/v1/deposits?${filter}`);
      const ids = body.data.map(({ id }: { id: string }) => id);
      expect([ids, body.meta.total], filter).toEqual([[first.id], 1]);
    }
    const later = await send("GET", "/v1/deposits?from=2026-01-01T02:00:00Z");
    expect(later.body.data).toMatchObject([{ currency: "TRX" }]);
  });
});

it("a deposit of another merchant, an unknown and a malformed id are the same 404", async () => {
  const foreign = await aCharge(context.db, { merchantId: (await aMerchant(context.db)).id });
  const { id } = await aDeposit(context.db, { chargeId: foreign.id });
  for (const requested of [id, "0193a1b2-0000-7000-8000-000000000009", "none"]) {
    const { status, body } = await send("GET", `/v1/deposits/${requested}`);
    expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
  }
});

it("limits and times have the product's defaults", () => {
  const { http, checkout, webhooks, charges } = readConfig(testEnvironment(), roles);
  expect({
    perKey: [http.keyRequestsPerSecond, http.keyBurst],
    perToken: [checkout.readsPerMinute, checkout.requotesPerMinute],
    endpoints: [webhooks.endpointsPerMerchant, webhooks.testEventsPerMinute],
    attemptsAfterSeconds: webhooks.retryScheduleMs.map((ms) => ms / 1_000),
    webhookTimeoutMs: webhooks.timeoutMs,
    parkedForDays: webhooks.parkedForMs / 86_400_000,
    archivedAfterDays: charges.archiveAfterMs / 86_400_000,
  }).toEqual({
    perKey: [20, 40],
    perToken: [120, 6],
    endpoints: [20, 6],
    attemptsAfterSeconds: [0, 5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400],
    webhookTimeoutMs: 15_000,
    parkedForDays: 3,
    archivedAfterDays: 30,
  });
});
