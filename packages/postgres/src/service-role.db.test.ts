import { randomBytes } from "node:crypto";
import { executeAsAdmin } from "@daric/testing/admin-connection";
import { createEmptyDatabase, type TestDatabase } from "@daric/testing/database";
import { startPgBouncer } from "@daric/testing/pgbouncer";
import { raw } from "@daric/testing/raw-sql";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { openDatabase } from "./database.ts";
import { withDedicatedClient } from "./dedicated-client.ts";
import { findFaults } from "./facts.ts";
import { prepareServiceRole } from "./service-role.ts";
import { one, sql } from "./sql.ts";

const role = `daric_role_${randomBytes(6).toString("hex")}`;
const PASSWORD = "pass'word with \\ and ü";
const grants = { kept: { insert: true }, changed: { insert: true, update: ["id"] } } as const;

let test: TestDatabase;
const urlOf = (user: string, password: string) => {
  const url = new URL(test.ownerUrl);
  url.username = user;
  url.password = encodeURIComponent(password);
  return url.href;
};
const admin = (statement: string) => executeAsAdmin(adminUrl(), statement);
const adminUrl = () =>
  Object.assign(new URL(inject("postgres").adminUrl), { pathname: new URL(test.ownerUrl).pathname }).href;
const prepare = (overrides: Partial<Parameters<typeof prepareServiceRole>[0]> = {}) =>
  prepareServiceRole({ ownerUrl: test.ownerUrl, serviceUrl: urlOf(role, PASSWORD), grants, ...overrides });

