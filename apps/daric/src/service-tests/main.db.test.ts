import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { startDevchain } from "@daric/devchain";
import { sql } from "@daric/postgres/sql";
import { roles } from "@daric/runtime/setting";
import { executeAsAdmin } from "@daric/testing/admin-connection";
import { anOldKey } from "@daric/testing/api-keys";
import { isNight } from "@daric/testing/at-night";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { testEnvironment } from "@daric/testing/context";
import { captureDaric } from "@daric/testing/daric";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { freePort } from "@daric/testing/free-port";
import { createOfflineContext } from "@daric/testing/offline-context";
import { until } from "@daric/testing/until";
import { afterEach, describe, expect, inject, it } from "vitest";
import { awaitDatabase } from "../deployment/await-database.ts";
import { type Service, serve } from "../main.ts";
import { readConfig } from "../process/config.ts";

const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function openDatabase(create = createTestDatabase): Promise<TestDatabase> {
  const database = await create();
  cleanUps.push(() => database.drop());
  return database;
}

async function openChain() {
  const chain = await startDevchain({ blockTimeMs: 200 });
  cleanUps.push(() => chain.stop());
  return chain;
}

function environment(database: TestDatabase, overrides: Record<string, string> = {}): Record<string, string> {
  return testEnvironment({
    DATABASE_URL: database.url,
    PORT: "0",
    METRICS_PORT: "0",
    TRON_POLL_MS: "50",
    ...overrides,
  });
}

async function start(env: Record<string, string>, role = "all"): Promise<Service> {
  const service = await serve({ role, env });
  cleanUps.push(() => service.stop());
  return service;
}

/** The rows that a start writes. */
async function traces({ db }: TestDatabase): Promise<unknown> {
  return [
    await db.query(sql`select * from deployment`),
    await db.query(sql`select * from leases`),
    await db.query(sql`select * from account_keys`),
  ];
}

async function read(url: string) {
  const response = await fetch(url, { headers: { connection: "close" } });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
}

/** Repeats the request until its answer is the expected one, and returns it. */
async function answerOf<T>(send: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  let answer = await send();
  await until("the expected answer comes", async () => {
    if (isRight(answer)) return true;
    answer = await send();
    return isRight(answer);
  });
  return answer;
}

const isReady = ({ status }: { status: number }): boolean => status === 200;

function sessionsOf({ db }: TestDatabase): Promise<unknown[]> {
  return db.query(sql`
    select from pg_stat_activity where datname = current_database() and application_name like 'daric-%'`);
}

function checkNamed(body: { checks: { name: string; ok: boolean; detail: string }[] }, name: string) {
  return body.checks.find((check) => check.name === name);
}

