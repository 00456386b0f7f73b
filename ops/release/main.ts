import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { sign, writeChecksums } from "./manifest.ts";
import { writeJson, writePackages, writeSbom } from "./packages.ts";

/**
 * Makes a release of the commit that is checked out: packages, SBOM, image, checksums, signature and tag. ops/release/README.md has the steps.
 * With `--dry-run` it makes no tag, and accepts a tree with changes.
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
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const tag = `v${version}`;
const commit = git("rev-parse", "HEAD");
const committedAt = new Date(git("log", "-1", "--format=%cI")).toISOString();
const folder = resolve(values.out ?? join(ROOT, ".release", version));

const reasons = reasonsAgainst();
for (const reason of reasons) say(`not ready for a release: ${reason}`);
if (reasons.length > 0 && !isDryRun) process.exit(1);

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
// From nothing: a file of an older build must not be packed.
inherit("npx", ["tsc", "-b", "--clean"]);
inherit("npm", ["run", "build", "--silent"]);
await writePackages(folder);
await writeSbom(folder, committedAt);
writeDeployFiles();
writeImage();
await writeJson(folder, "manifest.json", { name: "daric", version, commit, committedAt });
await writeChecksums(folder);
if (values.key === undefined) say("no --key: SHA256SUMS is not signed");
else await sign(folder, values.key, ALLOWED_SIGNERS);
makeTag();
process.stdout.write(readFileSync(join(folder, "SHA256SUMS"), "utf8"));
say(`${isDryRun ? "dry run of " : ""}Daric ${version} (${commit}) is in ${folder}`);

/** Faults that make a release incomplete or untrustworthy. */
function reasonsAgainst(): string[] {
  const changelog = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
  const found = [
    git("status", "--porcelain") !== "" && "the tree has changes that are not committed",
    !changelog.split("\n").some((line) => line.startsWith(`## ${version} (20`)) &&
      `CHANGELOG.md has no section "## ${version} (date)"`,
    git("tag", "--list", tag) !== "" &&
      git("rev-parse", `${tag}^{commit}`) !== commit &&
      `${tag} is another commit`,
  ];
  return found.filter((reason) => reason !== false);
}

/** The files for an operator without a clone: units, samples of proxies, the compose file, alerts. */
function writeDeployFiles(): void {
  const output = join(folder, `daric-deploy-${version}.tar`);
  git(
    "archive",
    "--format=tar",
    `--prefix=daric-${version}/`,
    `--output=${output}`,
    "HEAD",
    "ops/deploy",
    "compose.yaml",
  );
}

function writeImage(): void {
  if (spawnSync("docker", ["version"], { stdio: "ignore" }).status !== 0) {
    say("no container engine runs here: no image");
    return;
  }
  inherit("docker", ["build", "--tag", `daric:${version}`, "."]);
  inherit("docker", ["save", "--output", join(folder, `daric-image-${version}.tar`), `daric:${version}`]);
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

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
}

function inherit(program: string, args: string[]): void {
  execFileSync(program, args, { cwd: ROOT, stdio: "inherit" });
}

function say(text: string): void {
  process.stderr.write(`release: ${text}\n`);
}
