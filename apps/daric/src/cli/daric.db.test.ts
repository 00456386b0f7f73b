import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { readDevnet } from "@daric/chain/nodes/networks";
import { createFindCaller } from "@daric/merchants/find-caller";
import { sql } from "@daric/postgres/sql";
import { executeAsAdmin } from "@daric/testing/admin-connection";
import { aMerchant, anAddress, aPng } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext, TEST_XPUB } from "@daric/testing/context";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { createEmptyDatabase, createTestDatabase } from "@daric/testing/database";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { raw } from "@daric/testing/raw-sql";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { runDaricForOutput } from "./daric.ts";
import { CommandError } from "./failure.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;

let devchain: TestDevchain;

beforeAll(async () => {
  [context, devchain] = await Promise.all([createTestContext(), aDevchain()]);
});
afterAll(async () => {
  await devchain.stop();
  await context.close();
});

function settingsOf(overrides: Record<string, string> = {}): Record<string, string> {
  const { keyPepper } = context.config.merchants;
  const urls = { ...daricVariables(context), DATABASE_DIRECT_URL: context.ownerUrl };
  return { ...urls, TRON_NODE_URLS: devchain.url, DARIC_KEY_PEPPER: keyPepper, ...overrides };
}

const daric = (args: readonly string[], overrides: Record<string, string> = {}, input = "") =>
  captureDaric(args, settingsOf(overrides), input);

async function json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { code, out, err } = await daric([...args, "--json"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out) as T;
}

const PROGRAM = createRequire(import.meta.url).resolve("@daric/server/bin");

/** Runs the real program as a process with only these variables in its environment. */
async function spawned(command: string[], variables: Record<string, string>, input = "") {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, command, { env: { PATH, ...variables }, stdio: "pipe" });
  child.stdin.end(input);
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, out, err };
}

describe.concurrent("the program as a process", () => {
  it("a command that succeeds prints its result on standard output and exits with 0", async () => {
    const { code, out, err } = await spawned(
      [PROGRAM, "merchant", "create", "--name", "Shop", "--json"],
      settingsOf(),
    );
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toMatchObject({ name: "Shop", feeMode: "merchant" });
  });

  it("an unreachable database is one line on standard error and exit code 1", async () => {
    const variables = { DATABASE_URL: "postgres://daric:swordfish@127.0.0.1:1/daric" };
    const { code, out, err } = await spawned([PROGRAM, "merchant", "list"], variables);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^daric: the database is unavailable: .*127\.0\.0\.1:1.*\n$/);
    expect(err).not.toContain("swordfish");
  });

  it("a calling program gets the result, or the command's error", async () => {
    const { id } = await runDaricForOutput<{ id: string }>(
      ["merchant", "create", "--name", "Asked"],
      settingsOf(),
    );
    expect(await runDaricForOutput(["merchant", "list", id], settingsOf())).toMatchObject({
      id,
      name: "Asked",
    });
    const unknown = uuidv7();
    const lost = runDaricForOutput(["merchant", "list", unknown], settingsOf());
    await expect(lost).rejects.toEqual(new CommandError(`There is no merchant ${unknown}.`));
  });

  it("the words of a seed are read from standard input", async () => {
    const words = `${"abandon ".repeat(11)}about\n`;
    const { code, out } = await spawned([PROGRAM, "seed", "--xpub-from-stdin", "--json"], {}, words);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      accountXpub: TEST_XPUB,
      path: "m/44'/195'/0'",
      firstReceiveAddress: "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH",
    });
  });

  it("a service without needed settings does not start and lists all of them", async () => {
    const { code, out, err } = await spawned([PROGRAM, "serve", "--role", "api"], {
      TRON_NETWORK: "devnet",
    });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    const names = err
      .trimEnd()
      .split("\n")
      .map((line) => /^daric: ([A-Z_]+) /.exec(line)?.[1]);
    expect(names).toEqual(
      expect.arrayContaining(["DATABASE_URL", "TRON_NODE_URLS", "ACCOUNT_XPUB", "DARIC_MASTER_KEY"]),
    );
  });

  it("the launcher starts the build, lets it end after its output is closed, and names the next step without a build", async () => {
    const home = await mkdtemp(join(tmpdir(), "daric-launcher-"));
    try {
      const launcher = join(home, "bin", "daric.js");
      await cp(fileURLToPath(new URL("../../bin/daric.js", import.meta.url)), launcher);
      await writeFile(join(home, "package.json"), '{ "type": "module" }');
      expect(await spawned([launcher, "merchant", "list"], {})).toEqual({
        code: 1,
        out: "",
        err: "daric: the program is not built yet: run `npm run build` first\n",
      });
      await mkdir(join(home, "dist", "cli"), { recursive: true });
      const built = "export const runDaric = async (args) => (args.join() === 'merchant,list' ? 2 : 0);";
      await writeFile(join(home, "dist", "cli", "daric.js"), built);
      expect((await spawned([launcher, "merchant", "list"], {})).code).toBe(2);

      const writing = `export async function runDaric() {
        for (let line = 0; line < 3; line += 1) {
          process.stdout.write("a line\\n");
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        return 3;
      }`;
      await writeFile(join(home, "dist", "cli", "daric.js"), writing);
      const unread = spawn(process.execPath, [launcher], { stdio: ["ignore", "pipe", "pipe"] });
      unread.stdout.destroy();
      const [errors, [code]] = await Promise.all([text(unread.stderr), once(unread, "exit")]);
      expect({ code, errors }).toEqual({ code: 3, errors: "" });
    } finally {
      await rm(home, { recursive: true });
    }
  });
});

