import type { CompleteBlock } from "@daric/chain/blocks/complete-block";
import { IncompleteBlockError, NodeError } from "@daric/chain/blocks/node-error";
import type { ChainReader } from "@daric/chain/nodes/chain-reader";
import type { Charge } from "@daric/charges/charge";
import type { MerchantId } from "@daric/domain/ids";
import { type Queryable, sql } from "@daric/postgres/sql";
import { LeaseLostError } from "@daric/runtime/lease";
import { isNight } from "@daric/testing/at-night";
import { aMerchant } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext, withSettings } from "@daric/testing/context";
import { copyDatabase, type TestDatabase } from "@daric/testing/database";
import { rescanRange, runRescan } from "@daric/testing/rescans";
import { alarms, listening, nodeGroup, scanToRest } from "@daric/testing/watch";
import { anEndpointRow, deliveryRows } from "@daric/testing/webhook-builders";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Scanner } from "../follow/scanner.ts";
import { createAnswerCache } from "../verify/answer-cache.ts";
import { fetchAgain } from "./fetch-again.ts";
import { findReadRange } from "./read-range-store.ts";
import { RescanRefusedError, requestRescan } from "./rescan.ts";
import { rescanBlock } from "./rescan-block.ts";
import { findRescan, type Rescan } from "./rescan-store.ts";
import { createRescanWorker } from "./rescan-worker.ts";

const NETWORK = "devnet";
let chain: TestChain;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let restored: TestDatabase | undefined;

beforeEach(async () => {
  [chain, context] = await Promise.all([startTestChain(), createTestContext()]);
  merchantId = (await aMerchant(context.db)).id;
});
afterEach(async () => {
  await restored?.drop();
  restored = undefined;
  await context.close();
  await chain.stop();
});

const anOrder = (): Promise<Charge> => aCharge(context.db, { merchantId, amount: "5" });

/** A reader of the same chain with some false answers. */
function otherwise(lies: Partial<ChainReader>): Scanner["client"] {
  return nodeGroup({ ...chain.client, ...lies });
}

/** Rescans a range like the watcher, and returns the result. */
async function rescan(
  of: TestContext,
  { client, ...range }: { from: number; to: number; client?: Scanner["client"] },
): Promise<Rescan> {
  return rescanRange(of, { ...(await chain.scanner(of)), ...(client && { client }) }, range);
}

async function workOff(of: TestContext, id: number, client?: Scanner["client"]): Promise<Rescan> {
  return runRescan(of, { ...(await chain.scanner(of)), ...(client && { client }) }, id);
}

/** All deposits, their history and events. */
async function storedRows(db: Queryable): Promise<unknown[]> {
  return db.query(sql`
    select 'deposit' as what, id::text, status as says, units from deposits
    union all select 'step', deposit_id::text, event, count(*) from deposit_events group by deposit_id, event
    union all select 'event', id::text, type, 0 from webhook_events
    union all select 'block', id, (orphaned_at is null)::text, transfer_count from blocks
    order by what, id, says`);
}

async function events(db: Queryable): Promise<{ type: string; id: string }[]> {
  return db.query(sql`
    select type, id::text from webhook_events
    where merchant_id = ${merchantId} and (type = 'deposit.confirmed' or type like 'order.%') order by type, id`);
}

async function statuses(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ status: string }>(
    sql`select status from deposits where merchant_id = ${merchantId} order by block_number, id`,
  );
  return rows.map(({ status }) => status);
}

/** The `getBlock` of a node with another block at this height. */
function otherBlock(number: number): ChainReader["getBlock"] {
  return async (at) => {
    const block = await chain.client.getBlock(at);
    if (block === undefined || at !== number) return block;
    return { ...block, header: { ...block.header, id: "f".repeat(64) } };
  };
}

/** Pays an order whose payment a node hides in both readings of the block. */
async function missAPayment(): Promise<{ order: Charge; number: number; txId: string }> {
  await chain.scan(context);
  const order = await anOrder();
  const [txId = ""] = await chain.pay(order.address, { usdt: "5" });
  await chain.mine(1);
  const { number } = await chain.client.getHeadBlock();
  const hiding = otherwise({
    fetchCompleteBlock: async (at) => without(await chain.client.fetchCompleteBlock(at), txId),
  });
  await chain.mine(25);
  await scanToRest(context, { ...(await chain.scanner(context)), client: hiding });
  // The verified height is written after 40 blocks without effects.
  await chain.mine(45);
  await scanToRest(context, { ...(await chain.scanner(context)), client: hiding });
  expect((await findReadRange(context.db, NETWORK))?.solid).toBeGreaterThan(number + 10);
  expect(await statuses(context.db)).toEqual([]);
  return { order, number, txId };
}

