import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withDedicatedClient } from "@daric/postgres/dedicated-client";
import { startPostgres } from "@daric/postgres/embedded";
import { one } from "@daric/postgres/sql";
import { executeAsAdmin, urlOfDatabase } from "@daric/testing/admin-connection";
import { TEST_XPUB } from "@daric/testing/context";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { freePort } from "@daric/testing/free-port";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { until } from "@daric/testing/until";
import { type Balancer, startBalancer } from "../balancer.ts";
import type { Build, BuildSettings, Served } from "./build.ts";
import { openTraffic, type Traffic } from "./traffic.ts";

const ROLES = ["watcher", "webhooks", "settlement"];
/** The interval of TRON's blocks. */
const BLOCK_MS = 3_000;
const STEADY_MS = 5_000;
/** The balancer checks each server every second. */
const SEEN_MS = 2_500;
const FINAL_BLOCKS = 30;
const LIMIT_MS = 120_000;

export type UpgradeFigures = {
  readonly from: string;
  readonly to: string;
  readonly schemaFrom: number;
  readonly schemaTo: number;
  readonly requests: number;
  /** a status or an error for each request that failed */
  readonly failed: readonly string[];
  readonly slowestMs: number;
  readonly migrateMs: number;
  /** whether the service was stopped for the migration, since the new schema does not serve the old programs */
  readonly wasStopped: boolean;
  /** old processes that were not ready after the migration */
  readonly unready: number;
  readonly paid: number;
  readonly unpaid: number;
  readonly broken: number;
};

type Builds = { readonly from: Build; readonly to: Build };
type Running = { apis: Served[]; others: Served[] };

/**
 * Upgrades a service under load, process by process, and downgrades it again, on one database. If the new schema does not serve the
 * old programs, it is stopped, migrated and started instead, and stays upgraded.
 */
