import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { ApiScope } from "@daric/domain/api-scope";
import type { Role } from "@daric/runtime/setting";
import { Daric } from "@daric/sdk";
import { runDaricForOutput } from "@daric/server/cli/daric";
import type { TronWeb } from "tronweb";
import { TEST_XPUB } from "./context.ts";
import { createTestDatabase } from "./database.ts";
import { aDevchain, type TestDevchain } from "./devchain-client.ts";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

const DARIC = createRequire(import.meta.url).resolve("@daric/server/bin");
const STOP_LIMIT_MS = 10_000;
/** The whole service from outside: real processes, a real database, and a chain that tests mine. */
export type Stack = {
  readonly baseUrl: string;
  readonly devchain: TestDevchain;
  /** an unmodified TRON client with money */
  readonly payer: TronWeb;
  /** the settings of the service */
  readonly variables: NodeJS.ProcessEnv;
  /** undefined while the service is stopped */
  servicePid(): number | undefined;
  startService(): Promise<void>;
  stopService(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** Starts a further process with this role; `stack.stop` ends it. */
  startBeside(role: Role, variables?: Record<string, string>): Promise<FurtherProcess>;
  mine(blocks: number): Promise<void>;
  /** a call of the chain's control API */
  control(path: string, body: object): Promise<Row>;
  /** a merchant with a settlement account and a key, created by commands in this process */
  merchant(...options: string[]): Promise<StackMerchant>;
  stop(): Promise<void>;
};

/** A further process of one role, and the URL of its API or probes. */
export type FurtherProcess = { readonly process: ChildProcess; readonly url: string };

export type StackMerchant = {
  readonly id: string;
  readonly apiKey: string;
  readonly daric: Daric;
  /** another key, with these scopes alone */
  keyWith(...scopes: readonly ApiScope[]): Promise<string>;
  /** makes a call that the client lacks; returns `data`. @throws Error with the body of a failed call */
  call<T = Row>(method: string, path: string, body?: object): Promise<T>;
};

// biome-ignore lint/suspicious/noExplicitAny: rows come from the API, and tests assert their content
export type Row = Record<string, any>;

/**
 * Uses its own database unless `env` sets `DATABASE_URL` and `DATABASE_DIRECT_URL`. `nodeInFront` starts a proxy of
 * the chain, or further nodes of it, and returns the URLs; `openFiles` is the service's `ulimit -n`.
 */
export async function startStack(
  env: Record<string, string> = {},
  nodeInFront: (devchainUrl: string, devchain: TestDevchain) => Promise<string> = async (url) => url,
  openFiles?: number,
): Promise<Stack> {
  const [database, devchain, port, metricsPort] = await Promise.all([
    env.DATABASE_URL === undefined ? createTestDatabase() : undefined,
    aDevchain(),
    freePort(),
    freePort(),
  ]);
  const baseUrl = `http://127.0.0.1:${port}`;
  const variables = {
    PATH: process.env.PATH,
    ...(database && { DATABASE_URL: database.url }),
    TRON_NETWORK: "devnet",
    TRON_NODE_URLS: await nodeInFront(devchain.url, devchain),
    TRON_POLL_MS: "100",
    ACCOUNT_XPUB: TEST_XPUB,
    PUBLIC_BASE_URL: baseUrl,
    DARIC_KEY_PEPPER: "e2e-pepper-e2e-pepper-e2e-pepper-e2e",
    DARIC_MASTER_KEY: "22".repeat(32),
    DARIC_INTEGRITY_KEY: "55".repeat(32),
    WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    WEBHOOK_RETRY_SCHEDULE: "0s,300ms,300ms,300ms,300ms,300ms",
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    // Tests send more requests than a merchant does.
    RATE_LIMIT_KEY_PER_SECOND: "1000",
    RATE_LIMIT_KEY_BURST: "1000",
    LOG_LEVEL: "warn",
    SHUTDOWN_DRAIN_MS: "0",
    ...env,
  };
  let service: ChildProcess | undefined;
  const beside: ChildProcess[] = [];

  const limit = openFiles === undefined ? "" : `ulimit -n ${openFiles} && `;
  const serve = (role: string, ownVariables: Record<string, string> = {}): ChildProcess =>
    spawn("sh", ["-c", `${limit}exec "$@"`, "sh", process.execPath, DARIC, "serve", "--role", role], {
      env: { ...variables, ...ownVariables },
      stdio: ["ignore", "inherit", "inherit"],
    });

  async function startService(): Promise<void> {
    service = serve("all");
    await until("the service is ready", async () => (await fetch(`${baseUrl}/readyz`)).ok);
  }

  async function stopService(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    const running = service;
    service = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill(signal);
    const timer = setTimeout(() => running.kill("SIGKILL"), STOP_LIMIT_MS);
    await ended;
    clearTimeout(timer);
  }

  await devchain.mine(25);
  await startService();
  return {
    baseUrl,
    devchain,
    payer: devchain.tronWeb(),
    variables,
    servicePid: () => service?.pid,
    startService,
    stopService,
    startBeside: async (role, ownVariables) => {
      const ports = {
        PORT: String(await freePort()),
        METRICS_PORT: String(await freePort()),
        ...ownVariables,
      };
      const process = serve(role, ports);
      beside.push(process);
      const listening = role === "api" ? ports.PORT : ports.METRICS_PORT;
      return { process, url: `http://127.0.0.1:${listening}` };
    },
    mine: devchain.mine,
    control: devchain.control,
    merchant: (...options) => {
      const ownersVariables = { ...(database && { DATABASE_DIRECT_URL: database.ownerUrl }), ...variables };
      return makeMerchant({ variables: ownersVariables, baseUrl, wallet: devchain.payer.address }, options);
    },
    stop: async () => {
      for (const process of beside) process.kill("SIGKILL");
      await stopService();
      await devchain.stop();
      await database?.drop();
    },
  };
}

type Place = { variables: NodeJS.ProcessEnv; baseUrl: string; wallet: string };

async function makeMerchant(
  { variables, baseUrl, wallet }: Place,
  options: string[],
): Promise<StackMerchant> {
  const daric = (...args: string[]) => runDaricForOutput<Row>(args, variables);
  const { id } = await daric("merchant", "create", "--name", "Blue Bottle Books", ...options);
  await daric("settlement-account", "add", "--merchant", id, "--address", wallet);
  const { key } = await daric("key", "create", "--merchant", id);
  return {
    id,
    apiKey: key,
    daric: new Daric({ baseUrl, apiKey: key }),
    keyWith: async (...scopes) =>
      (await daric("key", "create", "--merchant", id, "--scopes", scopes.join(","))).key,
    call: async <T>(method: string, path: string, body?: object) => {
      const answer = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { "x-api-key": key, ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return JSON.parse(text).data as T;
    },
  };
}
