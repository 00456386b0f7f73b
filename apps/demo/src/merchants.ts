import { createHash } from "node:crypto";
import { join } from "node:path";
import { daric } from "./command-line.ts";
import { readPrivateJson, writePrivateJson } from "./home.ts";
import { createDemoSeed } from "./secrets.ts";
import type { DemoSettings } from "./settings.ts";

export type DemoMerchant = { readonly merchantId: string; readonly apiKey: string };
export type DemoMerchants = {
  readonly first: DemoMerchant;
  readonly second: DemoMerchant;
  readonly clientFee: DemoMerchant;
};

/** Three different merchants: plain, with other branding, and with the fee on top and short-lived orders. */
const FIRST = ["--name", "Blue Bottle Books"];
const SECOND = ["--name", "Saffron & Clove", "--accent-color", "#b45309", "--fee-mode", "merchant"];
const CLIENT_FEE = [
  ...["--name", "Kestrel Cycles", "--accent-color", "#1d4ed8", "--fee-mode", "client"],
  ...["--fee-basis-points", "100", "--fee-fixed-usdt", "0.5", "--order-lifetime", "120s"],
];

/**
 * Creates the demo merchants with the command line, like an operator. Later starts read them from a file, unless
 * the database is new.
 */
export async function keepMerchants(
  { home, databaseUrl }: DemoSettings,
  env: NodeJS.ProcessEnv,
): Promise<DemoMerchants> {
  const path = join(home, fileOf(databaseUrl));
  const kept = await readPrivateJson<DemoMerchants>(path);
  if (kept !== undefined && (await areKnown(kept, env))) return kept;
  const [first, second, clientFee] = await Promise.all([
    createMerchant(FIRST, env),
    createMerchant(SECOND, env),
    createMerchant(CLIENT_FEE, env),
  ]);
  const created = { first, second, clientFee };
  await writePrivateJson(path, created);
  return created;
}

/** Every database has its own merchants; the file's name must not reveal the password. */
function fileOf(databaseUrl: string | undefined): string {
  if (databaseUrl === undefined) return "merchants.json";
  return `merchants-${createHash("sha256").update(databaseUrl).digest("hex").slice(0, 12)}.json`;
}

async function areKnown(merchants: DemoMerchants, env: NodeJS.ProcessEnv): Promise<boolean> {
  const known = new Set((await daric<{ id: string }[]>(["merchant", "list"], env)).map(({ id }) => id));
  return Object.values(merchants).every(({ merchantId }) => known.has(merchantId));
}

async function createMerchant(options: readonly string[], env: NodeJS.ProcessEnv): Promise<DemoMerchant> {
  const [{ id: merchantId }, wallet] = await Promise.all([
    daric<{ id: string }>(["merchant", "create", ...options], env),
    createDemoSeed(env),
  ]);
  const [{ key: apiKey }] = await Promise.all([
    daric<{ key: string }>(
      ["key", "create", "--merchant", merchantId, "--name", "demo", "--scopes", "all"],
      env,
    ),
    // The wallet's seed was just made, so there is no account to check on a chain that may not run.
    daric(
      [
        ...["settlement-account", "add", "--no-nodes"],
        ...["--merchant", merchantId, "--address", wallet.firstReceiveAddress],
      ],
      env,
    ),
  ]);
  return { merchantId, apiKey };
}
