import { openDatabase } from "@daric/postgres/database";
import { type Database, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { until } from "@daric/testing/until";
import { listening } from "@daric/testing/watch";
import { afterAll, beforeAll, expect, it } from "vitest";
import { watchLockBlockers } from "./watch-lock-blockers.ts";

const WATCHED = "the-watched";
const FIRST = sql`select from leases where name = 'first' for update`;
const SECOND = sql`select from leases where name = 'second' for update`;

let context: Awaited<ReturnType<typeof createTestContext>>;
let watched: Database;
let calls = 0;

beforeAll(async () => {
  context = await createTestContext();
  const { databaseUrl: url } = context.config.runtime;
  watched = openDatabase({ url, applicationName: WATCHED, onError: () => undefined });
  await context.db.query(sql`
    insert into leases (name, holder, epoch, expires_at) values ('first', 'h', 1, now()), ('second', 'h', 1, now())`);
});
afterAll(async () => {
  await watched.close();
  await context.close();
});

function watch() {
  const logged = listening(context);
  const query = <Row>(statement: Sql): Promise<Row[]> => {
    calls += 1;
    return context.db.query<Row>(statement);
  };
  const checking = { db: { query }, application: WATCHED, everyMs: 50 };
  return { ...watchLockBlockers(logged.context, checking, () => true), lines: logged.lines };
}

const pidOf = async (tx: Transaction): Promise<number> => {
  const rows = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  return rows[0]?.pid ?? 0;
};

it("a fast step searches no blocker, and a step that waits for no lock names none", async () => {
  const { during, blocker, blockedSeconds, lines } = watch();
  await during(async () => undefined);
  expect(calls).toBe(0);
  await during(() => watched.query(sql`select pg_sleep(0.2)`));
  expect(calls).toBeGreaterThan(0);
  expect([blocker(), blockedSeconds()]).toEqual([undefined, 0]);
  expect(lines).toEqual([]);
});

it("the blocker at the head of the queue is named by pid and role, until a step ends", async () => {
  const { during, blocker, blockedSeconds, lines } = watch();
  const owner = new URL(context.ownerUrl).username;
  await context.owner.transaction(async (holder) => {
    await holder.query(FIRST);
    const pid = await pidOf(holder);
    // Another waiting session stands between the holder and the watched one.
    let isBetween = false;
    const between = context.owner.transaction(async (tx) => {
      await tx.query(SECOND);
      isBetween = true;
      await tx.query(FIRST);
    });
    await until("the second row is held", async () => isBetween);
    const failed = during(() => watched.answeringWithin(1_500).transaction((tx) => tx.query(SECOND))).catch(
      () => "failed",
    );
    await until("a blocker is named", async () => blocker() !== undefined);
    expect(blocker()).toMatch(
      new RegExp(`^held up for \\d+ s by session ${pid} of role ${owner} \\(.*\\), at leases$`),
    );
    expect(await failed).toBe("failed");
    expect(blocker()).toContain(`session ${pid}`);
    void between.catch(() => {});
  });
  await during(() => watched.transaction((tx) => tx.query(SECOND)));
  expect([blocker(), blockedSeconds()]).toEqual([undefined, 0]);
  expect(lines).toMatchObject([
    { level: "warn", event: "scanner_blocked", blocked_seconds: expect.any(Number) },
  ]);
});

it("no blocker is named after a step that fails for another reason", async () => {
  const { during, blocker, blockedSeconds } = watch();
  await context.owner.transaction(async (holder) => {
    await holder.query(SECOND);
    const waiting = during(() => watched.answeringWithin(1_500).transaction((tx) => tx.query(SECOND)));
    await Promise.all([
      until("a blocker is named", async () => blocker() !== undefined),
      waiting.catch(() => {}),
    ]);
  });
  await during(() => Promise.reject(new Error("the node is away"))).catch(() => {});
  expect([blocker(), blockedSeconds()]).toEqual([undefined, 0]);
});
