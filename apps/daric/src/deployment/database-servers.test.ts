import { HungServerError } from "@daric/postgres/errors";
import { type Database, sql } from "@daric/postgres/sql";
import {
  hungServer,
  requireAnswering,
  setClusterServers,
  shardOf,
  spreadTenants,
} from "@daric/postgres/tenants";
import { globally } from "@daric/runtime/global-statements";
import { createLogger } from "@daric/runtime/logger";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { databaseServerChecks } from "./database-servers.ts";

const ON_ONE = "00000000-0000-4000-8000-000000000000";
const ON_TWO = "f0000000-0000-4000-8000-000000000000";
/** the server that answers nothing, until `thaw` */
let frozen: string | undefined;
let thaw: () => void = () => {};
const stops: (() => Promise<unknown>)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  spreadTenants((tenant) => (tenant < "8" ? "one" : "two"));
});
afterEach(async () => {
  thaw();
  const stopped = Promise.all(stops.splice(0).map((stop) => stop()));
  await vi.advanceTimersByTimeAsync(20_000);
  await stopped;
  spreadTenants(undefined);
  setClusterServers({ serverOf: new Map(), hung: new Set() });
  frozen = undefined;
  vi.useRealTimers();
});

/** A coordinator that answers, before two servers. CI has no cluster; `npm run test:citus` freezes a real server. */
const db = {
  answeringWithin: () => db,
  query: async ({ text, values }: { text: string; values: unknown[] }) => {
    if (text.includes("pg_dist_placement"))
      return ["one", "two"].map((shard) => ({ shard, server: `${shard}:5432` }));
    if (shardOf(String(values[0])) === frozen)
      await new Promise<void>((resolve) => {
        thaw = resolve;
      });
    return [];
  },
} as unknown as Database;

function watched() {
  const [check] = databaseServerChecks(
    {
      db,
      clock: { now: () => new Date(), monotonicMs: () => performance.now() },
      log: createLogger({ level: "fatal", role: "test" }),
      databaseOutage: { report: () => false, follow: () => {} },
    },
    { addWork: (stop) => void stops.push(async () => stop()) },
  );
  return check;
}

it("a server that answers nothing in three rounds is named, until it answers, and work of its merchants or of all is refused", async () => {
  const check = watched();
  await vi.advanceTimersByTimeAsync(2_500);
  expect(await check?.check()).toEqual({ ok: true, detail: "2 of 2 answer" });
  frozen = "two";
  await vi.advanceTimersByTimeAsync(2_000);
  expect(hungServer()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(hungServer()).toBe("two:5432");
  expect(() => requireAnswering(ON_TWO)).toThrow(HungServerError);
  expect(() => requireAnswering(ON_ONE)).not.toThrow();
  expect(() => globally("delivery-backlog", sql`select`)).toThrow(HungServerError);
  expect(() => globally("newly-issued", sql`select`)).not.toThrow();
  expect((await check?.check())?.detail).toContain("two:5432 does not answer");
  frozen = undefined;
  thaw();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(hungServer()).toBeUndefined();
});

it("there is nothing to watch on one server", () => {
  spreadTenants(undefined);
  expect(watched()).toBeUndefined();
});