/** The events of deposits and orders, in their order. */
async function announced(db: Queryable): Promise<[string, string | undefined, number | undefined][]> {
  const rows = await db.query<{ body: Buffer }>(sql`
    select body.body from webhook_events event
    join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
    where event.merchant_id = ${merchantId} order by event.type like 'order.%', event.sequence`);
  return rows.map(({ body }) => {
    const { event, data } = JSON.parse(body.toString());
    return [event, data.status, data.confirmations];
  });
}

/** The same block, in which each log has lost its data's last digit. */
function spoilt(block: CompleteBlock): CompleteBlock {
  const logsOf = ({ logs }: CompleteBlock["infos"][number]) =>
    logs.map((log) => ({ ...log, data: log.data.slice(1) }));
  return { ...block, infos: block.infos.map((info) => ({ ...info, logs: logsOf(info) })) };
}

function without(block: CompleteBlock, txId: string): CompleteBlock {
  return {
    ...block,
    transactions: block.transactions.filter((transaction) => transaction.txId !== txId),
    infos: block.infos.filter((info) => info.txId !== txId),
  };
}

describe("a rescan of a range", () => {
  it("adds missing deposits, which are confirmed and announced as usual, once", async () => {
    const { number, order } = await missAPayment();
    const { depositsAdded, status, blocksRead } = await rescan(context, {
      from: number - 1,
      to: number + 10,
    });
    expect([status, blocksRead, depositsAdded]).toEqual(["DONE", 12, 1]);
    await chain.scan(context);
    expect(await statuses(context.db)).toEqual(["CONFIRMED"]);
    expect((await events(context.db)).map(({ type }) => type)).toEqual(["deposit.confirmed", "order.paid"]);
    const [row] = await context.owner.query<{ status: string }>(
      sql`select status from deposit_addresses where id = ${order.id}`,
    );
    expect(row?.status).toBe("ARCHIVED");
  });

  it("announces a missed payment to its subscribers, each state once, for any number of rescans", async () => {
    const types = ["deposit.detected", "deposit.confirming", "deposit.confirmed", "order.paid"];
    const endpointId = await anEndpointRow(context.db, merchantId, { eventTypes: types });
    const { number } = await missAPayment();
    const range = { from: number - 1, to: number + 1 };
    await rescan(context, range);
    expect(await announced(context.db)).toEqual([
      ["deposit.detected", "DETECTED", 71],
      ["deposit.confirming", "CONFIRMING", 71],
    ]);
    await rescan(context, range);
    await chain.scan(context);
    await rescan(context, range);
    await chain.mine(1);
    await chain.scan(context);
    expect((await announced(context.db)).map(([type]) => type)).toEqual(types);
    expect((await deliveryRows(context, endpointId)).map(({ event_type }) => event_type).sort()).toEqual(
      types.toSorted(),
    );
  });

  it("logs transfers that no honest chain has, as the first read does", async () => {
    await chain.mine(3);
    await chain.scan(context);
    await chain.pay((await anOrder()).address, { usdt: "5" });
    await chain.mine(1);
    await chain.scan(context);
    const { last = 0 } = (await findReadRange(context.db, NETWORK)) ?? {};
    const logged = listening(context);
    const contradicting = otherwise({
      fetchCompleteBlock: async (at) => spoilt(await chain.client.fetchCompleteBlock(at)),
    });
    await rescan(logged.context, { from: last, to: last, client: contradicting });
    expect(logged.lines).toMatchObject([{ block_number: last, anomaly: "malformed_log" }]);
  });

  it("changes nothing if all is stored, for any number of rescans", async () => {
    for (let paid = 0; paid < 3; paid += 1) await chain.pay((await anOrder()).address, { usdt: "5" });
    await chain.scan(context);
    for (let paid = 0; paid < 3; paid += 1) {
      await chain.pay((await anOrder()).address, { usdt: "5" });
      await chain.mine(4);
    }
    await chain.mine(25);
    await chain.pay((await anOrder()).address, { usdt: "5" });
    await chain.mine(1);
    await chain.scan(context);
    const before = await storedRows(context.owner);
    const read = await findReadRange(context.db, NETWORK);
    for (let times = 0; times < 2; times += 1) {
      const done = await rescan(context, { from: read?.first ?? 0, to: read?.last ?? 0 });
      expect(done).toMatchObject({ status: "DONE", blocksAdded: 0, depositsAdded: 0, blocksDiffering: 0 });
    }
    await chain.scan(context);
    expect(await storedRows(context.owner)).toEqual(before);
  });

  it.each([
    ["a final block", false],
    ["the last final block", true],
  ])(
    "reports %s that differs at the nodes, with both ids and an alarm, and keeps ours",
    async (_which, isLast) => {
      const missed = await missAPayment();
      const number = isLast ? ((await findReadRange(context.db, NETWORK))?.solid ?? 0) : missed.number;
      const logged = listening(context);
      const before = await storedRows(context.owner);
      const lying = otherwise({ getBlock: otherBlock(number) });
      const done = await rescan(logged.context, { from: number, to: number, client: lying });
      expect(done).toMatchObject({ status: "DONE", blocksDiffering: 1, depositsAdded: 0 });
      expect(done.differing).toEqual([
        expect.stringMatching(`block ${number} is f{64} to node 1 where ours is [0-9a-f]{64}`),
      ]);
      expect(await alarms(context)).toEqual({ rescan_differs: 1 });
      expect(logged.lines).toMatchObject([{ level: "error", block_number: number }]);
      expect(await storedRows(context.owner)).toEqual(before);
    },
  );

  it("waits if a block above the final ones differs: the scanner follows forks", async () => {
    await chain.scan(context);
    await chain.mine(3);
    await chain.scan(context);
    await chain.reorg({ depth: 1 });
    const read = await findReadRange(context.db, NETWORK);
    const waiting = await rescan(context, { from: read?.last ?? 0, to: read?.last ?? 0 });
    expect(waiting).toMatchObject({
      status: "WAITING",
      blocksRead: 0,
      note: expect.stringContaining("not final yet"),
    });
    await chain.scan(context);
    expect(await findRescan(context.db, { network: NETWORK, id: waiting.id })).toMatchObject({
      status: "WAITING",
    });
  });

  it("waits for failed nodes, and notes the reason", async () => {
    await chain.mine(3);
    await chain.scan(context);
    const failing = otherwise({
      fetchCompleteBlock: () =>
        Promise.reject(new NodeError("did not answer", { fault: "timeout", node: "node" })),
    });
    const read = await findReadRange(context.db, NETWORK);
    const waiting = await rescan(context, { from: read?.last ?? 0, to: read?.last ?? 0, client: failing });
    expect(waiting).toMatchObject({ status: "WAITING", note: "node: did not answer" });
    await context.owner.query(
      sql`update rescans set updated_at = now() - interval '11 minutes', note = null`,
    );
    expect(await workOff(context, waiting.id, failing)).toMatchObject({ status: "REFUSED" });
  });

  it("ends at a block that no node keeps, and notes the range to request then", async () => {
    await chain.mine(3);
    await chain.scan(context);
    const { last = 0 } = (await findReadRange(context.db, NETWORK)) ?? {};
    const pruned = otherwise({
      fetchCompleteBlock: (at) =>
        at === last - 1
          ? Promise.reject(new IncompleteBlockError("node", at))
          : chain.client.fetchCompleteBlock(at),
    });
    const ended = await rescan(context, { from: last - 2, to: last, client: pruned });
    expect(ended).toMatchObject({
      status: "REFUSED",
      blocksRead: 1,
      note: `no node keeps block ${last - 1}: configure one that does, and rescan the rest, --from ${last - 1} --to ${last}`,
    });
  });

  it("continues at its last block after another watcher took over", async () => {
    await chain.mine(30);
    await chain.scan(context);
    const { first = 0, last = 0 } = (await findReadRange(context.db, NETWORK)) ?? {};
    const { id } = await requestRescan(context.db, { network: NETWORK, from: first ?? 0, to: last });
    const rescan = await findRescan(context.db, { network: NETWORK, id });
    if (rescan === undefined) throw new Error("the range is gone");
    const scanner = await chain.scanner(context);
    const answers = createAnswerCache();
    const fetched = await fetchAgain(context, scanner, {
      number: first ?? 0,
      needed: 1,
      answers,
    });
    await rescanBlock(context, scanner, { rescan, fetched, answers });
    await rescanBlock(context, scanner, { rescan, fetched, answers });
    expect(await findRescan(context.db, { network: NETWORK, id })).toMatchObject({
      status: "RUNNING",
      blocksRead: 1,
    });
    expect(await workOff(context, id)).toMatchObject({ status: "DONE", blocksRead: last - (first ?? 0) + 1 });
  });

  it("is not written by a watcher whose lease was taken over", async () => {
    const { number } = await missAPayment();
    const paused = await chain.scanner(context);
    await context.owner.query(sql`update leases set is_free = true`);
    await chain.scanner(context, "other");
    const rescan = await requestRescan(context.db, { network: NETWORK, from: number, to: number });
    const answers = createAnswerCache();
    const fetched = await fetchAgain(context, paused, { number, needed: 1, answers });
    await expect(rescanBlock(context, paused, { rescan, fetched, answers })).rejects.toThrow(LeaseLostError);
    expect(await statuses(context.db)).toEqual([]);
  });

  it("never makes the scanner wait for a node", async () => {
    await chain.mine(3);
    await chain.scan(context);
    const { last = 0 } = (await findReadRange(context.db, NETWORK)) ?? {};
    await requestRescan(context.db, { network: NETWORK, from: last, to: last });
    const hanging = otherwise({ fetchCompleteBlock: () => new Promise(() => {}) });
    const scanner = { ...(await chain.scanner(context)), client: hanging };
    const worker = createRescanWorker(context, () => {});
    for (let step = 0; step < 5; step += 1) await worker.step(scanner);
    await chain.mine(1);
    await chain.scan(context);
    expect((await findReadRange(context.db, NETWORK))?.last).toBe(last + 1);
  });
});

