import { setTimeout as sleep } from "node:timers/promises";
import { one, sql } from "@daric/postgres/sql";
import { createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "./clock.ts";
import { acquireLease, assertLease, keepLease, type Lease, LeaseLostError, releaseLease } from "./lease.ts";
import { findLease, type LeaseRow, renewLease } from "./lease-store.ts";

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

async function giveUp(): Promise<void> {
  await database.db.query(sql`update leases set is_free = true where name = ${name}`);
}

/** The row of a lease that a rival has watched without a renewal for long enough. */
async function silent(): Promise<LeaseRow> {
  const row = await findLease(database.db, name);
  if (row === undefined) throw new Error("there is no lease");
  return row;
}

describe("acquireLease", () => {
  it("one of many simultaneous applicants gets the lease", async () => {
    const holders = Array.from({ length: 20 }, (_, n) => `holder-${n}`);
    const leases = await Promise.all(holders.map((holder) => acquire(holder)));
    expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it("one of many gets a silent lease, with the next epoch", async () => {
    await held("former");
    const renewal = await silent();
    const holders = Array.from({ length: 20 }, (_, n) => `holder-${n}`);
    const takers = holders.map((holder) =>
      acquireLease(database.db, { name, holder, ttlMs: TTL_MS, silent: renewal }),
    );
    const leases = (await Promise.all(takers)).filter((lease) => lease);
    expect(leases).toHaveLength(1);
    expect(leases[0]?.epoch).toBe(2n);
  });

  it("the holder renews without a new epoch, and a rival with an older read does not get the lease", async () => {
    await held("a");
    const before = await silent();
    expect((await acquire("a"))?.epoch).toBe(1n);
    expect(await acquire("b")).toBeUndefined();
    expect(
      await acquireLease(database.db, { name, holder: "b", ttlMs: TTL_MS, silent: before }),
    ).toBeUndefined();
  });

  it("a holder that returns after a release gets a new epoch", async () => {
    await held("a");
    await giveUp();
    expect((await held("a")).epoch).toBe(2n);
  });

  it.each(["-1 year", "1 year"])(
    "the database's clock does not decide who holds a lease: %s",
    async (interval) => {
      await held("a");
      await database.db.query(
        sql`update leases set expires_at = now() + ${interval}::interval where name = ${name}`,
      );
      expect(await acquire("b")).toBeUndefined();
      expect((await acquire("a"))?.epoch).toBe(1n);
    },
  );

  it("is per name", async () => {
    await held("a");
    const other = await acquireLease(database.db, { name: `${name}-other`, holder: "b", ttlMs: TTL_MS });
    expect(other?.epoch).toBe(1n);
  });
});

describe("assertLease", () => {
  it("lets the holder through, also after a release without a successor", async () => {
    const lease = await held("a");
    await giveUp();
    await database.db.transaction((tx) => assertLease(tx, lease));
  });

  it("throws after a takeover, and the transaction does not commit", async () => {
    const lease = await held("a");
    await giveUp();
    await held("b");
    const writing = database.db.transaction(async (tx) => {
      await tx.query(sql`insert into leases values (${`${name}-written`}, 'x', 1, now())`);
      await assertLease(tx, lease);
    });
    await expect(writing).rejects.toThrow(LeaseLostError);
    const rows = await database.db.query(sql`select from leases where name = ${`${name}-written`}`);
    expect(rows).toEqual([]);
  });

  it("throws for a lease that never existed", async () => {
    const lease = { name: `${name}-never`, holder: "a", epoch: 1n };
    await expect(database.db.transaction((tx) => assertLease(tx, lease))).rejects.toThrow(LeaseLostError);
  });

  it("a takeover waits until the transaction of the old holder has ended", async () => {
    const lease = await held("a");
    await giveUp();
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

  it("the commit renews the lease, so a waiting rival does not get it", async () => {
    const lease = await held("a");
    const renewal = await silent();
    let taking: Promise<unknown> = Promise.resolve();
    await database.db.transaction(async (tx) => {
      await assertLease(tx, lease);
      taking = acquireLease(database.db, { name, holder: "b", ttlMs: TTL_MS, silent: renewal });
      await waitUntilBlocked();
    });
    expect(await taking).toBeUndefined();
    expect((await silent()).holder).toBe("a");
  });

  it("a holder that is idle in a transaction is replaced within 5 s and commits nothing", {
    timeout: 60_000,
  }, async () => {
    const lease = await held("a");
    const standby = keepLease(database.db, { name, holder: "b", ttlMs: 3_500, clock: systemClock });
    const pausing = performance.now();
    const writing = database.db.transaction(async (tx) => {
      await assertLease(tx, lease);
      await tx.query(sql`insert into leases values (${`${name}-written`}, 'x', 1, now())`);
      while ((await standby.current()) === undefined) await sleep(250);
    });
    await expect(writing).rejects.toThrow();
    expect((await silent()).holder).toBe("b");
    // Two reads and 3.5 s of silence; the rest is for a busy machine.
    expect(performance.now() - pausing).toBeLessThan(10_000);
    const rows = await database.db.query(sql`select from leases where name = ${`${name}-written`}`);
    expect(rows).toEqual([]);
    await standby.release();
  });
});

describe("renewLease", () => {
  it("renews for the holder, and not after a takeover", async () => {
    const lease = await held("a");
    const before = await silent();
    expect(await renewLease(database.db, { ...lease, ttlMs: TTL_MS })).toBe(true);
    expect((await silent()).renewals).toBe(before.renewals + 1n);
    await giveUp();
    await held("b");
    const after = await silent();
    expect(await renewLease(database.db, { ...lease, ttlMs: TTL_MS })).toBe(false);
    expect(await silent()).toEqual(after);
  });

  it("neither waits for a transaction of the holder nor renews when it rolls back", async () => {
    const lease = await held("a");
    const before = await silent();
    const failing = database.db.transaction(async (tx) => {
      await assertLease(tx, lease);
      expect(await renewLease(database.db, { ...lease, ttlMs: TTL_MS })).toBe(true);
      throw new Error("it was paused");
    });
    await expect(failing).rejects.toThrow("it was paused");
    expect(await silent()).toEqual(before);
  });
});

/** Returns once another connection of this database waits for a row lock. */
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

  it("does not change a lease of another holder", async () => {
    const lease = await held("a");
    await giveUp();
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
    await giveUp();
  }
  expect(epochs).toEqual(Array.from({ length: epochs.length }, (_, n) => BigInt(n + 1)));
});

describe("keepLease", () => {
  /** A monotonic clock that a test sets. */
  const clock = { atMs: 0, monotonicMs: () => clock.atMs };
  const keep = (holder: string, ttlMs: number) =>
    keepLease(database.db, { name, holder, ttlMs, clock: systemClock });
  const standBy = (ttlMs: number) => keepLease(database.db, { name, holder: "second", ttlMs, clock });
  beforeEach(() => {
    clock.atMs = 0;
  });

  it("renews during a step that is longer than the lease, with the same epoch", async () => {
    const kept = keep("first", 1_500);
    const other = keep("second", 1_500);
    const before = await kept.current();
    for (let step = 0; step < 10; step += 1) {
      expect(await other.current()).toBeUndefined();
      await sleep(250);
    }
    expect(await kept.current()).toEqual(before);
    await other.release();
    await kept.release();
  });

  it("a release gives the lease to the next holder at once", async () => {
    const [first, second] = [keep("first", TTL_MS), keep("second", TTL_MS)];
    await first.current();
    expect(await second.current()).toBeUndefined();
    await first.release();
    expect((await second.current())?.epoch).toBe(2n);
    await second.release();
  });

  it("is taken again by the next call after a release, and renewed again", async () => {
    const kept = keep("first", 600);
    const other = keep("second", 600);
    await kept.current();
    await kept.release();
    expect((await kept.current())?.epoch).toBe(2n);
    for (let step = 0; step < 6; step += 1) {
      expect(await other.current()).toBeUndefined();
      await sleep(200);
    }
    await other.release();
    await kept.release();
  });

  it("a commit that renewed it puts off its next renewal", async () => {
    const kept = keep("first", 3_000);
    await kept.current();
    const { renewals } = await silent();
    for (let step = 0; step < 6; step += 1) {
      await sleep(300);
      kept.noteRenewal();
    }
    expect((await silent()).renewals).toBe(renewals);
    await expect.poll(async () => (await silent()).renewals, { timeout: 10_000 }).not.toBe(renewals);
    await kept.release();
  });

  it("notices a takeover", async () => {
    const kept = keep("first", 3_000);
    await kept.current();
    await giveUp();
    await acquire("second");
    await expect.poll(() => kept.current(), { timeout: 20_000 }).toBeUndefined();
    await kept.release();
  });

  it("takes a lease whose row was forged once, with any holder, end and numbers, after its time", async () => {
    await held("first");
    for (const numbers of [
      sql`epoch = epoch + 1`,
      sql`epoch = 9223372036854775807, renewals = 9223372036854775807`,
    ]) {
      clock.atMs = 0;
      await database.db.query(sql`
        update leases set holder = 'a thief', is_free = false, expires_at = now() + interval '10 years', ${numbers}
        where name = ${name}`);
      const second = standBy(TTL_MS);
      for (; clock.atMs < TTL_MS; clock.atMs += 5_000) expect(await second.current()).toBeUndefined();
      clock.atMs = TTL_MS;
      const lease = await second.current();
      expect(lease).toBeDefined();
      if (lease !== undefined) await database.db.transaction((tx) => assertLease(tx, lease));
      await second.release();
    }
  });

  it("takes a lease that has not changed for its time by the own monotonic clock, and not earlier", async () => {
    await held("paused");
    const second = standBy(TTL_MS);
    expect(await second.current()).toBeUndefined();
    for (clock.atMs = 5_000; clock.atMs < TTL_MS; clock.atMs += 5_000) {
      expect(await second.current()).toBeUndefined();
    }
    clock.atMs = TTL_MS - 1;
    expect(await second.current()).toBeUndefined();
    clock.atMs = TTL_MS;
    expect((await second.current())?.epoch).toBe(2n);
    await second.release();
  });

  it.each(["-1 year", "1 year"])(
    "a database clock that is set %s does not affect the lease",
    async (interval) => {
      await held("paused");
      await database.db.query(
        sql`update leases set expires_at = now() + ${interval}::interval where name = ${name}`,
      );
      const second = standBy(TTL_MS);
      for (clock.atMs = 0; clock.atMs < TTL_MS; clock.atMs += TTL_MS / 4) {
        expect(await second.current()).toBeUndefined();
      }
      expect((await second.current())?.epoch).toBe(2n);
      await second.release();
    },
  );

  it("counts from the last renewal that it saw", async () => {
    await held("first");
    const second = standBy(TTL_MS);
    expect(await second.current()).toBeUndefined();
    clock.atMs = TTL_MS - 1_000;
    await held("first");
    expect(await second.current()).toBeUndefined();
    clock.atMs = TTL_MS + 1_000;
    expect(await second.current()).toBeUndefined();
    await second.release();
  });

  it("a pause between two polls does not count as silence", async () => {
    await held("first");
    const second = standBy(TTL_MS);
    expect(await second.current()).toBeUndefined();
    clock.atMs = 10 * TTL_MS;
    expect(await second.current()).toBeUndefined();
    clock.atMs = 10.5 * TTL_MS;
    expect(await second.current()).toBeUndefined();
    clock.atMs = 11 * TTL_MS;
    expect((await second.current())?.epoch).toBe(2n);
    await second.release();
  });
});
