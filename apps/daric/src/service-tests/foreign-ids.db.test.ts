import { randomBytes } from "node:crypto";
import type { MerchantId } from "@daric/domain/ids";
import { amountFromUnits } from "@daric/domain/money";
import type { ApiApp } from "@daric/http/api-app";
import { type Queryable, sql } from "@daric/postgres/sql";
import { type ApiRoute, routesOf, sampleBody, takesName } from "@daric/testing/api-routes";
import { isNight } from "@daric/testing/at-night";
import { aMerchant, anAddress, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { aPaymentLink } from "@daric/testing/payment-link-builder";
import { raw } from "@daric/testing/raw-sql";
import { tenantColumn } from "@daric/testing/tenants/schema";
import { announceDeposit } from "@daric/testing/webhook-builders";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createApp } from "../app.ts";

/** Columns that select rows and are no ids, such as references. */
const NAMES = [
  "order_ref",
  "customer_ref",
  "tx_hash",
  "address",
  "checkout_token",
  "lookup_id",
  "label",
  "payer_ref",
];

type Shop = { merchantId: MerchantId; key: string };

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let routes: ApiRoute[];
let caller: Shop;
let other: Shop;
/** names of rows of the other merchant, and of the caller */
let foreign: string[];
let own: string[];

beforeAll(async () => {
  context = await createTestContext({
    RATE_LIMIT_KEY_BURST: "1000000",
    RATE_LIMIT_TEST_EVENTS_PER_MINUTE: "1000000",
  });
  app = createApp(context);
  routes = (await routesOf(app)).filter(({ scope }) => scope !== undefined);
  [caller, other] = [await aShop(), await aShop()];
  foreign = await namesOf(other.merchantId);
  own = await namesOf(caller.merchantId);
});
afterAll(async () => {
  await app.close();
  await context.close();
});

async function post(key: string, url: string, payload: object): Promise<void> {
  const { statusCode } = await app.inject({ method: "POST", url, headers: { "x-api-key": key }, payload });
  expect(statusCode).toBe(201);
}

/** A merchant with a row of every resource that has an id. */
async function aShop(): Promise<Shop> {
  const { db } = context;
  const { id: merchantId } = await aMerchant(db);
  const { key } = await anApiKey(context, merchantId);
  const { id: settlementAccountId } = await aSettlementAccount(db, merchantId);
  const orderRef = `order-${randomBytes(4).toString("hex")}`;
  const order = await aCharge(db, {
    merchantId,
    orderRef,
    label: `label of ${orderRef}`,
    settlementAccountId,
  });
  const deposit = await aDeposit(db, { chargeId: order.id, amount: "5" });
  const customerRef = `customer-${randomBytes(4).toString("hex")}`;
  await post(key, "/v1/deposit-addresses", { reusable: true, settlementAccountId, customerRef });
  await post(key, "/v1/webhooks/endpoints", { url: "http://127.0.0.1:9/" });
  await aClick(merchantId, `link of ${orderRef}`);
  await announceDeposit(context, merchantId, deposit.id);
  await db.query(sql`
    insert into settlements (merchant_id, id, currency, settlement_account_id, status)
    values (${merchantId}, ${uuidv7()}, 'USDT', ${settlementAccountId}, 'OPEN')`);
  return { merchantId, key };
}

/** A payment to an order of a payment link. */
async function aClick(merchantId: MerchantId, title: string): Promise<void> {
  const amount = amountFromUnits(25_000_000n);
  const { id, token } = await aPaymentLink(context, merchantId, { title, amount });
  const clicked = await app.inject({
    method: "POST",
    url: `/v1/links/${token}/orders`,
    payload: { ref: `payer-${randomBytes(4).toString("hex")}` },
  });
  expect(clicked.statusCode).toBe(201);
  const [order] = await context.db.query<{ id: string }>(
    sql`select id from deposit_addresses where merchant_id = ${merchantId} and payment_link_id = ${id}`,
  );
  await aDeposit(context.db, { chargeId: order?.id ?? expect.fail("no order"), amount: "5" });
}

/** The rows of this merchant in every table of merchants. */
async function rowsOf(
  db: Queryable,
  merchantId: MerchantId,
): Promise<Record<string, Record<string, unknown>[]>> {
  const { tables } = inject("postgres");
  const rows: Record<string, Record<string, unknown>[]> = {};
  for (const table of Object.keys(tables).sort()) {
    const column =
      tenantColumn(tables, table) ?? (tables[table]?.includes("merchant_id") ? "merchant_id" : undefined);
    if (column === undefined) continue;
    const found = await db.query<{ row: Record<string, unknown> }>(
      sql`select to_jsonb(t) as row from ${raw(table)} t where ${raw(column)} = ${merchantId} order by t::text`,
    );
    rows[table] = found.map(({ row }) => row);
  }
  return rows;
}

async function namesOf(merchantId: MerchantId): Promise<string[]> {
  const rows = Object.values(await rowsOf(context.db, merchantId)).flat();
  const values = rows.flatMap((row) =>
    Object.entries(row)
      .filter(([column]) => column.endsWith("id") || NAMES.includes(column))
      .map(([, value]) => value),
  );
  const names = values.filter((value): value is string => typeof value === "string" && value !== merchantId);
  return [merchantId, ...new Set(names)];
}

const unknownNames = {
  id: uuidv7(),
  hash: randomBytes(32).toString("hex"),
  address: anAddress(),
  text: randomBytes(8).toString("hex"),
};

/** An unknown id or reference of the same form. */
function unknownId(name: string): string {
  if (/^[0-9a-f-]{36}$/.test(name)) return unknownNames.id;
  if (/^[0-9a-f]{64}$/.test(name)) return unknownNames.hash;
  return /^T\w{33}$/.test(name) ? unknownNames.address : unknownNames.text;
}

