import { setTimeout as sleep } from "node:timers/promises";
import { startDevchain } from "@daric/devchain";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { createTestContext, testEnvironment } from "@daric/testing/context";
import { openDoor } from "@daric/testing/door";
import { until } from "@daric/testing/until";
import { afterEach, expect, it } from "vitest";
import { serve } from "./main.ts";

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type Line = { level: string; msg: string; [field: string]: unknown };

it("a database that is away is one line at its start and one at its end, whatever of a service of all roles meets it", async () => {
  const context = await createTestContext();
  cleanUps.push(() => context.close());
  const door = await openDoor(context.config.runtime.databaseUrl);
  cleanUps.push(() => door.shut());
  const chain = await startDevchain({ blockTimeMs: 200 });
  cleanUps.push(() => chain.stop());
  const { key } = await anApiKey(context, (await aMerchant(context.db)).id);
  const lines: Line[] = [];
  const service = await serve({
    role: "all",
    env: testEnvironment({
      DATABASE_URL: door.url,
      TRON_NODE_URLS: chain.url,
      PORT: "0",
      METRICS_PORT: "0",
      LOG_LEVEL: "info",
      WEBHOOK_ALLOW_TARGETS: "",
    }),
    output: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  cleanUps.push(() => service.stop());
  const ask = () => fetch(`${service.apiUrl}/v1/deposit-addresses`, { headers: { "x-api-key": key } });
  await until("the list is told", async () => (await ask()).status === 200);
  await until("the chain is read", () => lines.some(({ msg }) => msg === "reading the chain begins"));
  const before = lines.length;
  await door.shut();
  const refused = (await ask()).status;
  const notReady = (await fetch(`${service.metricsUrl}/readyz`)).status;
  await sleep(2_000);
  await door.open();
  const outages = () => lines.filter(({ outage }) => outage !== undefined);
  await until("the outage is over", () => outages().length >= 2);
  expect([refused, notReady]).toEqual([503, 503]);
  expect(outages()).toMatchObject([
    { level: "warn", outage: "database", msg: expect.stringMatching(/^the database is away/) },
    { level: "warn", outage: "database", msg: "the database is back", lasted_s: expect.any(Number) },
  ]);
  const said = lines.slice(before).filter(({ msg }) => msg !== "request");
  expect(said).toEqual(outages());
  expect(JSON.stringify(said).length).toBeLessThan(1_000);
  expect(JSON.stringify(said)).not.toMatch(/stack|ECONN.*ECONN/);
});
