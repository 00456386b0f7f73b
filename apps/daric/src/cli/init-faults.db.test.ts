import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { knownNetwork } from "@daric/chain/nodes/networks";
import { sql } from "@daric/postgres/sql";
import { TEST_XPUB } from "@daric/testing/context";
import { captureDaric, type DaricOutcome } from "@daric/testing/daric";
import { createEmptyDatabase, type TestDatabase } from "@daric/testing/database";
import { aDevchain } from "@daric/testing/devchain-client";
import { startFaultyNode } from "@daric/testing/faulty-node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { takeInitLock } from "./init-store.ts";

/** No program listens there. */
const NODE = "http://127.0.0.1:1";
const WALLET = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";

let database: TestDatabase;
let folder: string;
let file: string;
beforeAll(async () => {
  database = await createEmptyDatabase();
  folder = mkdtempSync(join(tmpdir(), "daric-init-"));
  file = join(folder, "daric.env");
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

/** All settings on nile; an option of `given` replaces its own. */
function init(given: Readonly<Record<string, string>>, ...flags: string[]): Promise<DaricOutcome> {
  const options = {
    "--file": file,
    "--node-urls": NODE,
    "--database-url": database.url,
    "--database-direct-url": database.ownerUrl,
    "--xpub": TEST_XPUB,
    "--base-url": "https://pay.example",
    ...given,
  };
  const env = { PORT: "0", METRICS_PORT: "0" };
  return captureDaric(["init", ...Object.entries(options).flat(), ...flags], env);
}

/** The last line: the first one is about passwords on the command line. */
const failureOf = ({ err }: DaricOutcome): string => err.trim().split("\n").at(-1) ?? "";

function withWrongPassword(url: string): string {
  return Object.assign(new URL(url), { password: "wrong" }).href;
}

it.each([
  ["service", "DATABASE_URL", () => ({ "--database-url": withWrongPassword(serviceUrl()) })],
  ["owner", "DATABASE_DIRECT_URL", () => ({ "--database-direct-url": withWrongPassword(database.ownerUrl) })],
])(
  "a wrong password of the %s's role is one line that names %s, and nothing is written",
  async (_, name, given) => {
    const ended = await init(given(), "--yes");
    expect(ended.code).toBe(1);
    expect(failureOf(ended)).toMatch(
      new RegExp(
        `^daric: [^\\n]*password authentication failed for user "\\w+": correct user and password in ${name}[.;]`,
      ),
    );
    expect(ended.err).not.toContain("right?");
    expect(existsSync(file)).toBe(false);
    expect(await schemaTables()).toBe(0);
  },
);

/** Past the pooler. */
function serviceUrl(): string {
  const { username, password } = new URL(database.url);
  return Object.assign(new URL(database.ownerUrl), { username, password }).href;
}

async function schemaTables(): Promise<number> {
  return (await database.owner.query(sql`select tablename from pg_tables where schemaname = 'public'`))
    .length;
}

it.each([
  ["the service's URL alone", () => ({ "--database-direct-url": "" })],
  ["the service's URL as the owner's", () => ({ "--database-direct-url": serviceUrl() })],
])(
  "%s, whose role may create no table, is one line with what to do, and nothing is written",
  async (_, given) => {
    const ended = await init({ "--database-url": serviceUrl(), ...given() }, "--yes");
    expect([ended.code, failureOf(ended)]).toEqual([
      1,
      expect.stringMatching(
        /^daric: migration: \w+ may not create tables: set DATABASE_DIRECT_URL to the URL of the owner of the database, or run `alter database "\w+" owner to "\w+"` as a superuser\. Nothing was written$/,
      ),
    ]);
    expect(existsSync(file)).toBe(false);
  },
);

it("while another one works on the database, it is refused before its own checks, and nothing is written", async () => {
  await database.owner.transaction(async (tx) => {
    expect(await takeInitLock(tx)).toBe(true);
    const ended = await init({ "--database-url": withWrongPassword(serviceUrl()) }, "--yes");
    expect([ended.code, failureOf(ended)]).toEqual([
      1,
      "daric: another `daric init` works on this database: wait until it has ended, and run this again",
    ]);
  });
  expect(existsSync(file)).toBe(false);
});

it("a variable that differs from its option is refused", async () => {
  const options = ["init", "--file", file, "--yes", "--network", "mainnet", "--node-urls", NODE];
  const ended = await captureDaric([...options, "--database-url", database.url], { TRON_NETWORK: "nile" });
  expect([ended.code, ended.err]).toEqual([
    1,
    "daric: --network and TRON_NETWORK of the environment differ: leave one of them out\n",
  ]);
  const named = { TRON_NETWORK: "nile", TRON_NODE_URLS: NODE, DATABASE_URL_FILE: "/nowhere" };
  const twice = await captureDaric(["init", "--file", file, "--yes", "--database-url", database.url], named);
  expect(failureOf(twice)).toMatch(/DATABASE_URL_FILE/);
  expect(existsSync(file)).toBe(false);
});

it("a wrong clock stops it, and nothing is written", async () => {
  const chain = await aDevchain({ now: () => Date.now() + 3_600_000 });
  const node = await startFaultyNode(chain.url);
  try {
    await chain.mine(1);
    const { body } = await chain.post("/wallet/getblockbynum", { num: 0 });
    const genesis = { ...(body as object), blockID: knownNetwork({ network: "nile" })?.genesisId };
    node.fail(({ path, question }) =>
      path === "/wallet/getblockbynum" && question.num === 0 ? { body: JSON.stringify(genesis) } : undefined,
    );
    const ended = await init({ "--node-urls": node.url }, "--yes");
    expect([ended.code, failureOf(ended)]).toEqual([
      1,
      expect.stringMatching(
        /^daric: clock of this machine: is 3\d{3} s behind a node's newest block: set it by NTP\. Nothing was written$/,
      ),
    ]);
    expect(existsSync(file)).toBe(false);
  } finally {
    await node.stop();
    await chain.stop();
  }
});

it("a failure with --json is one document with the error, after any findings", async () => {
  const early = await init({ "--xpub": `xprv${TEST_XPUB.slice(4)}` }, "--json");
  expect([early.code, JSON.parse(early.out)]).toEqual([
    1,
    { verdict: "fault", error: expect.stringMatching(/^ACCOUNT_XPUB is refused: /) },
  ]);
  const later = await init({}, "--json");
  expect([later.code, JSON.parse(later.out)]).toMatchObject([
    2,
    { file, verdict: "fault", error: "the name of the merchant is needed: --merchant-name gives it" },
  ]);
});

it("a first run without a fault of the database prints no finding about it, and no empty table", async () => {
  const empty = await createEmptyDatabase();
  const given = {
    "--database-url": empty.url,
    "--database-direct-url": empty.ownerUrl,
    "--file": `${file}.1`,
  };
  const { out } = await init(given, "--yes");
  expect(out).not.toMatch(/schema is another one|secrets of the database/);
  expect(out).not.toMatch(/^SETTING[^\n]*\n(\n|TRIED)/m);
  await empty.drop();
});

it("a refusal of a name or wallet names the options of this command", async () => {
  const named = await init({ "--merchant-name": "x".repeat(121), "--wallet": WALLET }, "--yes");
  expect([named.code, failureOf(named)]).toEqual([1, expect.stringMatching(/^daric: --merchant-name must /)]);
  const unvetted = await init({ "--merchant-name": "Shop", "--wallet": WALLET }, "--yes");
  expect(failureOf(unvetted)).toContain("`daric settlement-account add --no-nodes`");
});
