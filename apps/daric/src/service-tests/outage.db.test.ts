import { setTimeout as sleep } from "node:timers/promises";
import { type Devchain, startDevchain } from "@daric/devchain";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { createTestContext, testEnvironment } from "@daric/testing/context";
import { openTcpGate, type TcpGate } from "@daric/testing/tcp-gate";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Service, serve } from "../main.ts";

type Line = { level: string; msg: string; [field: string]: unknown };

const cleanUps: (() => Promise<unknown>)[] = [];
const lines: Line[] = [];
let gate: TcpGate;
let chain: Devchain;
let service: Service;
let send: () => Promise<Response>;

/** A service of all roles that reads the chain, with a database that can be cut off. */
beforeAll(async () => {
  const context = await createTestContext();
  cleanUps.push(() => context.close());
  gate = await openTcpGate(context.config.runtime.databaseUrl);
  cleanUps.push(() => gate.shut());
  chain = await startDevchain({ blockTimeMs: 200 });
  const { key } = await anApiKey(context, (await aMerchant(context.db)).id);
  service = await serve({
    role: "all",
    env: testEnvironment({
      DATABASE_URL: gate.url,
      TRON_NODE_URLS: chain.url,
      PORT: "0",
      METRICS_PORT: "0",
      LOG_LEVEL: "info",
      WEBHOOK_ALLOW_TARGETS: "",
    }),
    output: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  cleanUps.push(() => service.stop());
  send = () => fetch(`${service.apiUrl}/v1/deposit-addresses`, { headers: { "x-api-key": key } });
  await until("the list is answered", async () => (await send()).status === 200);
  await until("the chain is read", () => lines.some(({ msg }) => msg === "the scan starts"));
  const numbers = () => fetch(`${service.metricsUrl}/metrics`).then((answer) => answer.text());
  await until("addresses are ready", async () => /^daric_addresses_ahead [1-9]/m.test(await numbers()));
});
afterAll(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** The lines logged since a time, without those of requests. */
const loggedSince = (from: number) => lines.slice(from).filter(({ msg }) => msg !== "request");

it("a database outage is logged once at its start and once at its end, for all parts of a service", async () => {
  const from = lines.length;
  await gate.shut();
  const refused = (await send()).status;
  // The last result before the outage is cached for a moment.
  await until("it is not ready", async () => (await fetch(`${service.metricsUrl}/readyz`)).status === 503);
  await sleep(2_000);
  await gate.open();
  await until("the outage is over", () => loggedSince(from).length >= 2);
  expect(refused).toBe(503);
  await until("it is ready", async () => (await fetch(`${service.metricsUrl}/readyz`)).status === 200);
  const stated = loggedSince(from);
  expect(stated).toMatchObject([
    { level: "warn", event: "database_unreachable", reason: expect.any(String) },
    { level: "warn", event: "database_unreachable", lasted_s: expect.any(Number) },
  ]);
  expect(JSON.stringify(stated).length).toBeLessThan(1_000);
  expect(JSON.stringify(stated)).not.toMatch(/stack|ECONN.*ECONN/);
});

it("a node outage is logged once, for all callers of the node", async () => {
  const from = lines.length;
  const host = new URL(chain.url).host;
  await chain.stop();
  await until("the outage is logged", () => loggedSince(from).length > 0);
  await sleep(1_000);
  expect(loggedSince(from)).toMatchObject([{ level: "warn", event: "node_unreachable", node: host }]);
});

it("with a silent database callers wait about two seconds, and later ones fail at once", async () => {
  const timed = async () => {
    const startedMs = performance.now();
    const { status, headers } = await send();
    return { status, hint: headers.get("retry-after"), ms: performance.now() - startedMs };
  };
  await send();
  gate.hold();
  const first = await Promise.all([timed(), timed()]);
  const then = await timed();
  gate.release();
  for (const { status, hint } of [...first, then]) expect([status, hint]).toEqual([503, "5"]);
  expect(Math.max(...first.map(({ ms }) => ms))).toBeLessThan(6_000);
  expect(then.ms).toBeLessThan(1_000);
  await until("it is answered again", async () => (await send()).status === 200);
});