export async function runUpgrade(builds: Builds, logLine: (line: string) => void): Promise<UpgradeFigures> {
  const cleanUps: (() => unknown)[] = [];
  try {
    return await upgrade(builds, logLine, cleanUps);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

async function upgrade(
  { from, to }: Builds,
  logLine: (line: string) => void,
  cleanUps: (() => unknown)[],
): Promise<UpgradeFigures> {
  const { devchain, variables } = await openStage(cleanUps);
  const old = await from.daric(["migrate"], variables);
  const merchant = await aMerchant(from, devchain, variables);
  // Each api has a port of its own, and the balancer gets the current list.
  const running: Running = { apis: [], others: [] };
  cleanUps.push(() => Promise.all([...running.apis, ...running.others].map((api) => api.stop())));
  const switchTo = (build: Build) => replaceAll(running, build, variables);
  await switchTo(from);
  const balancer = await startBalancer(() => running.apis.map(({ url }) => url));
  cleanUps.push(balancer.stop);
  const traffic = openTraffic(balancer.url, merchant.key, devchain);
  await sleep(STEADY_MS);
  const wasStopped = !(await servesAlso(to, old.version, variables));
  logLine(`${from.name} serves; ${to.name} migrates`);
  if (wasStopped) {
    await traffic.pause();
    await stopAll(running);
  }

  const startedMs = performance.now();
  const migrated = await to.daric(["migrate"], variables);
  const migrateMs = Math.round(performance.now() - startedMs);
  await sleep(SEEN_MS);
  const unready = await countUnready(running);
  logLine(
    `migrated from ${old.version} to ${migrated.version} in ${migrateMs} ms; ${unready} old processes are not ready`,
  );
  await switchTo(to);
  logLine(`${to.name} serves`);
  if (wasStopped) await sleep(SEEN_MS);
  traffic.resume();
  await sleep(STEADY_MS);
  if (!wasStopped) {
    await from.daric(["migrate"], variables);
    await switchTo(from);
    logLine(`${from.name} serves again`);
    await sleep(STEADY_MS);
  }
  await traffic.close();
  return {
    from: from.name,
    to: to.name,
    schemaFrom: old.version,
    schemaTo: migrated.version,
    requests: traffic.requests(),
    failed: traffic.failed,
    slowestMs: Math.round(traffic.slowestMs()),
    migrateMs,
    wasStopped,
    unready,
    paid: traffic.paid.size,
    unpaid: await countUnpaid(traffic, devchain, balancer, merchant.key),
    broken:
      (await to.daric(["doctor"], variables)).broken +
      (wasStopped ? 0 : (await from.daric(["doctor"], variables)).broken),
  };
}

async function openStage(
  cleanUps: (() => unknown)[],
): Promise<{ devchain: TestDevchain; variables: BuildSettings }> {
  const home = await mkdtemp(join(scratchFolder(), "daric-upgrade-"));
  cleanUps.push(() => rm(home, { recursive: true, force: true }));
  const postgres = await startPostgres({ home, mode: "test" });
  cleanUps.push(postgres.stop);
  await executeAsAdmin(postgres.url, "create database daric");
  const ownerUrl = urlOfDatabase(postgres.url, "daric");
  const devchain = await aDevchain();
  cleanUps.push(() => devchain.stop());
  await devchain.mine(25);
  const blocks = setInterval(() => void devchain.mine(1).catch(() => {}), BLOCK_MS);
  cleanUps.push(() => clearInterval(blocks));
  return {
    devchain,
    variables: {
      DATABASE_DIRECT_URL: ownerUrl,
      DATABASE_URL: Object.assign(new URL(ownerUrl), { username: "shop", password: "shop" }).href,
      TRON_NETWORK: "devnet",
      TRON_NODE_URLS: devchain.url,
      TRON_POLL_MS: "250",
      ACCOUNT_XPUB: TEST_XPUB,
      PUBLIC_BASE_URL: `http://127.0.0.1:${await freePort()}`,
      DARIC_KEY_PEPPER: "upgrade-pepper-upgrade-pepper-upgrade",
      DARIC_MASTER_KEY: "22".repeat(32),
      DARIC_INTEGRITY_KEY: "55".repeat(32),
      RATE_LIMIT_KEY_PER_SECOND: "1000",
      RATE_LIMIT_KEY_BURST: "1000",
      LOG_LEVEL: "error",
    },
  };
}

async function aMerchant(
  build: Build,
  devchain: TestDevchain,
  variables: BuildSettings,
): Promise<{ key: string }> {
  const { id } = await build.daric(
    ["merchant", "create", "--name", "Shop", "--active-address-cap", "1000000"],
    variables,
  );
  await build.daric(
    ["settlement-account", "add", "--merchant", id, "--address", devchain.payer.address],
    variables,
  );
  const { key } = await build.daric(["key", "create", "--merchant", id], variables);
  return { key };
}

/** Whether the schema of a build serves programs of this version too, as a database of its own says. */
async function servesAlso(build: Build, version: number, variables: BuildSettings): Promise<boolean> {
  const { DATABASE_DIRECT_URL = "", DATABASE_URL = "" } = variables;
  await executeAsAdmin(DATABASE_DIRECT_URL, "create database daric_new");
  const ownerUrl = urlOfDatabase(DATABASE_DIRECT_URL, "daric_new");
  const migrated = {
    ...variables,
    DATABASE_DIRECT_URL: ownerUrl,
    DATABASE_URL: urlOfDatabase(DATABASE_URL, "daric_new"),
  };
  await build.daric(["migrate"], migrated);
  const { rows } = await withDedicatedClient({ connectionString: ownerUrl }, (client) =>
    client.query<{ version: number }>("select serves_from as version from deployment"),
  );
  return one(rows).version <= version;
}

async function stopAll(running: Running): Promise<void> {
  await Promise.all([...running.apis, ...running.others].map((api) => api.stop()));
  running.apis = [];
  running.others = [];
}

/** Starts each new process beside an old one, then ends the old one, in the order of docs/upgrading.md. */
async function replaceAll(running: Running, build: Build, variables: BuildSettings): Promise<void> {
  const others = running.others;
  running.others = [];
  for (const [index, role] of ROLES.entries()) {
    running.others.push(await build.serve(role, variables));
    await others[index]?.stop();
  }
  for (const old of running.apis.length > 0 ? [...running.apis] : [undefined, undefined]) {
    running.apis.push(await build.serve("api", { ...variables, SHUTDOWN_DRAIN_MS: "5000" }));
    if (old === undefined) continue;
    await sleep(SEEN_MS);
    await old.stop();
    running.apis = running.apis.filter((api) => api !== old);
  }
}

async function countUnready({ apis, others }: Running): Promise<number> {
  const answers = await Promise.all(
    [...apis, ...others].map(async ({ url }) => (await fetch(`${url}/readyz`)).ok),
  );
  return answers.filter((isReady) => !isReady).length;
}

async function countUnpaid(
  traffic: Traffic,
  devchain: TestDevchain,
  { url }: Balancer,
  key: string,
): Promise<number> {
  await devchain.mine(FINAL_BLOCKS);
  const waiting = new Set(traffic.paid);
  const look = async () => {
    for (const id of waiting) {
      const answer = await fetch(`${url}/v1/deposit-addresses/${id}`, { headers: { "x-api-key": key } });
      const { data } = (await answer.json()) as { data?: { payment_status?: string } };
      if (data?.payment_status === "paid") waiting.delete(id);
    }
    return waiting.size === 0;
  };
  await until("all are paid", look, LIMIT_MS).catch(() => {});
  return waiting.size;
}
