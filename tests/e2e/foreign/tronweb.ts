import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type InstalledChain, startChain } from "./chain.ts";
import type { ForeignTest, SuiteResult } from "./outcome.ts";
import { startTre } from "./tre.ts";

const run = promisify(execFile);

/** The files that ask a node. The others test encodings alone, without one. */
const GROUPS: readonly (readonly string[])[] = [
  // The second file looks for stakes that the first one made.
  ["lib/transactionBuilder", "lib/trx"],
  ["index", "lib/event", "lib/plugin", "lib/contract/*", "utils/deserializeTx"],
];

/** The key whose address the suite expects its default account to have; it is public. */
const KEY = `${"0".repeat(63)}1`;
const ADDRESS = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC";

/** Longer than the longest sleep of a test, 65 s. A test of a contract that was never deployed waits for all of it. */
const TEST_LIMIT_MS = 75_000;

/** Runs the tests of a checkout of TronWeb that ask a node, each group on a chain of its own. The checkout has its dependencies installed. */
export async function runTronWeb(folder: string, installed: InstalledChain): Promise<SuiteResult> {
  await run("npm", ["run", "build:test"], { cwd: folder });
  await run("node", ["scripts/test-node.js"], { cwd: folder });
  const groups = await Promise.all(GROUPS.map((files) => runGroup(folder, files, installed)));
  const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { version: string };
  return { suite: "tronweb", version, tests: groups.flat() };
}

async function runGroup(
  folder: string,
  files: readonly string[],
  installed: InstalledChain,
): Promise<ForeignTest[]> {
  const chain = await startChain(installed);
  const tre = await startTre(chain.url);
  try {
    const faucet = await fetch(`${chain.url}/devchain/faucet`, {
      method: "POST",
      body: JSON.stringify({ address: ADDRESS, trx: "200000" }),
    });
    if (!faucet.ok) throw new Error(`the faucet answered ${faucet.status}`);
    const paths = files.map((file) => `lib/commonjs/test/${file}.test.js`);
    const env = { ...process.env, PRIVATE_KEY: KEY, HOST_PORT: String(tre.port) };
    const mocha = (...options: string[]) => report(folder, env, [...paths, ...options]);
    const all = await mocha("--dry-run");
    const done = await mocha("--timeout", String(TEST_LIMIT_MS));
    return compare(all, done);
  } finally {
    tre.stop();
    await chain.stop();
  }
}

type Titled = { readonly fullTitle: string };
type Report = {
  readonly tests: readonly Titled[];
  readonly passes: readonly Titled[];
  readonly pending: readonly Titled[];
  readonly failures: readonly (Titled & { readonly err: { readonly message?: string } })[];
};

async function report(folder: string, env: NodeJS.ProcessEnv, options: readonly string[]): Promise<Report> {
  const place = await mkdtemp(join(tmpdir(), "daric-mocha-"));
  const file = join(place, "report.json");
  const args = ["mocha", ...options, "--exit", "--reporter", "json", "--reporter-option", `output=${file}`];
  // mocha ends with the number of failures.
  await run("npx", args, { cwd: folder, env, maxBuffer: 2 ** 28 }).catch(() => undefined);
  const text = await readFile(file, "utf8");
  await rm(place, { recursive: true });
  return JSON.parse(text) as Report;
}

/** A hook that failed hides the tests behind it, so they come from a run that lists them. */
function compare(all: Report, done: Report): ForeignTest[] {
  const left = new Map<string, number>();
  for (const { fullTitle } of done.passes) left.set(fullTitle, (left.get(fullTitle) ?? 0) + 1);
  const skipped = new Set(all.pending.map(({ fullTitle }) => fullTitle));
  const messages = new Map(done.failures.map(({ fullTitle, err }) => [fullTitle, err.message ?? ""]));
  return all.tests
    .filter(({ fullTitle }) => !skipped.has(fullTitle))
    .map(({ fullTitle }) => {
      const passes = left.get(fullTitle) ?? 0;
      if (passes > 0) left.set(fullTitle, passes - 1);
      return { name: fullTitle, passed: passes > 0, message: messages.get(fullTitle) ?? "hidden by a hook" };
    });
}
