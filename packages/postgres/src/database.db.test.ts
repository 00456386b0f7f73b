import { createHash } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createEmptyDatabase, type TestDatabase } from "@daric/testing/database";
import { raw } from "@daric/testing/raw-sql";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bytesArray, uuidArray } from "./arrays.ts";
import { openDatabase } from "./database.ts";
import {
  CommitUnknownError,
  DatabaseUnavailableError,
  HeldUpError,
  isDatabaseUnavailable,
  isUniqueViolation,
} from "./errors.ts";
import { empty, join, maybeOne, one, replanned, sql, type Transaction } from "./sql.ts";
import { spreadTenants } from "./tenants.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createEmptyDatabase();
  await test.owner.query(sql`create table accounts (id int primary key, units bigint not null)`);
});

beforeEach(async () => {
  // The tables are made in one transaction, since concurrent tests share this step.
  await test.db.transaction(async (tx) => {
    await tx.query(sql`truncate accounts`);
    await tx.query(sql`insert into accounts values (1, 100), (2, 200)`);
  });
});

afterAll(async () => {
  await test.drop();
});

const unitsOf = async (id: number) =>
  one(await test.db.query<{ units: bigint }>(sql`select units from accounts where id = ${id}`)).units;

/** Ends the server's side of a connection, as a restart or a failover does. */
const terminate = (pid: number) => test.db.query(sql`select pg_terminate_backend(${pid})`);

