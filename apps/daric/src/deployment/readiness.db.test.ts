import { NodeError } from "@daric/chain/blocks/node-error";
import type { TronClient } from "@daric/chain/nodes/chain-reader";
import { publicNetworks } from "@daric/chain/nodes/networks";
import { type Sql, sql } from "@daric/postgres/sql";
import { executeAsAdmin } from "@daric/testing/admin-connection";
import { createTestContext } from "@daric/testing/context";
import { aHeader } from "@daric/testing/witnesses";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readinessChecks } from "./readiness.ts";
import { findReader } from "./store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;

beforeAll(async () => {
  context = await createTestContext({ TRON_NETWORK: "nile" });
});
afterAll(() => context.close());

/** The scanner check for a cursor at 1,000 of this age and a node with this head. */
async function scanner(state: {
  ageSeconds: number;
  head: number;
  headAheadMs?: number;
  isFailing?: boolean;
  fault?: string;
  solid?: number;
}) {
  await context.db.query(sql`
    insert into scan_cursors (network, number, block_id, time, solid_number, leader_epoch)
    values ('nile', 1000, ${"0".repeat(64)}, now() - ${state.ageSeconds} * interval '1 second',
      ${state.solid ?? 980}, 1)
    on conflict (network) do update set time = excluded.time, solid_number = excluded.solid_number`);
  const client = {
    getHeadBlock: async () => aHeader({ number: state.head, timeMs: Date.now() + (state.headAheadMs ?? 0) }),
  } as Partial<TronClient> as TronClient;
  const checks = readinessChecks(context, {
    chain: () => ({ client, network: publicNetworks.nile }),
    isScannerFailing: () => state.isFailing ?? false,
    scannerFault: () => state.fault,
  });
  return checks.find(({ name }) => name === "scanner")?.check();
}

describe("the scanner check", () => {
  it("is ready close to the node's head", async () => {
    expect(await scanner({ ageSeconds: 3, head: 1_020 })).toMatchObject({ ok: true });
    expect(await scanner({ ageSeconds: 3, head: 999 })).toMatchObject({ ok: true });
  });

  it("is not ready while every read of the chain fails", async () => {
    expect(await scanner({ ageSeconds: 3, head: 1_000, isFailing: true })).toMatchObject({ ok: false });
  });

  it("names the known reason, also for a block that is merely late", async () => {
    const fault = "block 1001 is 11 min overdue";
    for (const isFailing of [false, true]) {
      expect(await scanner({ ageSeconds: 3, head: 1_001, isFailing, fault })).toEqual({
        ok: false,
        detail: `complete to block 1000, lag 3 s, and reading on fails: ${fault}`,
      });
    }
    expect(await scanner({ ageSeconds: 3, head: 1_001, isFailing: true })).toMatchObject({
      detail: "complete to block 1000, lag 3 s, and reading on fails: the log says why",
    });
  });

  it("reports a slow clock of this machine, which stops the scan", async () => {
    const text =
      /the head block is 30\d s ahead of this machine's clock: check this machine's clock \(NTP\)$/;
    const state = { ageSeconds: 3, head: 1_080, headAheadMs: 305_000 };
    for (const isFailing of [false, true]) {
      expect(await scanner({ ...state, isFailing })).toEqual({
        ok: false,
        detail: expect.stringMatching(text),
      });
    }
    expect(await scanner({ ...state, headAheadMs: 50_000 })).toMatchObject({
      detail: "complete to block 1000, lag 3 s, 80 behind",
    });
  });

  it("is not ready far behind the node's head", async () => {
    expect(await scanner({ ageSeconds: 63, head: 1_021 })).toMatchObject({ ok: false });
  });

  it("is not ready if the node's head is below the scanned blocks", async () => {
    expect(await scanner({ ageSeconds: 3, head: 900 })).toEqual({
      ok: false,
      detail: "complete to block 1000, lag 3 s, but the node's head is only 900",
    });
  });

  it("is not ready while scanned blocks do not become final", async () => {
    expect(await scanner({ ageSeconds: 3, head: 1_001, solid: 901 })).toMatchObject({ ok: true });
    expect(await scanner({ ageSeconds: 3, head: 1_001, solid: 900 })).toEqual({
      ok: false,
      detail:
        "complete to block 1000, lag 3 s, 1 behind; solid block 900, 101 behind the head: nothing above it is confirmed",
    });
  });

  it("is ready at once if many blocks were mined and read since the last head", async () => {
    const heads = [979, 1_000];
    const client = {
      getHeadBlock: async () => ({ number: heads.shift(), timeMs: Date.now() }),
    } as Partial<TronClient> as TronClient;
    await scanner({ ageSeconds: 3, head: 1_000 });
    const checks = readinessChecks(context, {
      chain: () => ({ client, network: publicNetworks.nile }),
      isScannerFailing: () => false,
    });
    expect(await checks.find(({ name }) => name === "scanner")?.check()).toMatchObject({ ok: true });
    expect(heads).toEqual([]);
  });

  it("is not ready if the node's head has not changed for minutes", async () => {
    expect(await scanner({ ageSeconds: 121, head: 1_000 })).toMatchObject({ ok: false });
  });
});

it("the node check reports that no node answers", async () => {
  const client = {
    nodes: [],
    getHeadBlock: () => Promise.reject(new Error("ECONNREFUSED")),
  } as Partial<TronClient>;
  const chain = { client: client as TronClient, network: publicNetworks.nile };
  const node = readinessChecks(context, { chain: () => chain, isScannerFailing: () => false }).find(
    ({ name }) => name === "node",
  );
  expect(await node?.check()).toEqual({ ok: false, detail: "no node of nile answers" });
});