describe("usage", () => {
  /** Every command below this one, from the help texts. */
  async function commandsBelow(command: readonly string[]): Promise<string[][]> {
    const { code, out, err } = await daric([...command, "--help"]);
    expect({ command, code, err }).toEqual({ command, code: 0, err: "" });
    expect(out).toContain(["Usage: daric", ...command].join(" "));
    const [, list = ""] = out.split("\nCommands:\n");
    const names = [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = ""]) => name);
    const below: string[][] = [];
    for (const name of names.filter((name) => name !== "help")) {
      const child = [...command, name];
      const deeper = await commandsBelow(child);
      below.push(...(deeper.length === 0 ? [child] : deeper));
    }
    return below;
  }

  it("every command explains itself and takes --json", async () => {
    const commands = await commandsBelow([]);
    expect(commands.length).toBeGreaterThan(25);
    const mute: string[] = [];
    for (const command of commands) {
      if (!(await daric([...command, "--help"])).out.includes("--json")) mute.push(command.join(" "));
    }
    expect(mute).toEqual([]);
    expect((await daric(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("an unknown command or a missing argument exits with 2 and one line", async () => {
    const wrong = [
      ["nonsense"],
      ["merchant", "create"],
      ["merchant", "update", uuidv7()],
      ["merchant", "list", "--loud"],
      ["key", "create"],
      ["serve", "--role", "cook"],
      ["settlement-account", "add", "--merchant", uuidv7()],
    ];
    for (const args of wrong) {
      const { code, out, err } = await daric(args);
      expect({ args, code, out }).toEqual({ args, code: 2, out: "" });
      expect(err).toMatch(/^daric: [^\n]+\n$/);
    }
    expect(await daric([])).toMatchObject({ code: 2, err: expect.stringContaining("Usage: daric") });
  });
});

describe("settings", () => {
  it("a command needs only the settings that it uses", async () => {
    const { databaseUrl } = context.config.runtime;
    const variables = { DATABASE_URL: databaseUrl, TRON_NETWORK: "devnet", DARIC_KEY_PEPPER: "" };
    expect((await daric(["merchant", "list"], variables)).code).toBe(0);
    expect((await daric(["seed"], { DATABASE_URL: "", TRON_NETWORK: "" })).code).toBe(0);
  });

  it("all missing and invalid ones are listed, a line each", async () => {
    const variables = { DATABASE_URL: "", DARIC_KEY_PEPPER: "short", TRON_NETWORK: "bitcoin" };
    const { code, err } = await daric(["key", "create", "--merchant", uuidv7()], variables);
    expect(code).toBe(1);
    expect(err.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^daric: DATABASE_URL is required/),
      expect.stringMatching(/^daric: TRON_NETWORK /),
      expect.stringMatching(/^daric: DARIC_KEY_PEPPER must have at least 32 characters/),
    ]);
  });
});

describe("secrets", () => {
  const OTHER_PEPPER = "another-pepper-another-pepper-another-pepper";

  it("a command under another pepper than the first one does nothing", async () => {
    const { id } = await json<{ id: string }>("merchant", "create", "--name", "Shop");
    const key = await json<{ id: string }>("key", "create", "--merchant", id);
    const commands = [
      ["key", "create", "--merchant", id],
      ["key", "rotate", key.id],
      ["merchant", "create", "--name", "Other"],
    ];
    for (const args of commands) {
      const { code, out, err } = await daric(args, { DARIC_KEY_PEPPER: OTHER_PEPPER });
      expect({ args, code, out }).toEqual({ args, code: 1, out: "" });
      expect(err).toMatch(
        /^daric: DARIC_KEY_PEPPER is not the one [^\n]*every API key would be refused[^\n]*\n$/,
      );
      expect(err).not.toContain(OTHER_PEPPER);
    }
    const keys = await json<unknown[]>("key", "list", "--merchant", id);
    expect(keys).toHaveLength(1);
  });
});

describe("the database", () => {
  it("an old schema is named with the command that helps, and migrate updates it", async () => {
    const { url, ownerUrl, drop } = await createEmptyDatabase();
    const urls = { DATABASE_URL: url, DATABASE_DIRECT_URL: ownerUrl };
    try {
      const old = await daric(["merchant", "list"], urls);
      expect(old).toMatchObject({ code: 1, out: "" });
      expect(old.err).toMatch(
        /^daric: the database has schema version 0 .* run `daric migrate` \[schema_mismatch\]\n$/,
      );
      const migrated = await daric(["migrate", "--json"], urls);
      const { applied, isOwner, toRun } = JSON.parse(migrated.out);
      expect([applied > 0, isOwner, toRun]).toEqual([true, false, []]);
      expect(await daric(["migrate"], urls)).toMatchObject({
        code: 0,
        out: expect.stringContaining("current already"),
      });
      expect((await daric(["merchant", "list"], urls)).code).toBe(0);
    } finally {
      await drop();
    }
  });

  it("the owner alone writes fees and settlement accounts: without its URL a command names the variable", async () => {
    const { id } = await json<{ id: string }>("merchant", "create", "--name", "Shop");
    const asService = { DATABASE_DIRECT_URL: "" };
    const writes = [
      ["merchant", "create", "--name", "Other", "--fee-basis-points", "50"],
      ["merchant", "update", id, "--fee-basis-points", "50"],
      ["settlement-account", "add", "--merchant", id, "--address", anAddress()],
    ];
    for (const args of writes) {
      const { code, out, err } = await daric(args, asService);
      expect({ args, code, out }).toEqual({ args, code: 1, out: "" });
      expect(err).toMatch(
        /^daric: the role that logs in may not write this[^\n]*\. Set DATABASE_DIRECT_URL to [^\n]*\n$/,
      );
    }
    for (const args of [
      ["merchant", "list", id],
      ["merchant", "list"],
      ["key", "list", "--merchant", id],
      ["merchant", "update", id, "--name", "Other"],
      ["key", "create", "--merchant", id],
    ])
      expect(await daric(args, asService)).toMatchObject({ code: 0 });
    const { ownerUrl } = context;
    expect(await daric(writes[0] ?? [], { DATABASE_URL: ownerUrl, ...asService })).toMatchObject({ code: 0 });
  });

  it("one role for both works, and migrate names the limits that are not enforced", async () => {
    const { ownerUrl, drop } = await createEmptyDatabase();
    try {
      const migrated = await daric(["migrate"], { DATABASE_URL: ownerUrl, DATABASE_DIRECT_URL: "" });
      expect(migrated).toMatchObject({ code: 0, err: "" });
      expect(migrated.out).toMatch(
        /which owns the tables\. .* does not enforce .* \(DATABASE_DIRECT_URL names an owner/,
      );
      expect(
        (await daric(["merchant", "list"], { DATABASE_URL: ownerUrl, DATABASE_DIRECT_URL: "" })).code,
      ).toBe(0);
    } finally {
      await drop();
    }
  });

  it("a limit that neither role may set is printed as a statement to run, and the migrations are done", async () => {
    const { url, ownerUrl, drop } = await createEmptyDatabase();
    const { username, pathname } = new URL(url);
    const unset = `alter role ${username} in database ${pathname.slice(1)} set statement_timeout = 0`;
    try {
      await executeAsAdmin(inject("postgres").adminUrl, unset);
      const wrongUser = Object.assign(new URL(ownerUrl), { username, password: "wrong" }).href;
      const migrated = await daric(["migrate"], { DATABASE_URL: wrongUser, DATABASE_DIRECT_URL: ownerUrl });
      expect(migrated).toMatchObject({ code: 0, err: "" });
      expect(migrated.out).toContain(`${username} could not set its settings itself: `);
      expect(migrated.out).toMatch(/as a superuser: alter role .* set statement_timeout = '8s';\n$/);
    } finally {
      await drop();
    }
  });

  it("a database without the newest grants gets one line, before any write", async () => {
    const { url, owner, ownerUrl, drop } = await createTestDatabase();
    const urls = { DATABASE_URL: url, DATABASE_DIRECT_URL: ownerUrl };
    try {
      await owner.query(sql`update schema_version set md5 = 'x' where version = 102`);
      const role = new URL(url).username;
      await owner.query(raw(`revoke insert on rates from ${role}`));
      const { code, out, err } = await daric(["migrate"], urls);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toMatch(/^daric: this database was made by an unreleased version of Daric .*\n$/);
      expect(await owner.query(sql`select has_table_privilege(${role}, 'rates', 'insert') as may`)).toEqual([
        { may: false },
      ]);
    } finally {
      await drop();
    }
  });

  it("a database of another network is refused", async () => {
    await context.db.query(sql`update deployment set environment = 'test', network = 'devnet'`);
    try {
      expect((await daric(["merchant", "list"])).code).toBe(0);
      const { code, err } = await daric(["merchant", "list"], { TRON_NETWORK: "mainnet" });
      expect(code).toBe(1);
      expect(err).toMatch(
        /^daric: this database belongs to the test environment on devnet, and TRON_NETWORK is mainnet.*\n$/,
      );
    } finally {
      await context.db.query(sql`update deployment set environment = null, network = null`);
    }
  });
});

describe("retain", () => {
  it("old closed data is deleted, and the output lists it", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "daric-retain-")), "url");
    await writeFile(file, context.config.runtime.databaseUrl, { mode: 0o600 });
    // Also if a file has the URL of the service, which this command does not use.
    const asOwner = { DATABASE_URL: "", DATABASE_URL_FILE: file, DATABASE_DIRECT_URL: context.ownerUrl };
    const { out } = await daric(["retain", "--older-than", "400d", "--json"], asOwner);
    await rm(dirname(file), { recursive: true });
    expect(JSON.parse(out)).toEqual({
      before: expect.any(String),
      monthsBefore: expect.stringMatching(/-01T00:00:00.000Z$/),
      droppedPartitions: [],
      deliveries: 0,
      bodies: 0,
      history: 0,
      previousSecrets: 0,
      attemptCounts: 0,
    });
  });

  it("too short a time and a missing one are refused, in one line", async () => {
    const { code, err } = await daric(["retain", "--older-than", "29d"]);
    expect({ code, err }).toEqual({ code: 1, err: "daric: --older-than must be 30d or more\n" });
    for (const options of [[], ["--older-than", "long"]])
      expect(await daric(["retain", ...options])).toMatchObject({ code: 2 });
  });
});

