import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withDedicatedClient } from "@daric/postgres/dedicated-client";
import { type Child, startChild } from "./child.ts";
import { daric } from "./command-line.ts";
import { keep } from "./home.ts";
import type { DemoMerchants } from "./merchants.ts";
import type { DevchainInfo } from "./readiness.ts";
import type { DemoSecrets } from "./secrets.ts";
import { DemoError } from "./settings.ts";
import type { Watch } from "./watch.ts";

/** The database role of the signer; `daric migrate` grants it its rights. */
export const SIGNER_ROLE = "daric_signer";
const GAS_TRX = "5000";
const LOW_GAS_SUN = 1_000_000_000;
/** The most that the operator may take of a merchant's money in a month, far above the amounts of a demo. */
const FEE_CEILING = ["--fee-ceiling-usdt", "1000000", "--fee-ceiling-trx", "1000000"];
const bin = fileURLToPath(import.meta.resolve("@daric/signer/bin"));

/** Creates the signer's role with this password if it is missing. */
export async function keepSignerRole(ownerUrl: string, password: string): Promise<void> {
  await withDedicatedClient({ connectionString: ownerUrl }, async (client) => {
    const { rowCount } = await client.query("select from pg_roles where rolname = $1", [SIGNER_ROLE]);
    if (rowCount === 0) await client.query(`create role ${SIGNER_ROLE} login password '${password}'`);
  });
}

/** The password of the signer's role, made at the first start. It is hex, so that it needs no quoting. */
export async function keepSignerPassword(home: string): Promise<string> {
  const kept = await keep(home, "signer-database.json", async () => ({
    password: randomBytes(24).toString("hex"),
  }));
  return kept.password;
}

/** The values that a signer needs at its start. */
export type SignerParts = {
  readonly home: string;
  readonly databaseUrl: string;
  readonly secrets: DemoSecrets;
  readonly devchain: DevchainInfo;
  readonly merchants: DemoMerchants;
  /** variables with the owner's login, for the daric program */
  readonly env: NodeJS.ProcessEnv;
  readonly watch: Watch;
  readonly stopping: AbortSignal;
};

type Identity = { readonly gasAddress: string };

/**
 * Starts the signer in a process of its own, as an operator would. The first start makes its home for the seed.
 * The operator's key signs the destination of each merchant's money, and the gas wallet gets TRX of the local
 * chain.
 */
export async function startSigner(parts: SignerParts): Promise<Child> {
  const { home, databaseUrl, secrets, devchain, env, watch, stopping } = parts;
  const paths = pathsOf(home);
  const { gasAddress } = await keepHome(parts);
  await approveAll(parts);
  await fundGas(devchain.url, gasAddress);
  return startChild({
    name: "The signer",
    script: join(bin, "../../dist/main.js"),
    args: ["serve", "--home", paths.home, "--passphrase-file", paths.passphrase],
    env: {
      PATH: env.PATH,
      DARIC_HOME: env.DARIC_HOME,
      SIGNER_DATABASE_URL: databaseUrl,
      DARIC_INTEGRITY_KEY: secrets.integrityKey,
      ACCOUNT_XPUB: secrets.seed.accountXpub,
    },
    logFile: join(home, "signer.log"),
    isCoreless: true,
    watch,
    stopping,
  });
}

function pathsOf(home: string) {
  return {
    home: join(home, "signer"),
    passphrase: join(home, "signer-passphrase"),
    operatorKey: join(home, "operator.pem"),
  };
}

async function keepHome({ home, secrets, devchain, env }: SignerParts): Promise<Identity> {
  const { home: signerHome, passphrase, operatorKey } = pathsOf(home);
  return keep(home, "signer.json", async () => {
    if (!existsSync(passphrase))
      await writeFile(passphrase, randomBytes(24).toString("hex"), { mode: 0o600 });
    const { genesisId, usdtContract } = await describe(devchain.url);
    const chain = `--network devnet --genesis-id ${genesisId} --usdt-contract ${usdtContract}`.split(" ");
    const files = ["--home", signerHome, "--operator-key", operatorKey, "--passphrase-file", passphrase];
    const output = await run(["init", ...chain, ...files, "--words-from-stdin", "--never-signed"], {
      input: secrets.seed.words,
      path: env.PATH,
    });
    const { gasAddress } = JSON.parse(output) as Identity;
    return { gasAddress };
  });
}

async function describe(url: string): Promise<{ genesisId: string; usdtContract: string }> {
  return (await (await fetch(`${url}/devchain/info`)).json()) as { genesisId: string; usdtContract: string };
}

/**
 * Approves a destination for each merchant without one, namely its wallet in the database, and one for the
 * operator.
 */
async function approveAll({ home, merchants, env }: SignerParts): Promise<void> {
  const { home: signerHome, operatorKey } = pathsOf(home);
  const list = join(signerHome, "destinations.jsonl");
  const text = existsSync(list) ? await readFile(list, "utf8") : "";
  const files = ["--home", signerHome, "--operator-key", operatorKey];
  const approve = (merchant: string, name: string, address: string) =>
    run(["approve", ...files, "--merchant", merchant, "--name", name, "--address", address, ...FEE_CEILING], {
      input: "yes\n",
      path: env.PATH,
    });
  for (const { merchantId } of Object.values(merchants)) {
    if (text.includes(merchantId)) continue;
    const accounts = await daric<{ address: string; isDefault: boolean }[]>(
      ["settlement-account", "list", "--merchant", merchantId],
      env,
    );
    const wallet = accounts.find(({ isDefault }) => isDefault);
    if (wallet !== undefined) await approve(merchantId, "Demo merchant", wallet.address);
  }
  if (text.includes('"operator"')) return;
  const { firstReceiveAddress } = await daric<{ firstReceiveAddress: string }>(["seed"], env);
  await approve("operator", "Demo operator", firstReceiveAddress);
}

async function fundGas(url: string, address: string): Promise<void> {
  const ask = async (path: string, body: object) =>
    (await fetch(`${url}${path}`, { method: "POST", body: JSON.stringify(body) })).json();
  const { balance = 0 } = (await ask("/wallet/getaccount", { address, visible: true })) as {
    balance?: number;
  };
  if (balance < LOW_GAS_SUN) await ask("/devchain/faucet", { address, trx: GAS_TRX });
}

/** Runs a command of the signer's program with this input, and returns its output. */
function run(
  args: readonly string[],
  { input, path }: { input: string; path: string | undefined },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(bin, args, { env: { PATH: path }, stdio: ["pipe", "pipe", "pipe"] });
    let [output, errors] = ["", ""];
    child.stdout.on("data", (text: Buffer) => {
      output += text;
    });
    child.stderr.on("data", (text: Buffer) => {
      errors += text;
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code === 0) resolve(output);
      else reject(new DemoError(errors.trim().split("\n").at(-1) ?? "daric-signer failed"));
    });
    child.stdin.end(input);
  });
}
