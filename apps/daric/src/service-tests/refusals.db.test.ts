import { newCheckoutToken } from "@daric/charges/checkout-token";
import type { errorCatalog } from "@daric/domain/errors";
import { webhookEventTypes } from "@daric/domain/webhook-event";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { anUnknownKey } from "@daric/testing/api-keys";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { createManualClock } from "@daric/testing/offline-context";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../app.ts";

type Method = "GET" | "POST" | "PATCH" | "DELETE" | "PUT";
type Sent = {
  method?: Method;
  url: string;
  /** null for a request without the key of a merchant */
  key?: string | null;
  headers?: Record<string, string>;
  /** text is sent unchanged, any other value as JSON */
  body?: unknown;
};
type Refusal = {
  status: number;
  code: keyof typeof errorCatalog;
  message?: string;
  details?: { path: string; message: string }[];
};

const BASE = "https://pay.example";
const CHARGES = "/v1/deposit-addresses";
const ENDPOINTS = "/v1/webhooks/endpoints";
const NO_FORM =
  "The text in X-Api-Key is not in the form of a key, daric_test_sk_… or daric_live_sk_…: send the whole key as it was shown.";
const NO_KEY = "Send your API key in the header X-Api-Key: this request has none.";
const KNOWN = `Known: ${webhookEventTypes.join(", ")}.`;

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let apiKey: string;

beforeAll(async () => {
  context = await createTestContext({
    PUBLIC_BASE_URL: `${BASE}/`,
    RATE_LIMIT_KEY_BURST: "10000",
    WEBHOOK_ALLOW_TARGETS: "",
  });
  app = createApp(context);
  apiKey = (await anApiKey(context, (await aMerchant(context.db)).id)).key;
});
afterAll(async () => {
  await app.close();
  await context.close();
});

