import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type InstalledChain, startChain } from "./chain.ts";
import type { SuiteResult } from "./outcome.ts";

const run = promisify(execFile);
const PLUGINS = fileURLToPath(new URL(".", import.meta.url));
const RESULT = /^(PASSED|FAILED|ERROR) (\S+::.+?)(?: - (.*))?$/gm;

/** Runs the tests of a checkout of tronpy. `TRONPY_PYTHON` names a Python that has its dependencies; the default is `python3`. */
export async function runTronPy(folder: string, installed: InstalledChain): Promise<SuiteResult> {
  const chain = await startChain(installed);
  try {
    const output = await pytest(folder, chain.url);
    const tests = [...output.matchAll(RESULT)].map(([, outcome, name = "", message = ""]) => ({
      name,
      passed: outcome === "PASSED",
      message,
    }));
    const text = await readFile(join(folder, "tronpy/version.py"), "utf8");
    return { suite: "tronpy", version: /"(.+)"/.exec(text)?.[1] ?? "", tests };
  } finally {
    await chain.stop();
  }
}

async function pytest(folder: string, url: string): Promise<string> {
  const options = ["-p", "on_devchain", "-p", "no:cacheprovider", "--no-cov", "-q", "-rA"];
  const args = ["-m", "pytest", ...options, "-o", "asyncio_default_fixture_loop_scope=function", "tests"];
  const env = { ...process.env, PYTHONPATH: PLUGINS, PYTHONDONTWRITEBYTECODE: "1", DEVCHAIN_URL: url };
  const python = process.env.TRONPY_PYTHON ?? "python3";
  // pytest ends with 1 when a test failed.
  const { stdout } = await run(python, args, { cwd: folder, env, maxBuffer: 2 ** 26 }).catch(
    (error: { code?: unknown; stdout?: string }) => {
      if (error.code !== 1) throw error;
      return { stdout: error.stdout ?? "" };
    },
  );
  return stdout;
}
