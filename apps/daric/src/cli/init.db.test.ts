import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { sql } from "@daric/postgres/sql";
import { roles } from "@daric/runtime/setting";
import { TEST_XPUB } from "@daric/testing/context";
import { captureDaric, type DaricOutcome } from "@daric/testing/daric";
import { createEmptyDatabase, type TestDatabase } from "@daric/testing/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../process/config.ts";
import { envLine, readEnvFile } from "./env-file.ts";
import { questionsFor } from "./init-questions.ts";

const PORTS = { PORT: "0", METRICS_PORT: "0" };
/** No program listens there. */
const NODE = "http://127.0.0.1:1";

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createEmptyDatabase();
  // One role for both, so that these tests give one URL.
  await database.owner.query(sql`grant create on schema public to public`);
  folder = mkdtempSync(join(tmpdir(), "daric-init-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

const path = (name: string): string => join(folder, name);

function init(name: string, options: string[], { env = {}, input = "" } = {}): Promise<DaricOutcome> {
  return captureDaric(["init", "--file", path(name), ...options], { ...PORTS, ...env }, input);
}

/** All required answers on nile. */
const given = (): string[] => ["--node-urls", NODE, "--database-url", database.url];

describe("daric init", () => {
  it("writes a file that only its owner can read, migrates, and lists the steps that remain", async () => {
    const empty = await createEmptyDatabase();
    const urls = ["--node-urls", NODE, "--database-url", empty.url, "--database-direct-url", empty.ownerUrl];
    const { code, out, err } = await init("full.env", [
      ...["--yes", "--network", "mainnet", "--xpub", TEST_XPUB, "--base-url", "https://pay.example"],
      ...["--api-key", "key of 'the' gateway", ...urls],
    ]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /^daric: [^\n]* seen --api-key and --database-url and --database-direct-url, [^\n]*\ndaric: the name of the merchant is needed: --merchant-name gives it\n$/,
      ),
    });
    expect(statSync(path("full.env")).mode & 0o777).toBe(0o600);
    const variables = parseEnv(readFileSync(path("full.env"), "utf8"));
    const config = readConfig(variables, roles);
    expect(config).toMatchObject({
      environment: "live",
      chain: { nodeUrls: [NODE], apiKey: "key of 'the' gateway" },
      runtime: { databaseUrl: empty.url, databaseDirectUrl: empty.ownerUrl },
      http: { publicBaseUrl: "https://pay.example" },
    });
    for (const secret of ["DARIC_KEY_PEPPER", "DARIC_MASTER_KEY", "DARIC_INTEGRITY_KEY"]) {
      expect(variables[secret]).toMatch(/^[0-9a-f]{64}$/);
      expect(out).not.toContain(variables[secret]);
    }
    expect(out).toMatch(/The database has schema \d+; \d+ migrations were applied/);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    await empty.drop();
  });

  it("makes new secrets each time, and leaves out later settings", async () => {
    type Report = { file: string; next: string[]; settings: { name: string }[] };
    const reports: Report[] = [];
    for (const name of ["a.env", "b.env"]) {
      const { code, out } = await init(name, ["--json", ...given()]);
      expect(code).toBe(0);
      reports.push(JSON.parse(out));
    }
    const files = reports.map(({ file }) => readEnvFile(file));
    expect(files.map(({ TRON_NETWORK }) => TRON_NETWORK)).toEqual(["nile", "nile"]);
    expect(
      new Set(
        files.flatMap(({ DARIC_KEY_PEPPER, DARIC_MASTER_KEY, DARIC_INTEGRITY_KEY }) => [
          DARIC_KEY_PEPPER,
          DARIC_MASTER_KEY,
          DARIC_INTEGRITY_KEY,
        ]),
      ).size,
    ).toBe(6);
    expect(readFileSync(path("a.env"), "utf8")).toContain("\n# ACCOUNT_XPUB=\n");
    expect(reports[0]?.settings.map(({ name }) => name)).toEqual([
      "TRON_NODE_URLS",
      "ACCOUNT_XPUB",
      "PUBLIC_BASE_URL",
    ]);
    expect(reports[0]?.next[0]).toMatch(/^npx daric seed .* ACCOUNT_XPUB/);
  });

  it("writes every setting that it read, so that the next command starts with the checked ones", async () => {
    const env = { PORT: "24500", METRICS_PORT: "24501", TRON_POLL_MS: "1000", LOGLEVEL: "debug" };
    const { code } = await init("read.env", ["--yes", ...given()], { env });
    expect(code).toBe(0);
    const { LOGLEVEL, ...read } = env;
    expect(readEnvFile(path("read.env"))).toMatchObject(read);
    expect(readFileSync(path("read.env"), "utf8")).not.toContain("LOGLEVEL");
    const wrong = await init("wrong.env", ["--yes", ...given()], { env: { PORT: "x" } });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringMatching(/^daric: PORT must be/m)]);
  });

  it("continues with an existing file: it keeps its lines, fills open ones, and uses its secrets", async () => {
    await init("again.env", ["--yes", ...given()]);
    const first = readFileSync(path("again.env"), "utf8");
    const { out } = await init("again.env", ["--yes"]);
    expect(out).toContain("again.env is complete.");
    expect(readFileSync(path("again.env"), "utf8")).toBe(first);
    expect((await init("again.env", ["--yes", "--base-url", "https://pay.example"])).code).toBe(0);
    expect(readFileSync(path("again.env"), "utf8")).toBe(
      first.replace("# PUBLIC_BASE_URL=", "PUBLIC_BASE_URL=https://pay.example"),
    );
    expect(statSync(path("again.env")).mode & 0o777).toBe(0o600);
  });

  it.runIf(process.getuid?.() === 0)("as root keeps the owner of a file", async () => {
    await init("owned.env", ["--yes", ...given()]);
    chownSync(path("owned.env"), 65_534, 65_534);
    expect((await init("owned.env", ["--yes", "--base-url", "https://pay.example"])).code).toBe(0);
    expect(statSync(path("owned.env"))).toMatchObject({ uid: 65_534, gid: 65_534 });
  });

  it("changes no setting of an existing file, and writes through no broken link", async () => {
    writeFileSync(path("kept.env"), "TRON_NETWORK=nile\nPUBLIC_BASE_URL=https://one.example");
    const { code, err } = await init("kept.env", ["--yes", ...given(), "--base-url", "https://two.example"]);
    expect({ code, err }).toEqual({
      code: 1,
      err: "daric: the file has another PUBLIC_BASE_URL than was given: change its line, or name another file by --file\n",
    });
    expect(readFileSync(path("kept.env"), "utf8")).toMatch(/^TRON_NETWORK=nile\nPUBLIC_BASE_URL=\S+$/);
    symlinkSync(path("nowhere"), path("link.env"));
    expect((await init("link.env", ["--yes", ...given()])).err).toMatch(
      /^daric: .*link\.env cannot be read: there is no such file/,
    );
  });

  it("asks for each setting that is not given, and again after an invalid answer", async () => {
    const answers = [
      "nowhere",
      "nile",
      NODE,
      "mysql://db",
      database.url,
      "",
      `xprv${TEST_XPUB.slice(4)}`,
      "",
      "pay.example",
      "",
    ];
    const { code, out } = await init("asked.env", [], { input: `${answers.join("\n")}\n` });
    expect(code).toBe(0);
    expect(
      out.match(
        /^Network: .* \[nile\]: $|(TRON_NETWORK|DATABASE_URL|ACCOUNT_XPUB|PUBLIC_BASE_URL) (must|is refused)/gm,
      ),
    ).toHaveLength(4);
    expect(out).not.toContain("xprv");
    expect(readEnvFile(path("asked.env"))).toMatchObject({
      TRON_NETWORK: "nile",
      TRON_NODE_URLS: NODE,
      DATABASE_URL: database.url,
    });
  });

  it("asks no more for what was answered with none, unless a step waits for it", async () => {
    const first = await init("answered.env", given(), { input: "nile\n\n\n\n" });
    expect(first.out).toContain("The same database as the owner");
    const { code, out } = await init("answered.env", [], { input: "\nhttps://pay.example\n" });
    expect([code, out.match(/The same database|Account xpub|Base URL/g)]).toEqual([
      0,
      ["Account xpub", "Base URL"],
    ]);
    const file = readFileSync(path("answered.env"), "utf8");
    expect(file).toMatch(/^# DATABASE_DIRECT_URL=\n# ACCOUNT_XPUB=\nPUBLIC_BASE_URL=https/m);
  });

  it("takes settings from the environment, existing secrets too", async () => {
    const env = {
      TRON_NODE_URLS: NODE,
      DATABASE_URL: database.url,
      DARIC_KEY_PEPPER: "p".repeat(40),
      PUBLIC_BASE_URL: "https://p.example",
    };
    const { code } = await init("environment.env", ["--yes"], { env });
    expect(code).toBe(0);
    expect(readEnvFile(path("environment.env"))).toMatchObject(env);
  });

  it("keeps a secret in the file that the environment names for it", async () => {
    const file = path("database-url");
    writeFileSync(file, database.url, { mode: 0o600 });
    const env = { DATABASE_URL_FILE: file };
    expect((await init("by-file.env", ["--yes", "--node-urls", NODE], { env })).code).toBe(0);
    const text = readFileSync(path("by-file.env"), "utf8");
    expect(text).toContain(`\nDATABASE_URL_FILE=${file}\n`);
    expect(text).not.toContain("DATABASE_URL=");
  });

  it("writes nothing if a setting stops a start", async () => {
    const elsewhere = ["--node-urls", NODE, "--database-url", "postgres://d@127.0.0.1:1/d"];
    const { code, err } = await init("none.env", ["--yes", ...elsewhere]);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^daric: database: [^\n]*127\.0\.0\.1:1[^\n]*Nothing was written\n$/),
    });
    expect(() => statSync(path("none.env"))).toThrow();
  });

  it("writes and migrates nothing if the owner's URL leads to another database", async () => {
    const other = await createEmptyDatabase();
    const { code, err } = await init("none.env", [
      ...["--yes", "--xpub", TEST_XPUB, "--base-url", "https://pay.example", ...given()],
      ...["--database-direct-url", other.ownerUrl],
    ]);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /daric: DATABASE_DIRECT_URL is the same database: it is another one than that of DATABASE_URL\. Nothing was written\n$/,
      ),
    });
    expect(() => statSync(path("none.env"))).toThrow();
    await other.drop();
  });

  it("writes nothing if the environment has an invalid secret", async () => {
    const env = { DARIC_KEY_PEPPER: "short" };
    const { code, err } = await init("none.env", ["--yes", ...given()], { env });
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /^daric: DARIC_KEY_PEPPER must have at least 32 characters\. Nothing was written\n$/m,
      ),
    });
  });

  it.each([
    [
      "without a database",
      ["--yes", "--node-urls", NODE],
      2,
      /^daric: DATABASE_URL is needed: --database-url gives it\n$/,
    ],
    [
      "without nodes on mainnet",
      ["--yes", "--network", "mainnet", "--database-url", "postgres://d@127.0.0.1:1/d"],
      2,
      /^daric: TRON_NODE_URLS is needed/,
    ],
    [
      "with an answer too few",
      ["--network", "nile", "--node-urls", NODE],
      2,
      /^daric: DATABASE_URL is needed/,
    ],
    [
      "with a private key",
      [
        "--yes",
        "--xpub",
        `xprv${TEST_XPUB.slice(4)}`,
        "--node-urls",
        NODE,
        "--database-url",
        "postgres://d@127.0.0.1:1/d",
      ],
      1,
      /^daric: ACCOUNT_XPUB is refused: /,
    ],
    ["for a private chain", ["--network", "private"], 2, /^daric: option '--network/],
  ])("%s no file is written", async (_, options, code, line) => {
    const ended = await init("none.env", options);
    expect(ended.code).toBe(code);
    expect(ended.err).toMatch(line);
    expect(() => statSync(path("none.env"))).toThrow();
  });

  it("asks again for a network that it does not set up", async () => {
    const { out } = await init("network.env", given(), { input: "private\nnile\n\n\n\n" });
    expect(out).toMatch(
      /must be one of nile, mainnet, devnet here: other networks are set by hand\nNetwork: /,
    );
    expect(readEnvFile(path("network.env")).TRON_NETWORK).toBe("nile");
  });

  it("proposes a node for nile, asks for three operators on mainnet, and warns about one node alone", () => {
    const [[nile], [mainnet]] = [questionsFor("nile"), questionsFor("mainnet")];
    expect([nile?.preset, mainnet?.preset]).toEqual(["https://nile.trongrid.io", undefined]);
    expect(mainnet?.text).toMatch(
      /of three different operators .* \(TRON_QUORUM=2\)\. A single dishonest node is not detected$/,
    );
  });

  const UNRESISTED = "a single dishonest node is not detected";

  it("writes the majority of three and more nodes as the quorum, and keeps one that is set", async () => {
    const nodes = (count: number) =>
      Array.from({ length: count }, (_, index) => `http://127.0.0.1:${index + 1}`).join();
    const written = async (name: string, count: number, env: Record<string, string> = {}) => {
      const options = [
        "--yes",
        "--network",
        "mainnet",
        "--node-urls",
        nodes(count),
        "--database-url",
        database.url,
      ];
      const { out } = await init(name, options, { env });
      return [readEnvFile(path(name)).TRON_QUORUM, out.includes(UNRESISTED)];
    };
    expect(await written("three.env", 3)).toEqual(["2", false]);
    expect(await written("five.env", 5)).toEqual(["3", false]);
    expect(await written("all.env", 3, { TRON_QUORUM: "3" })).toEqual(["3", false]);
    expect(await written("two.env", 2)).toEqual([undefined, true]);
    expect(await written("one.env", 1)).toEqual([undefined, true]);
  });

  it("refuses two nodes of one host", async () => {
    const twice = ["--node-urls", "https://a.example,https://a.example:8090", "--database-url", database.url];
    const { code, err } = await init("twice.env", ["--yes", ...twice]);
    expect({ code, err }).toEqual({
      code: 1,
      err: "daric: TRON_NODE_URLS names the host a.example twice, and one host is one node: name each host once\n",
    });
    expect(() => statSync(path("twice.env"))).toThrow();
  });
});

