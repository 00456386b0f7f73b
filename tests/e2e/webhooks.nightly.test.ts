import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { openDatabase } from "@daric/postgres/database";
import { startPostgres } from "@daric/postgres/embedded";
import { type Database, one, sql } from "@daric/postgres/sql";
import { TEST_INTEGRITY_KEY } from "@daric/testing/context";
import { type PromotablePostgres, startPromotablePostgres } from "@daric/testing/promotable-postgres";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { type FurtherProcess, type Stack, type StackMerchant, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { aBacklog } from "@daric/testing/webhook-builders";
import { afterEach, expect, it } from "vitest";

const DARIC = createRequire(import.meta.url).resolve("@daric/server/bin");
const ENDPOINTS = 8;
const TIMEOUT_MS = 2_000;
/** Twice the longest attempt, and 15 s. */
const LEASE_MS = 2 * TIMEOUT_MS + 15_000;
/** After the end of a lease, everything is delivered within this time. */
const AFTER_LEASE_MS = 15_000;
/**
 * The most deliveries that a kill may repeat: attempts under way, and results that are not recorded. They are among the
 * claims that a process holds, 16 for each of its 128 slots. A single merchant has three quarters of them.
 */
const IN_DOUBT = (16 * 128 * 3) / 4;
const SETTINGS = {
  DARIC_INTEGRITY_KEY: TEST_INTEGRITY_KEY,
  WEBHOOK_TIMEOUT: `${TIMEOUT_MS}ms`,
  WEBHOOK_RETRY_SCHEDULE: "0s,1s,1s,1s,1s,1s,1s,1s",
};

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type Scene = {
  readonly stack: Stack;
  readonly merchant: StackMerchant;
  readonly db: Database;
  readonly receiver: Receiver;
  readonly endpoints: readonly string[];
};

/** A merchant with endpoints, and a stopped service. */
async function openScene(env: Record<string, string> = {}): Promise<Scene> {
  const stack = await startStack({ ...SETTINGS, ...env });
  cleanUps.push(stack.stop);
  const merchant = await stack.merchant();
  const receiver = await startReceiver();
  cleanUps.push(receiver.close);
  const endpoints: string[] = [];
  for (let count = 0; count < ENDPOINTS; count++) {
    const { id } = await merchant.call("POST", "/v1/webhooks/endpoints", { url: receiver.url });
    endpoints.push(id);
  }
  await stack.stopService();
  const url = stack.variables.DATABASE_URL ?? "";
  const db = openDatabase({ url, applicationName: "webhooks-nightly", onError: () => undefined });
  cleanUps.push(db.close);
  return { stack, merchant, db, receiver, endpoints };
}

/** Adds `each` due deliveries for each endpoint; returns their number. */
async function fill({ db, merchant, endpoints }: Scene, each: number): Promise<number> {
  for (const id of endpoints) await aBacklog({ db }, { merchantId: merchant.id, id }, each);
  return each * endpoints.length;
}

async function startWorker({ stack }: Scene): Promise<FurtherProcess> {
  const worker = await stack.startBeside("webhooks");
  await until("the worker is ready", async () => (await fetch(`${worker.url}/readyz`)).ok, 60_000);
  return worker;
}

async function kill({ process }: FurtherProcess): Promise<void> {
  const ended = once(process, "exit");
  process.kill("SIGKILL");
  await ended;
}

async function deliveredOf({ db }: Scene): Promise<number> {
  const rows = await db.query<{ count: bigint }>(
    sql`select count(*) from webhook_deliveries where status = 'DELIVERED'`,
  );
  return Number(one(rows).count);
}

/** The requests of each delivery beyond its first. */
function repeatsIn({ received }: Receiver): number {
  return received.length - new Set(received.map(({ headers }) => headers["x-service-delivery-id"])).size;
}

/** Migrates the database of this superuser's URL; returns the variables of a service on it. */
async function migrated(url: string): Promise<Record<string, string>> {
  const service = Object.assign(new URL(url), { username: "shop", password: "shop" }).href;
  const urls = { DATABASE_URL: service, DATABASE_DIRECT_URL: url };
  await promisify(execFile)(process.execPath, [DARIC, "migrate"], {
    env: { PATH: process.env.PATH, ...urls },
  });
  return urls;
}

/** Expects every delivery within the time after a fault, and few repeats. */
async function expectAllDelivered(scene: Scene, count: number): Promise<void> {
  const limitMs = LEASE_MS + AFTER_LEASE_MS;
  await until("everything is delivered", async () => (await deliveredOf(scene)) === count, limitMs);
  expect(new Set(scene.receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(count);
  expect(repeatsIn(scene.receiver)).toBeLessThanOrEqual(IN_DOUBT);
}

it("kill -9 under load loses no delivery, and repeats at most those in doubt", {
  timeout: 300_000,
}, async () => {
  const scene = await openScene();
  const KILLS = 3;
  const count = await fill(scene, 1_000);
  for (let killed = 1; killed <= KILLS; killed++) {
    const before = scene.receiver.received.length;
    const worker = await startWorker(scene);
    await until("it delivers", () => scene.receiver.received.length > before + 500, 60_000);
    await kill(worker);
  }
  const last = await startWorker(scene);
  const limitMs = LEASE_MS + AFTER_LEASE_MS;
  await until("everything is delivered", async () => (await deliveredOf(scene)) === count, limitMs);
  expect(new Set(scene.receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(count);
  expect(repeatsIn(scene.receiver)).toBeLessThanOrEqual(KILLS * IN_DOUBT);
  await kill(last);
});

/** Makes all deliveries due in an hour, or one after the other from now on. */
async function reschedule({ db, merchant }: Scene, perSecond?: number): Promise<void> {
  const wait =
    perSecond === undefined ? sql`interval '1 hour'` : sql`turn.place * interval '1 second' / ${perSecond}`;
  await db.query(sql`
    with due as (
      update webhook_deliveries d set next_attempt_at = now() + ${wait}
      from (
        select id, row_number() over (order by id) as place from webhook_deliveries where merchant_id = ${merchant.id}
      ) turn where d.merchant_id = ${merchant.id} and turn.id = d.id)
    update endpoint_queue set due_at = ${perSecond === undefined ? sql`now() + interval '1 hour'` : sql`now()`}
    where merchant_id = ${merchant.id}`);
}

it("below 500 deliveries a second kill -9 at 600 of 2,000 repeats at most 20", {
  timeout: 300_000,
}, async () => {
  const scene = await openScene();
  const count = await fill(scene, 2_000 / ENDPOINTS);
  await reschedule(scene);
  const killed = await startWorker(scene);
  await reschedule(scene, 300);
  await until("600 are sent", () => scene.receiver.received.length >= 600, 60_000);
  await kill(killed);
  const last = await startWorker(scene);
  await until("everything is delivered", async () => (await deliveredOf(scene)) === count, 60_000);
  expect(repeatsIn(scene.receiver)).toBeLessThanOrEqual(20);
  await kill(last);
});

it("a worker that was paused for longer than its leases records none of their results afterwards", {
  timeout: 300_000,
}, async () => {
  const scene = await openScene();
  const count = await fill(scene, 500);
  // The receiver answers the attempts under way only after the pause.
  scene.receiver.answer = (response) => setTimeout(() => response.end("ok"), 500);
  const paused = await startWorker(scene);
  await until("it delivers", () => scene.receiver.received.length > 200, 60_000);
  paused.process.kill("SIGSTOP");
  const other = await startWorker(scene);
  await until("the other one delivers everything", async () => (await deliveredOf(scene)) === count, 120_000);
  const rows = () =>
    scene.db.query(sql`
      select d.id, d.status, d.attempt_count, d.lease_number, d.updated_at,
        (select count(*) from webhook_attempts a where a.merchant_id = d.merchant_id and a.delivery_id = d.id) as attempts
      from webhook_deliveries d order by d.id`);
  const [before, requests] = [await rows(), scene.receiver.received.length];
  paused.process.kill("SIGCONT");
  await sleep(5_000);
  expect(await rows()).toEqual(before);
  expect(scene.receiver.received.length).toBe(requests);
  for (const worker of [paused, other]) await kill(worker);
});

it("PostgreSQL that restarts under load loses no delivery", { timeout: 300_000 }, async () => {
  const home = await mkdtemp(join(scratchFolder(), "daric-restarted-"));
  cleanUps.push(() => rm(home, { recursive: true, force: true }));
  let server = await startPostgres({ home, mode: "demo" });
  cleanUps.push(() => server.stop());
  const scene = await openScene(await migrated(server.url));
  const count = await fill(scene, 1_000);
  const worker = await startWorker(scene);
  await until("it delivers", () => scene.receiver.received.length > 2_000, 60_000);
  const { port } = new URL(server.url);
  await server.stop();
  server = await startPostgres({ home, mode: "demo", port: Number(port) });
  await expectAllDelivered(scene, count);
  await kill(worker);
});

it("PostgreSQL that fails over under load loses no delivery", { timeout: 300_000 }, async () => {
  const server: PromotablePostgres = await startPromotablePostgres();
  cleanUps.push(server.stop);
  const scene = await openScene(await migrated(server.url));
  const count = await fill(scene, 1_000);
  const worker = await startWorker(scene);
  await until("it delivers", () => scene.receiver.received.length > 2_000, 60_000);
  await server.kill();
  await sleep(3_000);
  await server.promote();
  server.leadToStandby();
  await expectAllDelivered(scene, count);
  await kill(worker);
});
