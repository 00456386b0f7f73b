import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { variablesRead } from "@daric/server/cli";
import { type Child, startChild } from "./child.ts";
import { daric } from "./command-line.ts";
import { type Entrance, openDashboard } from "./dashboard.ts";
import { openDemoFile } from "./demo-file.ts";
import { startHistory } from "./history.ts";
import { claimDemoHome, openHome } from "./home.ts";
import { type DemoMerchants, keepMerchants } from "./merchants.ts";
import { assertPortFree } from "./ports.ts";
import { startKeptPostgres } from "./postgres.ts";
import { type DevchainInfo, findDevchain, waitForDevchain, waitForService } from "./readiness.ts";
import { type DemoSecrets, keepSecrets, keepServicePassword } from "./secrets.ts";
import type { DemoSettings } from "./settings.ts";
import { keepSignerPassword, keepSignerRole, SIGNER_ROLE, startSigner } from "./signer.ts";
import { publishVariables, type ShellVariables } from "./variables-file.ts";
import type { Watch } from "./watch.ts";

const GRACE_MS = 4_000;
/**
 * The service's database role. `daric migrate` creates it at the first start; the cluster's superuser owns the
 * tables.
 */
const SERVICE_ROLE = "daric";

/** The values of a running demo, which are written to demo.json once all parts are ready. */
export type Demo = {
  readonly settings: DemoSettings;
  readonly baseUrl: string;
  readonly merchants: DemoMerchants;
  readonly dashboard: Entrance | undefined;
  readonly devchain: DevchainInfo | undefined;
  /** the service's fault about the user's own nodes, if it could not reach them */
  readonly nodeFault: string | undefined;
};

/**
 * `stops` ends the started parts, last first, and `watch` observes failures. `stopping` is aborted before the
 * first part is stopped, so that none is restarted during a slow stop.
 */
export type Started = {
  readonly stops: (() => Promise<void>)[];
  readonly watch: Watch;
  readonly stopping: AbortSignal;
};

/** The demo's database or the user's own, whose pid is undefined. */
type Database = {
  /** the login of the service */
  readonly url: string;
  /** the login of the owner of the tables */
  readonly ownerUrl: string;
  /** the login of the signer; undefined for the user's own database */
  readonly signerUrl?: string;
  pid(): number | undefined;
};

/**
 * Starts database, local chain and service in this order. Returns when payments work, or when only the user's
 * own nodes are missing. Every started part is pushed onto `stops` at once, so that a later failure can be
 * undone.
 */
export async function startDemo(settings: DemoSettings, { stops, watch, stopping }: Started): Promise<Demo> {
  await openHome(settings.home);
  const claim = await claimDemoHome(settings.home);
  stops.push(claim.release);
  const file = await openDemoFile(settings.home);
  const onRestart = (message: string) => {
    file.refresh().catch(() => {});
    watch.onRestart(message);
  };
  const started = { stops, stopping, watch: { ...watch, onRestart } };
  await assertPortsFree(settings, claim.wasLeftBehind);

  const devchain = settings.nodeUrls === undefined ? startDevchain(settings, started) : undefined;
  const [database, secrets] = await Promise.all([
    openDatabase(settings, started),
    keepSecrets(settings.home, settings.env),
  ]);
  const variables = serviceVariables(settings, { databaseUrl: database.url, secrets });
  // The service never gets the owner's login.
  const env = { ...settings.env, ...variables, DATABASE_DIRECT_URL: undefined };
  const ownersEnv = {
    ...env,
    DATABASE_DIRECT_URL: database.ownerUrl,
    SIGNER_DATABASE_ROLE: database.signerUrl && SIGNER_ROLE,
  };
  await daric(["migrate"], ownersEnv);
  const chainInfo = await describeChain(settings, devchain);
  const service = startService(settings, env, started);
  const baseUrl = `http://127.0.0.1:${settings.port}`;
  const [merchants, { nodeFault }] = await Promise.all([
    keepMerchants(settings, ownersEnv),
    waitForService(baseUrl, {
      check: service.assertAlive,
      hasOwnNodes: settings.nodeUrls !== undefined,
    }),
  ]);
  const dashboard = await openDashboard(merchants.first, ownersEnv);
  const signerParts = { database, secrets, chainInfo, merchants, ownersEnv };
  const signer = await startSignerOf(settings, signerParts, started);
  devchain?.markReady();
  service.markReady();
  signer?.markReady();

  stops.push(await publishVariables(settings.home, { ...variables, DATABASE_DIRECT_URL: database.ownerUrl }));
  const demo = { settings, baseUrl, merchants, dashboard, devchain: chainInfo, nodeFault };
  await publishDemo(file, { demo, ownerUrl: database.ownerUrl, stops }, () => ({
    supervisor: process.pid,
    postgres: database.pid(),
    devchain: devchain?.pid(),
    service: service.pid(),
    signer: signer?.pid(),
  }));
  if (settings.hasHistory) stops.push(startHistory(settings));
  return demo;
}

