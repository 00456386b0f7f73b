import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "@daric/postgres/database";
import { startPostgres } from "@daric/postgres/embedded";
import { executeAsAdmin, urlOfDatabase } from "@daric/testing/admin-connection";
import { testEnvironment } from "@daric/testing/context";
import { captureDaric } from "@daric/testing/daric";
import { createOfflineContext } from "@daric/testing/offline-context";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import type { ConfigReport } from "../cli/check-config.ts";
import { readinessChecks } from "../deployment/readiness.ts";
import { serve } from "../main.ts";

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

let name: string;
let role: string;
const admin = (statement: string) =>
  executeAsAdmin(urlOfDatabase(inject("postgres").adminUrl, name), statement);

type Urls = { readonly DATABASE_URL: string; readonly DATABASE_DIRECT_URL: string };
const urls = (): Urls => ({
  DATABASE_URL: urlOfDatabase(inject("postgres").serviceUrl, name),
  DATABASE_DIRECT_URL: urlOfDatabase(inject("postgres").ownerUrl, name),
});

/** A database with the tables, or an empty one with these options. */
async function create(options?: string): Promise<void> {
  const { adminUrl, ownerUrl, template } = inject("postgres");
  const copied = options === undefined ? template : `template0 ${options}`;
  name = `unfit_${randomBytes(6).toString("hex")}`;
  const owner = new URL(ownerUrl).username;
  await executeAsAdmin(adminUrl, `create database ${name} owner ${owner} template ${copied}`);
  cleanUps.push(() => executeAsAdmin(adminUrl, `drop database ${name} with (force)`));
}

const environment = (of: Urls) =>
  testEnvironment({ ...of, PORT: "0", METRICS_PORT: "0", LOG_LEVEL: "warn", WEBHOOK_ALLOW_TARGETS: "" });

/** Starts a role and stops it. Returns the warnings of its log, or the refusal. */
async function start(of: Urls): Promise<string> {
  let log = "";
  const output = {
    write: (line: string) => {
      log += line;
    },
  };
  return serve({ role: "webhooks", env: environment(of), output }).then(
    (service) => service.stop().then(() => log),
    (error: unknown) => String(error),
  );
}

/** The words of each of the five places about the database. */
async function saidOf(of: Urls) {
  const { trials } = JSON.parse(
    (await captureDaric(["config", "check", "--json"], environment(of))).out,
  ) as ConfigReport;
  const facts = trials.find(({ trial, verdict }) => trial.startsWith("facts") && verdict !== "OK");
  const db = openDatabase({ url: of.DATABASE_URL, max: 1, onError: () => undefined });
  const context = { ...createOfflineContext({ DATABASE_URL: of.DATABASE_URL }), db };
  const check = readinessChecks(context, { chain: () => undefined, isScannerFailing: () => false }).find(
    (readinessCheck) => readinessCheck.name === "facts",
  );
  const readyz = await check?.check().finally(() => db.close());
  const [doctor, migrate] = [
    await captureDaric(["doctor"], environment(of)),
    await captureDaric(["migrate"], environment(of)),
  ];
  return {
    check: facts && `${facts.verdict} ${facts.words}`,
    readyz,
    serve: await start(of),
    doctor,
    migrate,
  };
}

beforeEach(() => {
  role = new URL(inject("postgres").serviceUrl).username;
});

async function aServedDatabase(options?: string): Promise<void> {
  await create(options);
  expect(await captureDaric(["migrate"], environment(urls()))).toMatchObject({ code: 0, err: "" });
  expect(await start(urls())).toBe("");
}

it.each([["German, DMY"], ["SQL, MDY"]])(
  "DateStyle %s: nothing starts, reads or migrates by it",
  async (style) => {
    await aServedDatabase();
    await admin(`alter role ${role} in database ${name} set datestyle = '${style}'`);
    await admin(`alter database ${name} set datestyle = '${style}'`);
    const words = `DateStyle is ${style}, and must be ISO`;
    const mend = `alter role "${role}" in database "${name}" set datestyle = 'ISO, MDY';`;
    const said = await saidOf(urls());
    expect(said).toMatchObject({
      check: `fault ${words}: ${mend}`,
      readyz: { ok: false, detail: `${words}: run \`daric config check\`` },
      serve: `StartError: ${words}: ${mend}`,
      doctor: { code: 100, err: expect.stringContaining(`${words}: ${mend} [database_unfit]`) },
      migrate: { code: 1, err: expect.stringContaining(`${words}: alter role "`) },
    });
    const [asOwner = ""] = /alter role .*;/.exec(said.migrate.err) ?? [];
    await admin(asOwner);
    // The migration gives the role of the service its settings.
    expect(await captureDaric(["migrate"], environment(urls()))).toMatchObject({ code: 0, err: "" });
    expect(await start(urls())).toBe("");
  },
);

