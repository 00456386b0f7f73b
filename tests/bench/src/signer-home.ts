import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runDaricForOutput } from "@daric/server/cli";
import { TronWeb, type Types } from "tronweb";
import { execute } from "./cluster-database.ts";
import { control } from "./payments.ts";
import { spawnProgram } from "./programs.ts";
import { SETTINGS } from "./settings.ts";
import type { Stage, StagedDeployment } from "./stage.ts";

const SIGNER = fileURLToPath(import.meta.resolve("@daric/signer/bin"));
const SUN = 1_000_000;
const WORDS = `${"abandon ".repeat(11)}about`;
const DELEGATIONS = [57, 58];

/** A merchant of the signer's list. */
export type ListedMerchant = { readonly id: string; readonly wallet: string };

/** Starts the signer on a database, with its own database role. */
export async function startBenchSigner(deployment: StagedDeployment, home: string): Promise<void> {
  const { ownerEnv, env, keep } = deployment;
  const ownerUrl = String(ownerEnv.DATABASE_URL);
  await execute(ownerUrl, "create role bench_signer login password 'bench_signer'");
  await runDaricForOutput(["migrate"], { ...env, SIGNER_DATABASE_ROLE: "bench_signer" });
  const url = Object.assign(new URL(ownerUrl), { username: "bench_signer", password: "bench_signer" });
  const args = ["serve", "--home", join(home, "signer"), "--passphrase-file", join(home, "passphrase")];
  keep(
    spawnProgram(SIGNER, args, {
      PATH: env.PATH ?? pathOfThisProcess(),
      SIGNER_DATABASE_URL: url.href,
      DARIC_INTEGRITY_KEY: SETTINGS.DARIC_INTEGRITY_KEY,
    }),
  );
}

/** The signer's program is a shell script that looks for Node.js. */
function pathOfThisProcess(): string {
  return `${join(process.execPath, "..")}:/usr/bin:/bin`;
}

type HomeParts = {
  readonly home: string;
  readonly merchants: readonly ListedMerchant[];
  readonly stakeAddress: string;
};

/** Makes the signer's home, as an operator does. */
export async function makeHome(
  { devchain }: Stage,
  { home, merchants, stakeAddress }: HomeParts,
): Promise<{ gasAddress: string; stakePermissionAddress: string }> {
  const run = (args: readonly string[], input: string): string =>
    execFileSync(SIGNER, [...args, "--home", join(home, "signer"), "--operator-key", join(home, "key.pem")], {
      input,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
      env: { PATH: pathOfThisProcess() },
    });
  await writeFile(join(home, "passphrase"), randomBytes(16).toString("hex"), { mode: 0o600 });
  const { genesisId, usdtContract } = devchain;
  const chain = ["--network", "devnet", "--genesis-id", genesisId, "--usdt-contract", usdtContract];
  const words = ["--words-from-stdin", "--never-signed", "--passphrase-file", join(home, "passphrase")];
  const made = JSON.parse(run(["init", ...chain, "--stake-address", stakeAddress, ...words], WORDS));
  for (const { id, wallet } of merchants)
    run(["approve", "--merchant", id, "--name", "Bench", "--address", wallet], "yes\n");
  const file = join(home, "signer", "config.json");
  const config = JSON.parse(await readFile(file, "utf8"));
  config.limits = { ...config.limits, gasPerDaySun: String(100_000 * SUN) };
  await writeFile(file, JSON.stringify(config, null, 2), { mode: 0o600 });
  return made;
}

/** Stakes TRX on an account of its own, and lets the signer's key lend its energy. */
export async function stakeForSweeps(
  stage: Stage,
  { privateKey, address, trx, key }: { privateKey: string; address: string; trx: number; key: string },
): Promise<void> {
  await control(stage, "faucet", { address, trx: String(trx + 1_000) });
  await control(stage, "mine", { blocks: 1 });
  const client = new TronWeb({ fullHost: stage.devchain.url, privateKey });
  const carryOut = async (built: Types.Transaction) => {
    await client.trx.sendRawTransaction(await client.trx.sign(built));
    await control(stage, "mine", { blocks: 1 });
  };
  const operations = Buffer.alloc(32);
  for (const type of DELEGATIONS) operations[type >> 3] = (operations[type >> 3] ?? 0) | (1 << (type & 7));
  const builder = client.transactionBuilder;
  await carryOut(await builder.freezeBalanceV2(trx * SUN, "ENERGY"));
  const permissions = await builder.updateAccountPermissions(
    address,
    { type: 0, permission_name: "owner", threshold: 1, keys: [{ address, weight: 1 }] },
    undefined,
    [
      {
        type: 2,
        permission_name: "delegations",
        threshold: 1,
        keys: [{ address: key, weight: 1 }],
        operations: operations.toString("hex"),
      },
    ],
  );
  await carryOut(permissions as Types.Transaction);
}
