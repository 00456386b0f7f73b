import { randomBytes } from "node:crypto";
import type { ApiApp } from "@daric/http/api-app";
import { createApiKey } from "@daric/merchants/create-api-key";
import { openDatabase } from "@daric/postgres/database";
import { type Sql, sql } from "@daric/postgres/sql";
import { createDatabaseOutage } from "@daric/runtime/database-outage";
import { createLogger } from "@daric/runtime/logger";
import { anUnknownKey } from "@daric/testing/api-keys";
import { type ApiRoute, routesOf, sampleBody } from "@daric/testing/api-routes";
import { aMerchant, aSettlementAccount } from "@daric/testing/builders";
import { asOwners, createTestContext } from "@daric/testing/context";
import { raw } from "@daric/testing/raw-sql";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import { announceDeposit, claimAsIdle, deliver } from "@daric/testing/webhook-builders";
import { accountXpubFromMnemonic, createSeed } from "@daric/tron/seed";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createApp } from "../app.ts";
import { pingDatabase } from "../deployment/store.ts";

const words = createSeed();
const pepper = `canary-pepper-${randomBytes(24).toString("hex")}`;
const masterKey = randomBytes(32).toString("hex");
const integrityKey = randomBytes(32).toString("hex");
const otherMasterKey = randomBytes(32).toString("hex");
const lostPassword = `canary-password-${randomBytes(12).toString("hex")}`;

let context: Awaited<ReturnType<typeof createTestContext>>;
let receiver: Receiver;
/** every secret, by its name */
let secrets: Record<string, string>;
/** all output of the process and rows of the database in small letters, with their places */
const seen: { place: string; text: string }[] = [];
/** the only answer that may show a secret: the creation of the endpoint */
let created: string;

beforeAll(async () => {
  const destination = { write: (text: string) => note("log", text) };
  const made = await createTestContext({
    DARIC_KEY_PEPPER: pepper,
    DARIC_MASTER_KEY: masterKey,
    DARIC_INTEGRITY_KEY: integrityKey,
    ACCOUNT_XPUB: accountXpubFromMnemonic(words),
    RATE_LIMIT_KEY_BURST: "1000000",
    RATE_LIMIT_TEST_EVENTS_PER_MINUTE: "1000",
    LOG_LEVEL: "trace",
  });
  const log = createLogger({ level: "trace", role: "test", destination });
  const databaseOutage = createDatabaseOutage({ log, clock: made.clock, ping: () => pingDatabase(made.db) });
  context = { ...made, log, databaseOutage };
  receiver = await startReceiver();
  // The receiver echoes each request, so that the stored answer could contain a secret.
  receiver.answer = (response, { headers, body }) =>
    response.end(JSON.stringify(headers) + body.toString("utf8"));
  await runEverything();
});
afterAll(async () => {
  await receiver.close();
  await context.close();
});

async function runEverything(): Promise<void> {
  const merchantId = (await aMerchant(context.db)).id;
  await aSettlementAccount(context.db, merchantId);
  const { key } = await createApiKey(asOwners(context), merchantId, { name: "canary" });
  const app = createApp(context);
  const routes = await routesOf(app);
  const payload = { url: receiver.url, eventTypes: ["deposit.confirmed"] };
  const headers = { "x-api-key": key };
  const made = await app.inject({ method: "POST", url: "/v1/webhooks/endpoints", headers, payload });
  created = made.body;
  const order = { amount: "25.5", orderRef: "A-1042", label: "canary" };
  await send(app, routeTo(routes, "POST /v1/deposit-addresses"), {
    headers,
    path: "",
    body: JSON.stringify(order),
  });
  const { id, secret } = made.json().data;
  secrets = {
    "secret of the API key": key.slice(-50, -6),
    "secret of the endpoint": secret,
    pepper,
    "master key": masterKey,
    "integrity key": integrityKey,
    "other master key": otherMasterKey,
    xpub: context.config.addresses.accountXpub,
    "words of the seed": words,
    "password of the service": new URL(context.config.runtime.databaseUrl).password,
    "password of the owner": new URL(context.ownerUrl).password,
    "password that is wrong": lostPassword,
  };
  await announceDeposit(context, merchantId);
  for (const claim of await claimAsIdle(context, 10)) await deliver(context, claim);
  await requestAll(app, routes, { key, ids: [id, ...(await idsOf())] });
  await app.close();
  await requestInTrouble(routes, { key, id });
  for (const { headers: sent, body } of receiver.received) note("webhook", JSON.stringify(sent) + body);
  note("metrics", await context.metrics.registry.metrics());
  await dumpTables();
}

