import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const run = promisify(execFile);

/** devchain as its users have it: packed, and installed in an empty folder. */
export type InstalledChain = { readonly program: string; remove(): Promise<void> };

export async function installChain(): Promise<InstalledChain> {
  const folder = await mkdtemp(join(tmpdir(), "daric-foreign-"));
  // The packing has a tsx of its own, which reads the configuration of devchain.
  const { TSX_TSCONFIG_PATH: _, ...env } = process.env;
  await run("npm", ["pack", "--workspace", "apps/devchain", "--pack-destination", folder], { env });
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("npm pack wrote no tarball");
  await run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", join(folder, tarball)]);
  return {
    program: join(folder, "node_modules/.bin/devchain"),
    remove: () => rm(folder, { recursive: true }),
  };
}

export type RunningChain = { readonly url: string; stop(): Promise<void> };

/**
 * Starts a chain with the accounts of its mnemonic. It mines each transaction at once, and a block each 400 ms. So a transaction is final
 * after 8 s: some tests of TronWeb wait 10 s for that.
 */
export async function startChain({ program }: InstalledChain): Promise<RunningChain> {
  const options = ["--port", "0", "--automine", "--block-time", "400", "--accounts", "100"];
  const chain = spawn(program, [...options, "--balance", "50000", "--quiet"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await firstUrl(chain);
  chain.stdout?.resume();
  // As on the chains that these suites were written for, others have staked next to nothing.
  const parameters = { othersEnergyWeight: 1, othersNetWeight: 1 };
  const configured = await fetch(`${url}/devchain/config`, {
    method: "POST",
    body: JSON.stringify({ parameters }),
  });
  if (!configured.ok) throw new Error(`the chain refused its settings: ${await configured.text()}`);
  return { url, stop: () => stopped(chain) };
}

async function firstUrl({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("the chain has no output");
  for await (const line of createInterface({ input: stdout })) {
    const url = /^devchain listening on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error("the chain ended without an address");
}

async function stopped(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null) return;
  const end = once(process, "exit");
  process.kill("SIGTERM");
  await end;
}