it("a read-only role: the service does not start, and the doctor still reads", async () => {
  await aServedDatabase();
  await admin(`alter role ${role} in database ${name} set default_transaction_read_only = on`);
  const words = "default_transaction_read_only is on, so nothing can be written";
  const mend = `alter role "${role}" in database "${name}" set default_transaction_read_only = off;`;
  expect(await saidOf(urls())).toMatchObject({
    check: `fault ${words}: ${mend}`,
    readyz: { ok: false, detail: `${words}: run \`daric config check\`` },
    serve: `StartError: ${words}: ${mend}`,
    doctor: { code: 0, err: "", out: expect.stringContaining(`${words}: ${mend}`) },
    migrate: { code: 0, out: expect.stringContaining(`Of a connection of ${role}: ${words}: ${mend}`) },
  });
});

it("a search path without our schema: no place advises a migration", async () => {
  await aServedDatabase();
  await admin(`alter role ${role} in database ${name} set search_path = pg_catalog`);
  const words = "search_path leads past the schema public of the tables";
  const mend = `alter role "${role}" in database "${name}" set search_path = public;`;
  const said = await saidOf(urls());
  expect(said).toMatchObject({
    check: `fault ${words}: ${mend}`,
    readyz: { ok: false, detail: `${words}: run \`daric config check\`` },
    serve: `StartError: ${words}: ${mend}`,
    doctor: { code: 100, err: expect.stringContaining(`${words}: ${mend}`) },
  });
  expect(said.doctor.err).not.toContain("daric migrate");
});

it("a statement_timeout of 500 ms: the service does not start until a migration has set it", async () => {
  await aServedDatabase();
  await admin(`alter role ${role} in database ${name} set statement_timeout = '500ms'`);
  const words = "statement_timeout is 500ms, and must be at least 1s";
  const mend = `alter role "${role}" in database "${name}" set statement_timeout = '8s';`;
  expect(await start(urls())).toBe(`StartError: ${words}: ${mend}`);
  expect(await saidOf(urls())).toMatchObject({
    check: `fault ${words}: ${mend}`,
    readyz: { ok: false, detail: `${words}: run \`daric config check\`` },
    migrate: { code: 0, err: "" },
    // After the migration.
    serve: "",
  });
});

it.each([["SQL_ASCII"], ["LATIN1"]])(
  "the encoding %s: no table is made in such a database",
  async (encoding) => {
    await create(`encoding '${encoding}' locale 'C'`);
    const words = `the encoding of the database is ${encoding}, and must be UTF8`;
    const said = await saidOf(urls());
    expect(said).toMatchObject({
      check: expect.stringContaining(`fault ${words}: dump it`),
      readyz: { ok: false, detail: `${words}: run \`daric config check\`` },
      serve: expect.stringContaining(`StartError: ${words}: dump it`),
      doctor: { code: 100, err: expect.stringContaining(words) },
      migrate: { code: 1, err: expect.stringContaining(words) },
    });
  },
);

it("another version of the collation: nothing is written while an index depends on it, and the doctor says so", async () => {
  await aServedDatabase("locale_provider icu icu_locale 'en' locale 'C'");
  await admin(`create index of_an_operator on merchants ((id::text) collate "default")`);
  await admin(`update pg_database set datcollversion = '1.0' where datname = '${name}'`);
  const words =
    /the database was sorted by version 1\.0 of its collation, and the server has [\d.]+: \d+ indexes of ours may be wrong/;
  const mend = `REINDEX DATABASE "${name}"; ALTER DATABASE "${name}" REFRESH COLLATION VERSION;`;
  const whole = new RegExp(`${words.source}: ${mend}`);
  expect(await saidOf(urls())).toMatchObject({
    check: expect.stringMatching(new RegExp(`^fault ${whole.source}$`)),
    readyz: { ok: false, detail: expect.stringMatching(words) },
    serve: expect.stringMatching(new RegExp(`^StartError: ${whole.source}$`)),
    doctor: { code: 0, err: "", out: expect.stringMatching(whole) },
    migrate: { code: 1, err: expect.stringMatching(whole) },
  });
  for (const statement of mend.match(/[^;]+;/g) ?? []) await admin(statement);
  expect(await start(urls())).toBe("");
});

it("a standby: nothing starts on it, and the doctor reads", async () => {
  const home = await mkdtemp(join(scratchFolder(), "daric-unfit-standby-"));
  cleanUps.push(() => rm(home, { recursive: true, force: true }));
  const primary = await startPostgres({ home, mode: "test" });
  const both = { DATABASE_URL: primary.url, DATABASE_DIRECT_URL: primary.url };
  expect(await captureDaric(["migrate"], environment(both))).toMatchObject({ code: 0, err: "" });
  expect(await start(both)).toBe("");
  await primary.stop();
  await writeFile(join(home, "data", "standby.signal"), "");
  const standby = await startPostgres({ home, mode: "test" });
  cleanUps.push(() => standby.stop());
  const line = "is a standby, which is read-only: name the primary in the URL, or promote this one";
  expect(await saidOf({ DATABASE_URL: standby.url, DATABASE_DIRECT_URL: standby.url })).toMatchObject({
    check: `fault ${line}`,
    readyz: { ok: false, detail: "is a standby, which is read-only: run `daric config check`" },
    serve: `StartError: ${line}`,
    doctor: { code: 0, err: "", out: expect.stringContaining(line) },
    migrate: { code: 1, err: expect.stringContaining(line) },
  });
});
