import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { workspaceFolders } from "../../lint/workspaces.ts";

const ROOT = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** The programs of an installation; their dependencies of ours are installed with them. */
const PROGRAMS = ["@daric/server", "@daric/signer"];
/** Released beside them, for the computers of merchants. */
const BESIDE = ["@daric/devchain", "@daric/sdk", "@daric/mcp"];

/**
 * Packs the built workspaces into `folder`, with a `package.json` and a `package-lock.json` with which `npm ci` installs the
 * service and the signer. The lock names the same versions, with their hashes, as the repository's. Equal sources give equal files.
 *
 * @throws Error if a workspace is not built, or if a dependency is missing in the lock of the repository.
 */
export async function writePackages(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const installed = await installedPackages();
  const pack = (names: readonly string[], ...flags: readonly string[]) =>
    npm(
      [
        "pack",
        "--silent",
        ...flags,
        ...names.flatMap((name) => ["--workspace", name]),
        "--pack-destination",
        folder,
      ],
      ROOT,
    );
  await pack(installed, "--ignore-scripts");
  // By its scripts, which bundle the workspace that it needs.
  await pack(BESIDE);
  await writeLock(folder, installed, "");
}

/** Every npm package of a release, by name. */
export async function releasedPackages(): Promise<string[]> {
  return [...(await installedPackages()), ...BESIDE].sort();
}

/**
 * Writes into `folder` a `package.json` that depends on the tarballs of `names`, and its lock. The tarballs are at `tarballs`: ""
 * is the folder itself, and another path ends with a slash.
 */
export async function writeLock(folder: string, names: readonly string[], tarballs: string): Promise<void> {
  const { version, overrides, engines } = await readJson("package.json");
  const dependencies = Object.fromEntries(
    names.map((name) => [
      name,
      `file:${tarballs}${name.replace("@daric/", "daric-")}-${String(version)}.tgz`,
    ]),
  );
  const manifest = {
    name: "daric",
    version,
    private: true,
    license: "MIT",
    engines,
    dependencies,
    overrides,
  };
  await writeJson(folder, "package.json", manifest);
  await writeJson(folder, "package-lock.json", {
    lockfileVersion: 3,
    requires: true,
    packages: await locked(),
  });
  // npm adds our packages to the lock and removes what only development needs. Offline, so that it chooses no version.
  const quiet = [
    "--offline",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--omit-lockfile-registry-resolved",
  ];
  await npm(["install", "--package-lock-only", ...quiet], folder);
}

/** The programs with all workspaces that they depend on, by name. */
async function installedPackages(): Promise<string[]> {
  const found = new Set(PROGRAMS);
  // A set is walked to its end, with what is added on the way.
  for (const name of found) {
    const { dependencies = {} } = await readJson(join(workspaceFolders.get(name) ?? name, "package.json"));
    for (const other of Object.keys(dependencies as object))
      if (workspaceFolders.has(other)) found.add(other);
  }
  return [...found].sort();
}

/** Every package of others that the repository's lock names. */
async function locked(): Promise<Record<string, unknown>> {
  const { packages } = (await readJson("package-lock.json")) as {
    packages: Record<string, { link?: boolean }>;
  };
  const isOfOthers = ([path, { link }]: [string, { link?: boolean }]) =>
    path.startsWith("node_modules/") && link !== true;
  return Object.fromEntries(Object.entries(packages).filter(isOfOthers));
}

/** @throws Error with npm's own output. */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await run("npm", args, { cwd, maxBuffer: 2 ** 26 }).catch((error) => {
    throw new Error(`npm ${args[0]} failed: ${error.stdout}${error.stderr}`);
  });
  return stdout;
}

async function readJson(path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(ROOT, path), "utf8"));
}

export async function writeJson(folder: string, name: string, value: unknown): Promise<void> {
  await writeFile(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
}
