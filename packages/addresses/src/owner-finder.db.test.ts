import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "@daric/postgres/database";
import { startPostgres } from "@daric/postgres/embedded";
import { migrate } from "@daric/postgres/migrate";
import { one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import { MIGRATIONS_DIRECTORY } from "@daric/server/deployment/migrations";
import { isNight } from "@daric/testing/at-night";
import { createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { uuidv7 } from "uuidv7";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findIssuedSince } from "./directory-store.ts";
import { createOwnerFinder, type OwnerFinder } from "./owner-finder.ts";

let database: TestDatabase;
let finder: OwnerFinder;

beforeEach(async () => {
  database = await createTestDatabase();
  finder = createOwnerFinder(database);
});
afterEach(() => database.drop());

const aHash = (): Buffer => randomBytes(20);

async function issue(db: Queryable, hash: Buffer): Promise<Buffer> {
  await db.query(sql`
    insert into address_directory (address, merchant_id, charge_id, account_key_id, derivation_index)
    values (${hash}, ${uuidv7()}, ${uuidv7()}, ${uuidv7()}, 1)`);
  return hash;
}

/** Returns the found addresses, and the number of those looked up in the directory. */
async function find(...hashes: readonly Buffer[]): Promise<{ found: string[]; lookedUp: number }> {
  let lookedUp = 0;
  const found = await database.db.transaction((tx) => {
    const noting: Transaction = {
      ...tx,
      query: (statement) => {
        if (statement.text.includes("where address = any"))
          lookedUp += (statement.values[0] as unknown[]).length;
        return tx.query(statement);
      },
    };
    return finder.find(noting, Buffer.concat(hashes.flatMap((hash) => [Buffer.of(0x41), hash])));
  });
  return { found: found.map(({ bytes }) => bytes.toString("hex")), lookedUp };
}

/** Looks up unknown addresses until the filter is filled. */
async function fill(): Promise<void> {
  await expect.poll(async () => (await find(aHash())).lookedUp, { timeout: 10_000, interval: 20 }).toBe(0);
}

const only = (hash: Buffer) => ({ found: [hash.toString("hex")], lookedUp: 1 });

it("an address from before the filter is found while it is filled, and after", async () => {
  const hash = await issue(database.db, aHash());
  expect((await find(hash, aHash())).found).toEqual([hash.toString("hex")]);
  await fill();
  expect(await find(hash, aHash(), aHash())).toEqual(only(hash));
});

it("a committed address is found by the next call, and no other address is looked up", async () => {
  await fill();
  for (let n = 0; n < 10; n += 1) {
    const hash = await issue(database.db, aHash());
    expect(await find(aHash(), hash)).toEqual(only(hash));
  }
});

it("an address is found although its transaction began before and committed after others that were seen", async () => {
  await issue(database.db, aHash());
  await fill();
  const [early, late] = [aHash(), aHash()];
  await database.db.transaction(async (slow) => {
    await issue(slow, early);
    await issue(database.db, late);
    expect(await find(early, late)).toEqual(only(late));
    expect(await find(early, late)).toEqual(only(late));
  });
  expect((await find(early, late)).found.sort()).toEqual(
    [early, late].map((hash) => hash.toString("hex")).sort(),
  );
});

it("an address is found although its transaction ran while the filter was filled", async () => {
  const hash = aHash();
  await database.db.transaction(async (slow) => {
    await issue(slow, hash);
    await fill();
    expect((await find(hash)).found).toEqual([]);
  });
  expect(await find(hash, aHash())).toEqual(only(hash));
});

it("an address is found although it is issued between the last page and the end of the filling", async () => {
  const hash = aHash();
  let isIssued = false;
  const racing: Queryable = {
    query: async <Row>(statement: Parameters<Queryable["query"]>[0]) => {
      const rows = await database.db.query<Row & { hashes?: Buffer | null }>(statement);
      const isLastPage = statement.text.includes("all-issued") && rows[0]?.hashes === null;
      if (isLastPage && !isIssued) await issue(database.db, hash);
      isIssued ||= isLastPage;
      return rows;
    },
  };
  finder = createOwnerFinder({ db: racing });
  await fill();
  expect(isIssued).toBe(true);
  expect(await find(hash, aHash())).toEqual(only(hash));
});

it("addresses without a transaction number, or with one of another server, are in a filled filter", async () => {
  const [old, restored] = [await issue(database.db, aHash()), await issue(database.db, aHash())];
  await database.owner.query(
    sql`alter table address_directory drop constraint address_directory_issued_in_known`,
  );
  await database.owner.query(sql`update address_directory set issued_in = null where address = ${old}`);
  await database.owner.query(
    sql`update address_directory set issued_in = 1::bigint << 60 where address = ${restored}`,
  );
  await fill();
  expect(await find(old, aHash())).toEqual(only(old));
  expect(await find(restored, aHash())).toEqual(only(restored));
});

it("every row of the directory needs its transaction number", async () => {
  const inserting = database.owner.query(sql`
    insert into address_directory (address, account_key_id, derivation_index, issued_in)
    values (${aHash()}, ${uuidv7()}, 1, null)`);
  await expect(inserting).rejects.toThrow("address_directory_issued_in_known");
});

it("a filter from before a restart of the server is not used", async () => {
  const before: Queryable = {
    query: async <Row>(statement: Parameters<Queryable["query"]>[0]) => {
      const rows = await database.db.query<Row & { incarnation?: string }>(statement);
      return rows.map((row) =>
        row.incarnation === undefined ? row : { ...row, incarnation: `${row.incarnation} before` },
      );
    },
  };
  finder = createOwnerFinder({ db: before });
  const hash = aHash();
  for (let n = 0; n < 5; n += 1) expect((await find(hash, aHash())).lookedUp).toBe(2);
  await issue(database.db, hash);
  await database.owner.query(sql`update address_directory set issued_in = 3`);
  for (let n = 0; n < 5; n += 1) expect((await find(hash)).found).toHaveLength(1);
});

it("a filter is dropped if the server restarted while its pages were read", async () => {
  const other = await createTestDatabase();
  try {
    let pages = 0;
    const pooled: Queryable = {
      query: (statement) => {
        if (!statement.text.includes("all-issued")) return database.db.query(statement);
        pages += 1;
        return other.db.query(statement);
      },
    };
    finder = createOwnerFinder({ db: pooled });
    const hash = await issue(database.db, aHash());
    // A call during the filling starts no second one, so it is repeated until the sixth page.
    const queryAgain = async () => {
      expect((await find(hash)).found).toHaveLength(1);
      return pages;
    };
    await expect.poll(queryAgain).toBeGreaterThan(5);
  } finally {
    await other.drop();
  }
});

/** A restore under a running service: a new table, whose row has another server's transaction number. */
async function restoreBeside(hash: Buffer): Promise<void> {
  const { owner } = database;
  await owner.query(sql`create table restored (like address_directory including all)`);
  await owner.query(sql`
    insert into restored (address, merchant_id, charge_id, account_key_id, derivation_index, issued_in)
    values (${hash}, ${uuidv7()}, ${uuidv7()}, ${uuidv7()}, 1, 5)`);
  await owner.query(sql`grant all on restored to public`);
  await owner.query(sql`alter table address_directory rename to gone`);
  await owner.query(sql`alter table restored rename to address_directory`);
}

it("addresses of a dump that is restored under a running watcher are found", async () => {
  await fill();
  const hash = aHash();
  await restoreBeside(hash);
  for (let n = 0; n < 5; n += 1) expect((await find(hash)).found).toEqual([hash.toString("hex")]);
});

it.runIf(isNight)(
  "the crash recovery after one connection's crash counts as a restart",
  {
    timeout: 60_000,
  },
  async () => {
    const home = await mkdtemp(join(scratchFolder(), "daric-owner-finder-"));
    const server = await startPostgres({ home, mode: "test" });
    const owner = openDatabase({ url: server.url, onError: () => {} });
    try {
      await migrate(server.url, MIGRATIONS_DIRECTORY);
      const incarnation = async () => (await findIssuedSince(owner, undefined)).incarnation;
      const before = await incarnation();
      expect(await incarnation()).toBe(before);
      const { pid } = one(await owner.query<{ pid: number }>(sql`select pg_backend_pid() as pid`));
      // The server of a test commits without waiting for its log.
      await owner.query(sql`checkpoint`);
      process.kill(pid, "SIGKILL");
      await expect.poll(() => incarnation().catch(() => before), { timeout: 20_000 }).not.toBe(before);
    } finally {
      await owner.close();
      await server.stop();
      await rm(home, { recursive: true, force: true });
    }
  },
);

it("an overfull filter is replaced by a larger one", async () => {
  await fill();
  await database.owner.query(sql`
    insert into address_directory (address, account_key_id, derivation_index)
    select substr(sha256(convert_to(n::text, 'utf8')), 1, 20), gen_random_uuid(), n from generate_series(1, 60000) n`);
  const [first] = await database.db.query<{ hash: Buffer }>(
    sql`select substr(sha256(convert_to('1', 'utf8')), 1, 20) as hash`,
  );
  const hash = first?.hash ?? aHash();
  expect((await find(hash, aHash())).lookedUp).toBe(2);
  await fill();
  expect(await find(hash, aHash())).toEqual(only(hash));
});