function routeTo(routes: ApiRoute[], name: string): ApiRoute {
  const found = routes.find(({ method, url }) => `${method} ${url}` === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

function note(place: string, text: string): void {
  seen.push({ place, text: text.toLowerCase() });
}

async function idsOf(): Promise<string[]> {
  const ids = ["deposit_addresses", "webhook_deliveries"].map((table) =>
    context.db.query<{ id: string }>(idsIn(table)),
  );
  return (await Promise.all(ids)).flat().map((row) => row.id);
}

const idsIn = (table: string): Sql => sql`select id::text from ${raw(table)}`;

/** Calls each route with the right key and rows, with refused keys, and with refused bodies. */
async function requestAll(
  app: ApiApp,
  routes: ApiRoute[],
  { key, ids }: { key: string; ids: string[] },
): Promise<void> {
  const known = { "x-api-key": key };
  const tries: { headers: Record<string, string>; path?: string; query?: string; payload?: string }[] = [
    { headers: known, query: "?limit=0&a=1&a=2" },
    { headers: known, payload: '{"amount": 5,' },
    { headers: { "x-api-key": anUnknownKey() } },
    { headers: { "x-api-key": anUnknownKey("live") } },
    { headers: { authorization: `Bearer ${key}` } },
    { headers: { cookie: `key=${key}` }, query: `?apiKey=${key}` },
    { headers: { ...known, "content-type": "text/plain" }, payload: key },
    { headers: known, path: key },
    ...ids.map((path) => ({ headers: known, path })),
  ];
  const deletesLast = [...routes].sort(
    (a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"),
  );
  for (const route of deletesLast) {
    for (const { headers, path = "none", query = "", payload } of tries) {
      const body = payload ?? (route.body === undefined ? undefined : JSON.stringify(sampleBody(route.body)));
      await send(app, route, { headers, path: path + query, body });
    }
  }
}

async function send(
  app: ApiApp,
  { method, url }: ApiRoute,
  sent: { headers: Record<string, string>; path: string; body: string | undefined },
): Promise<void> {
  const hasBody = method !== "GET" && sent.body !== undefined;
  const response = await app.inject({
    method,
    url: url.includes("/:") ? url.replace(/:\w+/g, sent.path) : url + sent.path.replace(/^[^?]*/, ""),
    headers: { ...(hasBody ? { "content-type": "application/json" } : {}), ...sent.headers },
    ...(hasBody ? { payload: sent.body ?? "" } : {}),
  });
  const isCreated = method === "POST" && url === "/v1/webhooks/endpoints" && response.statusCode === 201;
  note("answer", `${JSON.stringify(response.headers)} ${isCreated ? "" : response.body}`);
}

/** Calls the routes with an unreachable database, and with a master key that opens no secret. */
async function requestInTrouble(routes: ApiRoute[], { key, id }: { key: string; id: string }): Promise<void> {
  const url = `postgres://daric:${lostPassword}@127.0.0.1:1/daric`;
  const onError = (error: Error) =>
    context.log.error({ event: "database_connection_lost", err: error }, "database");
  const away = createApp({ ...context, db: openDatabase({ url, onError }) });
  await requestAll(away, routes, { key, ids: [id] });
  await away.close();
  const webhooks = { ...context.config.webhooks, masterKey: Buffer.from(otherMasterKey, "hex") };
  const other = createApp({ ...context, config: { ...context.config, webhooks } });
  const path = `/v1/webhooks/endpoints/${id}/test`;
  const { statusCode, body } = await other.inject({
    method: "POST",
    url: path,
    headers: { "x-api-key": key },
  });
  note("answer", `${statusCode} ${body}`);
  await other.close();
}

async function dumpTables(): Promise<void> {
  for (const table of Object.keys(inject("postgres").tables)) {
    const rows = await context.db.query<{ text: string }>(sql`select t::text as text from ${raw(table)} t`);
    for (const { text } of rows) note(`table ${table}`, text);
  }
}

/** The encodings in which a secret could appear. */
function formsOf(secret: string): string[] {
  const bytes = [
    Buffer.from(secret, "utf8"),
    ...(/^([0-9a-f]{2})+$/.test(secret) ? [Buffer.from(secret, "hex")] : []),
  ];
  const texts = bytes.flatMap((value) => [
    value.toString("hex"),
    value.toString("base64"),
    value.toString("base64url"),
  ]);
  return [secret, encodeURIComponent(secret), ...texts].map((text) => text.toLowerCase());
}

function placesOf(secret: string): string[] {
  const forms = formsOf(secret);
  const places = seen.filter(({ text }) => forms.some((form) => text.includes(form)));
  return [...new Set(places.map(({ place }) => place))];
}

describe("after calls to every route each secret is only where it belongs", () => {
  it("the calls had answers, logs, webhooks and rows that could contain a secret", () => {
    const places = seen.map(({ place }) => place);
    expect(places.filter((place) => place === "answer").length).toBeGreaterThan(200);
    for (const place of ["log", "webhook", "metrics", "table webhook_attempts", "table api_keys"]) {
      expect(places).toContain(place);
    }
    const logged = seen.filter(({ place }) => place === "log").map(({ text }) => text);
    expect(logged.some((line) => line.includes("database_unreachable"))).toBe(true);
    for (const [name, secret] of Object.entries(secrets)) expect(secret.length, name).toBeGreaterThan(7);
  });

  it("the search finds a present secret: the xpub in its table, and an endpoint's in the answer of its creation", () => {
    expect(placesOf(secrets.xpub ?? "")).toEqual(["table account_keys"]);
    expect(created).toContain(secrets["secret of the endpoint"]);
  });

  it.each([
    "secret of the API key",
    "secret of the endpoint",
    "pepper",
    "master key",
    "other master key",
    "words of the seed",
    "password of the service",
    "password of the owner",
    "password that is wrong",
  ])("%s", (name) => {
    expect(placesOf(secrets[name] ?? "")).toEqual([]);
  });
});
