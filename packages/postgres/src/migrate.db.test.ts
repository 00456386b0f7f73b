import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createEmptyDatabase, type TestDatabase } from "@daric/testing/database";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DatabaseUnavailableError } from "./errors.ts";
import { migrate, migrationStatus } from "./migrate.ts";
import { planMigrations } from "./plan-migrations.ts";
import { sql } from "./sql.ts";

let test: TestDatabase;
let directory: string;

beforeEach(async () => {
  test = await createEmptyDatabase();
  // A folder's name may contain characters of a glob.
  directory = await mkdtemp(join(tmpdir(), "daric-migrations-[a]{b}(c)*-"));
});

afterEach(async () => {
  await test.drop();
  await rm(directory, { recursive: true });
});

const write = (name: string, text: string) => writeFile(join(directory, name), text);
const columns = () =>
  test.owner.query(sql`select table_name from information_schema.tables where table_name like 'm_'`);

it("pending files are applied once, in order, and the status shows the version", async () => {
  await write("0001.do.first.sql", "create table m1 (a int); insert into m1 values (1);");
  expect(await migrationStatus(test.owner, directory)).toEqual({ current: 0, latest: 1 });
  expect(await migrate(test.ownerUrl, directory)).toEqual({ applied: 1, version: 1 });
  await write("0002.do.second.sql", "alter table m1 add column b int;");
  expect(await migrationStatus(test.owner, directory)).toEqual({ current: 1, latest: 2 });
  expect(await migrate(test.ownerUrl, directory)).toEqual({ applied: 1, version: 2 });
  expect(await migrate(test.ownerUrl, directory)).toEqual({ applied: 0, version: 2 });
  expect(await test.owner.query(sql`select * from m1`)).toEqual([{ a: 1, b: null }]);
});

it("the version is the number in the name", async () => {
  await write("0100.do.first.sql", "create table m1 (a int);");
  expect(await migrationStatus(test.owner, directory)).toEqual({ current: 0, latest: 100 });
  await write("0101.do.second.sql", "alter table m1 add column b int;");
  expect(await migrate(test.ownerUrl, directory)).toEqual({ applied: 2, version: 101 });
  expect(await migrationStatus(test.owner, directory)).toEqual({ current: 101, latest: 101 });
});

it("a database from before the first file is refused with the commit that it needs, and stays as it is", async () => {
  await write("0001.do.first.sql", "create table m1 (a int);");
  await migrate(test.ownerUrl, directory);
  await rm(join(directory, "0001.do.first.sql"));
  await write("0100.do.first.sql", "create table m2 (a int);");
  await expect(migrate(test.ownerUrl, directory)).rejects.toThrow(
    /^the database has schema version 1, which is too old for this program: first run `daric migrate` of commit [0-9a-f]{8}$/,
  );
  expect(await columns()).toEqual([{ table_name: "m1" }]);
  expect(await migrationStatus(test.owner, directory)).toEqual({ current: 1, latest: 100 });
});

it("the status names the command for a role without rights, as in a restored copy", async () => {
  await write("0001.do.first.sql", "create table m1 (a int);");
  await migrate(test.ownerUrl, directory);
  await test.owner.query(sql`
    do $$ begin execute (
      select string_agg(format('revoke all on schema_version from %I', grantee), ';')
      from information_schema.role_table_grants where table_name = 'schema_version' and grantee <> current_user);
    end $$`);
  await expect(migrationStatus(test.db, directory)).rejects.toThrow("run `daric migrate`");
});

it("each statement of a file is a query of its own, and texts and comments keep their semicolons", async () => {
  await write(
    "0001.do.first.sql",
    `-- one; two
create table m1 (place serial, text text);
insert into m1 (text) select current_query(); -- three;
insert into m1 (text) values ('it''s; four - $5');
do $$ begin
  insert into m1 (text) values ('five');
end $$;
-- six;
`,
  );
  expect(await migrate(test.ownerUrl, directory)).toEqual({ applied: 1, version: 1 });
  expect(await test.owner.query(sql`select text from m1 order by place`)).toEqual([
    { text: "\ninsert into m1 (text) select current_query();" },
    { text: "it's; four - $5" },
    { text: "five" },
  ]);
});

it("several processes at once all succeed, and one of them applies each file", async () => {
  await write("0001.do.first.sql", "create table m1 (a int); select pg_sleep(0.2);");
  await write("0002.do.second.sql", "create table m2 (a int);");
  const results = await Promise.all(Array.from({ length: 4 }, () => migrate(test.ownerUrl, directory)));
  expect(results.map(({ applied }) => applied).sort()).toEqual([0, 0, 0, 2]);
  expect(results.every(({ version }) => version === 2)).toBe(true);
});

it("a failing file leaves nothing of itself or of the files before it", async () => {
  await write("0001.do.first.sql", "create table m1 (a int);");
  await write("0002.do.second.sql", "create table m2 (a int); select * from missing;");
  await expect(migrate(test.ownerUrl, directory)).rejects.toThrow('relation "missing" does not exist');
  expect(await columns()).toEqual([]);
  await write("0002.do.second.sql", "create table m2 (a int);");
  expect(await migrate(test.ownerUrl, directory)).toEqual({ applied: 2, version: 2 });
});

