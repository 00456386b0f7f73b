import type { ApiApp } from "@daric/http/api-app";
import { createAnswerCheck } from "@daric/testing/answer-faults";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { announceDeposit, deliveryRows } from "@daric/testing/webhook-builders";
import fc from "fast-check";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeOpenApiDocuments } from "../../scripts/openapi/make-documents.ts";
import type { DocumentedOperation, OpenApiDocument, Schema } from "../../scripts/openapi/openapi-document.ts";
import { firstExample } from "../../scripts/openapi/openapi-samples.ts";
import { createApp } from "../app.ts";

/** Requests to each operation: a few seconds in all. HOSTILE_RUNS sets more. */
const RUNS = Number(process.env.HOSTILE_RUNS ?? 15);
const LIMIT_MS = 60_000 + RUNS * 3_000;
const UNKNOWN_MERCHANT = "0193a1b2-0000-7000-8000-000000000001";

/** The ids and references of one merchant's rows. */
type Rows = { readonly ids: readonly string[]; readonly token: string; readonly key: string };
type Request = { readonly url: string; readonly headers: Record<string, string>; readonly payload?: string };

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let document: OpenApiDocument;
let own: Rows;
let foreign: Rows;

beforeAll(async () => {
  context = await createTestContext({
    RATE_LIMIT_KEY_PER_SECOND: "100000",
    RATE_LIMIT_KEY_BURST: "100000",
    WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8",
  });
  app = createApp(context);
  await app.ready();
  document = (await makeOpenApiDocuments()).api;
  own = await rowsOfAMerchant();
  foreign = await rowsOfAMerchant();
});
afterAll(async () => {
  await app.close();
  await context.close();
});

async function rowsOfAMerchant(): Promise<Rows> {
  const { db } = context;
  const { id: merchantId } = await aMerchant(db);
  const { key } = await anApiKey(context, merchantId);
  const charge = await aCharge(db, { merchantId });
  const deposit = await aDeposit(db, { chargeId: charge.id, status: "CONFIRMING" });
  const endpoint = await app.inject({
    method: "POST",
    url: "/v1/webhooks/endpoints",
    headers: { "x-api-key": key },
    payload: { url: "http://127.0.0.1:9/" },
  });
  const { id: endpointId } = endpoint.json().data;
  await announceDeposit(context, merchantId);
  const [delivery] = await deliveryRows(context, endpointId);
  return { ids: [charge.id, deposit.id, endpointId, delivery?.id ?? ""], token: charge.checkoutToken, key };
}

/** Texts that a parser on the way may misread. */
const hostileText = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "null",
    "-1",
    "0",
    "00",
    "1e3",
    "25,5",
    "+1",
    "NaN",
    "Infinity",
    "0.0000001",
    "9999999999999",
    "99999999999999999999999999",
    "\0",
    "a\0b",
    "\ud800",
    "\udc00x",
    "\u202e123",
    "👩‍👩‍👧‍👦".repeat(40),
    "é".repeat(121),
    "a".repeat(3_000),
    "'; drop table merchants; --",
    "{{7*7}}",
    "__proto__",
    "../../etc/passwd",
    "javascript:alert(1)",
    "http://",
    "https://user:secret@127.0.0.1/",
    "http://[::1",
    "http://10.0.0.5/",
    "9999-12-31T23:59:59.999Z",
    "0000-01-01T00:00:00Z",
    "+275760-09-13T00:00:00Z",
    "2026-02-30T00:00:00Z",
    UNKNOWN_MERCHANT,
    UNKNOWN_MERCHANT.toUpperCase(),
    UNKNOWN_MERCHANT.slice(1),
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
);
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, 0, -0, 25.5, 1e308, [], {}, [[]], [null], { constructor: 1 }),
  fc.jsonValue({ maxDepth: 9 }),
);

/** Values that the schema admits, without its rules between fields. */
function admitted(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(admitted));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const types = [schema.type].flat();
  if (types.includes("null")) return fc.option(admitted({ ...schema, type: types[0] ?? "string" }));
  if (schema.properties) return bodyOf(schema);
  switch (types[0]) {
    case "array":
      return fc.array(schema.items ? admitted(schema.items) : fc.string(), { maxLength: 4 });
    case "integer":
      return fc.integer({ min: 0, max: 1_000_000 });
    case "boolean":
      return fc.boolean();
    case "object":
      return fc.dictionary(fc.string({ maxLength: 10 }), fc.string({ maxLength: 10 }), { maxKeys: 4 });
    default:
      return textOf(schema);
  }
}

function textOf({ format, pattern }: Schema): fc.Arbitrary<unknown> {
  if (format === "uuid") return fc.constantFrom(...own.ids, ...foreign.ids, UNKNOWN_MERCHANT);
  if (format === "uri")
    return fc.constantFrom("http://127.0.0.1:9/a?b=%20", "http://10.0.0.5/", "https://[::1]:8/");
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom("deposit.confirmed", "order.paid", "A-1042"));
}

/** An object of valid fields, or with a hostile value in it and unknown names. */
function bodyOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const known = Object.entries(properties).map(([name, schema]): [string, fc.Arbitrary<unknown>] => [
    name,
    admitted(schema),
  ]);
  const foreign = fc.constantFrom("order_ref", "__proto__", "constructor", "foo bar", "é");
  const name = fc.oneof(fc.constantFrom(...Object.keys(properties), "order_ref"), foreign);
  return fc
    .tuple(
      fc.record(Object.fromEntries(known), { requiredKeys: [...required] }),
      fc.option(fc.dictionary(name, hostileValue, { maxKeys: 2 })),
    )
    .map(([body, more]) => ({ ...body, ...more }));
}