describe("blocks before the first read one", () => {
  /** An order that was paid before the block at which reading begins. */
  async function paidBefore(): Promise<{ started: TestContext; number: number; first: number }> {
    await chain.pay((await anOrder()).address, { usdt: "5" });
    await chain.mine(1);
    const { number } = await chain.client.getHeadBlock();
    await chain.mine(40);
    const started = withSettings(context, { deposits: { startBlock: number + 5 } });
    await chain.scan(started);
    expect(await statuses(context.db)).toEqual([]);
    return { started, number, first: number + 5 };
  }

  it("are added next to it, without a gap, and their payments are credited", async () => {
    const { started, number, first } = await paidBefore();
    const done = await rescan(started, { from: number - 3, to: first + 2 });
    expect(done).toMatchObject({ status: "DONE", blocksRead: 11, blocksAdded: 8, depositsAdded: 1 });
    expect(done.nodes).toMatchObject([{ shown: 11, notShown: 0, reason: null }]);
    await chain.mine(1);
    await chain.scan(started);
    expect(await statuses(context.db)).toEqual(["CONFIRMED"]);
    const { first: newFirst, last = 0 } = (await findReadRange(context.db, NETWORK)) ?? {};
    const [row] = await context.owner.query<{ count: bigint }>(
      sql`select count(*) as count from blocks child join blocks parent on parent.id = child.parent_id`,
    );
    expect([newFirst, row?.count]).toEqual([number - 3, BigInt(last - (number - 3))]);
  });

  it("are refused if they would leave a gap, with the range to request", async () => {
    const { started, number, first } = await paidBefore();
    await expect(rescan(started, { from: number, to: number + 1 })).rejects.toThrow(
      new RescanRefusedError(
        `blocks ${number + 2} to ${first - 1} would be a gap, for ${first} is the first block that was read: use --to ${first - 1} or more`,
      ),
    );
  });

  it("are not added unless they are the parents of ours", async () => {
    const { started, number, first } = await paidBefore();
    const lying = otherwise({ getBlock: otherBlock(first - 1) });
    const ended = await rescan(started, { from: number, to: first, client: lying });
    expect(ended).toMatchObject({
      status: "REFUSED",
      blocksAdded: 0,
      note: expect.stringContaining("is not the parent"),
    });
  });

  it("above the last read one are refused", async () => {
    const fetched = requestRescan(context.db, { network: NETWORK, from: 1, to: 2 });
    await expect(fetched).rejects.toThrow("no block was read yet");
    await chain.scan(context);
    const { last = 0 } = (await findReadRange(context.db, NETWORK)) ?? {};
    const above = requestRescan(context.db, { network: NETWORK, from: last, to: last + 1 });
    await expect(above).rejects.toThrow(`use --to ${last} at most`);
  });
});

it.runIf(isNight)(
  "a database restored from before a fork announces 20 payments under the same ids, and a rescan announces nothing more",
  {
    timeout: 120_000,
  },
  async () => {
    await chain.scan(context);
    for (let n = 0; n < 20; n += 1) {
      await chain.pay((await anOrder()).address, { usdt: "5" });
      if (n % 4 === 3) await chain.mine(1);
    }
    await chain.scan(context);
    restored = await copyDatabase(context.config.runtime.databaseUrl);
    await chain.reorg({ depth: 5 });
    await chain.mine(25);
    await chain.scan(context);
    const announced = await events(context.db);
    expect(announced.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 20 }, () => "deposit.confirmed"),
      ...Array.from({ length: 20 }, () => "order.paid"),
    ]);

    const again: TestContext = { ...context, db: restored.db };
    await chain.scan(again);
    expect(await events(restored.db)).toEqual(announced);
    const { first, last = 0 } = (await findReadRange(restored.db, NETWORK)) ?? {};
    await rescan(again, { from: first ?? 0, to: last });
    await chain.mine(2);
    await chain.scan(again);
    expect(await events(restored.db)).toEqual(announced);
    expect(new Set(await statuses(restored.db))).toEqual(new Set(["CONFIRMED"]));
  },
);