describe("merchant", () => {
  it("every term can be set, changed and shown", async () => {
    const created = await json<{ id: string }>(
      "merchant",
      "create",
      ...["--name", "Tea & Co", "--support-email", "help@tea.example", "--accent-color", "#AA0000"],
      ...[
        "--fee-mode",
        "client",
        "--fee-basis-points",
        "100",
        "--fee-fixed-usdt",
        "0.5000000",
        "--fee-fixed-trx",
        "1",
      ],
      ...["--order-lifetime", "120s", "--open-lifetime", "3d", "--late-window", "1h"],
      ...["--underpayment-tolerance", "0.250", "--active-address-cap", "50"],
      ...["--legal-name", "Tea GmbH", "--time-zone", "Europe/Berlin", "--book-currency", "EUR"],
      ...["--account-code", "revenue=8400", "--account-code", "held=1361"],
    );
    expect(created).toMatchObject({
      name: "Tea & Co",
      supportEmail: "help@tea.example",
      accentColor: "#aa0000",
      feeMode: "client",
      feeBasisPoints: 100,
      feeFixedUsdt: "0.5",
      feeFixedTrx: "1",
      orderLifetimeSeconds: 120,
      openLifetimeSeconds: 259_200,
      lateWindowSeconds: 3_600,
      underpaymentToleranceBasisPoints: 25,
      activeAddressCap: 50,
      ...{ legalName: "Tea GmbH", timeZone: "Europe/Berlin", bookCurrency: "EUR" },
      accountCodes: expect.stringMatching(/^(?=.*revenue=8400)(?=.*held=1361)/),
    });
    const changed = await json("merchant", "update", created.id, "--name", "Tea", "--support-email", "");
    expect(changed).toMatchObject({ name: "Tea", supportEmail: null, feeBasisPoints: 100 });
    expect(await json("merchant", "list", created.id)).toEqual(changed);
    expect(await json<unknown[]>("merchant", "list")).toContainEqual(changed);
    const shown = await daric(["merchant", "list", created.id]);
    expect(shown.out).toMatch(/^Merchant\n {2}id +[0-9a-f-]{36}\n {2}name +Tea\n {2}logo url +-\n/);
    expect((await daric(["merchant", "list"])).out).toMatch(
      new RegExp(`^ID .*\n(.*\n)*${created.id}  Tea  `),
    );
  });

  it("a logo is read from a file, and its fault is reported with its option", async () => {
    const folder = await mkdtemp(join(tmpdir(), "daric-logo-"));
    const [good, bad] = [join(folder, "logo.png"), join(folder, "logo.svg")];
    await Promise.all([writeFile(good, aPng()), writeFile(bad, "<svg/>")]);
    const create = (...options: string[]) => daric(["merchant", "create", "--name", "Tea", ...options]);
    expect(await json("merchant", "create", "--name", "Tea", "--logo-file", good)).toMatchObject({
      logoUrl: null,
      logoId: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await create("--logo-file", bad)).err).toMatch(/^daric: --logo-file must be a PNG[^\n]+\n$/);
    expect((await create("--logo-file", folder)).err).toBe("daric: --logo-file cannot be read (EISDIR)\n");
    expect((await create("--logo-url", "https://10.0.0.1/a.png")).err).toMatch(
      /^daric: --logo-url must be at a public address[^\n]+\n$/,
    );
    await rm(folder, { recursive: true });
  });

  it("all failing options are named in one line", async () => {
    const { code, err } = await daric([
      "merchant",
      "create",
      "--name",
      "",
      "--fee-fixed-usdt",
      "1e3",
      "--order-lifetime",
      "1",
    ]);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^daric: --name must [^\n]+; --fee-fixed-usdt must [^\n]+; --order-lifetime must [^\n]+\n$/,
    );
  });

  it("sites that may frame the page are named one by one or with commas, and an empty text removes all", async () => {
    const shop = "https://shop.example";
    type Made = { id: string; embedOrigins: string };
    const { id, embedOrigins } = await json<Made>(
      ...["merchant", "create", "--name", "Tea", "--embed-origin", shop],
      ...["--embed-origin", "http://localhost:8080,https://www.shop.example"],
    );
    expect(embedOrigins).toBe(`${shop},http://localhost:8080,https://www.shop.example`);
    const update = (origin: string) => daric(["merchant", "update", id, "--embed-origin", origin]);
    for (const origin of [`${shop}/`, "https://*.shop.example", "http://shop.example"])
      expect((await update(origin)).err).toMatch(
        /^daric: --embed-origin must be at most 10 origins like [^\n]+\n$/,
      );
    expect(await json("merchant", "update", id, "--embed-origin", "")).toMatchObject({ embedOrigins: "" });
  });

  it("an unknown merchant is one line", async () => {
    const id = uuidv7();
    expect(await daric(["merchant", "list", id])).toEqual({
      code: 1,
      out: "",
      err: `daric: There is no merchant ${id}.\n`,
    });
  });
});