const pidOf = async (tx: Transaction) =>
  one(await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid;

describe("values", () => {
  it("64-bit integers and counts arrive as bigint, exact beyond 2^53", async () => {
    const [row] = await test.db.query(
      sql`select 9007199254740993::int8 as big, count(*) as many, array[1, null]::int8[] as list from accounts`,
    );
    expect(row).toEqual({ big: 9007199254740993n, many: 2n, list: [1n, null] });
  });

  it("numeric stays text, a timestamp is an instant, a date stays text", async () => {
    const [row] = await test.db.query(sql`
      select 0.10::numeric as n, array[1.50]::numeric[] as ns, date '2026-02-03' as d,
        timestamptz '2026-02-03 04:05:06.789+02' as t`);
    expect(row).toEqual({
      n: "0.10",
      ns: ["1.50"],
      d: "2026-02-03",
      t: new Date("2026-02-03T02:05:06.789Z"),
    });
  });

  it.each([
    ["2026-02-03 04:05:06+00", "2026-02-03T04:05:06.000Z"],
    ["2026-02-03 04:05:06.7+00", "2026-02-03T04:05:06.700Z"],
    ["2026-02-03 04:05:06.789999+00", "2026-02-03T04:05:06.789Z"],
    ["0044-03-15 12:00:00+00", "0044-03-15T12:00:00.000Z"],
    ["0044-03-15 12:00:00+00 BC", "-000043-03-15T12:00:00.000Z"],
    ["12026-02-03 04:05:06+00", "+012026-02-03T04:05:06.000Z"],
  ])("the instant %s is read to its millisecond, in any year", async (text, iso) => {
    const [row] = await test.db.query<{ t: Date }>(sql`select ${text}::timestamptz as t`);
    expect(row?.t.toISOString()).toBe(iso);
  });

  it("a session's time zone does not change instants, and infinite ones are numbers", async () => {
    const row = await test.db.transaction(async (tx) => {
      await tx.query(sql`set local timezone to 'Asia/Kathmandu'`);
      return tx.query(sql`
        select timestamptz '2026-02-03 04:05:06.789+00' as t, 'infinity'::timestamptz as never`);
    });
    expect(row).toEqual([{ t: new Date("2026-02-03T04:05:06.789Z"), never: Number.POSITIVE_INFINITY }]);
  });

  it("bigint, instants, bytes and lists go in as parameters", async () => {
    const at = new Date("2026-01-01T00:00:00.001Z");
    const [row] = await test.db.query(sql`
      select ${2n ** 62n}::int8 as big, ${at}::timestamptz as at, ${Buffer.from([1, 2])}::bytea as bytes,
        7 = any(${[7n, 8n]}::bigint[]) as listed`);
    expect(row).toEqual({ big: 2n ** 62n, at, bytes: Buffer.from([1, 2]), listed: true });
  });

  it("lists in PostgreSQL's own format go in as parameters, with nulls and without elements", async () => {
    const ids = ["01a21e63-59e0-7e13-bffc-d642e8f743e3", null, "ffffffff-ffff-ffff-ffff-ffffffffffff"];
    const bytes = [Buffer.from([0, 255]), null, Buffer.alloc(0)];
    const [row] = await test.db.query(sql`
      select ${uuidArray(ids)}::uuid[] as ids, ${bytesArray(bytes)}::bytea[] as bytes,
        ${uuidArray([])}::uuid[] as none, ${bytesArray([])}::bytea[] as empty`);
    expect(row).toEqual({ ids, bytes, none: [], empty: [] });
  });

  it("filters can be composed", async () => {
    const find = (units: bigint | undefined) => {
      const filter = units === undefined ? empty : sql`and units = ${units}`;
      return test.db.query(
        sql`select id from accounts where ${join([sql`id > ${0}`, sql`id < ${9}`], " and ")} ${filter}`,
      );
    };
    expect(await find(undefined)).toHaveLength(2);
    expect(await find(200n)).toEqual([{ id: 2 }]);
  });

  it("one() accepts exactly one row", () => {
    expect(one([1])).toBe(1);
    expect(() => one([])).toThrow("expected one row, got 0");
    expect(() => one([1, 2])).toThrow("expected one row, got 2");
    expect(maybeOne([])).toBeUndefined();
    expect(() => maybeOne([1, 2])).toThrow("expected one row at most");
  });
});

describe("named statements", () => {
  it("a text is prepared once per connection, for all its values", async () => {
    const db = openDatabase({ url: test.directUrl, onError: () => undefined });
    const prepared = await db.transaction(async (tx) => {
      for (const id of [1, 2, 3]) await tx.query(sql`select units + 0 from accounts where id = ${id}`);
      return tx.query<{ name: string }>(
        sql`select name from pg_prepared_statements where statement like 'select units + 0%'`,
      );
    });
    expect(prepared).toEqual([{ name: expect.stringMatching(/^s_[0-9a-f]{32}$/) }]);
    await db.close();
  });

  it("a replanned text is not prepared, so no connection keeps its plan", async () => {
    const db = openDatabase({ url: test.directUrl, onError: () => undefined });
    const prepared = await db.transaction(async (tx) => {
      for (const id of [1, 2, 3])
        await tx.query(replanned(sql`select units + 1 from accounts where id = ${id}`));
      return tx.query(sql`select name from pg_prepared_statements where statement like 'select units + 1%'`);
    });
    expect(prepared).toEqual([]);
    await db.close();
  });

  it("a statement survives a change of its table", async () => {
    const db = openDatabase({ url: test.url, max: 3, onError: () => undefined });
    await test.owner.query(sql`create table changing (a int)`);
    await test.db.query(sql`insert into changing values (1)`);
    const read = () => db.query(sql`select * from changing`);
    await Promise.all([read(), read(), read()]);
    await test.owner.query(sql`alter table changing add column b int default 2`);
    for (let i = 0; i < 5; i++) expect(await read()).toEqual([{ a: 1, b: 2 }]);
    expect(await db.transaction((tx) => tx.query(sql`select * from changing`))).toEqual([{ a: 1, b: 2 }]);
    await db.close();
  });
});

describe("named statements that the server does not know", () => {
  const open = () => openDatabase({ url: test.directUrl, max: 1, onError: () => undefined });

  it("a forgotten one runs unnamed, also inside a transaction", async () => {
    const db = open();
    const read = sql`select units from accounts where id = ${1}`;
    await db.query(read);
    await db.query(sql`deallocate all`);
    expect(await db.query(read)).toEqual([{ units: 100n }]);
    await db.query(read);
    await db.query(sql`deallocate all`);
    expect(await db.transaction((tx) => tx.query(read))).toEqual([{ units: 100n }]);
    await db.close();
  });

  it("one that already exists under the same name runs unnamed", async () => {
    const db = open();
    const text = "select 7 as seven";
    const name = `s_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
    await db.query(raw(`prepare ${name} as select 8 as eight`));
    expect(await db.query(raw(text))).toEqual([{ seven: 7 }]);
    await db.close();
  });
});

describe("limits", () => {
  const settingsIn = (tx: Transaction) =>
    tx.query(sql`
      select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('idle_in_transaction_session_timeout') as idle`);

  it("a transaction has its own limits and leaves none behind", async () => {
    const db = openDatabase({ url: test.directUrl, max: 1, onError: () => undefined });
    const before = await db.query(sql`show statement_timeout`);
    expect(await db.transaction(settingsIn)).toEqual([{ statement: "30s", lock: "30s", idle: "30s" }]);
    expect(await db.query(sql`show statement_timeout`)).toEqual(before);
    const quickDb = db.answeringWithin(9_000);
    expect(await quickDb.transaction(settingsIn)).toEqual([{ statement: "8s", lock: "2s", idle: "8s" }]);
    await db.close();
  });

  it("a connection of a sharded engine is not used again after the server ended its statement for time", async () => {
    const db = openDatabase({
      url: test.directUrl,
      max: 1,
      limits: { statementMs: 50 },
      onError: () => undefined,
    });
    const pid = async () => one(await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid;
    const endForTime = () =>
      expect(db.transaction((tx) => tx.query(sql`select pg_sleep(9)`))).rejects.toThrow();
    const first = await pid();
    await endForTime();
    expect(await pid()).toBe(first);
    spreadTenants((tenant) => tenant);
    await endForTime();
    spreadTenants(undefined);
    expect(await pid()).not.toBe(first);
    await db.close();
  });

  it("a wait for a lock beyond the limit fails with HeldUpError, which may be retried", async () => {
    const db = openDatabase({ url: test.url, limits: { lockMs: 50 }, onError: () => undefined });
    await test.db.transaction(async (tx) => {
      await tx.query(sql`update accounts set units = 7 where id = 1`);
      const work = db.transaction((tx) => tx.query(sql`update accounts set units = 8 where id = 1`));
      const error = await work.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(HeldUpError);
      expect(isDatabaseUnavailable(error)).toBe(true);
    });
    expect(await unitsOf(1)).toBe(7n);
    await db.close();
  });

  it("a transaction with a deadline ends in time and writes nothing", async () => {
    const db = openDatabase({ url: test.url, onError: () => undefined });
    const startedAt = performance.now();
    const work = db.answeringWithin(1_500).transaction(async (tx) => {
      await tx.query(sql`update accounts set units = 9 where id = 1`);
      for (;;) await tx.query(sql`select pg_sleep(0.4)`);
    });
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    expect(await unitsOf(1)).toBe(100n);
    await db.close();
  });
});

describe("a tenant's statements", () => {
  it("do not delay other tenants while they wait for a held row", async () => {
    const db = openDatabase({ url: test.url, max: 4, lanes: 0, onError: () => undefined });
    const own = db.forTenant("one").answeringWithin(9_000);
    const raise = sql`update accounts set units = units + 1 where id = 1`;
    await test.db.transaction(async (tx) => {
      await tx.query(sql`update accounts set units = 5 where id = 1`);
      const startedMs = performance.now();
      const writes = Array.from({ length: 12 }, (_, n) =>
        n % 2 ? own.query(raise) : own.transaction((tx) => tx.query(raise)),
      );
      const ended = Promise.allSettled(writes);
      expect(await own.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
      expect(await db.forTenant("other").query(sql`select 2 as two`)).toEqual([{ two: 2 }]);
      expect(performance.now() - startedMs).toBeLessThan(1_500);
      for (const outcome of await ended) expect(outcome).toMatchObject({ reason: expect.any(HeldUpError) });
    });
    expect(await unitsOf(1)).toBe(5n);
    await db.close();
  });

  it("count in the use of the pool", async () => {
    const db = openDatabase({ url: test.url, max: 2, onError: () => undefined });
    expect(db.use()).toEqual({ max: 2, inUse: 0, idle: 0, waiting: 0 });
    await db.transaction(async (tx) => {
      await tx.query(sql`select`);
      expect(db.use()).toEqual({ max: 2, inUse: 1, idle: 0, waiting: 0 });
    });
    expect(db.use()).toMatchObject({ inUse: 0, idle: 1 });
    await db.close();
  });
});

describe("transactions", () => {
  it("commit when the work resolves and roll back when it throws", async () => {
    await test.db.transaction((tx) => tx.query(sql`update accounts set units = 1 where id = 1`));
    expect(await unitsOf(1)).toBe(1n);
    const work = test.db.transaction(async (tx) => {
      await tx.query(sql`update accounts set units = 2 where id = 1`);
      throw new Error("refused");
    });
    await expect(work).rejects.toThrow("refused");
    expect(await unitsOf(1)).toBe(1n);
  });

  it("a transaction that is over refuses statements", async () => {
    let escaped: Transaction | undefined;
    await test.db.transaction(async (tx) => {
      escaped = tx;
    });
    await expect(escaped?.query(sql`select 1`)).rejects.toThrow("the transaction is over");
  });

  it("concurrent statements run one after the other, and an unawaited one is committed too", async () => {
    await test.db.transaction(async (tx) => {
      void tx.query(sql`update accounts set units = units * 2 where id = 1`);
      await Promise.all([
        tx.query(sql`update accounts set units = units + 1 where id = 1`),
        tx.query(sql`update accounts set units = units * 3 where id = 1`),
      ]);
      void tx.query(sql`update accounts set units = units - 1 where id = 1`);
    });
    expect(await unitsOf(1)).toBe(602n);
  });

  it("a swallowed failure does not become a commit", async () => {
    const work = test.db.transaction(async (tx) => {
      await tx.query(sql`update accounts set units = 0 where id = 2`);
      await tx.query(sql`insert into accounts values (1, 1)`).catch(() => undefined);
    });
    const error = await work.catch((e: unknown) => e);
    expect(isUniqueViolation(error, "accounts_pkey")).toBe(true);
    expect(isUniqueViolation(error, "other")).toBe(false);
    expect(isDatabaseUnavailable(error)).toBe(false);
    expect(await unitsOf(2)).toBe(200n);
  });

  it("a failure inside a savepoint does not spoil the rest", async () => {
    await test.db.transaction(async (tx) => {
      await tx.query(sql`savepoint before`);
      await tx.query(sql`insert into accounts values (1, 1)`).catch(() => undefined);
      await tx.query(sql`rollback to savepoint before`);
      await tx.query(sql`update accounts set units = 5 where id = 1`);
    });
    expect(await unitsOf(1)).toBe(5n);
  });

  it("a constraint that is checked at commit rejects the transaction with its own error", async () => {
    await test.owner.query(
      sql`create table if not exists late (id int unique deferrable initially deferred)`,
    );
    const work = test.db.transaction((tx) => tx.query(sql`insert into late values (1), (1)`));
    await expect(work).rejects.toMatchObject({ code: "23505" });
  });

  it("two that deadlock both succeed, the loser by running again", async () => {
    let runs = 0;
    const transfer = (from: number, to: number) =>
      test.db.transaction(async (tx) => {
        runs += 1;
        await tx.query(sql`update accounts set units = units - 1 where id = ${from}`);
        await sleep(100);
        // The caller's wrapping must not hide the deadlock.
        await tx.query(sql`update accounts set units = units + 1 where id = ${to}`).catch(() => {
          throw new Error("wrapped");
        });
      });
    await Promise.all([transfer(1, 2), transfer(2, 1)]);
    expect(runs).toBeGreaterThan(2);
    expect([await unitsOf(1), await unitsOf(2)]).toEqual([100n, 200n]);
  }, 20_000);

  it("serialization failures repeat the work a bounded number of times", async () => {
    let runs = 0;
    const work = test.db.transaction(async (tx) => {
      runs += 1;
      await tx.query(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
    });
    await expect(work).rejects.toMatchObject({ code: "40001" });
    expect(runs).toBe(5);
  });
});

describe("an unreachable database", () => {
  it("a refused connection is unavailable", async () => {
    const db = openDatabase({ url: "postgres://u:p@127.0.0.1:1/x", onError: () => undefined });
    const error = await db.query(sql`select 1`).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(DatabaseUnavailableError);
    expect(isDatabaseUnavailable(error)).toBe(true);
    await db.close();
  });

  it("a connection cut in the middle is unavailable, and the next statement works", async () => {
    const work = test.db.transaction(async (tx) => {
      await tx.query(sql`update accounts set units = 0 where id = 1`);
      await terminate(await pidOf(tx));
      await tx.query(sql`select 1`);
    });
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(await unitsOf(1)).toBe(100n);
  });

  it("a connection cut while the statement runs is unavailable", async () => {
    const db = openDatabase({ url: test.url, applicationName: "sleeper", onError: () => undefined });
    const sleeping = db.query(sql`select pg_sleep(20)`).catch((e: unknown) => e);
    const find = () =>
      test.db.query<{ pid: number }>(sql`
        select pid from pg_stat_activity where application_name = 'sleeper' and state = 'active'`);
    await expect.poll(find).toHaveLength(1);
    await terminate(one(await find()).pid);
    expect(await sleeping).toBeInstanceOf(DatabaseUnavailableError);
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await db.close();
  });

  it("a connection lost before the commit was sent is unavailable: nothing is in", async () => {
    const work = test.db.transaction(async (tx) => {
      await tx.query(sql`update accounts set units = 0 where id = 1`);
      await terminate(await pidOf(tx));
      await sleep(50);
    });
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(await unitsOf(1)).toBe(100n);
  });

  it("a connection lost during the commit leaves the outcome unknown, and the work does not run again", async () => {
    await test.owner.query(sql`create table slow (id int)`);
    await test.owner.query(sql`
      create function sleep_at_commit() returns trigger language plpgsql
      as 'begin perform pg_sleep(20); return null; end'`);
    await test.owner.query(sql`
      create constraint trigger slow after insert on slow deferrable initially deferred
      for each row execute function sleep_at_commit()`);
    let runs = 0;
    let pid = 0;
    const work = test.db.transaction(async (tx) => {
      runs += 1;
      pid = await pidOf(tx);
      await tx.query(sql`insert into slow values (1)`);
    });
    const outcome = work.catch((e: unknown) => e);
    const committing = () =>
      test.db.query(sql`
      select from pg_stat_activity where pid = ${pid} and query = 'commit' and state = 'active'`);
    await expect.poll(committing).toHaveLength(1);
    await terminate(pid);
    const error = await outcome;
    expect(error).toBeInstanceOf(CommitUnknownError);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(runs).toBe(1);
  });

  it("a cut idle connection is reported and replaced", async () => {
    const errors: Error[] = [];
    const url = test.directUrl;
    const db = openDatabase({ url, max: 1, onError: (error) => errors.push(error) });
    const [row] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await terminate(row?.pid ?? 0);
    await expect.poll(() => errors.length).toBe(1);
    const [next] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    expect(next?.pid).not.toBe(row?.pid);
    await db.close();
  });

  it("a statement over its time is cancelled and the connection stays good", async () => {
    const db = openDatabase({
      url: test.directUrl,
      max: 1,
      limits: { statementMs: 50 },
      onError: () => undefined,
    });
    const [before] = await db.query(sql`select pg_backend_pid() as pid`);
    const work = db.transaction((tx) => tx.query(sql`select pg_sleep(5)`));
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(await db.query(sql`select pg_backend_pid() as pid`)).toEqual([before]);
    await db.close();
  });

  it("after a refused statement the connection is used again", async () => {
    const db = openDatabase({ url: test.directUrl, max: 1, onError: () => undefined });
    const [before] = await db.query(sql`select pg_backend_pid() as pid`);
    await expect(db.query(sql`insert into accounts values (1, 1)`)).rejects.toMatchObject({ code: "23505" });
    expect(await db.query(sql`select pg_backend_pid() as pid`)).toEqual([before]);
    await db.close();
  });

  it("a closed database is unavailable and closing again is harmless", async () => {
    const db = openDatabase({ url: test.url, onError: () => undefined });
    await db.query(sql`select 1`);
    await db.close();
    await db.close();
    await expect(db.query(sql`select 1`)).rejects.toBeInstanceOf(DatabaseUnavailableError);
  });
});

describe("bounded waits", () => {
  it.concurrent("a caller that gets no connection from a full pool gets DatabaseUnavailableError", async () => {
    const db = openDatabase({ url: test.url, max: 1, onError: () => undefined });
    let release = () => {};
    const held = db.transaction(
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    await expect(db.query(sql`select 1`)).rejects.toBeInstanceOf(DatabaseUnavailableError);
    release();
    await held;
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await db.close();
  });

  it.concurrent("a slow statement continues while pings are answered; otherwise all callers fail until a ping is answered", async () => {
    let isThere = true;
    const other = openDatabase({ url: test.url, max: 1, onError: () => undefined });
    const ping = () => (isThere ? other.query(sql`select 1`) : new Promise(() => {}));
    const silence = { ping, patienceMs: 200 };
    const db = openDatabase({ url: test.url, silence, onError: () => undefined });
    const slow = () => db.query(sql`select pg_sleep(1)::text as slept`);
    expect(await slow()).toEqual([{ slept: "" }]);
    isThere = false;
    const startedMs = performance.now();
    await Promise.all(
      [slow(), slow()].map((query) => expect(query).rejects.toBeInstanceOf(DatabaseUnavailableError)),
    );
    await expect(db.query(sql`select 1`)).rejects.toThrow("answers nothing");
    expect(performance.now() - startedMs).toBeLessThan(950);
    isThere = true;
    await expect.poll(() => db.query(sql`select 1 as one`).catch(() => [])).toEqual([{ one: 1 }]);
    await Promise.all([db.close(), other.close()]);
  });

  it.concurrent("an idle database is not pinged", async () => {
    let pings = 0;
    const ping = async () => {
      pings += 1;
    };
    const db = openDatabase({ url: test.url, silence: { ping, patienceMs: 50 }, onError: () => undefined });
    await db.query(sql`select 1`);
    // On a busy machine that statement itself may have lasted until a ping.
    const duringStatement = pings;
    await sleep(300);
    expect(pings).toBe(duringStatement);
    await db.close();
  });

  it("an answer that arrived during a pause of this process is no silence, and an error is an answer", async () => {
    const other = openDatabase({ url: test.ownerUrl, max: 1, onError: () => undefined });
    await other.query(sql`select 1`);
    const counts = [0, 0];
    const pings = [
      async () => {
        const answer = other.query(sql`select 1`);
        setImmediate(() => {
          const untilMs = performance.now() + 250;
          while (performance.now() < untilMs);
        });
        counts[0] = (counts[0] ?? 0) + 1;
        return answer;
      },
      async () => {
        counts[1] = (counts[1] ?? 0) + 1;
        return other.query(sql`select no_such_column`);
      },
    ];
    for (const ping of pings) {
      const db = openDatabase({
        url: test.ownerUrl,
        silence: { ping, patienceMs: 200 },
        onError: () => undefined,
      });
      expect(await db.query(sql`select pg_sleep(0.6)::text as slept`)).toEqual([{ slept: "" }]);
      await db.close();
    }
    expect(counts.every((times) => times > 0)).toBe(true);
    await other.close();
  });

  it.concurrent("a silent server is unavailable, and its connection is not used again", async () => {
    let isSilent = false;
    const { hostname, port } = new URL(test.url);
    const proxy = createServer((near) => {
      const far = connect(Number(port), hostname);
      near.on("data", (chunk) => isSilent || far.write(chunk)).on("error", () => far.destroy());
      far.on("data", (chunk) => near.write(chunk)).on("error", () => near.destroy());
      near.on("close", () => far.destroy());
      far.on("close", () => near.destroy());
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const url = new URL(test.url);
    url.port = String((proxy.address() as AddressInfo).port);
    const db = openDatabase({ url: url.href, max: 1, limits: { answerMs: 2_000 }, onError: () => undefined });
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    isSilent = true;
    await expect(db.query(sql`select 2 as two`)).rejects.toBeInstanceOf(DatabaseUnavailableError);
    isSilent = false;
    expect(await db.query(sql`select 3 as three`)).toEqual([{ three: 3 }]);
    await db.close();
    proxy.close();
  });
});
