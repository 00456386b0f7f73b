import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { captureDaric } from "@daric/testing/daric";
import { copyDatabase, createEmptyDatabase } from "@daric/testing/database";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requireServedSchema } from "../deployment/schema-status.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;

beforeAll(async () => {
  context = await createTestContext();
  const { id: merchantId } = await aMerchant(context.db);
  await aCharge(context.db, { merchantId, amount: "1" });
  await context.db.query(sql`update deployment set environment = 'test', network = 'devnet'`);
});
afterAll(() => context.close());

const check = (url = context.ownerUrl) =>
  captureDaric(["restore", "check", "--database-url", url, "--json"], {});

it("a copy is audited without any setting, and nothing in it changes", async () => {
  const state = () =>
    context.owner.query(sql`
    select (select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables) as writes, next_index, gaps
    from account_keys`);
  const before = await state();
  const { code, out, err } = await check();
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toMatchObject({
    environment: "test",
    network: "devnet",
    ageSeconds: expect.any(Number),
    newestCharge: expect.stringMatching(/^20/),
    highestAddressIndex: expect.stringMatching(/^\d+$/),
    broken: [],
    foundMoney: [],
  });
  expect(JSON.parse(out).ageSeconds).toBeLessThan(120);
  expect(await state()).toEqual(before);
});

it("the URL, whose password every user of the machine could read in a command line, may be a variable or a file", async () => {
  const folder = await mkdtemp(join(scratchFolder(), "daric-restore-"));
  const file = join(folder, "url");
  await writeFile(file, context.ownerUrl, { mode: 0o600 });
  const { host, pathname, password } = new URL(context.ownerUrl);
  for (const variables of [{ DATABASE_URL: context.ownerUrl }, { DATABASE_URL_FILE: file }]) {
    const { code, out, err } = await captureDaric(["restore", "check", "--json"], variables);
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toMatchObject({ database: `${host}${pathname}`, broken: [] });
    expect(out).not.toContain(password);
  }
  await rm(folder, { recursive: true });
  expect(await captureDaric(["restore", "check"], {})).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^daric: DATABASE_URL is required/),
  });
});

it("a copy of another version, and an empty database, are refused in one line", async () => {
  await context.owner.query(sql`update deployment set serves_from = 9000`);
  await context.owner.query(sql`insert into schema_version (version, name, md5) values (9001, 'later', '')`);
  expect((await check()).err).toMatch(
    /^daric: the copy has schema version 9001 and this program \d+: check it with the program that wrote it, which is newer\n$/,
  );
  const empty = await createEmptyDatabase();
  expect((await check(empty.ownerUrl)).err).toMatch(
    /^daric: there are no tables of Daric in this database: .*\n$/,
  );
  await empty.drop();
  await context.owner.query(sql`delete from schema_version where version = 9001`);
});

it("a copy that lacks an index or a foreign key is refused by check, migrate and start; one index more is no fault", async () => {
  const copy = await copyDatabase(context.ownerUrl);
  await copy.owner.query(sql`create index of_the_operator on merchants (created_at)`);
  expect((await check(copy.ownerUrl)).code).toBe(0);
  await copy.owner.query(sql`alter table api_keys drop constraint api_keys_merchant_id_fkey`);
  // As pg_restore leaves it before it reaches the partitions.
  await copy.owner.query(sql`
    alter table webhook_attempts drop constraint webhook_attempts_pkey`);
  await copy.owner.query(sql`
    alter table only webhook_attempts add primary key (merchant_id, attempted_at)`);
  const gap =
    /^daric: the restore did not end: 2 of \d+ indexes and foreign keys are missing \(api_keys\.api_keys_merchant_id_fkey, webhook_attempts_pkey\)\. Restore again, into an empty database[^\n]*\n$/;
  expect((await check(copy.ownerUrl)).err).toMatch(gap);
  const { code, err } = await captureDaric(["migrate"], { DATABASE_URL: copy.ownerUrl });
  expect([code, err]).toEqual([1, expect.stringMatching(gap)]);
  await expect(requireServedSchema(copy.db)).rejects.toThrow("the restore did not end");
  await copy.drop();
});

it("a wrong password names the option and not a variable", async () => {
  const wrong = Object.assign(new URL(context.ownerUrl), { password: "wrong" }).href;
  expect((await check(wrong)).err).toMatch(/^daric: [^\n]*: correct user and password in --database-url\n$/);
});
