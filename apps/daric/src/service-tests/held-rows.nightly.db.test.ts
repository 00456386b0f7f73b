import { type Devchain, startDevchain } from "@daric/devchain";
import { type Sql, sql } from "@daric/postgres/sql";
import { roles } from "@daric/runtime/setting";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { testEnvironment } from "@daric/testing/context";
import { createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Service, serve } from "../main.ts";
import { readConfig } from "../process/config.ts";

/* The effect of an operator's open transaction in psql on a running service of all roles. */

const ORDERS = "/v1/deposit-addresses";
const ENDPOINTS = "/v1/webhooks/endpoints";

let database: TestDatabase;
let chain: Devchain;
let service: Service;

beforeAll(async () => {
  [database, chain] = await Promise.all([createTestDatabase(), startDevchain({ blockTimeMs: 1_000 })]);
  service = await serve({ role: "all", env: environment() });
  await until("it is ready", async () => (await fetch(`${service.apiUrl}/readyz`)).ok);
  await until("it has caught up", async () => /lag \d s/.test(await scannerDetail()));
});
afterAll(async () => {
  await service.stop();
  await chain.stop();
  await database.drop();
});

function environment(): Record<string, string> {
  return testEnvironment({
    DATABASE_URL: database.url,
    TRON_NODE_URLS: chain.url,
    PORT: "0",
    METRICS_PORT: "0",
    TRON_POLL_MS: "50",
    RATE_LIMIT_KEY_PER_SECOND: "1000",
    RATE_LIMIT_KEY_BURST: "1000",
  });
}

/** An answer with its duration in milliseconds. */
type Answer = { status: number; ms: number; retryAfter: string | null; id: string };
type Shop = { id: string; send(method: string, path: string, body?: object): Promise<Answer> };

async function aShop(): Promise<Shop> {
  const { id } = await aMerchant(database.db);
  const { key } = await anApiKey({ db: database.db, config: readConfig(environment(), roles) }, id);
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const send = async (method: string, path: string, body?: object): Promise<Answer> => {
    const startedMs = performance.now();
    const response = await fetch(`${service.apiUrl}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data } = await response.json();
    const ms = performance.now() - startedMs;
    return { status: response.status, ms, retryAfter: response.headers.get("retry-after"), id: data?.id };
  };
  return { id, send };
}

/** Locks these rows until the release. */
function held(...selects: readonly Sql[]): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    const holding = database.owner.transaction(async (tx) => {
      for (const select of selects) await tx.query(select);
      await new Promise<void>((release) => {
        resolve(() => {
          release();
          return holding;
        });
      });
    });
    holding.catch(reject);
  });
}

const many = (send: (n: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: 20 }, (_, n) => send(n)));

const scannerDetail = async (): Promise<string> => {
  const { checks } = await (await fetch(`${service.metricsUrl}/readyz`)).json();
  return checks.find(({ name }: { name: string }) => name === "scanner").detail;
};
const metrics = async (): Promise<string> => (await fetch(`${service.metricsUrl}/metrics`)).text();

it("locked rows delay requests of their own merchant for two seconds, and no others", async () => {
  const [first, second] = [await aShop(), await aShop()];
  const [order, endpoint] = [
    await first.send("POST", ORDERS, { amount: "5" }),
    await first.send("POST", ENDPOINTS, { url: "http://127.0.0.1:1/" }),
  ];
  // The first request is made before, because it also waits for the first addresses.
  await Promise.all([second.send("POST", ORDERS, { amount: "5" }), second.send("GET", ORDERS)]);
  const letGo = await held(
    sql`select from merchants where id = ${first.id} for update`,
    sql`select from deposit_addresses where merchant_id = ${first.id} and id = ${order.id} for update`,
    sql`select from webhook_endpoints where merchant_id = ${first.id} and id = ${endpoint.id} for update`,
  );
  const refused = Promise.all([
    many((n) => first.send("POST", ORDERS, { amount: "5", orderRef: `held ${n}` })),
    many(() => first.send("POST", `${ORDERS}/${order.id}/extend`, { seconds: 60 })),
    many(() => first.send("PATCH", `${ENDPOINTS}/${endpoint.id}`, { description: "held" })),
  ]);
  let isOver = false;
  const all = refused.then((answers) => {
    isOver = true;
    return answers.flat();
  });
  const others: Answer[] = [];
  while (!isOver) {
    others.push(await second.send("POST", ORDERS, { amount: "5" }), await second.send("GET", ORDERS));
    const { checks } = await (await fetch(`${service.apiUrl}/readyz`)).json();
    expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
  }
  const answers = await all;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(answers.filter(({ retryAfter }) => !(Number(retryAfter) >= 1))).toEqual([]);
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(4_500);
  expect(others.length).toBeGreaterThan(10);
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200, 201]));
  const times = others.map(({ ms }) => ms).toSorted((a, b) => a - b);
  expect(times[Math.floor(times.length * 0.9)]).toBeLessThan(1_000);
  await letGo();
  expect((await first.send("POST", ORDERS, { amount: "5", orderRef: "after" })).status).toBe(201);
  const rows = await database.db.query(sql`
    select order_ref as ref from deposit_addresses where merchant_id = ${first.id} order by created_at`);
  expect(rows).toEqual([{ ref: null }, { ref: "after" }]);
});

it("a row that the scanner needs is reported with the session that locks it, in /readyz and in a metric", async () => {
  expect(await metrics()).toContain("daric_scanner_blocked_seconds 0");
  const letGo = await held(sql`select from scan_cursors for update`);
  const owner = new URL(database.ownerUrl).username;
  await until("it is reported", async () => (await scannerDetail()).includes("held up for"));
  expect(await scannerDetail()).toMatch(
    new RegExp(String.raw`; held up for \d+ s by session \d+ of role ${owner} \(.*\), at scan_cursors$`),
  );
  expect(await metrics()).toMatch(/^daric_scanner_blocked_seconds [1-9]/m);
  await letGo();
  await until("it reads on", async () => !(await scannerDetail()).includes("held up"));
  expect(await metrics()).toContain("daric_scanner_blocked_seconds 0");
});

it("each role has connections of its own, and readiness one", async () => {
  const text = await metrics();
  for (const [pool, max] of Object.entries({ api: 10, watcher: 4, webhooks: 8, readiness: 1 })) {
    expect(text).toContain(`daric_database_connections_max{pool="${pool}"} ${max}`);
    expect(text).toMatch(
      new RegExp(`^daric_database_connections\\{pool="${pool}",state="(idle|in_use)"\\} 1?\\d`, "m"),
    );
    expect(text).toContain(`daric_database_waiting{pool="${pool}"} 0`);
  }
  const names = await database.db.query<{ name: string }>(sql`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like 'daric-all/%' order by 1`);
  expect(names.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["daric-all/api", "daric-all/watcher"]),
  );
});