/** Writes `demo.json`, again whenever a program gets another pid. */
async function publishDemo(
  file: Awaited<ReturnType<typeof openDemoFile>>,
  { demo, ownerUrl, stops }: { demo: Demo; ownerUrl: string; stops: Started["stops"] },
  pids: () => object,
): Promise<void> {
  stops.push(file.remove);
  await file.publish(() => demoFileContent(demo, { ownerUrl, pids: pids() }));
}

async function assertPortsFree(settings: DemoSettings, mayBecomeFree: boolean): Promise<void> {
  await assertPortFree(settings.port, "PORT", mayBecomeFree);
  await assertPortFree(settings.metricsPort, "METRICS_PORT", mayBecomeFree);
  if (settings.nodeUrls === undefined) {
    await assertPortFree(settings.devchainPort, "DEVCHAIN_PORT", mayBecomeFree);
  }
}

async function openDatabase(settings: DemoSettings, started: Started): Promise<Database> {
  const { home, databaseUrl, databaseDirectUrl } = settings;
  if (databaseUrl !== undefined)
    return { url: databaseUrl, ownerUrl: databaseDirectUrl ?? databaseUrl, pid: () => undefined };
  const [postgres, password] = await Promise.all([
    startKeptPostgres(join(home, "postgres"), started),
    keepServicePassword(home),
  ]);
  const login = (username: string, secret: string) =>
    Object.assign(new URL(postgres.url), { username, password: secret }).href;
  const signerPassword = await keepSignerPassword(home);
  await keepSignerRole(postgres.url, signerPassword);
  return {
    url: login(SERVICE_ROLE, password),
    ownerUrl: postgres.url,
    signerUrl: login(SIGNER_ROLE, signerPassword),
    pid: postgres.pid,
  };
}

function startDevchain(settings: DemoSettings, { stops, watch, stopping }: Started): Child {
  const child = startChild({
    name: "The local chain",
    script: fileURLToPath(import.meta.resolve("@daric/devchain/bin")),
    args: ["--port", String(settings.devchainPort), "--data", join(settings.home, "devchain"), "--quiet"],
    env: settings.env,
    logFile: join(settings.home, "devchain.log"),
    watch,
    stopping,
  });
  stops.push(() => child.stop(GRACE_MS));
  return child;
}

/** The description of the local chain. Undefined on a public network, and for a chain without a description. */
async function describeChain(
  settings: DemoSettings,
  child: Child | undefined,
): Promise<DevchainInfo | undefined> {
  if (child) return waitForDevchain(`http://127.0.0.1:${settings.devchainPort}`, child.assertAlive);
  if (settings.network !== "devnet") return undefined;
  const [url = ""] = (settings.nodeUrls ?? "").split(",");
  return findDevchain(url.trim().replace(/(?<!\/)\/+$/, ""));
}

