import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestContext, TEST_XPUB, testEnvironment } from "@daric/testing/context";
import { captureDaric } from "@daric/testing/daric";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { freePort } from "@daric/testing/free-port";
import { accountXpubFromMnemonic, createSeed } from "@daric/tron/seed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimDeployment } from "../deployment/claim-deployment.ts";
import { variableOf } from "../process/config.ts";
import type { ConfigReport } from "./check-config.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let other: TestDatabase;
let empty: TestDatabase;
let chain: TestDevchain;
let held: Server;
let foreign: Server;
let free: number;
let folder: string;

beforeAll(async () => {
  const startMs = Date.now() - 90_000;
  [context, other, empty, chain] = await Promise.all([
    createTestContext(),
    createTestDatabase(),
    createEmptyDatabase(),
    aDevchain({ now: () => startMs }),
  ]);
  await chain.mine(25);
  await claimDeployment({ ...context, variableOf });
  held = createServer((_, response) => response.end('{"status":"ok"}'));
  foreign = createServer((_, response) => response.end("hello"));
  for (const server of [held, foreign])
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  free = await freePort();
  folder = mkdtempSync(join(tmpdir(), "daric-config-"));
  chmodSync(folder, 0o755);
});
afterAll(async () => {
  held.close();
  foreign.close();
  rmSync(folder, { recursive: true });
  await Promise.all([context.close(), other.drop(), empty.drop(), chain.stop()]);
});

function portOf(server: Server): string {
  return String((server.address() as AddressInfo).port);
}

function openFile(): string {
  const path = join(folder, "open");
  writeFileSync(path, "11".repeat(32), { mode: 0o644 });
  return path;
}

/** Valid settings, on free ports. */
function settings(overrides: Record<string, string> = {}): Record<string, string> {
  return testEnvironment({
    DATABASE_URL: context.config.runtime.databaseUrl,
    TRON_NODE_URLS: chain.url,
    PORT: "0",
    METRICS_PORT: "0",
    PATH: "/usr/bin",
    ...overrides,
  });
}

const check = (overrides: Record<string, string> = {}, ...options: string[]) =>
  captureDaric(["config", "check", ...options], settings(overrides));

async function report(overrides: Record<string, string> = {}, ...options: string[]): Promise<ConfigReport> {
  return JSON.parse((await check(overrides, "--json", ...options)).out) as ConfigReport;
}

/** Findings other than OK: [name, verdict, reason]. The limit of open files depends on the machine. */
function amiss({ settings: found, trials }: ConfigReport): [string, string, string | null][] {
  return [
    ...found.map(({ name, verdict, words }): [string, string, string | null] => [name, verdict, words]),
    ...trials.map(({ trial, verdict, words }): [string, string, string] => [trial, verdict, words]),
  ].filter(([name, verdict]) => verdict !== "OK" && !name.startsWith("open files"));
}

describe("valid settings", () => {
  it("are OK in every line: each setting with its source, each secret by its fingerprint, and each trial", async () => {
    const file = join(folder, "pepper");
    writeFileSync(file, `${context.config.merchants.keyPepper}\n`, { mode: 0o600 });
    const found = await report({
      DARIC_KEY_PEPPER: "",
      DARIC_KEY_PEPPER_FILE: file,
      DATABASE_DIRECT_URL: context.ownerUrl,
    });
    expect(amiss(found)).toEqual([]);
    const byName = Object.fromEntries(found.settings.map((finding) => [finding.name, finding]));
    expect(byName).toMatchObject({
      TRON_NETWORK: { source: "environment", value: "devnet", fingerprint: null },
      STUCK_AFTER: { source: "default", value: "10m" },
      DARIC_KEY_PEPPER: { source: "file", value: null, fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/) },
      ACCOUNT_XPUB: { value: "first address TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH" },
      DATABASE_URL: { value: expect.stringMatching(/^postgresq?l?:\/\/\w+@127\.0\.0\.1:\d+\/t_\w+$/) },
    });
    expect(found.trials.map(({ trial }) => trial.replace(/:\d+/, ""))).toEqual([
      "database",
      "facts of the database",
      "schema",
      "secrets of the database",
      "DATABASE_DIRECT_URL is the same database",
      "ACCOUNT_XPUB is used here alone",
      "node 127.0.0.1",
      "PORT 0 on 127.0.0.1",
      "METRICS_PORT 0 on 127.0.0.1",
      "open files (ulimit -n)",
      `disk of ${process.cwd()}`,
    ]);
  });

  it("of one role are checked for that role's needs alone", async () => {
    const { settings: found, trials } = await report(
      { TRON_NODE_URLS: "", ACCOUNT_XPUB: "" },
      "--role",
      "webhooks",
    );
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(["DARIC_MASTER_KEY", "LOG_LEVEL"]));
    expect(found.map(({ name }) => name)).not.toEqual(expect.arrayContaining(["TRON_NODE_URLS"]));
    expect(trials.map(({ trial }) => trial)).not.toContain("nodes");
  });
});