describe("settlement-account", () => {
  it("accounts are added, chosen, disabled and listed", async () => {
    const { id: merchant } = await json<{ id: string }>("merchant", "create", "--name", "Shop");
    const of = ["--merchant", merchant];
    type Account = { id: string; isDefault: boolean; status: string };
    const add = (address: string) => json<Account>("settlement-account", "add", ...of, "--address", address);
    const first = await add(anAddress());
    const second = await add(anAddress());
    expect([first.isDefault, second.isDefault]).toEqual([true, false]);
    await json("settlement-account", "default", second.id, ...of);
    const refused = await daric(["settlement-account", "disable", second.id, ...of]);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^daric: --new-default must name .*\n$/),
    });
    await json("settlement-account", "disable", second.id, ...of, "--new-default", first.id);
    const listed = await json<Account[]>("settlement-account", "list", ...of);
    expect(listed.map(({ id, isDefault, status }) => ({ id, isDefault, status }))).toEqual([
      { id: first.id, isDefault: true, status: "active" },
      { id: second.id, isDefault: false, status: "disabled" },
    ]);
  });

  it("a malformed address is refused with its fault", async () => {
    const { id: merchant } = await json<{ id: string }>("merchant", "create", "--name", "Shop");
    const args = ["settlement-account", "add", "--merchant", merchant, "--address", "T0"];
    expect((await daric(args)).err).toMatch(/^daric: --address is no TRON address: .*\n$/);
  });

  it("a wallet is added with the price of its activation; a contract, or a wallet that no node can vet, is not", async () => {
    const { id: merchant } = await json<{ id: string }>("merchant", "create", "--name", "Shop");
    const add = (address: string) => [
      "settlement-account",
      "add",
      "--merchant",
      merchant,
      "--address",
      address,
    ];
    expect(await json(...add(anAddress()))).toMatchObject({ isActivated: false, activationTrx: "1.1" });
    expect(await json(...add(devchain.payer.address))).toMatchObject({
      isActivated: true,
      activationTrx: null,
    });
    const [usdt] = (await readDevnet(devchain.url)).tokens;
    expect((await daric(add(usdt?.contract ?? ""))).err).toMatch(/^daric: --address is a contract.*\n$/);
    const alone = await daric(add(anAddress()), { TRON_NODE_URLS: "http://127.0.0.1:1" });
    expect(alone).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(
        /was not added; `daric settlement-account add --no-nodes` adds it unvetted\n$/,
      ),
    });
    const list = () => json<unknown[]>("settlement-account", "list", "--merchant", merchant);
    expect(await list()).toHaveLength(2);
    const unvetted = await daric([...add(anAddress()), "--no-nodes"], {
      TRON_NODE_URLS: "http://127.0.0.1:1",
    });
    expect(unvetted).toMatchObject({
      code: 0,
      out: expect.stringContaining("No node has vetted its wallet."),
    });
    expect(await list()).toHaveLength(3);
  });
});

