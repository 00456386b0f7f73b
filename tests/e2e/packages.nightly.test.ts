import { execFile, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "@daric/testing/free-port";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sign, writeChecksums } from "../../ops/release/manifest.ts";
import { writePackages } from "../../ops/release/packages.ts";
import { writeSbom } from "../../ops/release/sbom.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const PACKED = ["tron", "postgres", "devchain", "signer", "mcp"] as const;
const run = promisify(execFile);

let place: string;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "daric-packages-"));
  await writePackages(place);
  for (const name of PACKED) await unpack(name);
});

afterAll(() => rm(place, { recursive: true, force: true }));

/** The tarball of a release. */
const tarballOf = (name: string) => join(place, `daric-${name}-${version}.tgz`);

/** Unpacks a package into a folder of its own, with only its production dependencies. */
async function unpack(name: string): Promise<void> {
  await extract(tarballOf(name), folderOf(name));
  await provide(folderOf(name), name);
}

const folderOf = (name: string) => join(place, name, "node_modules", "@daric", name);

async function extract(tarball: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", folder]);
}

async function provide(folder: string, top: string): Promise<void> {
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  );
  for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) {
    const target = join(place, top, "node_modules", dependency);
    const bundled = join(folder, "node_modules", dependency);
    if (existsSync(target) || existsSync(bundled)) continue;
    if (dependency.startsWith("@daric/")) {
      await extract(tarballOf(dependency.slice("@daric/".length)), target);
      await provide(target, top);
    } else {
      const installed = join(ROOT, "node_modules", dependency);
      // The embedded PostgreSQL is a peer dependency; the one of another platform is not installed.
      if (!existsSync(installed) && dependency in peerDependencies) continue;
      await mkdir(dirname(target), { recursive: true });
      await symlink(installed, target);
    }
  }
}

async function evaluate(name: string, source: string): Promise<string> {
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", source], {
    cwd: join(place, name),
  });
  return stdout.trim();
}

it("@daric/tron alone derives an address", async () => {
  const source = `
    import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
    import { accountXpubFromMnemonic } from "@daric/tron/seed";
    const xpub = accountXpubFromMnemonic("${"abandon ".repeat(11)}about");
    console.log(deriveReceiveAddress(parseAccountXpub(xpub), 0));`;
  expect(await evaluate("tron", source)).toBe("TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH");
});

it("@daric/postgres alone starts a PostgreSQL and queries it", async () => {
  const source = `
    import { openDatabase } from "@daric/postgres/database";
    import { startPostgres } from "@daric/postgres/embedded";
    import { sql } from "@daric/postgres/sql";
    const server = await startPostgres({ home: ${JSON.stringify(join(place, "home"))}, mode: "test" });
    const db = openDatabase({ url: server.url, onError: () => {} });
    console.log(JSON.stringify(await db.query(sql\`select \${"here"}::text as answer\`)));
    await db.close();
    await server.stop();`;
  expect(JSON.parse(await evaluate("postgres", source))).toEqual([{ answer: "here" }]);
});

it("@daric/mcp with the SDK alone starts", async () => {
  const program = join(folderOf("mcp"), "bin", "daric-mcp.js");
  const { stderr } = await run(process.execPath, [program, "--help"]);
  expect(stderr).toContain("An MCP server over stdio");
});

it("@daric/devchain alone, with the workspace in its tarball, is a chain that answers", async () => {
  expect(existsSync(join(place, "devchain/node_modules/@daric/tron"))).toBe(false);
  const port = String(await freePort());
  const program = join(folderOf("devchain"), "bin", "devchain.js");
  const devchain = spawn(process.execPath, [program, "--port", port, "--paused", "--quiet"], {
    stdio: "inherit",
  });
  try {
    const probe = () => fetch(`http://127.0.0.1:${port}/devchain/info`);
    await until("the chain answers", async () => (await probe()).ok);
    expect(await (await probe()).json()).toMatchObject({ genesisId: expect.any(String) });
  } finally {
    devchain.kill();
  }
});