const FREE_PORT_TEXT = "1";
/** [fault, variables, exit code, named variable, rule] */
const wrong: [string, () => Record<string, string>, 1 | 2, string, RegExp][] = [
  ["no database", () => ({ DATABASE_URL: "" }), 1, "DATABASE_URL", /^is required/],
  [
    "a database of another kind",
    () => ({ DATABASE_URL: "mysql://db/daric" }),
    1,
    "DATABASE_URL",
    /^must be like postgres/,
  ],
  [
    "a font that is none",
    () => ({ PDF_FONT_FILE: import.meta.filename }),
    1,
    "font of papers",
    /PDF_FONT_FILE .* no font$/,
  ],
  [
    "an unreachable database",
    () => ({ DATABASE_URL: "postgres://d@127.0.0.1:1/daric" }),
    1,
    "database",
    /DATABASE_URL right/,
  ],
  [
    "a missing database",
    () => ({
      DATABASE_URL: Object.assign(new URL(context.ownerUrl), { pathname: "/nope" }).href,
    }),
    1,
    "database",
    /"nope" does not exist: make it with `createdb .*nope` .* `daric migrate`/,
  ],
  [
    "a missing database, beside an existing one of the owner",
    () => ({
      DATABASE_URL: Object.assign(new URL(context.ownerUrl), { pathname: "/nope" }).href,
      DATABASE_DIRECT_URL: other.ownerUrl,
    }),
    1,
    "database",
    /"nope" does not exist: make it with `createdb .* --owner \w+ nope` /,
  ],
  ["an empty database", () => ({ DATABASE_URL: empty.url }), 1, "schema", /version 0 .* run `daric migrate`/],
  [
    "another database for migrations",
    () => ({ DATABASE_DIRECT_URL: other.ownerUrl }),
    1,
    "DATABASE_DIRECT_URL is the same database",
    /another one than that of DATABASE_URL/,
  ],
  [
    "another pepper",
    () => ({ DARIC_KEY_PEPPER: "p".repeat(40) }),
    1,
    "secrets of the database",
    /^DARIC_KEY_PEPPER is not the one/,
  ],
  [
    "another master key",
    () => ({ DARIC_MASTER_KEY: "22".repeat(32) }),
    1,
    "secrets of the database",
    /^DARIC_MASTER_KEY is not the one/,
  ],
  [
    "another xpub",
    () => ({ ACCOUNT_XPUB: accountXpubFromMnemonic(createSeed()) }),
    1,
    "secrets of the database",
    /^ACCOUNT_XPUB is not the one of this database/,
  ],
  ["a short pepper", () => ({ DARIC_KEY_PEPPER: "short" }), 1, "DARIC_KEY_PEPPER", /at least 32 characters/],
  [
    "a master key in capitals",
    () => ({ DARIC_MASTER_KEY: "AB".repeat(32) }),
    1,
    "DARIC_MASTER_KEY",
    /64 lowercase hex/,
  ],
  [
    "a mistyped xpub",
    () => ({ ACCOUNT_XPUB: `${TEST_XPUB.slice(0, -1)}e` }),
    1,
    "ACCOUNT_XPUB",
    /^is refused: .*checksum/,
  ],
  [
    "a private key as the xpub",
    () => ({ ACCOUNT_XPUB: `xprv${TEST_XPUB.slice(4)}` }),
    1,
    "ACCOUNT_XPUB",
    /^is refused: /,
  ],
  [
    "another network",
    () => ({ TRON_NETWORK: "nile" }),
    1,
    "secrets of the database",
    /belongs to the test environment on devnet/,
  ],
  [
    "a node of another network",
    () => ({ TRON_NETWORK: "nile" }),
    1,
    "node 127.0.0.1",
    /^is not of nile: its block 0 is/,
  ],
  [
    "an unknown network",
    () => ({ TRON_NETWORK: "testnet" }),
    1,
    "TRON_NETWORK",
    /^must be one of mainnet, nile/,
  ],
  [
    "a port that another program holds",
    () => ({ PORT: portOf(foreign) }),
    1,
    `PORT \\d+ on 127.0.0.1`,
    /^is in use already$/,
  ],
  [
    "one port for both",
    () => ({ PORT: String(free), METRICS_PORT: String(free) }),
    1,
    "ports",
    /^PORT and METRICS_PORT are the same$/,
  ],
  [
    "one port for both, of every address and of one",
    () => ({ HOST: "0.0.0.0", PORT: String(free), METRICS_PORT: String(free) }),
    1,
    "ports",
    /^PORT and METRICS_PORT are the same$/,
  ],
  [
    "an unreachable node",
    () => ({ TRON_NODE_URLS: "http://127.0.0.1:1" }),
    2,
    "nodes",
    /^127.0.0.1:1: cannot be reached/,
  ],
  [
    "a readable secret file",
    () => ({ DARIC_MASTER_KEY: "", DARIC_MASTER_KEY_FILE: openFile() }),
    2,
    "DARIC_MASTER_KEY",
    /^DARIC_MASTER_KEY_FILE names a file that every user of this machine may read/,
  ],
  ["no node", () => ({ TRON_NODE_URLS: "" }), 1, "TRON_NODE_URLS", /^is required/],
  [
    "a node without http",
    () => ({ TRON_NODE_URLS: "nile.trongrid.io" }),
    1,
    "TRON_NODE_URLS",
    /^must be http or https URLs/,
  ],
  [
    "more nodes in a quorum than there are",
    () => ({ TRON_QUORUM: "2" }),
    1,
    "TRON_QUORUM",
    /only 1 different/,
  ],
  [
    "two names of one host",
    () => ({ TRON_NODE_URLS: `${chain.url},${chain.url}/` }),
    1,
    "TRON_NODE_URLS",
    /^names the host 127\.0\.0\.1:\d+ twice, /,
  ],
  [
    "a quorum of half of the nodes",
    () => ({ TRON_NODE_URLS: `${chain.url},http://127.0.0.1:1,http://127.0.0.1:2`, TRON_QUORUM: "1" }),
    1,
    "TRON_QUORUM",
    /^is 1, but of 3 nodes more than half must agree: set it to 2/,
  ],
  [
    "an even number of nodes",
    () => ({ TRON_NODE_URLS: `${chain.url},http://127.0.0.1:1` }),
    2,
    "TRON_NODE_URLS",
    /^names 2 nodes, an even number: /,
  ],
  [
    "solidity URLs that match no nodes",
    () => ({ TRON_SOLIDITY_URLS: `${chain.url},${chain.url}` }),
    1,
    "TRON_SOLIDITY_URLS",
    /one URL for each/,
  ],
  [
    "one source of prices",
    () => ({ RATE_SOURCES: "USDT=kraken" }),
    1,
    "RATE_SOURCES",
    /two sources at least/,
  ],
  [
    "a duration without a unit",
    () => ({ WEBHOOK_TIMEOUT: "15" }),
    1,
    "WEBHOOK_TIMEOUT",
    /^must be a duration like/,
  ],
  [
    "a target with a port",
    () => ({ WEBHOOK_ALLOW_TARGETS: "10.0.0.1:8080" }),
    1,
    "WEBHOOK_ALLOW_TARGETS",
    /which is not a host alone/,
  ],
  [
    "a proxy by its name",
    () => ({ TRUSTED_PROXIES: "proxy.internal" }),
    1,
    "TRUSTED_PROXIES",
    /which is neither an address nor a CIDR/,
  ],
  ["a port beyond all", () => ({ PORT: "70000" }), 1, "PORT", /^must be from 0 to 65535/],
  [
    "an address of another machine",
    () => ({ HOST: "192.0.2.1", PORT: FREE_PORT_TEXT }),
    1,
    "PORT 1 on 192.0.2.1",
    /no address of this machine/,
  ],
  [
    "a secret given twice",
    () => ({ DARIC_MASTER_KEY_FILE: "/nowhere" }),
    1,
    "DARIC_MASTER_KEY",
    /DARIC_MASTER_KEY_FILE are both set/,
  ],
  [
    "a missing secret file",
    () => ({ DARIC_MASTER_KEY: "", DARIC_MASTER_KEY_FILE: "/nowhere" }),
    1,
    "DARIC_MASTER_KEY",
    /^DARIC_MASTER_KEY_FILE names a file that does not exist/,
  ],
  [
    "no base address",
    () => ({ PUBLIC_BASE_URL: "" }),
    2,
    "PUBLIC_BASE_URL",
    /^is not set: checkout_url is null/,
  ],
  ["a typing error", () => ({ LOGLEVEL: "debug" }), 2, "LOGLEVEL", /^is no setting: is LOG_LEVEL meant\?/],
  ["an unknown setting", () => ({ DARIC_PEPPER: "hunter2hunter2" }), 2, "DARIC_PEPPER", /^is no setting$/],
  [
    "a target that is public",
    () => ({ WEBHOOK_ALLOW_TARGETS: "8.8.8.8" }),
    2,
    "WEBHOOK_ALLOW_TARGETS",
    /"8\.8\.8\.8", which is public/,
  ],
  [
    "a port where Daric may run already",
    () => ({ METRICS_PORT: portOf(held) }),
    2,
    "METRICS_PORT",
    /held by a service that answers \/healthz/,
  ],
];

