import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import type { ApiApp } from "@daric/http/api-app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApp } from "../app.ts";

/** The most CPU of one request in this process, the client included. */
const MAX_CPU_MS = 20;
/** The lowest of this many measurements counts, because other work only adds CPU. */
const TRIES = 7;
/** Requests before the measurement, because first runs load and compile code. */
const WARM_UPS = 2;
const BODY_BYTES = 64 * 1024;

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let port: number;
let apiKey: string;
/** Several checkout tokens, because each allows only six look-ups a minute. */
const tokens: string[] = [];

beforeAll(async () => {
  context = await createTestContext({
    RATE_LIMIT_KEY_PER_SECOND: "100000",
    RATE_LIMIT_KEY_BURST: "100000",
    RATE_LIMIT_CHECKOUT_PER_MINUTE: "100000",
  });
  app = createApp(context);
  await app.listen({ host: "127.0.0.1", port: 0 });
  port = (app.server.address() as AddressInfo).port;
  const { id: merchantId } = await aMerchant(context.db);
  apiKey = (await anApiKey(context, merchantId)).key;
  for (let count = 0; count < 10; count += 1)
    tokens.push((await aCharge(context.db, { merchantId })).checkoutToken);
});
afterAll(async () => {
  await app.close();
  await context.close();
});

type RequestParts = { readonly line: string; readonly body?: string; readonly type?: string };

/** Sends a request over its own connection, and returns the status after the whole answer. */
async function send({ line, body = "", type = "application/json" }: RequestParts): Promise<string> {
  const token = tokens.shift() ?? "";
  tokens.push(token);
  const head = [
    `${line.replace(":token", token)} HTTP/1.1`,
    "host: localhost",
    `x-api-key: ${apiKey}`,
    "connection: close",
  ];
  if (body !== "") head.push(`content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`);
  const socket = connect(port, "127.0.0.1");
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  const reported = await text(socket);
  return reported.split(" ")[1] ?? "";
}

async function cpuOf(requested: RequestParts): Promise<{ status: string; ms: number }> {
  const counts: number[] = [];
  let status = "";
  for (let tries = 0; tries < WARM_UPS; tries += 1) await send(requested);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = process.cpuUsage();
    status = await send(requested);
    const { user, system } = process.cpuUsage(before);
    counts.push((user + system) / 1_000);
  }
  const ms = Math.min(...counts);
  return { status, ms };
}

const create = "POST /v1/deposit-addresses";
const endpoint = "POST /v1/webhooks/endpoints";
/** As many items as fit into a body, at most `most`. */
const many = (most: number, item: (n: number) => string) => {
  const items: string[] = [];
  for (let n = 0, bytes = 100; n < most; n += 1) {
    bytes += Buffer.byteLength(item(n)) + 1;
    if (bytes > BODY_BYTES) break;
    items.push(item(n));
  }
  return items.join();
};
const long = (text: string, chars = 60_000) => text.repeat(chars / text.length);
const field = (name: string, text: string) => JSON.stringify({ [name]: text });
const spread = (name: string, items: string) => `{"${name}":${items}}`;

