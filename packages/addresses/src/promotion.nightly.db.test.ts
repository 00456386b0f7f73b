import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { idOf } from "@daric/domain/ids";
import { openDatabase } from "@daric/postgres/database";
import { startPostgres } from "@daric/postgres/embedded";
import { migrate } from "@daric/postgres/migrate";
import { type Database, one, sql } from "@daric/postgres/sql";
import { MIGRATIONS_DIRECTORY } from "@daric/server/deployment/migrations";
import { TEST_XPUB } from "@daric/testing/context";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { uuidv7 } from "uuidv7";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ensureAccountKey, findIndexState, GAP, PLACES, reserveIndexRow } from "./key-store.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(scratchFolder(), "daric-promotion-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const homeOf = (name: string) => join(folder, name);

/** Runs the cluster of this name during `work`. */
async function running<T>(name: string, work: (db: Database, url: string) => Promise<T>): Promise<T> {
  const server = await startPostgres({ home: homeOf(name), mode: "test" });
  const db = openDatabase({ url: server.url, applicationName: name, onError: () => undefined });
  try {
    return await work(db, server.url);
  } finally {
    await db.close();
    await server.stop();
  }
}

/** Copies the disk of a stopped cluster. */
function copyDisk(from: string, to: string) {
  return promisify(execFile)("cp", ["-a", homeOf(from), homeOf(to)]);
}

async function take(db: Database) {
  const id = await ensureAccountKey(db, { id: idOf("accountKey", uuidv7()), xpub: TEST_XPUB });
  return reserveIndexRow(db, id, { count: 10, gapSize: GAP });
}

it("a promoted standby skips indexes, and a copy of the disk is not recognised as one", async () => {
  const original = await running("original", async (db, url) => {
    await migrate(url, MIGRATIONS_DIRECTORY);
    return take(db);
  });
  expect(original).toMatchObject({ first: 0, gap: undefined });
  await copyDisk("original", "standby");
  await copyDisk("original", "snapshot");
  await running("original", take);

  await writeFile(join(homeOf("standby"), "data", "standby.signal"), "");
  const { before, promoted } = await running("standby", async (db) => {
    expect(one(await db.query<{ is: boolean }>(sql`select pg_is_in_recovery() as is`)).is).toBe(true);
    await db.query(sql`select pg_promote()`);
    const { isWatched } = await findIndexState(db);
    return { before: isWatched, promoted: await take(db) };
  });
  expect(before).toBe(false);
  expect(promoted).toMatchObject({ gap: { first: 0, count: 500 + GAP * PLACES } });
  expect(promoted.first).toBeGreaterThanOrEqual(500 + GAP);
  expect(promoted.gap?.before.split("/")[1]).toBe("00000001");
  expect(promoted.gap?.now.split("/")[1]).toBe("00000002");

  const copied = await running("snapshot", take);
  expect(copied).toMatchObject({ first: 10, gap: undefined });
  expect(copied.startedMs).toBeGreaterThan(original.startedMs);
}, 120_000);

it("a role that owns no table may reserve indexes", async () => {
  await running("original", async (db, url) => {
    await migrate(url, MIGRATIONS_DIRECTORY);
    await db.query(sql`create role shop login password 'shop'`);
    await db.query(sql`grant select, insert, update on all tables in schema public to shop`);
    const asShop = new URL(url);
    asShop.username = "shop";
    asShop.password = "shop";
    const shop = openDatabase({ url: asShop.href, applicationName: "shop", onError: () => undefined });
    expect(await take(shop)).toMatchObject({ first: 0 });
    expect(await findIndexState(shop)).toMatchObject({ isWatched: true });
    await shop.close();
  });
}, 120_000);