function requestOf(
  path: string,
  { parameters = [], requestBody }: DocumentedOperation,
): fc.Arbitrary<Request> {
  const query = parameters.filter((parameter) => parameter.in === "query");
  const pair = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.oneof(
        ...query.map(({ name, schema }) => admitted(schema).map((value) => [name, value])),
        fc.constant(["page", 1]),
      ),
    },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom("a", ...query.map(({ name }) => name)), hostileText) },
    { weight: 1, arbitrary: fc.tuple(hostileText, hostileText) },
  );
  const schema = requestBody?.content["application/json"].schema;
  const body = fc.oneof(
    {
      weight: 8,
      arbitrary: schema ? bodyOf(schema).map((value) => JSON.stringify(value)) : fc.constant(undefined),
    },
    { weight: 1, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.oneof(hostileText, fc.constantFrom("{", '{"a":1,"a":2}', "[".repeat(5_000))) },
  );
  return fc
    .record({
      name: path.includes("{") ? rowName(path) : fc.constant(""),
      pairs: fc.array(pair, { maxLength: 4 }),
      tail: fc.option(fc.constantFrom("%", "%00", "page=1&page=1", "a[]=1", "&&=", "#x"), {
        nil: undefined,
        freq: 12,
      }),
      key: fc.oneof({ weight: 12, arbitrary: fc.constant(own.key) }, hostileHeader),
      type: fc.oneof({ weight: 12, arbitrary: fc.constant("application/json") }, hostileHeader),
      correlation: fc.option(hostileHeader, { nil: undefined }),
      payload: body,
    })
    .map(({ name, pairs, tail, key, type, correlation, payload }) => ({
      url: `${path.replace(/\{\w+\}/, name)}?${[...pairs.map(encodedPair), ...(tail === undefined ? [] : [tail])].join("&")}`,
      headers: {
        "x-api-key": key,
        ...(correlation !== undefined && { "x-correlation-id": correlation }),
        ...(payload !== undefined && { "content-type": type }),
      },
      ...(payload !== undefined && { payload }),
    }));
}

/** The id in a path. */
function idIn(path: string): string {
  const [charge = "", deposit = "", endpoint = "", delivery = ""] = own.ids;
  if (path.includes("/deposits/")) return deposit;
  if (path.includes("/endpoints/")) return endpoint;
  return path.includes("/deliveries/") ? delivery : charge;
}

/** The example request of the document, for an existing row. */
function shown(path: string, operation: DocumentedOperation): Request {
  const media = operation.requestBody?.content["application/json"];
  return {
    url: path.replace("{token}", own.token).replace("{id}", idIn(path)),
    headers: { "x-api-key": own.key, "content-type": "application/json" },
    ...(media && {
      payload: JSON.stringify(firstExample(media)).replace("shop.example.org/webhooks", "127.0.0.1"),
    }),
  };
}

/** A header that can be sent. */
const hostileHeader = fc.oneof(
  hostileText.map((text) => text.replace(/[^\x20-\x7e]/g, "?").trim()),
  fc.constantFrom("daric_test_sk_0123456789abcdef_junk", "text/plain", "application/json; charset=latin1"),
);

function rowName(path: string): fc.Arbitrary<string> {
  const names = path.includes("{token}") ? [own.token, foreign.token] : [...own.ids, ...foreign.ids];
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...names, uuidv7(), UNKNOWN_MERCHANT) },
    { weight: 1, arbitrary: hostileText.map(encoded).filter((text) => text !== "" && !/^\.+$/.test(text)) },
  );
}

function encodedPair([name, value]: readonly unknown[]): string {
  return `${encoded(String(name))}=${encoded(String(value))}`;
}

/** Half a surrogate pair cannot be encoded, but bytes that are no UTF-8 can be sent. */
function encoded(text: string): string {
  return (
    encodeURIComponent(text.replace(/\p{Surrogate}/gu, "")) + (/\p{Surrogate}/u.test(text) ? "%ED%A0%80" : "")
  );
}

it("no request causes an answer that the operation does not document", {
  timeout: LIMIT_MS,
}, async () => {
  const check = createAnswerCheck(document);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase() as "GET",
      operation,
    })),
  );
  const statuses = new Map<string, number>();
  for (const { path, method, operation } of operations) {
    const property = fc.asyncProperty(requestOf(path, operation), async (request) => {
      const { statusCode: status, headers, body } = await app.inject({ method, ...request });
      const [requested = ""] = request.url.split("?");
      statuses.set(`${status}`, (statuses.get(`${status}`) ?? 0) + 1);
      expect(check({ method, path: requested, status, headers, body })).toEqual([]);
      expect(status === 503 || status < 500, body).toBe(true);
    });
    await fc.assert(property, { examples: [[shown(path, operation)]], numRuns: RUNS });
  }
  // The statuses show that requests reached the operations: some succeeded, some created rows, some were refused.
  for (const status of ["200", "201", "404", "422"]) expect([...statuses.keys()]).toContain(status);
});