const bodies: readonly (readonly [title: string, asked: RequestParts, status: string])[] = [
  ["digits", { line: create, body: field("amount", long("1", 65_000)) }, "422"],
  ["digits in USD", { line: create, body: `{"pricingCurrency":"USD","amount":"${long("1")}"}` }, "422"],
  ["digits and a point", { line: create, body: field("amount", `${long("1")}.${long("1", 4_000)}`) }, "422"],
  ["digits and an exponent", { line: create, body: field("amount", `${long("1")}e`) }, "422"],
  ["a number of digits", { line: create, body: `{"amount":${long("1")}}` }, "422"],
  ["blanks", { line: create, body: field("amount", `${long(" ")}1`) }, "422"],
  ["a number of digits that is no JSON", { line: create, body: `{"amount":${long("1")}e}` }, "400"],
  ["nested lists", { line: create, body: spread("metadata", long("[", 30_000) + long("]", 30_000)) }, "400"],
  [
    "nested objects",
    { line: create, body: `${long('{"a":')}1${long("}", 12_000)}`.slice(0, BODY_BYTES) },
    "400",
  ],
  ["brackets that open", { line: create, body: long("[", 65_000) }, "400"],
  [
    "keys of metadata",
    { line: create, body: spread("metadata", `{${many(5_500, (n) => `"k${n}":"v"`)}}`) },
    "422",
  ],
  [
    "keys of metadata with wrong values",
    { line: create, body: spread("metadata", `{${many(5_500, (n) => `"k${n}":1`)}}`) },
    "422",
  ],
  ["unknown keys", { line: create, body: `{"amount":"x",${many(5_500, (n) => `"k${n}":"v"`)}}` }, "422"],
  [
    "unknown keys near to one",
    { line: create, body: `{"amount":"x",${many(5_500, (n) => `"settlementAccount${n}":1`)}}` },
    "422",
  ],
  ["a repeated key", { line: create, body: `{${many(9_000, () => '"a":1')}}` }, "400"],
  ["a key repeated at the end", { line: create, body: `{${many(7_000, (n) => `"${n}":1`)},"0":1}` }, "400"],
  [
    "combining marks in a text",
    { line: create, body: field("orderRef", `e${long("\u0301", 30_000)}`) },
    "422",
  ],
  ["combining marks in a key", { line: create, body: field(`amount${long("\u0301", 30_000)}`, "1") }, "201"],
  ["an orderRef", { line: create, body: field("orderRef", long("a")) }, "422"],
  ["an orderRef of pairs", { line: create, body: field("orderRef", long("😀", 30_000)) }, "422"],
  ["a successUrl", { line: create, body: field("successUrl", `https://a.example/${long("a")}`) }, "422"],
  ["a successUrl of dots", { line: create, body: field("successUrl", `https://a/${long("../")}`) }, "422"],
  [
    "a successUrl of marks",
    { line: create, body: field("successUrl", `https://${long("ö", 30_000)}`) },
    "422",
  ],
  ["a successUrl with names", { line: create, body: field("successUrl", `https://${long("a@")}`) }, "422"],
  ["a currency", { line: create, body: field("currency", long("U")) }, "422"],
  ["a settlement account", { line: create, body: field("settlementAccountId", long("0a-")) }, "422"],
  ["a list that does not end", { line: create, body: `[${long("1,")}` }, "400"],
  ["blanks that are no JSON", { line: create, body: `[${long(" ")}` }, "400"],
  ["names of events", { line: endpoint, body: spread("eventTypes", `[${many(21_000, () => '""')}]`) }, "422"],
  [
    "numbers for events",
    { line: endpoint, body: spread("eventTypes", `[${many(32_000, () => "1")}]`) },
    "422",
  ],
  ["a url", { line: endpoint, body: field("url", `https://a.example/${long("a")}`) }, "422"],
  ["a description", { line: endpoint, body: field("description", long("a")) }, "422"],
];

const hex = "0f".repeat(32);
const lookup = "POST /v1/checkout/:token/lookup";
const form = { line: "POST /c/:token", type: "application/x-www-form-urlencoded" };
const unkeyed: typeof bodies = [
  ["a looked-up text", { line: lookup, body: field("txHash", long("0f")) }, "422"],
  ["looked-up ids", { line: lookup, body: field("txHash", long(`${hex}a`)) }, "422"],
  ["a form", { ...form, body: `txHash=${long("%20")}` }, "200"],
  ["fields of a form", { ...form, body: long("a=&") }, "200"],
  ["slashes of a path of the documentation", { line: `GET /docs/${long("/", 15_000)}x/` }, "404"],
  ["slashes of a path", { line: `GET /v1/${long("/", 15_000)}x/` }, "404"],
  ["dots of a path", { line: `GET /docs/${long("../", 15_000)}x` }, "404"],
  ["a query", { line: `GET /v1/deposits?page=${long("1", 15_000)}` }, "422"],
  ["names of a query", { line: `GET /v1/deposits?${long("a&", 15_000)}` }, "422"],
];

it.each([...bodies, ...unkeyed])(
  "a request of %s costs at most 20 ms",
  async (title, requested, expected) => {
    expect(requested.body?.length ?? 0).toBeLessThanOrEqual(BODY_BYTES);
    const { status, ms } = await cpuOf(requested);
    if (process.env.TELL_COSTS)
      process.stdout.write(`${ms.toFixed(1).padStart(8)} ms  ${status}  ${title}\n`);
    expect(status).toBe(expected);
    expect(ms).toBeLessThan(MAX_CPU_MS);
  },
);