describe("a service with all roles", () => {
  it("becomes ready, answers on both ports, and stops in order", async () => {
    const [chain, database] = [await openChain(), await openDatabase()];
    const env = environment(database, { DATABASE_URL: database.directUrl, TRON_NODE_URLS: chain.url });
    const service = await start(env);
    const { body } = await answerOf(() => read(`${service.apiUrl}/readyz`), isReady);
    expect(body.checks.map(({ name }: { name: string }) => name)).toEqual([
      "database",
      "facts",
      "schema",
      "partitions",
      "leases",
      "node",
      "scanner",
      "halt",
      "internals",
      "accepted",
      "quorum",
      "settlement",
      "rates",
      "addresses",
    ]);
    await answerOf(
      () => read(`${service.apiUrl}/readyz`),
      ({ body: later }) => /^USDT 0\.9994 USD by devnet/.test(checkNamed(later, "rates")?.detail ?? ""),
    );
    await answerOf(() => read(`${service.metricsUrl}/readyz`), isReady);
    expect((await read(`${service.metricsUrl}/healthz`)).body).toEqual({ status: "ok" });
    const metrics = await read(`${service.metricsUrl}/metrics`);
    expect(metrics.text).toContain("daric_scanned_block");
    expect(metrics.text).toContain("daric_rate_age_seconds");
    expect(metrics.text).toContain("process_cpu_seconds_total");
    expect((await read(`${service.apiUrl}/metrics`)).status).toBe(404);
    expect((await read(`${service.apiUrl}/v1/openapi.json`)).body.openapi).toBe("3.1.0");

    const context = { db: database.db, config: readConfig(env, roles) };
    const { id } = await aMerchant(database.db);
    const { key } = await anApiKey(context, id);
    const list = await fetch(`${service.apiUrl}/v1/deposits`, {
      headers: { "x-api-key": key, connection: "close" },
    });
    expect(await list.json()).toMatchObject({
      success: true,
      data: [],
      meta: { page: 1, limit: 20, total: 0 },
    });

    await service.stop();
    await expect(fetch(`${service.apiUrl}/healthz`)).rejects.toThrow();
    await answerOf(
      () => sessionsOf(database),
      (sessions) => sessions.length === 0,
    );
  });

  it("starts without a reachable node, serves the API, reports it, and is ready once the node answers", async () => {
    const port = await freePort();
    const database = await openDatabase();
    const service = await start(environment(database, { TRON_NODE_URLS: `http://127.0.0.1:${port}` }));
    const away = await read(`${service.apiUrl}/readyz`);
    expect(away.status).toBe(503);
    expect(checkNamed(away.body, "node")).toMatchObject({ ok: false });
    expect(checkNamed(away.body, "database")).toMatchObject({ ok: true });
    expect((await read(`${service.apiUrl}/v1/deposits`)).body.error.code).toBe("UNAUTHORIZED");

    const chain = await startDevchain({ port, blockTimeMs: 200 });
    cleanUps.push(() => chain.stop());
    await answerOf(() => read(`${service.apiUrl}/readyz`), isReady);
  }, 60_000);

  it.runIf(isNight)(
    "is not ready while the database is away, and continues when it is back",
    async () => {
      const [chain, database] = [await openChain(), await openDatabase()];
      const proxy = await openProxy(database.url);
      const service = await start(
        environment(database, { DATABASE_URL: proxy.url, TRON_NODE_URLS: chain.url }),
      );
      await answerOf(() => read(`${service.apiUrl}/readyz`), isReady);
      await proxy.cut();
      const away = await answerOf(
        () => read(`${service.apiUrl}/readyz`),
        ({ status }) => status === 503,
      );
      expect(checkNamed(away.body, "database")).toMatchObject({ ok: false });
      expect(JSON.stringify(away.body)).not.toContain("127.0.0.1");
      expect((await read(`${service.apiUrl}/healthz`)).status).toBe(200);
      await proxy.restore();
      await answerOf(() => read(`${service.apiUrl}/readyz`), isReady);
    },
    60_000,
  );
});

it.runIf(isNight)("metrics are served on METRICS_HOST and the API on HOST, independently", async () => {
  const [chain, database] = [await openChain(), await openDatabase()];
  const env = environment(database, { TRON_NODE_URLS: chain.url, HOST: "::1" });
  const service = await start(env);
  expect(service.apiUrl).toContain("http://[::1]:");
  expect(service.metricsUrl).toContain("http://127.0.0.1:");
  expect((await read(`${service.metricsUrl}/metrics`)).status).toBe(200);
  await service.stop();
  const turned = await start({ ...env, HOST: "127.0.0.1", METRICS_HOST: "::1" });
  expect([turned.apiUrl, turned.metricsUrl].map((url) => new URL(url ?? "").hostname)).toEqual([
    "127.0.0.1",
    "[::1]",
  ]);
});

describe("a single role", () => {
  it("watcher has no API, and is ready by its own checks", async () => {
    const [chain, database] = [await openChain(), await openDatabase()];
    const service = await start(environment(database, { TRON_NODE_URLS: chain.url }), "watcher");
    expect(service.apiUrl).toBeUndefined();
    await answerOf(() => read(`${service.metricsUrl}/readyz`), isReady);
  });

  it("webhooks needs no node", async () => {
    const { DATABASE_URL, DARIC_MASTER_KEY, DARIC_INTEGRITY_KEY } = environment(await openDatabase());
    const env = {
      DATABASE_URL: DATABASE_URL ?? "",
      DARIC_MASTER_KEY: DARIC_MASTER_KEY ?? "",
      DARIC_INTEGRITY_KEY: DARIC_INTEGRITY_KEY ?? "",
      METRICS_PORT: "0",
      LOG_LEVEL: "silent",
    };
    const service = await start(env, "webhooks");
    const { body } = await answerOf(() => read(`${service.metricsUrl}/readyz`), isReady);
    expect(body.checks.map(({ name }: { name: string }) => name)).toEqual([
      "database",
      "facts",
      "schema",
      "partitions",
      "leases",
    ]);
  });
});

