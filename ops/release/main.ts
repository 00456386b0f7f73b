import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { workspaces } from "../../lint/workspaces.ts";
import { writeComposerPackage, writeGoModule, writePythonPackages } from "./clients.ts";
import { imageRecipe } from "./image.ts";
import { sign, writeChecksums } from "./manifest.ts";
import { releaseNotes } from "./notes.ts";
import { writeJson, writePackages } from "./packages.ts";
import { writeSbom } from "./sbom.ts";
import { writeShopPlugin } from "./shop-plugin.ts";

/**
 * Makes a release of the commit that is checked out, with signature and tag. ops/release/README.md lists its files and the steps. With `--dry-run` it makes no tag, and accepts a tree with changes and a
 * machine without Python.
 */
const ROOT = join(import.meta.dirname, "../..");
const ALLOWED_SIGNERS = join(import.meta.dirname, "allowed_signers");

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    key: { type: "string" },
    out: { type: "string" },
  },
});
const isDryRun = values["dry-run"];
const { version } = JSON.parse(sourceOf("package.json")) as { version: string };
const tag = `v${version}`;
const commit = git("rev-parse", "HEAD");
const committedAt = new Date(git("log", "-1", "--format=%cI")).toISOString();
const folder = resolve(values.out ?? join(ROOT, ".release", version));

const hasPython = spawnSync("python3", ["-c", "import ensurepip, venv"], { stdio: "ignore" }).status === 0;

const reasons = reasonsAgainst();
for (const reason of reasons) say(`not ready for a release: ${reason}`);
if (reasons.length > 0 && !isDryRun) process.exit(1);

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await prepareTree();
inherit("npm", ["run", "build", "--silent"]);
await writePackages(folder);
const client = { folder, version, committedAt: new Date(committedAt) };
await writeGoModule(client);
await writeComposerPackage(client);
await writeShopPlugin(client);
if (hasPython) await writePythonPackages(client);
else say("LEFT OUT: wheel and sdist of the Python client");
await writeSbom(folder, committedAt);
writeDeployFiles();
await writeFile(join(folder, "Dockerfile"), imageRecipe(sourceOf("Dockerfile")));
await writeFile(join(folder, "NOTES.md"), releaseNotes(sourceOf("CHANGELOG.md"), version));
await writeJson(folder, "manifest.json", {
  name: "daric",
  version,
  commit,
  committedAt,
  madeWith: programs(),
});
await writeChecksums(folder);
if (values.key === undefined) say("UNSIGNED: without --key there is no SHA256SUMS.sig");
else await sign(folder, values.key, ALLOWED_SIGNERS);
makeTag();
process.stdout.write(readFileSync(join(folder, "SHA256SUMS"), "utf8"));
say(`${isDryRun ? "dry run of " : ""}Daric ${version} (${commit}) is in ${folder}`);

/** Faults that make a release incomplete or untrustworthy. */
function reasonsAgainst(): string[] {
  const changelog = sourceOf("CHANGELOG.md");
  const found = [
    git("status", "--porcelain") !== "" && "the tree has changes that are not committed",
    !changelog.split("\n").some((line) => line.startsWith(`## ${version} (20`)) &&
      `CHANGELOG.md has no section "## ${version} (date)"`,
    git("tag", "--list", tag) !== "" &&
      git("rev-parse", `${tag}^{commit}`) !== commit &&
      `${tag} is another commit`,
    !hasPython && "python3 with venv, which builds the Python client, is not on this machine",
  ];
  return found.filter((reason) => reason !== false);
}

/**
 * Takes from the clone what is not in the commit: files of an older build, and the modes that the umask of its maker gave. Git knows
 * only whether a file is a program.
 */
async function prepareTree(): Promise<void> {
  process.umask(0o022);
  for (const workspace of workspaces)
    await rm(join(ROOT, workspace, "dist"), { recursive: true, force: true });
  for (const [, mode, path = ""] of git("ls-files", "--stage", "-z").matchAll(/(\d{6}) [^\t]*\t([^\0]+)/g))
    if (mode?.startsWith("100")) chmodSync(join(ROOT, path), mode === "100755" ? 0o755 : 0o644);
}

/** The files for an operator without a clone: units, samples of proxies, the compose file, alerts. */
function writeDeployFiles(): void {
  const output = join(folder, `daric-deploy-${version}.tar`);
  const archive = ["archive", "--format=tar", `--prefix=daric-${version}/`, `--output=${output}`];
  git("-c", "tar.umask=0022", ...archive, "HEAD", "ops/deploy", "compose.yaml");
}

function makeTag(): void {
  if (isDryRun || git("tag", "--list", tag) !== "") return;
  const signing =
    values.key === undefined
      ? ["tag", "-a"]
      : ["-c", "gpg.format=ssh", "-c", `user.signingkey=${values.key}`, "tag", "-s"];
  git(...signing, tag, "-m", `Daric ${version}`);
  say(`${tag} is made; publish it with: git push origin ${tag}`);
}

/** The programs whose versions may change bytes: compressors, and the lists that npm writes. */
function programs(): Record<string, string> {
  const python = hasPython ? versionOf("python3").replace("Python ", "") : "none";
  return { node: process.versions.node, npm: versionOf("npm"), python };
}

function versionOf(program: string): string {
  return execFileSync(program, ["--version"], { cwd: ROOT, encoding: "utf8" }).trim();
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
}

function sourceOf(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function inherit(program: string, args: string[]): void {
  execFileSync(program, args, { cwd: ROOT, stdio: "inherit" });
}

function say(text: string): void {
  process.stderr.write(`release: ${text}\n`);
}