function startService(
  settings: DemoSettings,
  env: NodeJS.ProcessEnv,
  { stops, watch, stopping }: Started,
): Child {
  const child = startChild({
    name: "The service",
    script: fileURLToPath(import.meta.resolve("@daric/server/bin")),
    args: ["serve", "--role", "all"],
    env,
    logFile: join(settings.home, "service.log"),
    watch,
    stopping,
  });
  stops.push(() => child.stop(GRACE_MS));
  return child;
}

/**
 * Starts a signer of the demo's own seed for its own database and chain. With the user's own database or nodes
 * there is none: they may have a signer of their own.
 */
async function startSignerOf(
  settings: DemoSettings,
  {
    database,
    chainInfo,
    ownersEnv,
    ...parts
  }: {
    database: Database;
    secrets: DemoSecrets;
    chainInfo: DevchainInfo | undefined;
    merchants: DemoMerchants;
    ownersEnv: NodeJS.ProcessEnv;
  },
  { stops, watch, stopping }: Started,
): Promise<Child | undefined> {
  const isOwn = settings.nodeUrls === undefined && settings.env.ACCOUNT_XPUB === undefined;
  if (database.signerUrl === undefined || chainInfo === undefined || !isOwn) return undefined;
  const { home } = settings;
  const databaseUrl = database.signerUrl;
  const child = await startSigner({
    ...parts,
    home,
    databaseUrl,
    devchain: chainInfo,
    env: ownersEnv,
    watch,
    stopping,
  });
  stops.push(() => child.stop(GRACE_MS));
  return child;
}

/** The variables of the service. The user's values win, except for the parts that the demo itself started. */
function serviceVariables(
  settings: DemoSettings,
  parts: { databaseUrl: string; secrets: DemoSecrets },
): ShellVariables {
  const { secrets, databaseUrl } = parts;
  const presets = {
    ACCOUNT_XPUB: secrets.seed.accountXpub,
    PUBLIC_BASE_URL: `http://127.0.0.1:${settings.port}`,
    DASHBOARD_BASE_URL: dashboardUrl(settings),
    DARIC_KEY_PEPPER: secrets.keyPepper,
    DARIC_MASTER_KEY: secrets.masterKey,
    DARIC_INTEGRITY_KEY: secrets.integrityKey,
    WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8,::1/128,localhost",
    // Orders of a trial are small and their money is worthless, so a sweep may cost up to the whole amount.
    SWEEP_MAX_COST_BASIS_POINTS: "10000",
    // There is no load balancer, and Ctrl-C must end the service at once.
    SHUTDOWN_DRAIN_MS: "0",
  };
  const chosen = Object.entries(presets).map(([name, preset]) => [name, settings.env[name] ?? preset]);
  return {
    ...variablesRead(settings.env),
    ...Object.fromEntries(chosen),
    DATABASE_URL: databaseUrl,
    TRON_NETWORK: settings.network,
    TRON_NODE_URLS: settings.nodeUrls ?? `http://127.0.0.1:${settings.devchainPort}`,
    PORT: String(settings.port),
    METRICS_HOST: "127.0.0.1",
    METRICS_PORT: String(settings.metricsPort),
  };
}

/** By name on this machine: browsers keep no passkey for a number. */
function dashboardUrl({ env, port }: DemoSettings): string {
  if (env.DASHBOARD_PORT) return `http://localhost:${env.DASHBOARD_PORT.trim()}`;
  return env.PUBLIC_BASE_URL || `http://localhost:${port}`;
}

function demoFileContent(demo: Demo, running: { ownerUrl: string; pids: object }): object {
  const { merchants, settings } = demo;
  return {
    version: 1,
    baseUrl: demo.baseUrl,
    apiKey: merchants.first.apiKey,
    merchantId: merchants.first.merchantId,
    network: settings.network,
    metricsUrl: `http://127.0.0.1:${settings.metricsPort}/metrics`,
    adminDatabaseUrl: running.ownerUrl,
    pids: running.pids,
    secondMerchant: merchants.second,
    clientFeeMerchant: merchants.clientFee,
    ...(demo.devchain && { devchain: demo.devchain }),
  };
}
