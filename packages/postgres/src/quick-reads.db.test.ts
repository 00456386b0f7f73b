import { setTimeout as sleep } from "node:timers/promises";
import { executeAsAdmin } from "@daric/testing/admin-connection";
import { createEmptyDatabase, type TestDatabase } from "@daric/testing/database";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { openDatabase } from "./database.ts";
import { DatabaseUnavailableError } from "./errors.ts";
import { quick, type Sql, sql } from "./sql.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createEmptyDatabase();
  await test.owner.query(sql`create table notes (id int primary key, text text)`);
  await test.owner.query(sql`insert into notes select n, 'note ' || n from generate_series(1, 100) n`);
});
afterAll(() => test.drop());

const note = (id: number): Sql => quick(sql`select text from notes where id = ${id}`);
/** A read that takes this many seconds. */
const slow = (seconds: number): Sql => quick(sql`select 1 as one from pg_sleep(${seconds})`);

describe("quick reads", () => {
  let db: ReturnType<typeof openDatabase>;
  const name = "quick_reads";
  beforeEach(() => {
    db = openDatabase({ url: test.url, applicationName: name, onError: () => undefined });
  });
  afterEach(() => db.close());

  /** This connection is not among those to cut. */
  const cutAll = () =>
    executeAsAdmin(
      inject("postgres").adminUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = '${name}' and usename = '${new URL(test.url).username}'`,
    );

  it("many at once each get their own rows", async () => {
    const answers = await Promise.all(Array.from({ length: 300 }, (_, n) => db.query(note((n % 100) + 1))));
    expect(answers).toEqual(Array.from({ length: 300 }, (_, n) => [{ text: `note ${(n % 100) + 1}` }]));
  });

  it("a refused one does not affect its neighbours and has the server's message", async () => {
    const broken = quick(sql`select ${1}::int / (id - id) from notes where id = 1`);
    const missing = quick(sql`select nothing from notes`);
    const answers = await Promise.allSettled(
      [note(1), broken, note(2), missing, missing, note(3)].map((statement) => db.query(statement)),
    );
    expect(
      answers.map((answer) => (answer.status === "fulfilled" ? answer.value : answer.reason.code)),
    ).toEqual([[{ text: "note 1" }], "22012", [{ text: "note 2" }], "42703", "42703", [{ text: "note 3" }]]);
  });

  it("reads behind a slow one are answered, and so is the slow one", async () => {
    const answers = await Promise.all([slow(2), slow(2), note(1), note(2), note(3)].map((s) => db.query(s)));
    expect(answers).toEqual([
      [{ one: 1 }],
      [{ one: 1 }],
      [{ text: "note 1" }],
      [{ text: "note 2" }],
      [{ text: "note 3" }],
    ]);
  });

  it("a cancelled one does not cancel others", async () => {
    const quickDb = db.answeringWithin(2_000);
    const answers = await Promise.allSettled([slow(30), note(1), note(2)].map((s) => quickDb.query(s)));
    expect(answers[0]).toMatchObject({ reason: expect.any(DatabaseUnavailableError) });
    expect(answers.slice(1).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  });

  it("a cut connection costs no answer", async () => {
    await db.query(note(1));
    const reads = Promise.allSettled(
      Array.from({ length: 20 }, async (_, n) => {
        await sleep(n * 5);
        return db.query(note(n + 1));
      }),
    );
    for (let n = 0; n < 3; n++) {
      await cutAll();
      await sleep(20);
    }
    const answers = await reads;
    const unanswered = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
    // The pool is cut here too, so a few reads may fail; none may hang or get another's rows.
    for (const reason of unanswered) expect(reason).toBeInstanceOf(DatabaseUnavailableError);
    expect(await db.query(note(7))).toEqual([{ text: "note 7" }]);
  });

  it("a stale plan costs no answer", async () => {
    await test.owner.query(sql`create table changing (a int)`);
    await test.owner.query(sql`insert into changing values (1)`);
    const read = () => db.query(quick(sql`select * from changing`));
    await Promise.all(Array.from({ length: 10 }, read));
    await test.owner.query(sql`alter table changing add column b int default 2`);
    for (const answer of await Promise.all(Array.from({ length: 10 }, read)))
      expect(answer).toEqual([{ a: 1, b: 2 }]);
    await test.owner.query(sql`drop table changing`);
  });

  it("share their own connections, within those of the process", async () => {
    const own = openDatabase({
      url: test.directUrl,
      max: 6,
      applicationName: `${name}_max`,
      onError: () => undefined,
    });
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => own.query(n % 2 ? note(1) : sql`select pg_sleep(0.02)`)),
    );
    expect(
      await test.owner.query(sql`select from pg_stat_activity where application_name = ${`${name}_max`}`),
    ).toHaveLength(6);
    await own.close();
    await expect(own.query(note(1))).rejects.toBeInstanceOf(DatabaseUnavailableError);
  });

  it("see the writes of their own transaction", async () => {
    const seen = await db.transaction(async (tx) => {
      await tx.query(sql`update notes set text = 'mine' where id = 50`);
      const rows = await tx.query(note(50));
      await tx.query(sql`update notes set text = 'note 50' where id = 50`);
      return rows;
    });
    expect(seen).toEqual([{ text: "mine" }]);
  });
});
