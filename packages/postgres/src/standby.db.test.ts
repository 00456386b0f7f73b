import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openDatabase } from "./database.ts";
import { type EmbeddedPostgres, startPostgres } from "./embedded.ts";
import { CommitUnknownError, isDatabaseUnavailable } from "./errors.ts";
import { type Queryable, sql } from "./sql.ts";

let home: string;
let server: EmbeddedPostgres;
const opened: { close(): Promise<void> }[] = [];

const open = () => {
  const db = openDatabase({ url: server.url, onError: () => undefined });
  opened.push(db);
  return db;
};

async function awaitStandby(name: string): Promise<void> {
  const db = open();
  await db.query(
    name === ""
      ? sql`alter system reset synchronous_standby_names`
      : sql`alter system set synchronous_standby_names = nobody`,
  );
  await db.query(sql`select pg_reload_conf()`);
  await expect
    .poll(() => db.query(sql`show synchronous_standby_names`))
    .toEqual([{ synchronous_standby_names: name }]);
}

beforeAll(async () => {
  home = await mkdtemp(join(scratchFolder(), "daric-standby-"));
  server = await startPostgres({ home, mode: "test" });
  const db = open();
  await db.query(sql`alter role postgres set synchronous_commit = on`);
  await open().query(sql`create table notes (text text)`);
});

beforeEach(async () => {
  await awaitStandby("nobody");
});

afterAll(async () => {
  for (const db of opened) await db.close();
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

const insert = (db: Queryable, text: string) => db.query(sql`insert into notes values (${text})`);

/** The error of the work; the test fails if it comes too late. */
async function failure(work: Promise<unknown>): Promise<unknown> {
  const startedAt = performance.now();
  const error = await work.then(
    () => "done",
    (e: unknown) => e,
  );
  expect(performance.now() - startedAt).toBeLessThan(9_000);
  return error;
}

it("without its standby a single write ends in time with an unknown outcome", async () => {
  const error = await failure(insert(open().answeringWithin(1_000), "single"));
  expect(error).toBeInstanceOf(CommitUnknownError);
  expect(isDatabaseUnavailable(error)).toBe(true);
  await awaitStandby("");
  await expect.poll(() => open().query(sql`select * from notes where text = 'single'`)).toHaveLength(1);
});

it("without its standby a commit ends in time with an unknown outcome", async () => {
  const db = open().answeringWithin(1_500);
  expect(await failure(db.transaction((tx) => insert(tx, "whole")))).toBeInstanceOf(CommitUnknownError);
  await awaitStandby("");
  await expect.poll(() => open().query(sql`select * from notes where text = 'whole'`)).toHaveLength(1);
});

it("without its standby reads and read-only transactions succeed", async () => {
  const db = open().answeringWithin(5_000);
  expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  expect(await db.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }]);
});