it("@daric/signer alone makes a seed and proves its journal", async () => {
  const program = join(folderOf("signer"), "bin", "daric-signer");
  const home = join(place, "signer-home");
  const passphrase = join(place, "passphrase");
  await writeFile(passphrase, "correct horse battery staple");
  const key = ["--operator-key", join(place, "operator.pem")];
  const args = ["init", "--home", home, "--network", "nile", ...key, "--passphrase-file", passphrase];
  const { PATH } = process.env;
  const { stdout } = await run(program, args, { env: { PATH } as NodeJS.ProcessEnv });
  expect(JSON.parse(stdout)).toMatchObject({
    words: expect.any(String),
    gasAddress: expect.stringMatching(/^T/),
  });
  const audit = await run(program, ["audit", "verify", "--home", home], {
    env: { PATH } as NodeJS.ProcessEnv,
  });
  expect(audit.stdout).toContain("journal.jsonl is whole: 1 lines");
});

it("each contains its licence and no tests", async () => {
  for (const name of PACKED) {
    const { stdout } = await run("find", [folderOf(name), "-name", "LICENSE", "-o", "-name", "*.test.*"]);
    expect(stdout.trim()).toBe(join(folderOf(name), "LICENSE"));
  }
});

it("the dashboard has only the files of one build", async () => {
  const manifests = ["early.json", "manifest.json"];
  const [list, ...texts] = await Promise.all(
    [["-tzf"], ...manifests.map((name) => ["-xOzf", `package/dist/app/${name}`])].map(
      ([flags = "", ...names]) => run("tar", [flags, tarballOf("dashboard"), ...names]),
    ),
  );
  const packed = list?.stdout.match(/(?<=^package\/dist\/app\/).+$/gm) ?? [];
  const built = texts
    .flatMap(({ stdout }) => Object.keys(JSON.parse(stdout).outputs))
    .map((path) => basename(path));
  expect(packed.toSorted()).toEqual([...built, ...manifests].toSorted());
});

it("the SBOM lists the packages of the lock file, and nothing about the machine that made it", async () => {
  await writeSbom(place, "2026-11-26T00:00:00.000Z");
  const text = await readFile(join(place, "sbom.cdx.json"), "utf8");
  const { packages } = JSON.parse(await readFile(join(place, "package-lock.json"), "utf8"));
  const named = (name: string, version: string) => `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const locked = Object.entries<{ version: string }>(packages).flatMap(([path, { version: its }]) =>
    path === "" ? [] : named(path.split("node_modules/").at(-1) ?? "", its),
  );
  const listed = JSON.parse(text).components.map(({ purl }: { purl: string }) => purl);
  expect(listed).toEqual(expect.arrayContaining(locked));
  expect(text).not.toContain(place);
});

describe.skipIf(spawnSync("ssh-keygen", ["-?"]).error !== undefined)("the checksums of a release", () => {
  const verify = (folder: string) =>
    spawnSync(
      "sh",
      [
        "-c",
        "ssh-keygen -Y verify -f allowed_signers -I daric -n daric-release -s SHA256SUMS.sig < SHA256SUMS && sha256sum -c SHA256SUMS",
      ],
      { cwd: folder, encoding: "utf8" },
    ).status;

  it("are signed by a key that users know; a changed file, a changed sum and another key are noticed", async () => {
    const folder = join(place, "release");
    await mkdir(folder);
    await writeFile(join(folder, "daric-server-0.1.0.tgz"), "the package");
    await writeChecksums(folder);
    const [ours, foreign] = [join(place, "ours"), join(place, "foreign")];
    for (const key of [ours, foreign])
      await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key, "-C", "release"]);
    const allowed = join(folder, "allowed_signers");
    await writeFile(allowed, `daric ${await readFile(`${ours}.pub`, "utf8")}`);

    await expect(sign(folder, foreign, allowed)).rejects.toThrow("does not name this key");
    await sign(folder, ours, allowed);
    expect(verify(folder)).toBe(0);
    await writeFile(join(folder, "daric-server-0.1.0.tgz"), "another package");
    expect(verify(folder)).not.toBe(0);
    const sums = await readFile(join(folder, "SHA256SUMS"), "utf8");
    await writeChecksums(folder);
    expect(await readFile(join(folder, "SHA256SUMS"), "utf8")).not.toBe(sums);
    expect(verify(folder)).not.toBe(0);
  });
});