describe("statement", () => {
  it("is CSV, or JSON with every entry; both add up", async () => {
    const { id: merchantId } = await aMerchant(context.db);
    const { id: chargeId } = await aCharge(context.db, { merchantId, orderRef: "A,1", feeBasisPoints: 100 });
    await aDeposit(context.db, { chargeId, amount: "20" });
    const month = new Date().toISOString().slice(0, 7);
    const args = ["statement", "--merchant", merchantId, "--month", month];
    const { code, out } = await daric(args);
    expect(code).toBe(0);
    const rows = out
      .trimEnd()
      .split("\r\n")
      .map((line) => line.replaceAll('"', "").split(","));
    expect(rows.map(([, kind, currency, amount, balance]) => [kind, currency, amount, balance])).toEqual([
      ["kind", "currency", "amount", "balance"],
      ["opening", "USDT", "", "0"],
      ["opening", "TRX", "", "0"],
      ["deposit", "USDT", "20", "20"],
      ["fee", "USDT", "-0.2", "19.8"],
      ["so_far", "USDT", "", "19.8"],
      ["so_far", "TRX", "", "0"],
    ]);
    expect(out).toContain('"A,1"');
    expect((await daric([...args, "--separator", ";", "--decimal", ","])).out).toContain(
      ';"fee";"USDT";-0,2;19,8;',
    );
    expect(await daric([...args, "--separator", "|"])).toMatchObject({ code: 2 });
    expect(await json(...args)).toMatchObject({
      month,
      entry_count: 2,
      balances: [{ currency: "USDT", opening: "0", closing: "19.8" }, { currency: "TRX" }],
      entries: [
        { kind: "deposit", amount: "20" },
        { kind: "fee", amount: "-0.2" },
      ],
    });
  });

  it("is refused for a malformed month and for an unknown merchant", async () => {
    const of = ["statement", "--merchant", uuidv7(), "--month"];
    expect(await daric([...of, "2026-13"])).toMatchObject({ code: 2 });
    expect(await daric([...of, "2026-01"])).toMatchObject({ code: 1 });
  });
});