describe("a fault is named with its rule; exit code 1 if it stops a start and 2 if it is doubtful", () => {
  it.each(wrong)("%s", async (_, overrides, code, name, rule) => {
    const ended = await check(overrides(), "--json");
    const found = JSON.parse(ended.out) as ConfigReport;
    expect(amiss(found)).toContainEqual([
      expect.stringMatching(new RegExp(`^${name}( |:|$)`)),
      code === 1 ? "fault" : "doubtful",
      expect.stringMatching(rule),
    ]);
    expect(ended.code).toBe(code);
    expect(ended.err).toMatch(code === 1 ? /^daric: this stops a start: .*\n$/ : /^daric: doubtful: .*\n$/);
    expect(ended.err).toMatch(new RegExp(name));
  });

  it("everything is checked even if one check fails", async () => {
    const found = await report({
      DATABASE_URL: "postgres://d@127.0.0.1:1/daric",
      PORT: "x",
      LOGLEVEL: "debug",
    });
    expect(amiss(found).map(([name, verdict]) => [name.replace(/:\d+/, ""), verdict])).toEqual([
      ["PORT", "fault"],
      ["LOGLEVEL", "doubtful"],
      ["database", "fault"],
      ["PORT", "doubtful"],
    ]);
    expect(found.trials[0]).toMatchObject({
      trial: "database",
      words: expect.stringMatching(
        /; not tried because of it: facts of the database, schema, secrets of the database$/,
      ),
    });
    expect(found.trials).toContainEqual(
      expect.objectContaining({ trial: expect.stringMatching(/^node /), verdict: "OK" }),
    );
  });
});