it.each([
  "0002-second.sql",
  "0002.undo.second.sql",
  "2.do.second.sql",
  "0002.do.Second.sql",
  "0002.do.second.txt",
])("a file named %s is an error", async (name) => {
  await write("0001.do.first.sql", "create table m1 (a int);");
  await write(name, "create table m2 (a int);");
  await expect(migrate(test.ownerUrl, directory)).rejects.toThrow("is not named like 0100.do.deployment.sql");
  expect(await columns()).toEqual([]);
});

it("a gap and a duplicate number are errors", async () => {
  await write("0001.do.first.sql", "create table m1 (a int);");
  await write("0003.do.third.sql", "create table m3 (a int);");
  await expect(migrate(test.ownerUrl, directory)).rejects.toThrow("migration 2 is expected");
  await write("0001.do.again.sql", "create table m4 (a int);");
  await expect(migrate(test.ownerUrl, directory)).rejects.toThrow("migration 2 is expected");
});

it("a folder without migrations is an error", async () => {
  await expect(migrate(test.ownerUrl, directory)).rejects.toThrow("no migrations in");
});

it("a database ahead of the program is refused", async () => {
  await write("0001.do.first.sql", "create table m1 (a int);");
  await write("0002.do.second.sql", "create table m2 (a int);");
  await migrate(test.ownerUrl, directory);
  await rm(join(directory, "0002.do.second.sql"));
  await expect(migrate(test.ownerUrl, directory)).rejects.toThrow(
    "the database has schema version 2 and this program knows 1: run a newer program",
  );
  expect(await migrationStatus(test.owner, directory)).toEqual({ current: 2, latest: 1 });
});

it("a changed file is refused with advice; other line ends are no change", async () => {
  await write("0001.do.first.sql", "create table m1 (\na int);\n");
  await migrate(test.ownerUrl, directory);
  await write("0001.do.first.sql", "create table m1 (\r\na int);\r\n");
  await migrate(test.ownerUrl, directory);
  await write("0001.do.first.sql", "create table m1 (\nb int);\n");
  const refusal =
    /^this database was made by an unreleased version of Daric .*\(migration 1 differs\): use a new database.*\.daric\) away$/;
  await expect(migrate(test.ownerUrl, directory)).rejects.toThrow(refusal);
  await expect(migrationStatus(test.owner, directory)).rejects.toThrow(refusal);
});

it("an unreachable server is unavailable", async () => {
  await write("0001.do.first.sql", "create table m1 (a int);");
  const work = migrate("postgres://u:p@127.0.0.1:1/x", directory);
  await expect(work).rejects.toBeInstanceOf(DatabaseUnavailableError);
});

it("a plan names the locks of each pending file and how long they are held, and changes nothing", async () => {
  await write("0001.do.first.sql", "create table m1 (a int); create table m2 (a int);");
  await migrate(test.ownerUrl, directory);
  await write("0002.do.second.sql", "alter table m1 add column b int; create table m3 (a int);");
  await write(
    "0003.do.third.sql",
    "select pg_sleep(0.05); create index on m2 (a); alter table m1 add column c int;",
  );
  const plan = await planMigrations(test.ownerUrl, directory, async () => {});
  expect(plan).toEqual([
    {
      version: 2,
      name: "0002.do.second.sql",
      ms: expect.any(Number),
      locks: [{ table: "m1", mode: "AccessExclusiveLock" }],
      heldMs: expect.any(Number),
    },
    {
      version: 3,
      name: "0003.do.third.sql",
      ms: expect.any(Number),
      locks: [{ table: "m2", mode: "ShareLock" }],
      heldMs: expect.any(Number),
    },
  ]);
  expect(plan[0]?.heldMs).toBeGreaterThanOrEqual(50);
  expect(await columns()).toEqual([{ table_name: "m1" }, { table_name: "m2" }]);
  expect(await migrationStatus(test.owner, directory)).toEqual({ current: 1, latest: 3 });
});

it("a table that is in use does not make its callers wait: the migration lets them pass and tries again", async () => {
  await write("0001.do.first.sql", "create table m1 (a int);");
  await migrate(test.ownerUrl, directory);
  await write("0002.do.second.sql", "alter table m1 add column b int;");
  let migration: ReturnType<typeof migrate> | undefined;
  await test.owner.transaction(async (tx) => {
    await tx.query(sql`select from m1`);
    migration = migrate(test.ownerUrl, directory);
    await sleep(1_500);
    // By now the migration has given up its first wait. Behind it, this read would wait for the end of the
    // transaction.
    await test.db.query(sql`select from m1`);
  });
  expect(await migration).toEqual({ applied: 1, version: 2 });
});

it("a transaction_timeout of the owner does not end a long migration", async () => {
  await write("0001.do.slow.sql", "select pg_sleep(1);");
  const url = new URL(test.ownerUrl);
  url.searchParams.set("options", "-c transaction_timeout=300");
  expect(await migrate(url.href, directory)).toEqual({ applied: 1, version: 1 });
});
