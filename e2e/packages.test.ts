import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "@daric/testing/free-port";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writePackages } from "../release/packages.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const PACKED = ["tron", "postgres", "devchain", "signer"] as const;
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

/** Each package has a folder with only itself and its production dependencies. */
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
    if (existsSync(target)) continue;
    if (dependency.startsWith("@daric/")) {
      await extract(tarballOf(dependency.slice("@daric/".length)), target);
      await provide(target, top);
    } else {
      const installed = join(ROOT, "node_modules", dependency);
      // The embedded PostgreSQL is a peer; that of another platform is not installed.
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

it("@daric/devchain alone is a chain that answers", async () => {
  const port = String(await freePort());
  const program = join(folderOf("devchain"), "bin", "devchain.js");
  const devchain = spawn(process.execPath, [program, "--port", port, "--paused"], { stdio: "inherit" });
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
