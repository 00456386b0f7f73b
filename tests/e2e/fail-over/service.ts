import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { executeAsAdmin, urlOfDatabase } from "@daric/testing/admin-connection";
import { freePort } from "@daric/testing/free-port";
import type { FurtherProcess, Stack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { callDuring } from "../rolling-restart.ts";
import { end, openFolder } from "./programs.ts";
import { startProxy } from "./proxy.ts";

const DARIC = createRequire(import.meta.url).resolve("@daric/server/bin");
const START_LIMIT_MS = 60_000;
/** HAProxy checks each second. */
const SEEN_MS = 2_500;
const REQUESTS = 2_000;
const DRAINING = { SHUTDOWN_DRAIN_MS: "5000" };

/** Makes the database with its tables, and returns the logins of the service and the owner. */
export async function prepareDatabase(ownerUrl: string): Promise<Record<string, string>> {
  await executeAsAdmin(urlOfDatabase(ownerUrl, "postgres"), "create database daric");
  const serviceUrl = Object.assign(new URL(ownerUrl), { username: "shop", password: "shop" }).href;
  const urls = { DATABASE_URL: serviceUrl, DATABASE_DIRECT_URL: ownerUrl };
  await promisify(execFile)(process.execPath, [DARIC, "migrate"], {
    env: { PATH: process.env.PATH, ...urls },
  });
  return urls;
}

const isReady = async ({ url }: FurtherProcess) => (await fetch(`${url}/readyz`)).ok;

/** Replaces the stack's one process by a watcher, a webhooks process and two apis, and returns the apis. */
export async function startEachRole(stack: Stack): Promise<FurtherProcess[]> {
  await stack.stopService();
  const others = [await stack.startBeside("watcher"), await stack.startBeside("webhooks")];
  const apis = [await stack.startBeside("api", DRAINING), await stack.startBeside("api", DRAINING)];
  for (const process of [...others, ...apis])
    await until("it is ready", () => isReady(process), START_LIMIT_MS);
  return apis;
}

/**
 * Restarts the apis one after the other during requests through HAProxy, and returns the number of failures.
 */
export async function restartBehindProxy(
  stack: Stack,
  { apis, apiKey }: { readonly apis: readonly FurtherProcess[]; readonly apiKey: string },
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "daric-apis-"));
  await openFolder(folder);
  const port = await freePort();
  const servers = apis.map(({ url }) => new URL(url).host);
  const proxy = await startProxy(folder, { port, mode: "http", check: "GET /readyz", servers });
  const url = `http://127.0.0.1:${port}`;
  await until("HAProxy sends requests on", async () => (await fetch(`${url}/healthz`)).ok);
  const { failed } = await callDuring({ url, apiKey, requests: REQUESTS }, async () => {
    for (const api of apis) {
      const ended = once(api.process, "exit");
      api.process.kill("SIGTERM");
      await ended;
      const again = await stack.startBeside("api", { ...DRAINING, PORT: new URL(api.url).port });
      await until("it is ready", () => isReady(again), START_LIMIT_MS);
      await sleep(SEEN_MS);
    }
  });
  await end(proxy);
  await rm(folder, { recursive: true, force: true });
  return failed.length;
}
