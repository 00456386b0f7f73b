import { execFile, spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
/** The tests of a client that take longer hang: Go compiles its library first, where it has never done so. */
export const FOREIGN_TESTS_MS = 120_000;
const CLIENTS = fileURLToPath(new URL("../../../clients/", import.meta.url));

/** A client in another language: its runtime if that is on this machine, and its tests. */
export type ForeignClient = {
  readonly language: string;
  /** the runtime's command */
  readonly program: string;
  /** whether this machine has the runtime; `.ci/run` brings it */
  readonly isHere: boolean;
  /** Runs the client's own tests with these variables. @throws Error with their output if one fails */
  test(variables: Record<string, string>): Promise<void>;
  /** Runs its tests against a real service alone. @throws Error with their output if one fails */
  testService(variables: Record<string, string>): Promise<void>;
};

type Runtime = {
  readonly language: string;
  readonly program: string;
  /** the arguments of a program that succeeds if the runtime is new enough and complete */
  readonly probe: readonly string[];
  readonly tests: readonly string[];
  readonly serviceTests: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
};

/** `TEST_PYTHON` and `TEST_GO` name a runtime that is not the one of the path. */
const { TEST_PYTHON = "python3", TEST_GO = "go" } = process.env;

export const pythonClient = foreignClient({
  language: "python",
  program: TEST_PYTHON,
  probe: ["-c", "import sys, httpx; assert sys.version_info >= (3, 9)"],
  tests: ["-m", "unittest", "discover", "-s", "tests"],
  serviceTests: ["-m", "unittest", "tests/test_service.py"],
  variables: { PYTHONPATH: "src", PYTHONDONTWRITEBYTECODE: "1" },
});

export const phpClient = foreignClient({
  language: "php",
  program: "php",
  probe: ["-r", "exit(PHP_VERSION_ID >= 70400 && extension_loaded('curl') ? 0 : 1);"],
  tests: ["tests/run.php"],
  serviceTests: ["tests/run.php", "service"],
});

export const goClient = foreignClient({
  language: "go",
  program: TEST_GO,
  // Fails for a Go that is older than the module wants, since it must not fetch another one.
  probe: ["list", "."],
  tests: ["test", "-count=1", "./..."],
  serviceTests: ["test", "-count=1", "-run", "TestShopsDay", "."],
  variables: { GOTOOLCHAIN: "local", GOFLAGS: "-mod=readonly" },
});

/**
 * Brings the clients of Python, PHP and Go into the folder of a program, where their installers would put them. Returns the
 * variables that the program needs.
 */
export async function installClients(folder: string): Promise<Record<string, string>> {
  await mkdir(join(folder, "vendor"));
  const autoload = `<?php require ${JSON.stringify(join(CLIENTS, "php/tests/autoload.php"))};\n`;
  await writeFile(join(folder, "vendor/autoload.php"), autoload);
  const requirement = `require daric v0.1.0\n\nreplace daric => ${join(CLIENTS, "go")}\n`;
  await writeFile(join(folder, "go.mod"), `module shop\n\ngo 1.21\n\n${requirement}`);
  return {
    PYTHONPATH: join(CLIENTS, "python/src"),
    PYTHONDONTWRITEBYTECODE: "1",
    GOTOOLCHAIN: "local",
    // The folder vendor is PHP's.
    GOFLAGS: "-mod=readonly",
  };
}

function foreignClient({ language, program, probe, variables, ...runs }: Runtime): ForeignClient {
  const cwd = `${CLIENTS}${language}`;
  const passes = async (tests: readonly string[], more: Record<string, string>) => {
    const env = { ...process.env, ...variables, ...more };
    await run(program, tests, { cwd, env, timeout: FOREIGN_TESTS_MS }).catch(({ stdout, stderr }) => {
      throw new Error(`${stdout}\n${stderr}`);
    });
  };
  return {
    language,
    program,
    get isHere() {
      return spawnSync(program, probe, { cwd, env: { ...process.env, ...variables } }).status === 0;
    },
    test: (more) => passes(runs.tests, more),
    testService: (more) => passes(runs.serviceTests, more),
  };
}
