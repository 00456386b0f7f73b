import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startPostgres } from "@daric/server/embedded-postgres";
import { type Child, startChild } from "./child.ts";
import { daric } from "./command-line.ts";
import { claimHome, openHome, writePrivateJson } from "./home.ts";
import { type DemoMerchants, keepMerchants } from "./merchants.ts";
import { assertPortFree } from "./ports.ts";
import { type DevchainInfo, waitForDevchain, waitForService } from "./readiness.ts";
import { keepSecrets, type Secrets } from "./secrets.ts";
import { type DemoSettings, StartError } from "./settings.ts";

const GRACE_MS = 4_000;

/** Everything a running demo is known by; written to demo.json when all of it is ready. */
export type Demo = {
  readonly settings: DemoSettings;
  readonly baseUrl: string;
  readonly merchants: DemoMerchants;
  readonly devchain: DevchainInfo | undefined;
};

/** What has been started and must be stopped, last first. */
export type Started = { readonly stops: (() => Promise<void>)[] };

/**
 * Starts database, local chain and service, in this order of need, and answers when a payment could be made. All
 * that was started is pushed onto `started` at once, so that a failure in the middle can be undone.
 */
export async function startDemo(settings: DemoSettings, started: Started): Promise<Demo> {
  await openHome(settings.home);
  const claim = await claimHome(settings.home);
  started.stops.push(claim.release);
  const demoFile = join(settings.home, "demo.json");
  await rm(demoFile, { force: true });
  await assertPortsFree(settings, claim.wasLeftBehind);

  const devchain = settings.nodeUrls === undefined ? startDevchain(settings, started) : undefined;
  const [database, secrets] = await Promise.all([
    openDatabase(settings, started),
    keepSecrets(settings.home, settings.env),
  ]);
  const env = serviceEnvironment(settings, { databaseUrl: database.url, secrets });
  await daric(["migrate"], env);
  const chainInfo = await findDevchain(settings, devchain);
  const service = startService(settings, env, started, () => void writeDemoFile());
  const baseUrl = `http://127.0.0.1:${settings.port}`;
  const [merchants] = await Promise.all([
    keepMerchants(settings.home, env),
    waitForService(baseUrl, service.assertAlive),
  ]);
  const demo = { settings, baseUrl, merchants, devchain: chainInfo };
  let isReady = false;

  async function writeDemoFile(): Promise<void> {
    if (!isReady) return;
    const pids = {
      supervisor: process.pid,
      postgres: database.pid,
      devchain: devchain?.pid(),
      service: service.pid(),
    };
    await writePrivateJson(demoFile, demoFileContent(demo, { databaseUrl: database.url, pids }));
  }

  isReady = true;
  started.stops.push(() => {
    isReady = false;
    return rm(demoFile, { force: true });
  });
  await writeDemoFile();
  return demo;
}

async function assertPortsFree(settings: DemoSettings, mayBecomeFree: boolean): Promise<void> {
  await assertPortFree(settings.port, "PORT", mayBecomeFree);
  await assertPortFree(settings.metricsPort, "METRICS_PORT", mayBecomeFree);
  if (settings.nodeUrls === undefined) {
    await assertPortFree(settings.devchainPort, "DEVCHAIN_PORT", mayBecomeFree);
  }
}

async function openDatabase(
  settings: DemoSettings,
  started: Started,
): Promise<{ url: string; pid: number | undefined }> {
  if (settings.databaseUrl !== undefined) return { url: settings.databaseUrl, pid: undefined };
  const home = join(settings.home, "postgres");
  const postgres = await startPostgres({ home, mode: "demo" }).catch((error: unknown) => {
    throw new StartError(error instanceof Error ? error.message : String(error));
  });
  started.stops.push(postgres.stop);
  return postgres;
}

function startDevchain(settings: DemoSettings, started: Started): Child {
  const child = startChild({
    name: "The local chain",
    script: fileURLToPath(import.meta.resolve("@daric/devchain/bin")),
    args: ["--port", String(settings.devchainPort), "--data", join(settings.home, "devchain")],
    env: settings.env,
    logFile: join(settings.home, "devchain.log"),
    onRestart: () => {},
  });
  started.stops.push(() => child.stop(GRACE_MS));
  return child;
}

async function findDevchain(
  settings: DemoSettings,
  child: Child | undefined,
): Promise<DevchainInfo | undefined> {
  if (child) return waitForDevchain(`http://127.0.0.1:${settings.devchainPort}`, child.assertAlive);
  if (settings.network !== "devnet") return undefined;
  const [url = ""] = (settings.nodeUrls ?? "").split(",");
  return waitForDevchain(url.trim().replace(/\/+$/, ""), async () => {});
}

function startService(
  settings: DemoSettings,
  env: NodeJS.ProcessEnv,
  started: Started,
  onRestart: () => void,
): Child {
  const child = startChild({
    name: "The service",
    script: fileURLToPath(import.meta.resolve("@daric/server/bin")),
    args: ["serve", "--role", "all"],
    env,
    logFile: join(settings.home, "service.log"),
    onRestart,
  });
  started.stops.push(() => child.stop(GRACE_MS));
  return child;
}

/** What the user has set wins, except for the parts that the demo itself started. */
function serviceEnvironment(
  settings: DemoSettings,
  parts: { databaseUrl: string; secrets: Secrets },
): NodeJS.ProcessEnv {
  const { secrets, databaseUrl } = parts;
  return {
    ACCOUNT_XPUB: secrets.seed.accountXpub,
    PUBLIC_BASE_URL: `http://127.0.0.1:${settings.port}`,
    DARIC_KEY_PEPPER: secrets.keyPepper,
    DARIC_MASTER_KEY: secrets.masterKey,
    WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8,::1/128,localhost",
    ...settings.env,
    DATABASE_URL: databaseUrl,
    TRON_NETWORK: settings.network,
    TRON_NODE_URLS: settings.nodeUrls ?? `http://127.0.0.1:${settings.devchainPort}`,
    PORT: String(settings.port),
    METRICS_PORT: String(settings.metricsPort),
  };
}

function demoFileContent(demo: Demo, running: { databaseUrl: string; pids: object }): object {
  const { merchants, settings } = demo;
  return {
    version: 1,
    baseUrl: demo.baseUrl,
    apiKey: merchants.first.apiKey,
    merchantId: merchants.first.merchantId,
    network: settings.network,
    metricsUrl: `http://127.0.0.1:${settings.metricsPort}/metrics`,
    adminDatabaseUrl: running.databaseUrl,
    pids: running.pids,
    secondMerchant: merchants.second,
    clientFeeMerchant: merchants.clientFee,
    ...(demo.devchain && { devchain: demo.devchain }),
  };
}