it("shows the worst first, and with --quiet only findings", async () => {
  const order = (findings: readonly { verdict: string }[]) => findings.map(({ verdict }) => verdict);
  const whole = await report({ PORT: "x", LOGLEVEL: "debug" });
  const rank = ["fault", "doubtful", "OK"];
  for (const verdicts of [order(whole.settings), order(whole.trials)])
    expect(verdicts).toEqual(verdicts.toSorted((a, b) => rank.indexOf(a) - rank.indexOf(b)));
  expect(whole.settings[0]?.name).toBe("PORT");
  const quiet = await report({ PORT: "x", LOGLEVEL: "debug" }, "--quiet");
  expect(quiet.settings).toEqual(whole.settings.filter(({ verdict }) => verdict !== "OK"));
  expect(quiet.trials).toEqual(whole.trials.filter(({ verdict }) => verdict !== "OK"));
});

it("a command without a database prints how to create it for the owner of the tables", async () => {
  const nope = Object.assign(new URL(context.ownerUrl), { pathname: "/nope" });
  const lines = await Promise.all(
    [["merchant", "list"], ["migrate"]].map(
      async (args) => (await captureDaric(args, { DATABASE_URL: nope.href })).err,
    ),
  );
  for (const line of lines) {
    expect(line).toMatch(/^daric: [^\n]*database "nope" does not exist: [^\n]*\n$/);
    expect(line).toContain(`createdb --host 127.0.0.1 --port ${nope.port} --owner ${nope.username} nope`);
    expect(line).not.toContain(nope.password);
  }
});
