import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { startDevchain } from "@daric/devchain";
import { one, sql } from "@daric/postgres/sql";
import { testEnvironment } from "@daric/testing/context";
import { createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { afterEach, expect, it } from "vitest";

const PROGRAM = createRequire(import.meta.url).resolve("@daric/server/bin");
const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** `daric serve --role watcher` as a process of its own. */
function spawnWatcher(url: string, nodeUrl: string): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, "serve", "--role", "watcher"], {
    env: {
      PATH: process.env.PATH,
      ...testEnvironment({
        DATABASE_URL: url,
        TRON_NODE_URLS: nodeUrl,
        METRICS_PORT: "0",
        DATABASE_POOL_MAX: "3",
      }),
    },
    stdio: "ignore",
  });
  cleanUps.push(async () => {
    const ended = once(child, "close");
    child.kill("SIGKILL");
    await ended;
  });
  return child;
}

/** The name of the process that holds the lease. */
async function leader({ owner }: TestDatabase): Promise<number | undefined> {
  const rows = await owner.query<{ holder: string }>(
    sql`select holder from leases where name like 'watcher:%' and not is_free`,
  );
  return rows[0] && Number(rows[0].holder.split("/")[1]);
}

/** The scanned block and the epoch of the cursor. */
async function progress({ owner }: TestDatabase): Promise<{ number: number; epoch: number }> {
  const [row] = await owner.query<{ number: bigint; epoch: bigint }>(
    sql`select number, leader_epoch as epoch from scan_cursors`,
  );
  return { number: Number(row?.number ?? 0), epoch: Number(row?.epoch ?? 0) };
}

// A watcher paused in the middle of a transaction holds a row, which is the harder case.
it.each(["between two transactions", "in the middle of one"] as const)(
  "a standby takes over from a watcher paused %s, for any clock of the database, and the paused one then writes nothing",
  {
    timeout: 180_000,
  },
  async (place) => {
    const chain = await startDevchain({ blockTimeMs: 200 });
    cleanUps.push(() => chain.stop());
    const database = await createTestDatabase();
    cleanUps.push(() => database.drop());
    const watchers = [spawnWatcher(database.url, chain.url), spawnWatcher(database.url, chain.url)];
    const until = { timeout: 40_000, interval: 50 };
    await expect
      .poll(async () => (await progress(database)).number, { ...until, timeout: 80_000 })
      .toBeGreaterThan(0);
    const first = await leader(database);
    const paused = watchers.find(({ pid }) => pid === first);
    if (paused === undefined) throw new Error(`process ${first} was not started by this test`);

    // A watcher paused in the middle of a transaction holds the row.
    const hourAhead = sql`
    update leases set expires_at = now() + interval '1 hour'
    where name in (select name from leases where name like 'watcher:%' for update skip locked) returning name`;
    const pausedThere = async () => {
      paused.kill("SIGSTOP");
      const isBetween = (await database.owner.query(hourAhead)).length > 0;
      const isThere = isBetween === (place === "between two transactions");
      if (!isThere) paused.kill("SIGCONT");
      return isThere;
    };
    await expect.poll(pausedThere, { ...until, interval: 5 }).toBe(true);
    const stoppedAt = performance.now();
    await expect.poll(() => leader(database), until).not.toBe(first);
    const tookMs = performance.now() - stoppedAt;
    await expect.poll(async () => (await progress(database)).epoch, until).toBe(2);

    paused.kill("SIGCONT");
    const { number } = await progress(database);
    await expect.poll(async () => (await progress(database)).number, until).toBeGreaterThan(number + 15);
    const { falls } = one(
      await database.owner.query<{ falls: bigint }>(sql`
      select count(*) as falls from (
        select leader_epoch < lag(leader_epoch) over (order by scanned_at, number) as is_fall from blocks
      ) block where is_fall`),
    );
    expect([(await progress(database)).epoch, falls]).toEqual([2, 0n]);
    // The standby needs half a second to see the last renewal, 3.5 s of silence, and half a second to try. The
    // rest allows for a busy machine.
    expect(tookMs).toBeLessThan(15_000);
  },
);