type ForeignRequest = { path?: string; query?: Record<string, string>; body?: object };

/** Sends a request, and returns all that a caller can see of the answer. */
async function send(
  { method, url }: ApiRoute,
  { path = uuidv7(), query, body }: ForeignRequest,
): Promise<string> {
  const response = await app.inject({
    method,
    url: url.replace(":id", encodeURIComponent(path)),
    headers: { "x-api-key": caller.key, "x-correlation-id": "c" },
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { payload: body }),
  });
  const headers = Object.entries(response.headers).filter(([name]) => !/^(ratelimit-|date$)/.test(name));
  return `${response.statusCode} ${response.body} ${JSON.stringify(headers)}`;
}

/** Answers of a route by the name in this field of its query; each name is sent once. */
function answersByName(route: ApiRoute, field: string): (name: string) => Promise<string> {
  const answers = new Map<string, Promise<string>>();
  return (name) => {
    const answer = answers.get(name) ?? send(route, { query: { [field]: name } });
    answers.set(name, answer);
    return answer;
  };
}

const nameOf = ({ method, url }: ApiRoute) => `${method} ${url}`;
const byPath = () => routes.filter(({ url }) => url.includes("/:"));
const bodiesOf = ({ body }: ApiRoute) => (body === undefined ? [undefined] : [{}, sampleBody(body)]);

it("the routes, the fields and the rows of this test exist", () => {
  expect(byPath().length).toBeGreaterThanOrEqual(8);
  expect(routes.every(({ url }) => !/:(?!id\b)/.test(url))).toBe(true);
  expect(foreign.length).toBeGreaterThan(15);
  expect(foreign.filter((name) => own.includes(name)).length).toBeLessThanOrEqual(2);
});

/** A field of the contract for callers without a key. */
const IGNORED = "apiKeyId";

describe("an id of another merchant", () => {
  let before: Awaited<ReturnType<typeof rowsOf>>;
  beforeAll(async () => {
    before = await rowsOf(context.db, other.merchantId);
  });

  it("in a path gets exactly the 404 of an unknown id, on every route", async () => {
    for (const route of byPath()) {
      for (const body of bodiesOf(route)) {
        const missing = await send(route, body === undefined ? {} : { body });
        expect(missing, nameOf(route)).toMatch(/^404 .*"code":"NOT_FOUND"/);
        for (const path of foreign) {
          const answer = await send(route, { path, ...(body === undefined ? {} : { body }) });
          expect(answer, `${nameOf(route)} ${path}`).toBe(missing);
        }
      }
    }
  });

  it("in a query gets exactly the answer of an unknown name, on every route", async () => {
    for (const route of routes) {
      for (const field of Object.keys(route.query).filter((name) => takesName(route.query[name] ?? {}))) {
        const answerTo = answersByName(route, field);
        for (const name of foreign)
          expect(await answerTo(name), `${nameOf(route)}?${field}=${name}`).toBe(
            await answerTo(unknownId(name)),
          );
      }
    }
  });

  it("in a body gets exactly the refusal of an unknown id, on every route", async () => {
    for (const route of routes) {
      const ids = Object.entries(route.body ?? {}).filter(([, { format }]) => format === "uuid");
      for (const [field] of ids.filter(([name]) => name !== IGNORED)) {
        for (const name of foreign.filter((text) => /^[0-9a-f-]{36}$/.test(text))) {
          // A payment link needs a title; to other bodies it is an unknown field.
          const bodyWith = (id: string) => ({ title: "Ticket", [field]: id });
          const answer = await send(route, { body: bodyWith(name) });
          expect(answer, `${nameOf(route)} ${field}`).toBe(await send(route, { body: bodyWith(uuidv7()) }));
          // A filter that matches nothing is no mistake.
          expect(answer).toMatch(/^404 |"data":\{"deliveries":0\}/);
        }
      }
    }
  });

  it("in the one ignored field has no effect", async () => {
    const creates = routes.filter(({ body = {} }) => IGNORED in body);
    expect(creates.map(nameOf)).toEqual(["POST /v1/deposit-addresses"]);
    for (const route of creates)
      for (const apiKeyId of [...foreign, uuidv7(), 5, null])
        expect(await send(route, { body: { apiKeyId } }), String(apiKeyId)).toMatch(/^201 /);
  });

  it("changed no row of the other merchant in any of these requests", async () => {
    expect(Object.values(before).flat().length).toBeGreaterThan(8);
    expect(await rowsOf(context.db, other.merchantId)).toEqual(before);
  });
});

describe.runIf(isNight)("as a counter-check, a name of the caller's own row", () => {
  it("in a query finds a row, in every field that takes a name", async () => {
    for (const route of routes) {
      for (const field of Object.keys(route.query).filter((name) => takesName(route.query[name] ?? {}))) {
        const found = [];
        const answerTo = answersByName(route, field);
        for (const name of own)
          if ((await answerTo(name)) !== (await answerTo(unknownId(name)))) found.push(name);
        expect(found.length, `${nameOf(route)}?${field}`).toBeGreaterThan(0);
      }
    }
  });

  it("in a path is not 404, on every route, with deletions last", async () => {
    const last = (route: ApiRoute) => (route.method === "DELETE" ? 1 : 0);
    for (const route of byPath().sort((a, b) => last(a) - last(b))) {
      const answers = [];
      for (const path of own) {
        const body = route.body && sampleBody(route.body);
        answers.push(await send(route, { path, ...(body && { body }) }));
      }
      expect(
        answers.filter((answer) => !answer.startsWith("404")),
        nameOf(route),
      ).not.toEqual([]);
    }
  });
});