async function send({ method = "GET", url, key = apiKey, headers = {}, body }: Sent, server = app) {
  const response = await server.inject({
    method,
    url,
    headers: {
      ...(key === null ? {} : { "x-api-key": key }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

const created = (body: unknown): Sent => ({ method: "POST", url: CHARGES, body });
const hooked = (body: unknown): Sent => ({ method: "POST", url: ENDPOINTS, body });
const invalid = (path: string, message: string): Refusal => ({
  status: 422,
  code: "VALIDATION_ERROR",
  message: `${path} ${message}`,
  details: [{ path, message }],
});
const unreadable = (message: string): Refusal => ({ status: 400, code: "INVALID_JSON", message });
const unauthorized = (message: string): Refusal => ({ status: 401, code: "UNAUTHORIZED", message });
const unrouted = (message: string): Refusal => ({ status: 404, code: "NOT_FOUND", message });
const privateTarget = (host: string): Refusal => ({
  status: 422,
  code: "INVALID_WEBHOOK_URL",
  details: [
    {
      path: "url",
      message: `${host} is not a public target. The operator can allow it with WEBHOOK_ALLOW_TARGETS.`,
    },
  ],
});

const NO_CHARGE = "No deposit address with this id belongs to this key.";

const rows: [what: string, sent: Sent, refusal: Refusal][] = [
  ["no key", { url: CHARGES, key: null }, unauthorized(NO_KEY)],
  [
    "a key in another header",
    { url: CHARGES, key: null, headers: { authorization: "Bearer x" } },
    unauthorized(`${NO_KEY} We saw Authorization: Bearer, which is not read.`),
  ],
  ["a text that is no key", { url: CHARGES, key: "sk_test_123" }, unauthorized(NO_FORM)],
  ["a key that was cut off", { url: CHARGES, key: anUnknownKey().slice(0, -1) }, unauthorized(NO_FORM)],
  [
    "an unknown key",
    { url: CHARGES, key: anUnknownKey() },
    unauthorized("This API key is unknown, expired or revoked."),
  ],
  [
    "a live key on a test host",
    { url: CHARGES, key: anUnknownKey("live") },
    {
      status: 401,
      code: "WRONG_ENVIRONMENT",
      message:
        "The API key belongs to the other environment: test keys work at the test address, live keys at the live one.",
    },
  ],

  [
    "an amount that is a number",
    created({ amount: 25.5 }),
    invalid("amount", 'must be a string in quotes: "25.5", not 25.5 (money is never a number)'),
  ],
  [
    "an amount with a comma",
    created({ amount: "25,5" }),
    invalid("amount", 'has a comma: write "1000.5", with a point and nothing between thousands'),
  ],
  [
    "an amount with an exponent",
    created({ amount: "1e3" }),
    invalid("amount", 'must be written out, without an exponent: "1000", not "1e3"'),
  ],
  [
    "an amount with a sign",
    created({ amount: "-1" }),
    invalid("amount", "must have no sign: no amount is negative"),
  ],
  [
    "an amount of 7 decimals",
    created({ amount: "1.0000001" }),
    invalid("amount", "must have at most 6 decimals, not 7"),
  ],
  [
    "an amount that is too big",
    created({ amount: "1234567890123" }),
    invalid("amount", "is too big: at most 12 digits before the point, not 13"),
  ],
  [
    "an amount in USD of 3 decimals",
    created({ amount: "1.005", pricingCurrency: "USD" }),
    invalid("amount", "must have at most 2 decimals in USD"),
  ],
  [
    "an amount for a standing address",
    created({ amount: "1", reusable: true }),
    invalid("amount", "cannot be given for a reusable address"),
  ],

  [
    "small letters",
    created({ currency: "usdt" }),
    invalid("currency", "must be USDT or TRX (capital letters)"),
  ],
  [
    "capital letters",
    { url: `${CHARGES}?kind=Order` },
    invalid("kind", "must be order, receive or open (small letters)"),
  ],
  [
    "a misspelt value",
    { url: `${CHARGES}?status=ARCHVIED` },
    invalid("status", "must be ACTIVE, EXPIRED or ARCHIVED: did you mean ARCHIVED?"),
  ],
  [
    "a value that resembles no allowed one",
    created({ currency: "BTC" }),
    invalid("currency", "must be USDT or TRX"),
  ],
  [
    "a reference that is a number",
    created({ orderRef: 1042 }),
    invalid("orderRef", "must be a string in quotes"),
  ],
  [
    "a URL without its scheme",
    created({ successUrl: "shop.example/x" }),
    invalid("successUrl", "must begin with https:// or http://"),
  ],
  [
    "a URL with a password",
    created({ cancelUrl: "https://me:secret@shop.example" }),
    invalid("cancelUrl", "must not carry a user name or a password"),
  ],
  ["a limit out of bounds", { url: `${CHARGES}?limit=101` }, invalid("limit", "must be at most 100")],
  [
    "a parameter that is misspelt",
    { url: `${CHARGES}?order_reff=A-1` },
    invalid("order_reff", "is not a parameter: did you mean orderRef?"),
  ],
  [
    "a parameter given in both spellings",
    { url: `${CHARGES}?orderRef=A-1&order_ref=A-2` },
    invalid("order_ref", "must be given once: orderRef is the same"),
  ],
  ["a parameter given twice", { url: `${CHARGES}?page=1&page=2` }, invalid("page", "must be given once")],
  ["an after parameter that is no id", { url: `${CHARGES}?after=x` }, invalid("after", "must be a UUID")],
  [
    "an after parameter of an unknown row",
    { url: `${CHARGES}?after=${"0".repeat(8)}-0000-7000-8000-${"0".repeat(12)}` },
    invalid("after", "must be the id of a row of this list"),
  ],

  [
    "a path without /v1",
    { method: "POST", url: "/deposit-addresses", body: {} },
    unrouted(
      "No route POST /deposit-addresses. Did you mean POST /v1/deposit-addresses? " +
        "All paths of the API begin with /v1: see /docs.",
    ),
  ],
  [
    "an unknown path",
    { url: "/v1/orders?secret=1" },
    unrouted("No route GET /v1/orders. All paths of the API begin with /v1: see /docs."),
  ],
  [
    "a long path",
    { url: `/v1/${"a".repeat(500)}` },
    unrouted(`No route GET /v1/${"a".repeat(96)}…. All paths of the API begin with /v1: see /docs.`),
  ],
  [
    "a slash at the end of a list",
    { method: "POST", url: `${CHARGES}/?a=1`, body: {} },
    unrouted(
      `No route POST ${CHARGES}/. Did you mean POST ${CHARGES}, without the slash at its end? ` +
        "All paths of the API begin with /v1: see /docs.",
    ),
  ],
  [
    "a slash at the end of a row, without a key",
    { url: `${CHARGES}/x/`, key: null },
    unrouted(
      `No route GET ${CHARGES}/x/. Did you mean GET ${CHARGES}/x, without the slash at its end? ` +
        "All paths of the API begin with /v1: see /docs.",
    ),
  ],
  [
    "a slash at the end of a list that is read",
    { url: `${ENDPOINTS}//` },
    unrouted(
      `No route GET ${ENDPOINTS}//. Did you mean GET ${ENDPOINTS}, without the slash at its end? ` +
        "All paths of the API begin with /v1: see /docs.",
    ),
  ],
  [
    "a slash at the end of an unknown path",
    { url: "/v1/orders/" },
    unrouted("No route GET /v1/orders/. All paths of the API begin with /v1: see /docs."),
  ],
  ["an unknown row", { url: `${CHARGES}/${uuidv7()}` }, unrouted(NO_CHARGE)],
  ["a malformed id", { url: `${CHARGES}/nothing` }, unrouted(NO_CHARGE)],
  ["a path that cannot be decoded", { url: `${CHARGES}/%zz` }, unrouted("No such resource.")],
  [
    "another method",
    { method: "PUT", url: CHARGES, body: {} },
    {
      status: 405,
      code: "METHOD_NOT_ALLOWED",
      message: "This path does not take PUT. It takes POST, GET, HEAD.",
    },
  ],

  ["a webhook to a private address", hooked({ url: "http://10.0.0.5/hook" }), privateTarget("10.0.0.5")],
  ["a private address in another notation", hooked({ url: "http://0x0a000005/" }), privateTarget("10.0.0.5")],
  ["a webhook to an inner name", hooked({ url: "http://db.internal/" }), privateTarget("db.internal")],
  ["a webhook to localhost", hooked({ url: "http://localhost:3000/" }), privateTarget("localhost")],
  [
    "an unknown event type",
    hooked({ url: "http://8.8.8.8/", eventTypes: ["order.paid", "payment.succeeded", "order.payed"] }),
    {
      status: 422,
      code: "INVALID_EVENT_TYPE",
      message: `An event type is not supported. ${KNOWN}`,
      details: [
        { path: "eventTypes.1", message: "payment.succeeded is not an event" },
        { path: "eventTypes.2", message: "order.payed is not an event: did you mean order.paid?" },
      ],
    },
  ],

  ["an empty body", created(""), unreadable("The request body is empty: send at least {}.")],
  [
    "a body that is no JSON",
    created("{a:1}"),
    unreadable("The request body is not valid JSON: unexpected a at position 1."),
  ],
  [
    "a body that is cut off",
    created('{"a":'),
    unreadable("The request body is not valid JSON: it ends too early, at position 5."),
  ],
  [
    "a key that is given twice",
    created('{"amount":"1","label":"a","amount":"2"}'),
    unreadable("The request body says the key amount twice."),
  ],
  [
    "a body in single quotes",
    created("{'amount':'1'}"),
    unreadable(
      "The request body is not valid JSON: unexpected ' at position 1: texts stand in double quotes.",
    ),
  ],
  [
    "a body nested too deep",
    created("[".repeat(9) + "]".repeat(9)),
    unreadable("The request body is nested deeper than 8."),
  ],
  ["a list for a body", created([]), invalid("(body)", "must be an object")],
  [
    "a form for a body",
    { ...created("a=1"), headers: { "content-type": "application/x-www-form-urlencoded" } },
    {
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
      message: "The request body must be application/json.",
    },
  ],
  [
    "a body of more than 64 kB",
    created({ label: "x".repeat(65_536) }),
    { status: 413, code: "PAYLOAD_TOO_LARGE", message: "The request body is larger than 64 kB." },
  ],
];

describe("each refusal names the fault and the way out", () => {
  it.each(rows)("%s", async (_, sent, { status, code, message, details }) => {
    const answer = await send(sent);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    if (message !== undefined) expect(answer.body.message).toBe(message);
    expect(answer.body.error.details).toEqual(details);
    expect(answer.body.error.docUrl).toBe(`${BASE}/docs/errors#${code.toLowerCase().replaceAll("_", "-")}`);
    expect(Object.keys(answer.body)).toEqual(["success", "message", "error", "correlationId"]);
  });

  it("of several faults the message names the first, and the number of the others", async () => {
    const { body } = await send(created({ amount: "1.1234567", orderRef: 7, label: 5 }));
    expect(body.error.details).toHaveLength(3);
    expect(body.message).toBe("amount must have at most 6 decimals, not 7 (and 2 more)");
    const long = await send(created({ metadata: { ["k".repeat(5_000)]: "v" } }));
    expect(long.body.message).toMatch(/^metadata\.k{91}… must /);
  });

  it("an update without a field gets a fault of the whole body", async () => {
    const made = await send(hooked({ url: "http://8.8.8.8/" }));
    const answer = await send({ method: "PATCH", url: `${ENDPOINTS}/${made.body.data.id}`, body: {} });
    expect(answer.body.error.details).toEqual([
      { path: "(body)", message: "must have one of url, description, eventTypes and isActive" },
    ]);
  });

  it("an operation without a body refuses a list with the reason, on every route", async () => {
    const endpoint = `${ENDPOINTS}/${(await send(hooked({ url: "http://8.8.8.8/" }))).body.data.id}`;
    const { id, checkout_token: token } = (await send(created({ amount: "1" }))).body.data;
    const bodiless: Sent[] = [
      { method: "POST", url: `${CHARGES}/${id}/archive` },
      { method: "POST", url: `${endpoint}/test` },
      { method: "DELETE", url: endpoint },
      { method: "POST", url: `/v1/checkout/${token}/requote`, key: null },
    ];
    for (const sent of bodiless) {
      const { status, body } = await send({ ...sent, body: [1] });
      expect([sent.url, status, body.error.details]).toEqual([
        sent.url,
        422,
        [{ path: "(body)", message: "must be an object" }],
      ]);
    }
    expect((await send({ url: `${CHARGES}/${id}` })).body.data.status).toBe("ACTIVE");
  });

  it("a refused charge comes with the next step", async () => {
    const { id: merchantId } = await aMerchant(context.db, { activeAddressCap: 1 });
    const { key } = await anApiKey(context, merchantId);
    const messageOf = async (sent: Sent) => (await send({ ...sent, key })).body.message;
    const disabled = await aSettlementAccount(context.db, merchantId, { status: "disabled" });
    expect(await messageOf(created({ settlementAccountId: uuidv7() }))).toBe(
      "You have no settlement account of this id: compare settlementAccountId with the one you were given, or leave it out.",
    );
    expect(await messageOf(created({ settlementAccountId: disabled.id }))).toBe(
      "The settlement account is disabled: name an active one in settlementAccountId, or leave it out.",
    );
    expect(await messageOf(created({ reusable: true }))).toBe(
      "A reusable address needs an active settlement account, and there is none: ask the operator to add one " +
        "(daric settlement-account add).",
    );
    const { id } = await aCharge(context.db, { merchantId, status: "EXPIRED" });
    await aCharge(context.db, { merchantId });
    expect(await messageOf(created({ amount: "1" }))).toBe(
      "The cap of active addresses is reached: archive some that are not needed, wait until some expire, or ask the " +
        "operator for a higher cap.",
    );
    const verb = (name: string, body: unknown): Sent => ({
      method: "POST",
      url: `${CHARGES}/${id}/${name}`,
      body,
    });
    expect(await messageOf(verb("extend", { seconds: 60 }))).toBe(
      "It is closed, since it has expired or is archived: create a new one. What is paid to this one is still credited.",
    );
    expect(await messageOf(verb("accept", {}))).toBe(
      "Nothing that was sent to the order is confirmed: ask again when a payment is.",
    );
  });

  it("the result of name resolution is not revealed: an inner name and a special one get the same refusal", async () => {
    const answers = [];
    for (const host of ["localhost", "db.internal", "printer.lan"]) {
      const { status, body } = await send(hooked({ url: `https://${host}/hook` }));
      answers.push(`${status} ${JSON.stringify(body.error).replace(host, "…")}`);
    }
    expect(new Set(answers).size).toBe(1);
  });
});

describe("an exhausted limit is named with the seconds to wait:", () => {
  it("of a key", async () => {
    const config = {
      ...context.config,
      http: { ...context.config.http, keyRequestsPerSecond: 20, keyBurst: 2 },
    };
    const one = createApp({ ...context, config, clock: createManualClock() });
    for (let n = 0; n < 2; n += 1) await send({ url: CHARGES }, one);
    const answer = await send({ url: CHARGES }, one);
    expect(answer.status).toBe(429);
    expect(answer.body.message).toBe("Too many requests of this key: more than 20 a second. Retry in 1 s.");
    expect(answer.headers).toMatchObject({
      "retry-after": "1",
      "ratelimit-limit": "2",
      "ratelimit-remaining": "0",
      "ratelimit-reset": "1",
    });
    await one.close();
  });

  it("of a checkout, and of an address's requests for unknown checkouts", async () => {
    const config = {
      ...context.config,
      checkout: { ...context.config.checkout, readsPerMinute: 1 },
      http: { ...context.config.http, failuresPerMinute: 1 },
    };
    const one = createApp({ ...context, config, clock: createManualClock() });
    const { checkoutToken } = await aCharge(context.db, { merchantId: (await aMerchant(context.db)).id });
    const spent = {
      status: 429,
      headers: {
        "retry-after": "60",
        "ratelimit-limit": "1",
        "ratelimit-remaining": "0",
        "ratelimit-reset": "60",
      },
      body: {
        message: "Too many requests: more than 1 a minute. Retry in 60 s.",
        error: { code: "RATE_LIMITED", docUrl: `${BASE}/docs/errors#rate-limited` },
      },
    };
    const read = (token: string) => send({ url: `/v1/checkout/${token}`, key: null }, one);
    expect((await read(checkoutToken)).status).toBe(200);
    expect(await read(checkoutToken)).toMatchObject(spent);
    expect((await read(newCheckoutToken(context.checkoutKey))).status).toBe(404);
    expect(await read(newCheckoutToken(context.checkoutKey))).toMatchObject(spent);
    await one.close();
  });

  it("of an endpoint's test events, not that of the key", async () => {
    const made = await send(hooked({ url: "http://8.8.8.8/" }));
    await context.db.query(
      sql`update webhook_endpoints set url = 'http://127.0.0.1:9/' where id = ${made.body.data.id}`,
    );
    const egress = { ...context.config.egress, allowTargets: ["127.0.0.0/8"] };
    const config = { ...context.config, egress };
    const one = createApp({ ...context, config, clock: createManualClock() });
    const test: Sent = { method: "POST", url: `${ENDPOINTS}/${made.body.data.id}/test` };
    for (let n = 0; n < 6; n += 1) expect((await send(test, one)).status).toBe(200);
    const answer = await send(test, one);
    expect(answer.status).toBe(429);
    expect(answer.body.message).toBe(
      "Too many test events and resends to this endpoint: more than 6 a minute. Retry in 10 s.",
    );
    expect(answer.headers).toMatchObject({ "ratelimit-limit": "6", "ratelimit-remaining": "0" });
    await one.close();
  });
});

it("without a public base address docUrl is a path", async () => {
  const one = createApp({
    ...context,
    config: { ...context.config, http: { ...context.config.http, publicBaseUrl: undefined } },
  });
  const { body } = await send({ url: `${CHARGES}/${uuidv7()}` }, one);
  expect(body.error).toEqual({ code: "NOT_FOUND", docUrl: "/docs/errors#not-found" });
  await one.close();
});