it("warns about a password on the command line, not about one from a file or the environment", async () => {
  const shown = /^daric: other users may have seen --database-url, /m;
  // The server would keep a login without a password for a minute, and no database can be dropped beside it.
  const bare = Object.assign(new URL(database.url), { password: "", port: "1" }).href;
  const rest = ["--yes", "--node-urls", NODE];
  expect((await init("shown.env", [...rest, "--database-url", database.url])).err).toMatch(shown);
  expect((await init("bare.env", [...rest, "--database-url", bare])).err).not.toMatch(shown);
  expect((await init("set.env", rest, { env: { DATABASE_URL: database.url } })).err).not.toMatch(shown);
  writeFileSync(path("url"), database.url, { mode: 0o600 });
  const fromFile = await init("file.env", rest, { env: { DATABASE_URL_FILE: path("url") } });
  expect(fromFile.err).not.toMatch(shown);
  expect(readFileSync(path("file.env"), "utf8")).toContain(`DATABASE_URL_FILE=${path("url")}`);
  const help = await captureDaric(["init", "--help"], {});
  expect(help.out).toContain("DATABASE_URL_FILE");
});

describe("--env-file", () => {
  it("reads settings before or behind the command; the environment takes precedence, and blanks set nothing", async () => {
    await init("used.env", ["--yes", ...given()]);
    const [file, url] = [path("used.env"), "postgres://d@127.0.0.1:1/d"];
    const lists = [
      await captureDaric(["--env-file", file, "merchant", "list"], { DATABASE_URL: " " }),
      await captureDaric(["merchant", "list", "--env-file", file], {}),
      await captureDaric(["--env-file", file, "merchant", "list"], { DATABASE_URL: url }),
      await captureDaric(["--env-file", path("gone.env"), "merchant", "list"], {}),
    ];
    expect(lists.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
    expect(lists.map(({ err }) => err)).toEqual([
      expect.stringMatching(/schema version 0/),
      expect.stringMatching(/schema version 0/),
      expect.stringMatching(/127\.0\.0\.1:1/),
      expect.stringMatching(/gone\.env cannot be read: there is no such file/),
    ]);
  });

  it("that is missing, or has another line than NAME=value, is refused by Daric and not by Node", () => {
    writeFileSync(path("bom.env"), "\uFEFFDATABASE_URL: postgres://d@127.0.0.1:1/d\nPORT=1\n");
    const outputs = ["gone.env", "bom.env"].map((name) => {
      const program = fileURLToPath(new URL("../../bin/daric.js", import.meta.url));
      const { status, stderr } = spawnSync(program, ["--env-file", path(name), "migrate"], {
        encoding: "utf8",
      });
      return [status, stderr.replaceAll(folder, "")];
    });
    expect(outputs).toEqual([
      [1, "daric: /gone.env cannot be read: there is no such file or folder\n"],
      [1, "daric: /bom.env cannot be used: it has a line that is not like NAME=value\n"],
    ]);
  });

  it("that every user can read gets a warning from every command", async () => {
    await init("open.env", ["--yes", ...given()]);
    const args = ["--env-file", path("open.env"), "config", "check", "--json"];
    const warning = `every user of this machine may read ${path("open.env")}: chmod o-r`;
    const isWarned = async () => (await captureDaric(args, PORTS)).err.includes(`daric: ${warning}\n`);
    expect(await isWarned()).toBe(false);
    chmodSync(path("open.env"), 0o644);
    // Other users cannot enter a private folder.
    expect(await isWarned()).toBe(false);
    chmodSync(folder, 0o755);
    expect(await isWarned()).toBe(true);
    chmodSync(folder, 0o700);
  });

  it("may begin with a byte order mark, and may have blanks and comments between its lines", () => {
    writeFileSync(path("marked.env"), "\uFEFFTRON_NETWORK=nile\n  \nA=1\r\n\t# a=2\n\nexport B='x#y'\n");
    expect(readEnvFile(path("marked.env"))).toEqual({ TRON_NETWORK: "nile", A: "1", B: "x#y" });
  });

  it.each([
    "plain",
    "postgres://u:p%40w@h:5/d?a=b&c=$d",
    "it's",
    'a "b" c',
    "a'b\"c",
    "",
    "#no comment",
    " x ",
  ])("a line gives back its value: %s", (value) =>
    expect(parseEnv(envLine("NAME", value))).toEqual({ NAME: value }),
  );
});