it("the node check gives the reason of a failure, without any text of a node", async () => {
  const details = { fault: "http_status", node: "gateway", quote: '"the key 1234 is unknown"' } as const;
  const failure = new NodeError("answered HTTP 401", details);
  const client = { nodes: [], getHeadBlock: () => Promise.reject(failure) } as Partial<TronClient>;
  const chain = { client: client as TronClient, network: publicNetworks.nile };
  for (const [facts, detail] of [
    [{ chain: () => chain }, "no node of nile answers: gateway: answered HTTP 401"],
    [
      { chain: () => undefined, chainFault: () => failure.safeMessage },
      "no node of nile was verified yet: gateway: answered HTTP 401",
    ],
  ] as const) {
    const checks = readinessChecks(context, { isScannerFailing: () => false, ...facts });
    expect(await checks.find(({ name }) => name === "node")?.check()).toEqual({ ok: false, detail });
  }
});

it("the head that the watcher has just read is not requested again", async () => {
  const calls: number[] = [];
  const client = {
    nodes: [],
    getHeadBlock: async () => aHeader({ number: calls.push(1) + 2_000, timeMs: Date.now() }),
  } as Partial<TronClient>;
  const chain = { client: client as TronClient, network: publicNetworks.nile };
  let seenMs = context.clock.monotonicMs();
  const checks = readinessChecks(context, {
    chain: () => chain,
    isScannerFailing: () => false,
    seenHead: () => ({ number: 1_000, timeMs: Date.now(), seenMs }),
  });
  const node = checks.find(({ name }) => name === "node");
  expect([await node?.check(), calls]).toEqual([{ ok: true, detail: "head block 1000" }, []]);
  seenMs -= 9_001;
  expect([await node?.check(), calls]).toEqual([{ ok: true, detail: "head block 2001" }, [1]]);
});

it("one query returns the watcher that reads and its height, also without a watcher", async () => {
  const calls: unknown[] = [];
  const db = {
    query: <Row>(statement: Sql): Promise<Row[]> => {
      calls.push(statement);
      return context.db.query<Row>(statement);
    },
  };
  await scanner({ ageSeconds: 3, head: 1_000 });
  await context.owner.query(sql`
    insert into leases (name, holder, epoch, expires_at) values ('reads', 'host/7/x', 1, now())`);
  expect(await findReader(db, { network: "nile", lease: "reads" })).toEqual({
    holder: "host/7/x",
    scanned: { number: 1_000, solidNumber: 980, ageSeconds: expect.any(Number) },
  });
  expect(calls).toHaveLength(1);
  await scanner({ ageSeconds: -60, head: 1_000 });
  expect((await findReader(db, { network: "nile", lease: "reads" })).scanned?.ageSeconds).toBe(0);
  await context.owner.query(sql`update leases set is_free = true where name = 'reads'`);
  expect(await findReader(db, { network: "shasta", lease: "reads" })).toEqual({});
});

it("missing future partitions are reported, and do not fail readiness", async () => {
  const partitions = async () => {
    const checks = readinessChecks(context, { chain: () => undefined, isScannerFailing: () => false });
    return checks.find(({ name }) => name === "partitions")?.check();
  };
  expect(await partitions()).toEqual({ ok: true, detail: "2 months ahead" });
  const months = await context.db.query<{ name: string }>(sql`
    select oid::regclass::text as name from pg_inherits join pg_class on oid = inhrelid
    where inhparent = 'webhook_attempts'::regclass and relname ~ '_\\d{4}_\\d\\d$' order by relname desc limit 1`);
  for (const { name } of months) await executeAsAdmin(context.ownerUrl, `drop table ${name}`);
  expect(await partitions()).toEqual({ ok: true, detail: "1 months ahead: run `daric migrate`" });
});

describe("a holder that renews its lease and does no work", () => {
  const leases = async () => {
    const checks = readinessChecks(context, { chain: () => undefined, isScannerFailing: () => false });
    return (await checks.find(({ name }) => name === "leases")?.check())?.detail;
  };
  const held = (name: string) =>
    context.owner.query(sql`
      insert into leases (name, holder, epoch, expires_at) values (${name}, 'thief', 1, now() + interval '10 years')
      on conflict (name) do update set holder = 'thief', is_free = false`);

  it("of alerts is doubted once samples of more than an hour are left", async () => {
    await held("alerts:nile");
    await context.owner.query(sql`
      insert into alert_samples (process, taken_at, samples) values
        ('api:9100', now() - interval '70 minutes', '[]'), ('api:9100', now(), '[]')`);
    expect(await leases()).toBe("work");
    await context.owner.query(sql`
      update alert_samples set taken_at = now() - interval '80 minutes' where taken_at < now() - interval '1 hour'`);
    expect(await leases()).toMatch(/^the holder of the lease alerts:nile has done no work since \S+Z$/);
    await context.owner.query(sql`update leases set is_free = true where name = 'alerts:nile'`);
    expect(await leases()).toBe("work");
  });

  it("of settlement is doubted once its terms are a quarter of an hour old, and while a process lives", async () => {
    await held("settlement:nile");
    await context.owner.query(sql`
      update settlement_control set terms = '[]', terms_found_at = now() - interval '14 minutes'`);
    expect(await leases()).toBe("work");
    await context.owner.query(sql`
      update settlement_control set terms_found_at = now() - interval '16 minutes'`);
    expect(await leases()).toContain("settlement:nile");
    await context.owner.query(sql`delete from alert_samples`);
    expect(await leases()).toBe("work");
  });
});
