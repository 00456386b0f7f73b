import { setTimeout as sleep } from "node:timers/promises";
import { one, sql } from "@daric/postgres/sql";
import { createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { acquireLease, assertLease, keepLease, type Lease, LeaseLostError, releaseLease } from "./lease.ts";

const TTL_MS = 60_000;
let database: TestDatabase;
let name: string;
let tests = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  tests += 1;
  name = `lease-${tests}`;
});

function acquire(holder: string, ttlMs = TTL_MS): Promise<Lease | undefined> {
  return acquireLease(database.db, { name, holder, ttlMs });
}

async function held(holder: string): Promise<Lease> {
  const lease = await acquire(holder);
  if (lease === undefined) throw new Error(`${holder} did not get the lease`);
  return lease;
}

async function lapse(): Promise<void> {
  await database.db.query(
    sql`update leases set expires_at = now() - interval '1 second' where name = ${name}`,
  );
}

describe("acquireLease", () => {
  it("gives it to one of many who ask at the same time", async () => {
    const holders = Array.from({ length: 20 }, (_, n) => `holder-${n}`);
    const leases = await Promise.all(holders.map((holder) => acquire(holder)));
    expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it("gives a lapsed one to one of many, with the next epoch", async () => {
    await held("former");
    await lapse();
    const holders = Array.from({ length: 20 }, (_, n) => `holder-${n}`);
    const leases = (await Promise.all(holders.map((holder) => acquire(holder)))).filter((lease) => lease);
    expect(leases).toHaveLength(1);
    expect(leases[0]?.epoch).toBe(2n);
  });

  it("renews for the holder without a new epoch, and keeps others away for the new time", async () => {
    await acquire("a", 1);
    await database.db.query(
      sql`update leases set expires_at = now() + interval '1 second' where name = ${name}`,
    );
    expect((await acquire("a"))?.epoch).toBe(1n);
    expect(await acquire("b")).toBeUndefined();
    const [row] = await database.db.query<{ isLong: boolean }>(
      sql`select expires_at > now() + interval '50 seconds' as "isLong" from leases where name = ${name}`,
    );
    expect(row?.isLong).toBe(true);
  });

  it("counts a holder that comes back after its lease had lapsed as a new one", async () => {
    await held("a");
    await lapse();
    expect((await held("a")).epoch).toBe(2n);
  });

  it("is per name", async () => {
    await held("a");
    const other = await acquireLease(database.db, { name: `${name}-other`, holder: "b", ttlMs: TTL_MS });
    expect(other?.epoch).toBe(1n);
  });
});

describe("assertLease", () => {
  it("lets the holder through, also when the time is up but nobody took over", async () => {
    const lease = await held("a");
    await lapse();
    await database.db.transaction((tx) => assertLease(tx, lease));
  });

  it("refuses a holder whose lease was taken over, and its transaction does not commit", async () => {
    const lease = await held("a");
    await lapse();
    await held("b");
    const writing = database.db.transaction(async (tx) => {
      await tx.query(sql`insert into leases values (${`${name}-written`}, 'x', 1, now())`);
      await assertLease(tx, lease);
    });
    await expect(writing).rejects.toThrow(LeaseLostError);
    const rows = await database.db.query(sql`select from leases where name = ${`${name}-written`}`);
    expect(rows).toEqual([]);
  });

  it("refuses a lease that there never was", async () => {
    const lease = { name: `${name}-never`, holder: "a", epoch: 1n };
    await expect(database.db.transaction((tx) => assertLease(tx, lease))).rejects.toThrow(LeaseLostError);
  });

  it("holds a take-over back until the transaction of the old holder has ended", async () => {
    const lease = await held("a");
    await lapse();
    const order: string[] = [];
    let taking: Promise<unknown> = Promise.resolve();
    await database.db.transaction(async (tx) => {
      await assertLease(tx, lease);
      taking = acquire("b").then(() => order.push("taken over"));
      await waitUntilBlocked();
      order.push("old holder commits");
    });
    await taking;
    expect(order).toEqual(["old holder commits", "taken over"]);
  });
});

/** Returns when another connection of this database waits for a row lock. */
async function waitUntilBlocked(): Promise<void> {
  for (let n = 0; n < 500; n += 1) {
    const { waiting } = one(
      await database.db.query<{ waiting: bigint }>(sql`
        select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`),
    );
    if (waiting > 0n) return;
  }
  throw new Error("nobody waited");
}

describe("releaseLease", () => {
  it("lets the next holder start at once, with the next epoch", async () => {
    await releaseLease(database.db, await held("a"));
    expect((await held("b")).epoch).toBe(2n);
  });

  it("does nothing to a lease that somebody else holds by now", async () => {
    const lease = await held("a");
    await lapse();
    await held("b");
    await releaseLease(database.db, lease);
    expect(await acquire("c")).toBeUndefined();
  });
});

it("epochs only grow while two holders take the lease from each other under load", async () => {
  const epochs: bigint[] = [];
  for (let round = 0; round < 15; round += 1) {
    const leases = await Promise.all(["a", "b", "a", "b"].map((holder) => acquire(holder)));
    const granted = leases.filter((lease) => lease !== undefined);
    expect(new Set(granted.map(({ holder }) => holder)).size).toBe(1);
    epochs.push(...new Set(granted.map(({ epoch }) => epoch)));
    await lapse();
  }
  expect(epochs).toEqual(Array.from({ length: epochs.length }, (_, n) => BigInt(n + 1)));
});

describe("keepLease", () => {
  const keep = (holder: string, ttlMs: number) => keepLease(database.db, { name, holder, ttlMs });

  it("renews it over a step that is longer than the lease, with the same epoch", async () => {
    const kept = keep("first", 2_000);
    const before = await kept.current();
    await sleep(3_000);
    expect(await acquire("second")).toBeUndefined();
    expect(await kept.current()).toEqual(before);
    await kept.release();
  });

  it("gives it to the next holder at once when it is released", async () => {
    const [first, second] = [keep("first", TTL_MS), keep("second", TTL_MS)];
    await first.current();
    expect(await second.current()).toBeUndefined();
    await first.release();
    expect((await second.current())?.epoch).toBe(2n);
    await second.release();
  });

  it("finds out that it was taken over", async () => {
    const kept = keep("first", 3_000);
    await kept.current();
    await lapse();
    await acquire("second");
    await expect.poll(() => kept.current(), { timeout: 20_000 }).toBeUndefined();
    await kept.release();
  });
});
