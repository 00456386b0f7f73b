import { randomBytes } from "node:crypto";
import { executeAsAdmin, urlOfDatabase } from "@daric/testing/admin-connection";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { openDatabase } from "./database.ts";
import { type BrokenFact, findFaults } from "./facts.ts";
import { type Sql, sql } from "./sql.ts";

let name: string;
const role = () => new URL(inject("postgres").serviceUrl).username;
const adminUrl = () => urlOfDatabase(inject("postgres").adminUrl, name);
const serviceUrl = () => urlOfDatabase(inject("postgres").serviceUrl, name);
const admin = (statement: string) => executeAsAdmin(adminUrl(), statement);

async function create(options = ""): Promise<void> {
  name = `facts_${randomBytes(6).toString("hex")}`;
  await executeAsAdmin(
    inject("postgres").adminUrl,
    `create database ${name} template template0 owner ${new URL(inject("postgres").ownerUrl).username} ${options}`,
  );
}

async function asService<T>(work: (db: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
  const db = openDatabase({ url: serviceUrl(), max: 1, onError: () => undefined });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

const found = (): Promise<BrokenFact[]> =>
  asService((db) => findFaults(db, { url: serviceUrl(), purpose: "serving" }));
const rowsOf = async (statement: Sql): Promise<unknown> => asService((db) => db.query(statement));

beforeEach(() => create());
afterEach(() => executeAsAdmin(inject("postgres").adminUrl, `drop database ${name} with (force)`));

it("a fresh database holds every fact", async () => {
  expect(await found()).toEqual([]);
});

/** [setting, value, stopped purpose, words] */
const wrong: [string, string, BrokenFact["stops"], RegExp][] = [
  ["datestyle", "'German, DMY'", "reading", /^DateStyle is German, DMY, and must be ISO$/],
  ["datestyle", "'SQL, MDY'", "reading", /^DateStyle is SQL, MDY, /],
  ["standard_conforming_strings", "off", "reading", /^standard_conforming_strings is off, /],
  ["array_nulls", "off", "reading", /^array_nulls is off, /],
  ["search_path", "pg_catalog", "reading", /^search_path leads past the schema public of the tables$/],
  ["search_path", "''", "reading", /^search_path leads past the schema public of the tables$/],
  ["session_replication_role", "replica", "writing", /^session_replication_role is replica, /],
  ["transaction_timeout", "'5s'", "writing", /^transaction_timeout is 5s, and must be 0, or at least 60s$/],
  ["default_transaction_read_only", "on", "writing", /^default_transaction_read_only is on, /],
  ["statement_timeout", "'500ms'", "serving", /^statement_timeout is 500ms, and must be at least 1s$/],
  ["statement_timeout", "0", "serving", /^statement_timeout is 0, /],
  ["lock_timeout", "'5ms'", "serving", /^lock_timeout is 5ms, /],
  ["idle_in_transaction_session_timeout", "0", "serving", /^idle_in_transaction_session_timeout is 0, /],
];

describe("a setting that we cannot work with is found, and the statement of the finding mends it", () => {
  it.each(wrong)("%s = %s", async (setting, value, stops, words) => {
    await admin(`create table schema_version (version bigint)`);
    await admin(`alter role ${role()} in database ${name} set ${setting} = ${value}`);
    const findings = await found();
    expect(findings).toEqual([
      {
        name: expect.stringMatching(new RegExp(`^(?:${setting}|writability)$`, "i")),
        stops,
        words: expect.stringMatching(words),
        mend: expect.stringMatching(
          new RegExp(`^alter role "${role()}" in database "${name}" set ${setting} = .*;$`),
        ),
      },
    ]);
    expect(findings[0]?.words).not.toContain(name);
    await admin(findings[0]?.mend ?? "");
    expect(await found()).toEqual([]);
  });

  it("of the database or of the server too, since the role's own one wins", async () => {
    await admin(`alter database ${name} set datestyle = 'German, DMY'`);
    const [finding] = await found();
    await admin(finding?.mend ?? "");
    expect(await found()).toEqual([]);
  });

  it("a search path without the schema of the tables, whatever its name", async () => {
    await admin(`create schema "Kept apart"; create table "Kept apart".schema_version (version bigint)`);
    await admin(`grant usage on schema "Kept apart" to ${role()}`);
    const [finding] = await found();
    expect(finding?.words).toBe('search_path leads past the schema "Kept apart" of the tables');
    await admin(finding?.mend ?? "");
    expect(await found()).toEqual([]);
  });

  it("a connection from before the setting, as a pooler keeps, is to be made anew", async () => {
    await admin(`alter role ${role()} in database ${name} set statement_timeout = 0`);
    const findings = await asService(async (db) => {
      await db.query(sql`select`);
      await admin(`alter role ${role()} in database ${name} set statement_timeout = '8s'`);
      return findFaults(db, { url: serviceUrl(), purpose: "serving" });
    });
    expect(findings).toMatchObject([
      {
        words:
          "statement_timeout is 0, and must be at least 1s: a pooler kept this connection from before it was set",
        mend: expect.stringContaining("RECONNECT"),
      },
    ]);
  });

  it("an operator's own limit that works holds", async () => {
    await admin(`alter role ${role()} in database ${name} set statement_timeout = '1min'`);
    expect(await found()).toEqual([]);
  });
});

it("a purpose depends on its own facts and on those of the purposes before it", async () => {
  for (const [setting, value] of [
    ["datestyle", "'German'"],
    ["default_transaction_read_only", "on"],
    ["statement_timeout", "0"],
  ])
    await admin(`alter role ${role()} in database ${name} set ${setting} = ${value}`);
  const names = async (purpose: "reading" | "writing" | "serving") =>
    (await asService((db) => findFaults(db, { url: serviceUrl(), purpose }))).map((finding) => finding.name);
  expect(await names("reading")).toEqual(["DateStyle"]);
  expect(await names("writing")).toEqual(["writability", "DateStyle"]);
  expect(await names("serving")).toEqual(["writability", "DateStyle", "statement_timeout"]);
});

it.each(["SQL_ASCII", "LATIN1"])(
  "the encoding %s is refused, because it cannot hold every text",
  async (encoding) => {
    await executeAsAdmin(inject("postgres").adminUrl, `drop database ${name}`);
    await create(`encoding '${encoding}' locale 'C'`);
    expect(await found()).toMatchObject([
      {
        name: "encoding",
        stops: "reading",
        words: `the encoding of the database is ${encoding}, and must be UTF8`,
        mend: expect.stringContaining(
          `create database "${name}" encoding 'UTF8' locale 'C' template template0;`,
        ),
      },
    ]);
  },
);

describe("a database that was sorted by another version of its collation", () => {
  beforeEach(async () => {
    await executeAsAdmin(inject("postgres").adminUrl, `drop database ${name}`);
    await create("locale_provider icu icu_locale 'en' locale 'C'");
    await admin(
      `create table people (email text); update pg_database set datcollversion = '1.0' where datname = '${name}'`,
    );
  });

  it("is a fault while an index of ours depends on it, and the statements of the finding mend it", async () => {
    await admin("create index on people (email)");
    const [finding, ...others] = await found();
    expect([finding, others]).toMatchObject([
      {
        name: "collation",
        stops: "writing",
        words: expect.stringMatching(
          /by version 1\.0 of its collation, and the server has [\d.]+: 1 indexes of ours may be wrong$/,
        ),
        mend: `REINDEX DATABASE "${name}"; ALTER DATABASE "${name}" REFRESH COLLATION VERSION;`,
      },
      [],
    ]);
    for (const statement of finding?.mend.match(/[^;]+;/g) ?? []) await admin(statement);
    expect(await found()).toEqual([]);
  });

  it("is a doubt if every index compares by bytes", async () => {
    await admin(`create index on people (email collate "C")`);
    expect(await found()).toMatchObject([
      { name: "collation", stops: undefined, mend: `ALTER DATABASE "${name}" REFRESH COLLATION VERSION;` },
    ]);
  });
});

it("a time in another form than ISO is an error that names the setting, never null", async () => {
  await admin(`alter role ${role()} in database ${name} set datestyle = 'German, DMY'`);
  for (const statement of [
    sql`select timestamptz '2026-11-10 12:00:00Z' as at`,
    sql`select array[timestamptz '2026-11-10 12:00:00Z'] as at`,
    sql`select date '2026-11-10' as at`,
  ])
    await expect(rowsOf(statement)).rejects.toThrow(
      /^the database wrote the time ".*10\.11\.2026.*": its DateStyle must be ISO$/,
    );
});

it("an array of times arrives as instants", async () => {
  expect(await rowsOf(sql`select array[timestamptz '2026-11-10 12:00:00+02', null] as at`)).toEqual([
    { at: [new Date("2026-11-10T10:00:00Z"), null] },
  ]);
});