describe("key", () => {
  it("a key is shown once, works, is listed without its secret, rotated and revoked", async () => {
    const { id: merchant } = await json<{ id: string }>("merchant", "create", "--name", "Shop");
    const of = ["--merchant", merchant];
    type Key = { id: string; key: string; prefix: string; previousId?: string };
    const made = await json<Key>(
      "key",
      "create",
      ...of,
      "--name",
      "till",
      "--scopes",
      "charges:read, deposits:read",
    );
    expect(made).toMatchObject({ environment: "test", scopes: ["charges:read", "deposits:read"] });
    expect(made.key.startsWith(`${made.prefix}_`)).toBe(true);
    expect(await createFindCaller(context)(made.key)).toMatchObject({
      merchantId: merchant,
      apiKeyId: made.id,
    });

    const rotated = await json<Key>("key", "rotate", made.id, "--overlap", "1h");
    expect(rotated.previousId).toBe(made.id);
    expect(await createFindCaller(context)(rotated.key)).toMatchObject({ apiKeyId: rotated.id });

    await json("key", "revoke", made.id);
    await json("key", "revoke", made.id);
    expect(await createFindCaller(context)(made.key)).toBeUndefined();
    const listed = await json<Key[]>("key", "list", ...of);
    expect(listed.map(({ id }) => id)).toEqual([rotated.id, made.id]);
    expect(JSON.stringify(listed)).not.toContain(rotated.key);
  });

  it("a key made with --expires-in expires, and the list shows when", async () => {
    const { id: merchant } = await json<{ id: string }>("merchant", "create", "--name", "Shop");
    const of = ["--merchant", merchant];
    await json("key", "create", ...of, "--expires-in", "90d");
    const [listed] = await json<{ createdAt: string; expiresAt: string }[]>("key", "list", ...of);
    const lifeMs = Date.parse(listed?.expiresAt ?? "") - Date.parse(listed?.createdAt ?? "");
    expect(lifeMs).toBe(90 * 86_400_000);
  });

  it("in text, the key comes with the warning that it is shown once", async () => {
    const { id: merchant } = await json<{ id: string }>("merchant", "create", "--name", "Shop");
    const { out } = await daric(["key", "create", "--merchant", merchant]);
    expect(out).toContain("This is the only time the key is shown");
    expect(out).toMatch(/daric_test_sk_[0-9A-Za-z]{16}_[0-9A-Za-z]{50}\n/);
  });

  it("an unknown scope and an unknown merchant are one line each", async () => {
    const of = ["--merchant", uuidv7()];
    expect((await daric(["key", "create", ...of, "--scopes", "refunds:pay"])).err).toMatch(
      /^daric: --scopes must be of charges:read, .*\n$/,
    );
    expect((await daric(["key", "list", ...of])).err).toMatch(/^daric: There is no merchant .*\n$/);
  });
});