describe("a start is refused", () => {
  it("with every fault of the configuration at once", async () => {
    await expect(serve({ role: "all", env: {} })).rejects.toThrow(/DATABASE_URL[\s\S]*DARIC_MASTER_KEY/);
    await expect(serve({ role: "cook", env: {} })).rejects.toThrow("there is no role cook");
  });

  it("on a database that was never migrated, with the command that does it", async () => {
    const database = await openDatabase(createEmptyDatabase);
    await expect(start(environment(database))).rejects.toThrow(/schema version 0 .* run `daric migrate`/);
  });

  it("on a database with the tables of other migrations, with the remedy", async () => {
    const database = await openDatabase();
    await database.owner.query(sql`update schema_version set md5 = 'x' where version = 102`);
    await expect(start(environment(database))).rejects.toThrow(
      /unreleased version of Daric .*migration 102 differs.*: use a new database/,
    );
  });

  it("if the role has no limits, with the statements that set them", async () => {
    const database = await openDatabase();
    const [role, name] = [new URL(database.url).username, new URL(database.url).pathname.slice(1)];
    const { adminUrl } = inject("postgres");
    await executeAsAdmin(adminUrl, `alter role ${role} in database ${name} set statement_timeout = 0`);
    await expect(start(environment(database))).rejects.toThrow(
      "statement_timeout is 0, and must be at least 1s: " +
        `alter role "${role}" in database "${name}" set statement_timeout = '8s';`,
    );
    const { DATABASE_URL } = environment(database);
    const variables = { DATABASE_URL, DATABASE_DIRECT_URL: database.ownerUrl };
    expect(await captureDaric(["migrate"], variables)).toMatchObject({ code: 0 });
    await start(environment(database, { DATABASE_URL: database.directUrl }), "webhooks");
  });

  it("on a database that is ahead of the program and no longer serves it", async () => {
    const database = await openDatabase();
    await database.owner.query(
      sql`insert into schema_version (version, name, md5, run_at) values (9999, 'later', 'x', now())`,
    );
    await database.owner.query(sql`update deployment set serves_from = 9999`);
    await expect(start(environment(database))).rejects.toThrow(/schema version 9999, .* program/);
  });

  it("on a database of another environment or network", async () => {
    const database = await openDatabase();
    await database.db.query(sql`update deployment set environment = 'live', network = 'mainnet'`);
    await expect(start(environment(database))).rejects.toThrow(
      "this database belongs to the live environment on mainnet, and TRON_NETWORK is devnet",
    );
  });

  it.runIf(isNight)(
    "for each role with another secret than the database's first one, until the old one is back",
    async () => {
      const [chain, database] = [await openChain(), await openDatabase()];
      const env = environment(database, { TRON_NODE_URLS: chain.url });
      const first = await start(env);
      await first.stop();
      const masterKey = { DARIC_MASTER_KEY: "33".repeat(32) };
      await expect(start({ ...env, ...masterKey }, "webhooks")).rejects.toThrow(
        /^DARIC_MASTER_KEY is not the one/,
      );
      await expect(start({ ...env, ...masterKey }, "watcher")).rejects.toThrow(
        /^DARIC_MASTER_KEY is not the one/,
      );
      const integrityKey = { DARIC_INTEGRITY_KEY: "34".repeat(32) };
      for (const role of ["api", "watcher", "webhooks"])
        await expect(start({ ...env, ...integrityKey }, role)).rejects.toThrow(
          /^DARIC_INTEGRITY_KEY is not the one/,
        );
      const pepper = { DARIC_KEY_PEPPER: "another-pepper-another-pepper-another-pepper" };
      await expect(start({ ...env, ...pepper }, "api")).rejects.toThrow(/^DARIC_KEY_PEPPER is not the one/);
      await start(env);
    },
  );

  it("on a database of another local chain", async () => {
    const [chain, database] = [await openChain(), await openDatabase()];
    await database.db.query(sql`
      update deployment set environment = 'test', network = 'devnet', genesis_id = ${"ab".repeat(32)}`);
    await expect(start(environment(database, { TRON_NODE_URLS: chain.url }))).rejects.toThrow(
      /another devnet/,
    );
  });

  it("with a node of another chain", async () => {
    const [chain, database] = [await openChain(), await openDatabase()];
    const env = environment(database, { TRON_NODE_URLS: chain.url, TRON_NETWORK: "nile" });
    await expect(start(env)).rejects.toThrow(/wrong chain: .* is not a node of nile/);
    const rows = await database.db.query(sql`select network, genesis_id from deployment`);
    expect(rows).toEqual([{ network: "nile", genesis_id: null }]);
  });

  it("when a port is in use, in one line, and leaves no row or connection", async () => {
    const [chain, database] = [await openChain(), await openDatabase()];
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    cleanUps.push(async () => taken.close());
    const { port } = taken.address() as AddressInfo;
    const env = environment(database, {
      DATABASE_URL: database.directUrl,
      TRON_NODE_URLS: chain.url,
      PORT: String(port),
    });
    const before = await traces(database);
    await expect(start(env)).rejects.toThrow(`port ${port} on 127.0.0.1 is in use already`);
    await expect(start({ ...env, PORT: "0", METRICS_PORT: String(port) })).rejects.toThrow(
      "is in use already",
    );
    expect(await traces(database)).toEqual(before);
    await answerOf(
      () => sessionsOf(database),
      (sessions) => sessions.length === 0,
    );
  });

  it.each(["HOST", "METRICS_HOST"])(
    "for %s that is not an address of this machine, by the setting's name",
    async (name) => {
      const database = await openDatabase();
      await expect(start(environment(database, { [name]: "192.0.2.1" }))).rejects.toThrow(
        `${name} 192.0.2.1 is not an address of this machine`,
      );
    },
  );

  it("when the database stays away for longer than the wait", async () => {
    const context = createOfflineContext();
    await expect(awaitDatabase(context, { waitMs: 1 })).rejects.toThrow(
      /database is unavailable.*\(for 0.001 s\)/,
    );
  });

  it("by a signal while it waits for the database", async () => {
    const stopping = new AbortController();
    const port = await freePort();
    const env = testEnvironment({ DATABASE_URL: `postgres://daric@127.0.0.1:${port}/daric` });
    const starting = serve({ role: "webhooks", env, signal: stopping.signal });
    setTimeout(() => stopping.abort(), 50);
    await expect(starting).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  });
});

