import { spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { startPostgres } from "@daric/postgres/embedded";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { workspaceFolders } from "./workspaces.ts";

/** A copy of the project for mutants, and a database for its tests. */
export type Sandbox = {
  /** Changes files of the copy, each by its function, does the work, and restores the files, also after a failure. */
  mutated<T>(changes: ReadonlyMap<string, (source: string) => string>, work: () => Promise<T>): Promise<T>;
  /** Whether these tests of the copy pass, up to the first failure. */
  test(testRun: TestRun): Promise<boolean>;
  /** Whether the copy compiles. */
  compiles(): Promise<boolean>;
};

export type TestRun = {
  readonly project: string;
  /** parts of the paths of the test files; a part without a match counts as passed */
  readonly files: readonly string[];
};

/** One fault in one or several files, and the tests that must fail: the fastest first. */
export type Mutant = {
  readonly name: string;
  readonly changes: ReadonlyMap<string, (source: string) => string>;
  readonly readers: readonly TestRun[];
};

const root = join(import.meta.dirname, "..");

/**
 * Does the work in a sandbox, and removes it at the end, also after a signal. The project itself never changes.
 *
 * @throws Error from the work.
 */
export async function inSandbox<T>(work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(scratchFolder(), "daric-mutants-"));
  const children = new Set<ReturnType<typeof spawn>>();
  const stop = (signal: NodeJS.Signals) => {
    for (const child of children) child.kill("SIGKILL");
    void end().then(() => process.exit(signal === "SIGINT" ? 130 : 143));
  };
  const given = process.env.TEST_DATABASE_URL;
  const postgres = given ? undefined : await startPostgres({ home: join(folder, "postgres"), mode: "test" });
  const end = async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    const copy = join(folder, "copy");
    copyProject(copy);
    return await work(sandboxIn(copy, { databaseUrl: postgres?.url ?? given, children }));
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    await end();
  }
}

type Parts = {
  readonly databaseUrl: string | undefined;
  readonly children: Set<ReturnType<typeof spawn>>;
};

function sandboxIn(copy: string, { databaseUrl, children }: Parts): Sandbox {
  const run = (args: readonly string[], env: NodeJS.ProcessEnv) =>
    new Promise<boolean>((resolve) => {
      const child = spawn(process.execPath, args, { cwd: copy, env, stdio: "ignore" });
      children.add(child);
      child.once("close", (code) => {
        children.delete(child);
        resolve(code === 0);
      });
    });
  return {
    mutated: async (changes, work) => {
      const sound = [...changes].map(([file]) => [file, readFileSync(join(copy, file), "utf8")] as const);
      try {
        for (const [file, source] of sound)
          writeFileSync(join(copy, file), changes.get(file)?.(source) ?? source);
        return await work();
      } finally {
        for (const [file, source] of sound) writeFileSync(join(copy, file), source);
      }
    },
    test: ({ project, files }) => {
      const { VITEST_JSON_REPORT: _report, ...env } = process.env;
      const vitest = [join("node_modules", "vitest", "vitest.mjs"), "run", `--project=${project}`];
      return run([...vitest, "--passWithNoTests", "--bail=1", ...files], {
        ...env,
        NIGHTLY: "1",
        TEST_DATABASE_URL: databaseUrl,
      });
    },
    compiles: () => run([join("node_modules", "typescript", "bin", "tsc"), "-b"], process.env),
  };
}

/** Copies the sources and their builds, because tests start the builds. Packages of others are linked, and ours lead into the copy. */
function copyProject(copy: string): void {
  const left = new Set(["node_modules", ".git", ".test"]);
  cpSync(root, copy, { recursive: true, filter: (path) => !left.has(basename(path)) });
  mkdirSync(join(copy, "node_modules", "@daric"), { recursive: true });
  const link = (target: string, name: string) => symlinkSync(target, join(copy, "node_modules", name));
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "@daric") link(join(root, "node_modules", name), name);
  for (const [name, folder] of workspaceFolders) link(join(copy, folder), name);
}
