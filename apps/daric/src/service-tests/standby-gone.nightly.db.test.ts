import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startDevchain } from "@daric/devchain";
import { openDatabase } from "@daric/postgres/database";
import { startPostgres } from "@daric/postgres/embedded";
import { migrate } from "@daric/postgres/migrate";
import { prepareServiceRole } from "@daric/postgres/service-role";
import { type Database, sql } from "@daric/postgres/sql";
import { roles } from "@daric/runtime/setting";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { testEnvironment } from "@daric/testing/context";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { afterEach, expect, it } from "vitest";
import { grants } from "../deployment/grants.ts";
import { MIGRATIONS_DIRECTORY } from "../deployment/migrations.ts";
import { serve } from "../main.ts";
import { readConfig } from "../process/config.ts";

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A migrated server of its own, whose commits wait for a synchronous standby if one is named. */
async function openServer() {
  const home = await mkdtemp(join(scratchFolder(), "daric-standby-gone-"));
  cleanUps.push(() => rm(home, { recursive: true, force: true }));
  const server = await startPostgres({ home, mode: "test" });
  cleanUps.push(() => server.stop());
  const serviceUrl = new URL(server.url);
  serviceUrl.username = "daric";
  serviceUrl.password = randomBytes(8).toString("hex");
  await migrate(server.url, MIGRATIONS_DIRECTORY);
  await prepareServiceRole({ ownerUrl: server.url, serviceUrl: serviceUrl.href, grants });
  const owner = openDatabase({ url: server.url, onError: () => {} });
  cleanUps.push(() => owner.close());
  await owner.query(sql`alter role daric set synchronous_commit = on`);
  return { owner, url: serviceUrl.href };
}

async function loseStandby(owner: Database): Promise<void> {
  await owner.query(sql`alter system set synchronous_standby_names = 'nobody'`);
  await owner.query(sql`select pg_reload_conf()`);
  await expect
    .poll(() => owner.query(sql`show synchronous_standby_names`))
    .toMatchObject([{ synchronous_standby_names: "nobody" }]);
}

async function findStandby(owner: Database): Promise<void> {
  await owner.query(sql`alter system reset synchronous_standby_names`);
  await owner.query(sql`select pg_reload_conf()`);
}

/** An API on a server with a synchronous standby, and merchants without a charge. */
async function openApi() {
  const { owner, url } = await openServer();
  const chain = await startDevchain({ blockTimeMs: 200 });
  cleanUps.push(() => chain.stop());
  const env = testEnvironment({
    DATABASE_URL: url,
    TRON_NODE_URLS: chain.url,
    PORT: "0",
    METRICS_PORT: "0",
  });
  const service = await serve({ role: "api", env });
  cleanUps.push(() => service.stop());
  const callWith = async (key: string, path: string, body?: object) => {
    const startedAt = performance.now();
    const answer = await fetch(`${service.apiUrl}/v1/deposit-addresses${path}`, {
      method: body ? "POST" : "GET",
      headers: { "x-api-key": key, "content-type": "application/json", connection: "close" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const ms = performance.now() - startedAt;
    return {
      status: answer.status,
      retryAfter: answer.headers.get("retry-after"),
      body: await answer.json(),
      ms,
    };
  };
  const aCaller = async () => {
    const { id } = await aMerchant(owner);
    const { key } = await anApiKey({ db: owner, config: readConfig(env, roles) }, id);
    return (path: string, body?: object) => callWith(key, path, body);
  };
  return { owner, aCaller };
}

it("without the synchronous standby a create is answered within 10 s as maybe done, and is found by its reference", async () => {
  const { owner, aCaller } = await openApi();
  const call = await aCaller();
  expect((await call("", { amount: "1", orderRef: "before" })).status).toBe(201);

  await loseStandby(owner);
  const creating = call("", { amount: "2", orderRef: "meanwhile" });
  const read = await call("?orderRef=before");
  expect([read.status, read.body.meta.total]).toEqual([200, 1]);
  const created = await creating;
  expect([created.status, created.body.error.code, created.retryAfter]).toEqual([
    503,
    "SERVICE_UNAVAILABLE",
    "5",
  ]);
  expect(created.body.message).toContain("this may have been done");
  expect(created.ms).toBeLessThan(10_000);

  await findStandby(owner);
  await expect.poll(async () => (await call("?orderRef=meanwhile")).body.meta.total).toBe(1);
}, 60_000);

it("without the synchronous standby no create waits for earlier ones: each is answered within 10 s", async () => {
  const { owner, aCaller } = await openApi();
  const [other, call] = [await aCaller(), await aCaller()];
  expect((await other("", { amount: "1" })).status).toBe(201);
  expect((await call("")).status).toBe(200);
  await loseStandby(owner);
  const answers = await Promise.all(
    [0, 0, 1, 1, 2, 2, 3, 3, 5, 5, 8, 8].map(async (seconds) => {
      await sleep(seconds * 1_000);
      return call("", { amount: "1" });
    }),
  );
  expect(answers.map(({ status, retryAfter }) => [status, Number(retryAfter) > 0])).toEqual(
    answers.map(() => [503, true]),
  );
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(10_000);
  await findStandby(owner);
}, 60_000);