async function as<T>(work: (db: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
  const db = openDatabase({ url: urlOf(role, PASSWORD), max: 1, onError: () => undefined });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

const unfit = async (db: ReturnType<typeof openDatabase>) =>
  (await findFaults(db, { url: test.ownerUrl, purpose: "serving" })).map(({ name }) => name);

beforeEach(async () => {
  test = await createEmptyDatabase();
  await test.owner.query(sql`create table kept (id int generated always as identity, note text)`);
  await test.owner.query(sql`create table changed (id int)`);
  await test.owner.query(sql`create table read_only (id int)`);
});

afterEach(async () => {
  await admin(`do $$ begin
    if exists (select from pg_roles where rolname = '${role}') then
      execute 'drop owned by ${role}'; execute 'drop role ${role}';
    end if; end $$`);
  await test.drop();
});

it("an owner with the right creates a missing role with the password of its URL", async () => {
  expect(await prepare({ ownerUrl: adminUrl() })).toMatchObject({
    name: role,
    isOwner: false,
    toRun: [],
    findings: [],
  });
  expect(await as((db) => db.query(sql`select session_user::text as name`))).toEqual([{ name: role }]);
});

it("an owner without the right gets the statement that creates the role, and grants nothing", async () => {
  await expect(prepare()).rejects.toThrow(
    `there is no role ${role}, as which the service logs in: create role "${role}" login password '…'; and run this again`,
  );
});

it("a role may do exactly what it was granted, however often it is prepared", async () => {
  await admin(`create role ${role} login password '${PASSWORD.replaceAll("'", "''")}'`);
  await admin(`grant all on kept, changed, read_only to ${role}`);
  for (let n = 0; n < 2; n++) await prepare();
  await as(async (db) => {
    await db.query(sql`insert into kept (note) values ('a')`);
    await db.query(sql`insert into changed values (1)`);
    await db.query(sql`update changed set id = 2`);
    await db.query(sql`select from read_only`);
    for (const refused of [
      "update kept set note = ''",
      "delete from kept",
      "delete from changed",
      "insert into read_only values (1)",
      "truncate kept",
      "create table mine (id int)",
    ])
      await expect(db.query(raw(refused)), refused).rejects.toMatchObject({ code: "42501" });
  });
});

it("a role can change and insert exactly the granted columns", async () => {
  await admin(`create role ${role} login password '${PASSWORD.replaceAll("'", "''")}'`);
  await test.owner.query(sql`create table split (id int, note text, made_at timestamptz default now())`);
  const narrow = { split: { insert: ["id", "note"], update: ["note"] } } as const;
  await prepare({ grants: { split: { insert: true, update: ["id", "made_at"], delete: true } } });
  for (let n = 0; n < 2; n++) await prepare({ grants: narrow });
  await as(async (db) => {
    await db.query(sql`insert into split (id, note) values (1, 'a')`);
    await db.query(sql`update split set note = 'b' where id = 1`);
    await db.query(sql`select from split for update`);
    for (const refused of [
      "update split set id = 2",
      "update split set note = 'c', made_at = now()",
      "insert into split (id, made_at) values (2, now())",
      "delete from split",
    ])
      await expect(db.query(raw(refused)), refused).rejects.toMatchObject({ code: "42501" });
  });
  await expect(prepare({ grants: { split: { update: ["gone"] } } })).rejects.toThrow(
    /column "gone".*does not exist/,
  );
});

it("correct rights are not written again", async () => {
  await admin(`create role ${role} login password '${PASSWORD.replaceAll("'", "''")}'`);
  const narrow = { changed: { insert: ["id"], update: ["id"] }, kept: { insert: true } } as const;
  const written = () =>
    test.owner.query<{ xmin: string }>(
      sql`select xmin::text from pg_attribute where attrelid in ('changed'::regclass, 'kept'::regclass) and attnum > 0
          union all select xmin::text from pg_class where oid in ('changed'::regclass, 'kept'::regclass)`,
    );
  await prepare({ grants: narrow });
  const before = await written();
  await prepare({ grants: narrow });
  expect(await written()).toEqual(before);
});

it("several at once all succeed", async () => {
  await admin(`create role ${role} login password '${PASSWORD.replaceAll("'", "''")}'`);
  await Promise.all(Array.from({ length: 4 }, () => prepare()));
  await as((db) => db.query(sql`insert into changed values (1)`));
});

it("a grant for a missing table is an error", async () => {
  await admin(`create role ${role} login`);
  await expect(prepare({ grants: { gone: { insert: true } } })).rejects.toThrow(
    "there is no table gone to grant",
  );
});

it("the right to create tables is revoked from all", async () => {
  await admin(`create role ${role} login password '${PASSWORD.replaceAll("'", "''")}'`);
  await admin("grant create on schema public to public");
  expect((await prepare()).toRun).toEqual([]);
  await as((db) =>
    expect(db.query(sql`create table mine (id int)`)).rejects.toMatchObject({ code: "42501" }),
  );
});

it("the right to create temporary tables is revoked from all", async () => {
  await admin(`create role ${role} login password '${PASSWORD.replaceAll("'", "''")}'`);
  expect((await prepare()).toRun).toEqual([]);
  await as((db) =>
    expect(db.query(sql`create temp table mine (id int)`)).rejects.toMatchObject({ code: "42501" }),
  );
});

it("the right to create large objects is revoked if the owner may", async () => {
  await admin(`create role ${role} login password '${PASSWORD.replaceAll("'", "''")}'`);
  const makers = ["lo_create(0)", "lo_creat(-1)", "lo_from_bytea(0, '')"];
  expect((await prepare()).toRun).toEqual([]);
  await as((db) => db.query(raw(`select ${makers[0]}`)));
  for (let n = 0; n < 2; n++) await prepare({ ownerUrl: adminUrl() });
  await as(async (db) => {
    for (const maker of makers)
      await expect(db.query(raw(`select ${maker}`)), maker).rejects.toMatchObject({ code: "42501" });
  });
});

it("a right that the owner may not revoke is returned as a statement", async () => {
  await admin(`create role ${role} login password '${PASSWORD.replaceAll("'", "''")}'`);
  const database = new URL(test.ownerUrl).pathname.slice(1);
  await admin(`alter database ${database} owner to current_user`);
  const { toRun } = await prepare();
  expect(toRun).toEqual([`revoke temporary on database ${database} from public, "${role}";`]);
  for (const statement of toRun) await admin(statement);
  expect((await prepare()).toRun).toEqual([]);
});

it("the role sets its settings itself if the owner may not, and an operator's own limit stays", async () => {
  await admin(`create role ${role} login password '${PASSWORD.replaceAll("'", "''")}'`);
  await admin(`alter role ${role} set lock_timeout = '3s'`);
  expect(await as(unfit)).toHaveLength(2);
  expect((await prepare()).toRun).toEqual([]);
  expect(await as(unfit)).toEqual([]);
  const shown = await as(async (db) => [
    one(await db.query(sql`show statement_timeout`)),
    one(await db.query(sql`show lock_timeout`)),
    one(await db.query(sql`show jit`)),
  ]);
  expect(shown).toEqual([{ statement_timeout: "8s" }, { lock_timeout: "3s" }, { jit: "off" }]);
});

it("settings that neither could set are returned as statements with the reason", async () => {
  await admin(`create role ${role} login password '${PASSWORD.replaceAll("'", "''")}'`);
  const { toRun, reason } = await prepare({ serviceUrl: urlOf(role, "wrong") });
  expect(toRun).toHaveLength(7);
  expect(reason).toMatch(/password authentication failed for user "daric_role_/);
  for (const statement of toRun) await admin(statement);
  expect(await as(unfit)).toEqual([]);
  expect((await prepare({ serviceUrl: urlOf(role, "wrong") })).toRun).toEqual([]);
});

const throughPooler = it.runIf(inject("postgres").pooler !== undefined);

/** The role's URL through a pooler without connections. */
async function aPooler(): Promise<string> {
  const { host, stop } = await startPgBouncer(urlOf(role, PASSWORD));
  opened.push({ close: stop });
  return Object.assign(new URL(urlOf(role, PASSWORD)), { host }).href;
}

throughPooler("limits are set past the pooler, and its older connections are reported as stale", async () => {
  await admin(`create role ${role} login password '${PASSWORD.replaceAll("'", "''")}'`);
  const serviceUrl = await aPooler();
  await withDedicatedClient({ connectionString: serviceUrl }, (client) => client.query("select 1"));
  expect(await prepare({ serviceUrl })).toMatchObject({
    toRun: [],
    reason: undefined,
    findings: ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"].map((name) => ({
      name,
      words: expect.stringContaining("a pooler kept this connection from before it was set"),
      mend: expect.stringContaining("RECONNECT"),
    })),
  });
  expect(await as(unfit)).toEqual([]);
  const kept = openDatabase({ url: serviceUrl, applicationName: "", max: 1, onError: () => undefined });
  opened.push(kept);
  expect(await unfit(kept)).toEqual(expect.arrayContaining(["lock_timeout"]));
});

