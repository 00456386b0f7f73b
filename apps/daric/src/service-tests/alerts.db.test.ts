import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { alerts as rules } from "@daric/console/alerts/alerts";
import type { Series } from "@daric/console/alerts/conditions";
import { one, sql } from "@daric/postgres/sql";
import { roles } from "@daric/runtime/setting";
import { isNight } from "@daric/testing/at-night";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { TEST_XPUB, type TestContext, testEnvironment } from "@daric/testing/context";
import { captureDaric } from "@daric/testing/daric";
import { createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { type FaultyNode, startFaultyNode } from "@daric/testing/faulty-node";
import { metricsOf, readDashboard } from "@daric/testing/promql";
import { raw } from "@daric/testing/raw-sql";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import { type MetricsScrape, scrape } from "@daric/testing/scrape";
import { aBacklog } from "@daric/testing/webhook-builders";
import { deriveOperatorAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Service, serve } from "../main.ts";
import { readConfig } from "../process/config.ts";

const scrapes: MetricsScrape[] = [];
const provoked = new Set<string>();
let database: TestDatabase;
let chain: TestDevchain;
let node: FaultyNode;
let receiver: Receiver;
let service: Service;
let env: Record<string, string>;
/** the lag of the chain's clock in ms */
let behindMs = 3_600_000;

beforeAll(async () => {
  [database, chain, receiver] = await Promise.all([
    createTestDatabase(),
    aDevchain({ now: () => Date.now() - behindMs }),
    startReceiver(),
  ]);
  node = await startFaultyNode(chain.url);
  await chain.mine(25);
  // No node answers, and the currency that is queried first has an old price.
  let rateCalls = 0;
  node.fail(({ path }) => {
    if (path !== "/devchain/rates") return { status: 500, body: "{}" };
    rateCalls += 1;
    return rateCalls === 1
      ? { headers: { age: "700" }, body: JSON.stringify({ usdt: "0.9994", trx: "0.25" }) }
      : undefined;
  });
  env = testEnvironment({
    DATABASE_URL: database.url,
    TRON_NODE_URLS: node.url,
    TRON_POLL_MS: "50",
    // The stake account exists, and has no stake.
    STAKE_ADDRESS: chain.payer.address,
    WEBHOOK_CONCURRENCY: "1",
    DATABASE_POOL_MAX: "2",
    // Callers of sign-ins have an address each, as behind a proxy.
    TRUSTED_PROXIES: "127.0.0.1",
    HTTP_MAX_CONNECTIONS: "200",
    // All callers of these tests have one address.
    HTTP_MAX_CONNECTIONS_PER_ADDRESS: "200",
    RATE_LIMIT_KEY_PER_SECOND: "1000",
    RATE_LIMIT_KEY_BURST: "1000",
    WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    PORT: "0",
    METRICS_PORT: "0",
  });
  service = await serve({ role: "all", env });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await receiver.close();
  await service.stop();
  await node.stop();
  await chain.stop();
  await database.drop();
});

/** A merchant with a usable account, and a client of the API with its key. */
async function aCaller({ db } = database) {
  const { id: merchantId } = await aMerchant(db);
  await aSettlementAccount(db, merchantId);
  const { key } = await anApiKey({ db, config: readConfig(env, roles) }, merchantId);
  const headers = { "x-api-key": key, "content-type": "application/json", connection: "close" };
  const call = async (path: string, body: object): Promise<{ id: string; address: string }> => {
    const answer = await fetch(`${service.apiUrl}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return ((await answer.json()) as { data: { id: string; address: string } }).data;
  };
  return { merchantId, call, headers };
}

function firing(alert: string): readonly Series[] {
  const rule = rules.find(({ name }) => name === alert);
  if (rule === undefined) throw new Error(`there is no alert ${alert}`);
  return rule.condition.valuesIn(scrapes);
}

/** Scrapes until these alerts fire, or no longer fire. */
async function turn(how: "on" | "off", ...alerts: string[]): Promise<void> {
  const look = async () => {
    scrapes.push(await scrape(service.metricsUrl));
    return alerts.filter((alert) => firing(alert).length > 0 !== (how === "on"));
  };
  await expect.poll(look, { timeout: 20_000, interval: 100 }).toEqual([]);
  if (how === "on") for (const alert of alerts) provoked.add(alert);
}

/** Advances this process's clock. It is never set back. */
function passSeconds(seconds: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + seconds * 1_000);
}

/** Whether this service ever had a sample of a metric. */
const reported = (metric: string) =>
  scrapes.flatMap(({ samples }) => samples.filter((sample) => sample.metric === metric));

describe("an alert fires while its condition lasts, and not afterwards:", () => {
  it("no node answers: the scan stops, and the service is not ready", async () => {
    await turn("on", "DaricNoLeader", "DaricNoNode", "DaricNotReady");
    expect(firing("DaricNotReady").map(({ labels }) => labels.check)).toContain("node");
  });

  it("a price is old: only its currency has no rate", async () => {
    await turn("on", "DaricNoRate", "DaricRateSourceStale", "DaricRateSourceUnused");
    await expect
      .poll(async () => {
        scrapes.push(await scrape(service.metricsUrl));
        return firing("DaricNoRate").length;
      })
      .toBe(1);
    const [{ labels: { currency } = {} } = {}] = firing("DaricNoRate");
    expect(firing("DaricRateSourceStale").map(({ labels }) => labels)).toEqual([
      { source: "devnet", currency },
    ]);
  });

  it("the nodes stay at a block of an hour ago", async () => {
    node.heal();
    await turn("on", "DaricChainFrozen", "DaricScanLate");
    expect(firing("DaricNoLeader")).toEqual([]);
    await chain.mine(45);
    await turn("on", "DaricSolidLate");
    behindMs = 0;
    await chain.mine(45);
    await turn("off", "DaricChainFrozen", "DaricScanLate", "DaricSolidLate", "DaricNotReady");
  });

  it.runIf(isNight)("the nodes have new blocks and the scan does not advance", async () => {
    node.fail(({ path, question }) =>
      path === "/wallet/getblock" && question.detail === true ? { status: 500, body: "{}" } : undefined,
    );
    await chain.mine(25);
    await turn("on", "DaricScannerFrozen", "DaricNodeFailing");
    expect(firing("DaricChainFrozen")).toEqual([]);
    node.heal();
    await turn("off", "DaricScannerFrozen", "DaricNotReady");
  });

  it("none, and / shows it, with the watcher, the node and every rate", async () => {
    const text = await (await fetch(service.metricsUrl)).text();
    const { process: own, reading, nodes, settlement, rates, checks } = JSON.parse(text);
    expect(own).toMatchObject({ network: "devnet", roles: ["api", "watcher", "webhooks", "settlement"] });
    expect(reading.leader).toMatchObject({ pid: String(process.pid), is_this_process: true });
    expect(nodes).toMatchObject([{ label: new URL(node.url).host, head: { number: expect.any(Number) } }]);
    expect(settlement.faults).toEqual([expect.stringMatching(/^no signer has run on this database/)]);
    expect(rates).toMatchObject([
      { currency: "USDT", sources: [{ source: "devnet" }] },
      { currency: "TRX", sources: [{ source: "devnet" }] },
    ]);
    expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
    expect(text).not.toMatch(/postgres:|secret|pepper/i);
  });

  it.runIf(isNight)(
    "webhooks fail, a body is gone, all wait behind a hanging one, or an endpoint is gone",
    async () => {
      const { merchantId, call } = await aCaller();
      const eventTypes = ["deposit.confirmed"];
      const { id } = await call("/v1/webhooks/endpoints", { url: receiver.url, eventTypes });
      const endpoint = { merchantId, id };
      const enqueue = (count: number) => aBacklog({ db: database.owner } as TestContext, endpoint, count);
      receiver.answer = (response) => response.writeHead(500).end();
      await enqueue(2);
      await turn("on", "DaricWebhooksFailing");
      const hanging: ServerResponse[] = [];
      receiver.answer = (response) => hanging.push(response);
      await enqueue(1_100);
      await expect.poll(() => hanging.length).toBe(1);
      await database.owner.query(sql`
      update webhook_deliveries set next_attempt_at = next_attempt_at - interval '10 minutes'
      where merchant_id = ${merchantId} and status = 'PENDING'`);
      await turn("on", "DaricWebhookBacklog", "DaricWebhooksLate");
      await database.owner.query(sql`
      delete from webhook_event_bodies where merchant_id = ${merchantId} and event_id in (
        select event_id from webhook_deliveries where merchant_id = ${merchantId} and status = 'PENDING' limit 1_095)`);
      // The receiver answers again, because a failing endpoint would be suspended and get nothing more.
      receiver.answer = (response) => response.end();
      for (const response of hanging) response.end();
      await turn("on", "DaricWebhookBodyMissing");
      receiver.answer = (response) => response.writeHead(410).end();
      await database.owner.query(sql`
      update endpoint_health set gone_since = now() - interval '25 hours'
      where merchant_id = ${merchantId} and endpoint_id = ${id}`);
      await enqueue(1);
      await turn("on", "DaricWebhookEndpointDisabled");
      await receiver.close();
      await database.owner.query(sql`
      delete from webhook_deliveries where merchant_id = ${merchantId} and status = 'PENDING'`);
      await turn("off", "DaricWebhookBacklog", "DaricWebhooksLate");
    },
  );

  it.runIf(isNight)("too many callers wait for connections to the database, and are refused", async () => {
    // Three merchants are needed, because one merchant never has all connections.
    const callers = await Promise.all([aCaller(), aCaller(), aCaller()]);
    const listOf = ({ headers }: { headers: Record<string, string> }) =>
      fetch(`${service.apiUrl}/v1/deposits`, { headers }).then((answer) => answer.text());
    const lists = (count: number) =>
      callers.flatMap((caller) => Array.from({ length: count }, () => listOf(caller)));
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding = database.owner.transaction(async (tx) => {
      await tx.query(sql`lock table deposits in access exclusive mode`);
      await held;
    });
    const answers = lists(7);
    await turn("on", "DaricPoolExhausted");
    answers.push(...lists(33));
    await turn("on", "DaricOverload");
    release();
    await Promise.all([...answers, holding]);
    await turn("off", "DaricPoolExhausted");
  });

  it.runIf(isNight)("the number of connections is near its limit", async () => {
    const { hostname, port } = new URL(service.apiUrl ?? "");
    const sockets = Array.from({ length: 170 }, () => connect(Number(port), hostname));
    await turn("on", "DaricConnectionsNearCap");
    for (const socket of sockets) socket.destroy();
    await turn("off", "DaricConnectionsNearCap");
  });

  it.runIf(isNight)(
    "a session holds a row that the scanner needs; a metric is not collected meanwhile",
    async () => {
      const serviceRole = new URL(database.url).username;
      const blockedSeconds = async () =>
        (await scrape(service.metricsUrl)).samples.find(
          ({ metric }) => metric === "daric_scanner_blocked_seconds",
        )?.value;
      await database.owner.transaction(async (tx) => {
        await tx.query(sql`select from scan_cursors for update`);
        await chain.mine(1);
        await database.owner.query(raw(`revoke select on endpoint_queue from ${serviceRole}`));
        await turn("on", "DaricMetricsMissing");
        await expect.poll(blockedSeconds, { timeout: 20_000 }).toBeGreaterThan(0);
        passSeconds(31);
        await turn("on", "DaricScannerBlocked");
      });
      await database.owner.query(raw(`grant select on endpoint_queue to ${serviceRole}`));
      await turn("off", "DaricScannerBlocked");
    },
  );

  it("settlement is off: no alert about gas, stake or signer fires", async () => {
    scrapes.push(await scrape(service.metricsUrl));
    for (const alert of ["DaricGasLow", "DaricStakeLow", "DaricSignerSilent"])
      expect(firing(alert)).toEqual([]);
    expect([reported("daric_gas_wallet_sun"), reported("daric_stake_loans_free")]).toEqual([[], []]);
  });

  it.runIf(isNight)(
    "the gas wallet is nearly empty, the stake too, the signer is silent, and a sweep does not move",
    async () => {
      const { owner } = database;
      const { merchantId, call } = await aCaller();
      const { id: chargeId } = await call("/v1/deposit-addresses", { amount: "5" });
      const settlementId = randomUUID();
      await owner.query(sql`update settlement_control set paused_at = now(), pause_reason = 'a test'`);
      await owner.query(
        sql`insert into signer_state (seen_at, state) values (now() - interval '1 hour', '{}')`,
      );
      // Settlement checks for a first signer every 30 s.
      const metrics = async () => (await fetch(`${service.metricsUrl}/metrics`)).text();
      await expect.poll(metrics, { timeout: 60_000 }).toMatch(/^daric_settlement_leader\S* 1$/m);
      await owner.query(sql`
      insert into settlements (merchant_id, id, currency, settlement_account_id, status)
      select merchant_id, ${settlementId}, 'USDT', id, 'OPEN' from settlement_accounts where merchant_id = ${merchantId}`);
      await owner.query(sql`
      insert into sweeps (merchant_id, id, settlement_id, deposit_address_id, currency, recipient, destination, units, resources,
        price, status, updated_at)
      values (${merchantId}, ${randomUUID()}, ${settlementId}, ${chargeId}, 'USDT', 'merchant',
        ${"TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH"}, 1, 'burn', 0, 'PLANNED', now() - interval '1 hour')`);
      await turn("on", "DaricGasLow", "DaricStakeLow", "DaricSweepsStuck", "DaricSignerSilent");
      const { settlement } = await (await fetch(service.metricsUrl)).json();
      expect(settlement.accounts).toMatchObject({
        gas: "0",
        is_gas_low: true,
        stake: { free: "0", loans: 0 },
      });
      expect(Math.floor(settlement.accounts.signer_silent_seconds / 3_600)).toBe(1);
      const gas = deriveOperatorAddress(parseAccountXpub(TEST_XPUB), 0);
      await chain.control("faucet", { address: gas, trx: "200" });
      await chain.mine(25);
      await turn("off", "DaricGasLow");
      await owner.query(sql`update sweeps set status = 'DROPPED' where merchant_id = ${merchantId}`);
    },
  );

  it.runIf(isNight)("many sign-ins fail", async () => {
    const signIn = async (number: number) => {
      const { status } = await fetch(`${service.apiUrl}/dashboard/v1/sign-in`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "sec-fetch-site": "same-origin",
          "x-forwarded-for": `198.51.100.${number}`,
          connection: "close",
        },
        body: JSON.stringify({ email: `person${number}@shop.example`, password: "a wrong password" }),
      });
      return status;
    };
    for (let number = 1; number <= 110; number += 1) expect(await signIn(number)).toBe(401);
    await turn("on", "DaricSignInsFail");
  });

  it.runIf(isNight)("an API key that is in use expires soon", async () => {
    const { id: merchantId } = await aMerchant(database.db);
    const soon = { expiresInMs: 3 * 86_400_000 };
    const { id } = await anApiKey({ db: database.db, config: readConfig(env, roles) }, merchantId, soon);
    await database.owner.query(
      sql`update api_keys set last_used_at = now() where merchant_id = ${merchantId} and id = ${id}`,
    );
    await turn("on", "DaricKeysExpiring");
  });

  it.runIf(isNight)("the monthly partitions end soon", async () => {
    const months = await database.owner.query<{ name: string }>(sql`
      select inhrelid::regclass::text as name from pg_inherits join pg_class on oid = inhrelid
      where inhparent = 'deposit_events'::regclass and relname !~ 'default'`);
    for (const { name } of months) await database.owner.query(raw(`drop table ${name}`));
    await turn("on", "DaricPartitionsLow");
  });

  it.runIf(isNight)("the nodes have another final block than ours, which raises an alarm", async () => {
    const { number } = one(
      await database.owner.query<{ number: bigint }>(sql`
        update blocks set id = ${"00".repeat(32)} where number = (select min(number) + 1 from blocks) returning number`),
    );
    const variables = { DATABASE_URL: database.url, TRON_NETWORK: "devnet", TRON_NODE_URLS: node.url };
    await captureDaric(["scan", "--from", String(number), "--to", String(number)], variables);
    await turn("on", "DaricAlarm");
    expect(firing("DaricAlarm").map(({ labels }) => labels)).toEqual([{ alarm: "rescan_differs" }]);
  });

  it.runIf(isNight)(
    "no address is ready for the next order, and one of two nodes that must agree does not answer",
    async () => {
      const [second, silent] = await Promise.all([createTestDatabase(), startFaultyNode(chain.url)]);
      const quorum = { TRON_NODE_URLS: `${chain.url},${silent.url}`, TRON_QUORUM: "2" };
      let release = (): void => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const holding = second.owner.transaction(async (tx) => {
        await tx.query(sql`lock table account_keys in exclusive mode`);
        await held;
      });
      const first = service;
      service = await serve({ role: "all", env: { ...env, ...quorum, DATABASE_URL: second.url } });
      try {
        await turn("on", "DaricAddressesOut");
        release();
        await holding;
        await turn("off", "DaricAddressesOut");
        const { call } = await aCaller(second);
        const { address } = await call("/v1/deposit-addresses", {});
        await chain.control("faucet", { address, usdt: "25" });
        silent.fail(() => ({ status: 500, body: "{}" }));
        await chain.mine(25);
        await turn("on", "DaricQuorumShort");
        expect(firing("DaricQuorumShort").map(({ labels }) => labels.node)).toEqual([
          new URL(silent.url).host,
        ]);
        await service.stop();
        await turn("on", "DaricProcessDown");
      } finally {
        await service.stop();
        service = first;
        await Promise.all([silent.stop(), second.drop()]);
      }
    },
  );

  it.runIf(isNight)("the scan is halted, and deposits are STUCK", async () => {
    const { call } = await aCaller();
    const { address } = await call("/v1/deposit-addresses", {});
    await chain.control("faucet", { address, usdt: "25" });
    await chain.mine(1);
    await expect
      .poll(async () => (await scrape(service.metricsUrl)).samples)
      .toContainEqual({
        metric: "daric_deposit_transitions_total",
        labels: { status: "DETECTED", currency: "USDT" },
        value: 1,
      });
    await database.owner.query(sql`
      insert into scan_halts (network, number, our_id, their_id, nodes) values ('devnet', 5, 'a', 'b', 'node')`);
    await database.owner.query(sql`
      insert into open_deposits (network, status, block_number, merchant_id, deposit_id)
      values ('devnet', 'STUCK', 1000000, gen_random_uuid(), gen_random_uuid())`);
    await chain.mine(45);
    await turn("on", "DaricScanHalted", "DaricDepositsStuck");
  });
});

it.runIf(isNight)("each alert is tested here", () => {
  expect([...provoked].toSorted()).toEqual(rules.map(({ name }) => name).toSorted());
});

it("each metric that a rule or a panel names comes from the running service; at night each label too", async () => {
  await (await fetch(`${service.apiUrl}/v1/deposits`, { headers: { connection: "close" } })).text();
  scrapes.push(await scrape(service.metricsUrl));
  const declared = scrapes.at(-1)?.declared ?? new Set();
  const rulesAndPanels = [
    ...rules.map(({ name, condition }) => ({ title: name, promql: condition.promql })),
    ...readDashboard(),
  ];
  const missing = rulesAndPanels.flatMap(({ title, promql }) =>
    metricsOf(promql).flatMap(({ metric, labels }) => {
      const isDeclared = declared.has(metric) || declared.has(metric.replace(/_(bucket|sum|count)$/, ""));
      if (!isDeclared) return [`${title}: ${metric}`];
      // Most samples come from the faults that the night provokes.
      if (!isNight) return [];
      const known = new Set(reported(metric).flatMap((sample) => Object.keys(sample.labels)));
      return labels.filter((label) => !known.has(label)).map((label) => `${title}: ${metric}{${label}}`);
    }),
  );
  expect(missing).toEqual([]);
});
