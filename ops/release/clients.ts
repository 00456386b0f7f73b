import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type ZipEntry, zipped } from "./zip.ts";

const ROOT = join(import.meta.dirname, "../..");
const BUILD_TOOLS = join(import.meta.dirname, "python-build.txt");
const run = promisify(execFile);

/** The release that a package of a client belongs to. */
export type ClientRelease = {
  readonly folder: string;
  readonly version: string;
  /** the time of the commit, which every file in a package gets */
  readonly committedAt: Date;
};

/**
 * Writes wheel and sdist of the Python client, by hatchling in a scratch environment of the pinned versions.
 *
 * @throws Error with the output of Python if it cannot make the environment or build
 */
export async function writePythonPackages({ folder, committedAt }: ClientRelease): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), "daric-python-"));
  const python = join(place, "bin", "python");
  const flags = ["--quiet", "--disable-pip-version-check", "--require-hashes", "--only-binary", ":all:"];
  const seconds = String(Math.floor(committedAt.getTime() / 1000));
  try {
    await run("python3", ["-m", "venv", place]);
    await run(python, ["-m", "pip", "install", ...flags, "-r", BUILD_TOOLS]);
    await run(python, ["-m", "hatchling", "build", "--directory", folder], {
      cwd: join(ROOT, "clients/python"),
      env: { ...process.env, SOURCE_DATE_EPOCH: seconds },
    });
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/**
 * Writes the Go client as a module zip: each tracked file as `module@version/path`, and no entry of a folder.
 * The path of the module is that of `go.mod`. Source: golang.org/ref/mod#zip-files.
 */
export async function writeGoModule({ folder, version, committedAt }: ClientRelease): Promise<void> {
  const [, module] = /^module (\S+)$/m.exec(await readFile(join(ROOT, "clients/go/go.mod"), "utf8")) ?? [];
  const files = await filesOf("clients/go", `${module}@v${version}/`);
  await writeFile(join(folder, `daric-go-${version}.zip`), zipped(files, committedAt));
}

/**
 * Writes the PHP client as a package for a Composer repository of kind `artifact`. Its `composer.json` names the version there,
 * which a tag does elsewhere. The tests stay out.
 */
export async function writeComposerPackage({ folder, version, committedAt }: ClientRelease): Promise<void> {
  const prefix = `daric-php-${version}/`;
  const files = await filesOf("clients/php", prefix, ":(exclude)*.test.ts", ":(exclude)clients/php/tests");
  const released = files.map((file) =>
    file.path === `${prefix}composer.json` ? { ...file, bytes: versioned(file.bytes, version) } : file,
  );
  await writeFile(join(folder, `daric-php-${version}.zip`), zipped(released, committedAt));
}

function versioned(manifest: Buffer, version: string): Buffer {
  const { name, ...rest } = JSON.parse(manifest.toString());
  return Buffer.from(`${JSON.stringify({ name, version, ...rest }, null, 2)}\n`);
}

/** The files below `source` that git tracks and no `excluding` pattern names, with `prefix` instead of that folder. */
export async function filesOf(source: string, prefix: string, ...excluding: string[]): Promise<ZipEntry[]> {
  const { stdout } = await run("git", ["ls-files", "-z", "--", source, ...excluding], { cwd: ROOT });
  const paths = stdout.split("\0").filter((path) => path !== "");
  return Promise.all(
    paths.map(async (path) => ({
      path: `${prefix}${path.slice(source.length + 1)}`,
      bytes: await readFile(join(ROOT, path)),
    })),
  );
}