it.runIf(isNight)(
  "a node that proves to be of another chain after the start stops the service with that reason",
  async () => {
    const port = await freePort();
    const database = await openDatabase();
    const env = environment(database, { TRON_NODE_URLS: `http://127.0.0.1:${port}`, TRON_NETWORK: "nile" });
    const service = await start(env, "watcher");
    const chain = await startDevchain({ port, blockTimeMs: 200 });
    cleanUps.push(() => chain.stop());
    expect((await service.refused).message).toContain("is not a node of nile");
  },
  60_000,
);

it("a request under way is answered while the service stops", async () => {
  const [chain, database] = [await openChain(), await openDatabase()];
  const service = await start(environment(database, { TRON_NODE_URLS: chain.url }));
  const { hostname, port } = new URL(service.apiUrl ?? "");
  const socket = connect({ host: hostname, port: Number(port) });
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.write(
    `POST /v1/deposit-addresses HTTP/1.1\r\nhost: a\r\nx-api-key: ${anOldKey()}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{`,
  );
  await once(socket, "connect");
  // A service that stops before it has accepted the connection resets it.
  await sleep(500);
  const stopping = service.stop();
  await sleep(100);
  socket.write("}");
  await Promise.all([stopping, once(socket, "close")]);
  expect(answer).toContain("401 Unauthorized");
  expect(answer.toLowerCase()).toContain("connection: close");
});

/** A TCP proxy in front of PostgreSQL that can be cut and restored under the same address. */
async function openProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const port = await freePort();
  const sockets = new Set<{ destroy(): void }>();
  const server = createTcpServer((inbound) => {
    const outbound = connect({ host: target.hostname, port: Number(target.port) });
    for (const socket of [inbound, outbound]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        inbound.destroy();
        outbound.destroy();
      });
    }
    inbound.pipe(outbound).pipe(inbound);
  });
  const listen = async () => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  const cut = async () => {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await closed;
  };
  await listen();
  cleanUps.push(async () => {
    if (server.listening) await cut();
  });
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return { url: url.href, cut, restore: listen };
}