describe("seed", () => {
  it("the shown words give the shown xpub", async () => {
    const { out } = await daric(["seed", "--json"]);
    const { words, ...account } = JSON.parse(out) as { words: string };
    expect(words.split(" ")).toHaveLength(24);
    const again = await daric(
      ["seed", "--xpub-from-stdin", "--json"],
      {},
      words.toUpperCase().replaceAll(" ", "\n"),
    );
    expect(JSON.parse(again.out)).toEqual(account);
  });

  it("in text, every word has its number and the advice to keep them off the server", async () => {
    const { out } = await daric(["seed"]);
    expect(out).toMatch(/^New seed\. These words are shown once and kept nowhere:\n\n {3}1 [a-z]+ /);
    expect(out).toMatch(/ 24 [a-z]+\n/);
    expect(out).toContain("not on the server");
    expect(out).toContain("ACCOUNT_XPUB");
  });

  it("another account has its xpub, its path and the instructions for wallets", async () => {
    const words = `${"abandon ".repeat(11)}about`;
    const first = JSON.parse((await daric(["seed", "--xpub-from-stdin", "--json"], {}, words)).out);
    expect(first).toMatchObject({ accountXpub: TEST_XPUB, path: "m/44'/195'/0'" });
    const { out } = await daric(["seed", "--xpub-from-stdin", "--account", "3"], {}, words);
    expect(out).toContain("m/44'/195'/3'/0/i");
    expect(out).toContain("imToken");
    expect(out).not.toContain(first.accountXpub);
    for (const account of ["-1", "1.5", "x", "2147483648"]) {
      const { code, err } = await daric(["seed", `--account=${account}`]);
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringMatching(/^daric: --account must be [^\n]+\n$/),
      });
    }
  });

  it("verify compares the words with the xpub, names a wrong one by its position, and prints none", async () => {
    const words = `${"abandon ".repeat(11)}about`;
    const { accountXpub } = JSON.parse((await daric(["seed", "--xpub-from-stdin", "--json"], {}, words)).out);
    const verify = (text: string) => daric(["seed", "verify"], { ACCOUNT_XPUB: accountXpub }, text);
    expect(await verify(words)).toMatchObject({ code: 0, err: "" });
    const { code, out, err } = await verify(words.replace("about", "abuot"));
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toBe("daric: word 12 is not in the list of BIP-39: read it again on the paper\n");
    const { out: sheet } = await daric(["seed", "--sheet"], { ACCOUNT_XPUB: accountXpub });
    expect(sheet).toContain("24 ____");
    expect(sheet).not.toContain(accountXpub);
    for (const command of ["verify", "--sheet"]) {
      const { out: json } = await daric(["seed", command, "--json"], { ACCOUNT_XPUB: accountXpub }, words);
      expect(JSON.parse(json)).toMatchObject({ path: "m/44'/195'/0'" });
    }
  });

  it("invalid seed words are refused and not repeated", async () => {
    const { code, out, err } = await daric(["seed", "--xpub-from-stdin"], {}, "abandon zebra");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^daric: these 2 words are no seed: [^\n]+\n$/);
    expect(err).not.toContain("zebra");
  });
});