throughPooler(
  "a pooler without older connections has the limits, though the owner may not set them",
  async () => {
    await admin(`create role ${role} login password '${PASSWORD.replaceAll("'", "''")}'`);
    expect(await prepare({ serviceUrl: await aPooler() })).toMatchObject({ toRun: [], findings: [] });
  },
);

it("limits are set although the pooler is down", async () => {
  await admin(`create role ${role} login password '${PASSWORD.replaceAll("'", "''")}'`);
  const down = Object.assign(new URL(urlOf(role, PASSWORD)), { port: "1" }).href;
  expect(await prepare({ serviceUrl: down })).toMatchObject({ toRun: [], reason: undefined, findings: [] });
  expect(await as(unfit)).toEqual([]);
});

it("one role for both keeps all rights, which is reported, and has limits that migrations ignore", async () => {
  const result = await prepare({ serviceUrl: test.ownerUrl });
  expect(result).toMatchObject({
    name: new URL(test.ownerUrl).username,
    isOwner: true,
    toRun: [],
    findings: [],
  });
  expect(await unfit(openedOnce())).toEqual([]);
  await prepare({ serviceUrl: test.ownerUrl });
});

const opened: { close(): Promise<void> }[] = [];
function openedOnce() {
  const db = openDatabase({ url: test.ownerUrl, max: 1, onError: () => undefined });
  opened.push(db);
  return db;
}
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close();
});

it("the role may use the sequence of a default, also where a dump without rights was restored", async () => {
  await test.owner.query(sql`create sequence numbers`);
  await test.owner.query(
    sql`create table numbered (id bigint not null default nextval('numbers'), note text)`,
  );
  await prepare({ ownerUrl: adminUrl(), grants: { ...grants, numbered: { insert: true } } });
  await as((db) => db.query(sql`insert into numbered (note) values ('one')`));
  expect(one(await test.owner.query(sql`select note from numbered`))).toEqual({ note: "one" });
});
