import type { ChainReader } from "@daric/chain/nodes/chain-reader";
import { findCharge } from "@daric/charges/charge";
import type { MerchantId } from "@daric/domain/ids";
import { formatAmount } from "@daric/domain/money";
import { one, sql } from "@daric/postgres/sql";
import { LeaseLostError } from "@daric/runtime/lease";
import { createMetrics } from "@daric/server/process/metrics";
import { aMerchant } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { nodeGroup } from "@daric/testing/watch";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listDeposits } from "../list-store.ts";
import { scanChain } from "./scan-chain.ts";

let chain: TestChain;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;

beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

beforeEach(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
  // Each database issues the same addresses: earlier tests paid them below the first block of this one.
  await chain.mine(20);
  await chain.scan(context);
  return () => context.close();
});

const anOrder = (overrides: Partial<Parameters<typeof aCharge>[1]> = {}) =>
  aCharge(context.db, { merchantId, amount: "25", ...overrides });

async function deposits() {
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 100, offset: 0 });
  return rows.toReversed();
}

async function statuses() {
  return (await deposits()).map((deposit) => deposit.status);
}

async function eventTypes(resourceId?: string) {
  const rows = await context.db.query<{ type: string }>(sql`
    select type from webhook_events
    where merchant_id = ${merchantId} and (resource_id = ${resourceId ?? null}::uuid or ${resourceId === undefined})
    order by created_at, type`);
  return rows.map((row) => row.type);
}

async function history() {
  const rows = await context.db.query<{ event: string; to_status: string }>(sql`
    select e.event, e.to_status from deposit_events e join deposits d on d.id = e.deposit_id
    where d.merchant_id = ${merchantId} order by e.id`);
  return rows.map((row) => `${row.event}:${row.to_status}`);
}

async function confirm() {
  await chain.mine(20);
  await chain.scan(context);
}

describe("a payment until it is final", () => {
  it("is DETECTED in the head, CONFIRMING under one block, CONFIRMED at 19 confirmations and solid", async () => {
    const order = await anOrder();
    await chain.pay(order.address, { usdt: "25" });
    await chain.mine(1);
    await chain.scan(context);
    expect(await statuses()).toEqual(["DETECTED"]);

    await chain.mine(1);
    await chain.scan(context);
    expect(await statuses()).toEqual(["CONFIRMING"]);

    await chain.mine(16);
    await chain.scan(context);
    expect(await statuses()).toEqual(["CONFIRMING"]);
    expect(await eventTypes()).toEqual([]);

    await chain.mine(1);
    await chain.scan(context);
    const [deposit] = await deposits();
    expect(deposit).toMatchObject({
      status: "CONFIRMED",
      finalConfirmations: 19,
      source: "log",
      late: false,
    });
    expect(await history()).toEqual(["detected:DETECTED", "buried:CONFIRMING", "finalized:CONFIRMED"]);
  });

  it("archives the order and announces the deposit, then the order, once each", async () => {
    const order = await anOrder();
    await chain.pay(order.address, { usdt: "25" });
    await confirm();
    await confirm();
    const [deposit] = await deposits();
    expect(await eventTypes()).toEqual(["deposit.confirmed", "order.paid"]);
    expect(await eventTypes(deposit?.id)).toEqual(["deposit.confirmed"]);
    expect(await eventTypes(order.id)).toEqual(["order.paid"]);
    expect((await findCharge(context.db, order))?.status).toBe("ARCHIVED");
  });

  it("is announced with the amounts of the order and its position in the chain", async () => {
    const order = await anOrder({ orderRef: "A-7" });
    const [txHash] = await chain.pay(order.address, { usdt: "25.5" });
    await confirm();
    const [deposit] = await deposits();
    const row = one(
      await context.db.query<{ body: Buffer }>(
        sql`
          select body.body from webhook_events event
          join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
          where resource_id = ${deposit?.id ?? null}::uuid`,
      ),
    );
    expect(JSON.parse(row.body.toString())).toMatchObject({
      event: "deposit.confirmed",
      apiVersion: "v1",
      environment: "test",
      sequence: 1,
      data: {
        depositId: deposit?.id,
        depositAddressId: order.id,
        orderRef: "A-7",
        amount: "25.5",
        orderAmount: "25",
        amountReceived: "25.5",
        difference: "0.5",
        paymentState: "over",
        txHash,
        eventIndex: 0,
        blockNumber: deposit?.blockNumber,
        blockHash: deposit?.blockId,
        status: "CONFIRMED",
        previousStatus: "CONFIRMING",
      },
    });
  });

  it("is found in TRX as in USDT", async () => {
    const order = await anOrder({ currency: "TRX", amount: "100" });
    await chain.pay(order.address, { trx: "100" });
    await confirm();
    expect(await deposits()).toMatchObject([{ source: "transfer", currency: "TRX", status: "CONFIRMED" }]);
    expect(await eventTypes()).toEqual(["deposit.confirmed", "order.paid"]);
  });
});

describe("a payment", () => {
  it("in parts adds up: the part that completes it pays the order", async () => {
    const order = await anOrder();
    await chain.pay(order.address, { usdt: "10" });
    await confirm();
    expect(await eventTypes()).toEqual(["deposit.confirmed"]);
    await chain.pay(order.address, { usdt: "15" });
    await confirm();
    expect(await eventTypes()).toEqual(["deposit.confirmed", "deposit.confirmed", "order.paid"]);
  });

  it("twice makes two deposits and one paid order", async () => {
    const order = await anOrder();
    await chain.pay(order.address, { usdt: "25" });
    await chain.pay(order.address, { usdt: "25" });
    await confirm();
    const charge = await findCharge(context.db, order);
    expect(charge && formatAmount(charge.confirmed.total)).toBe("50");
    expect((await eventTypes(order.id)).filter((type) => type === "order.paid")).toHaveLength(1);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
  });

  it("to each of two orders in one block pays each order", async () => {
    const [first, second] = [await anOrder(), await anOrder()];
    await chain.pay(first.address, { usdt: "25" });
    await chain.pay(second.address, { usdt: "25" });
    await confirm();
    expect(await eventTypes(first.id)).toEqual(["order.paid"]);
    expect(await eventTypes(second.id)).toEqual(["order.paid"]);
  });

  it("in the other currency is recorded, confirmed, announced as deposit.unmatched alone, and pays nothing", async () => {
    const order = await anOrder();
    await chain.pay(order.address, { trx: "500" });
    await confirm();
    expect(await deposits()).toMatchObject([{ currency: "TRX", unmatched: true, status: "CONFIRMED" }]);
    expect(await eventTypes()).toEqual(["deposit.unmatched"]);
    expect((await findCharge(context.db, order))?.confirmed.total).toBe(0n);
  });

  it("below the bound counts for an order of less, and is announced as any payment", async () => {
    const order = await anOrder({ amount: "0.005" });
    await chain.pay(order.address, { usdt: "0.005" });
    await confirm();
    expect(await eventTypes()).toEqual(["deposit.confirmed", "order.paid"]);
  });

  it("without a running watcher is found afterwards", async () => {
    const order = await anOrder();
    await chain.mine(40);
    await chain.pay(order.address, { usdt: "25" });
    await chain.mine(60);
    await chain.scan(context);
    expect(await statuses()).toEqual(["CONFIRMED"]);
    expect(await history()).toEqual(["detected:DETECTED", "buried:CONFIRMING", "finalized:CONFIRMED"]);
  });

  it("before the first read of the chain is found too", async () => {
    const order = await anOrder();
    const [txHash = ""] = await chain.pay(order.address, { usdt: "25" });
    await chain.mine(60);
    await context.owner.query(sql`delete from scan_cursors`);
    await context.owner.query(sql`delete from blocks`);
    await chain.scan(context);
    const { rows: found } = await listDeposits(context.db, { merchantId, txHash }, { limit: 10, offset: 0 });
    expect(found).toMatchObject([{ status: "CONFIRMED", chargeId: order.id }]);
  });

  it("after the order's expiry is late, and the order has expired by the chain's clock", async () => {
    const [{ timeMs }] = [await chain.client.getHeadBlock()];
    const order = await anOrder({ expiresAt: new Date(timeMs + 30_000) });
    await chain.mine(12 + 18);
    await chain.scan(context);
    expect((await findCharge(context.db, order))?.status).toBe("EXPIRED");
    await chain.pay(order.address, { usdt: "25" });
    await confirm();
    expect(await deposits()).toMatchObject([{ late: true, status: "CONFIRMED" }]);
    expect((await findCharge(context.db, order))?.status).toBe("ARCHIVED");
    expect(await eventTypes(order.id)).toContain("order.paid");
  });

  it("in time keeps its order from expiring until it is final", async () => {
    const { timeMs } = await chain.client.getHeadBlock();
    const order = await anOrder({ expiresAt: new Date(timeMs + 10_000) });
    await chain.pay(order.address, { usdt: "25" });
    await chain.mine(10);
    await chain.scan(context);
    expect((await findCharge(context.db, order))?.status).toBe("ACTIVE");
    await confirm();
    expect((await findCharge(context.db, order))?.status).toBe("ARCHIVED");
  });
});

describe("a fork", () => {
  it("makes a deposit REORG_PENDING, and DETECTED again when its transaction is included again", async () => {
    const order = await anOrder();
    const [txId = ""] = await chain.pay(order.address, { usdt: "25" });
    await chain.mine(3);
    await chain.scan(context);
    const [before] = await deposits();
    await chain.reorg({ depth: 3, move: [txId] });
    await chain.scan(context);
    const [after] = await deposits();
    expect(after?.id).toBe(before?.id);
    expect(after?.blockId).not.toBe(before?.blockId);
    await confirm();
    expect(await statuses()).toEqual(["CONFIRMED"]);
    expect(await history()).toEqual([
      "detected:DETECTED",
      "buried:CONFIRMING",
      "orphaned:REORG_PENDING",
      "included:DETECTED",
      "buried:CONFIRMING",
      "finalized:CONFIRMED",
    ]);
    expect(await eventTypes()).toEqual(["deposit.confirmed", "order.paid"]);
  });

  it("fails a dropped deposit only when its expiration is solid", async () => {
    const order = await anOrder();
    const [txId = ""] = await chain.pay(order.address, { usdt: "25" });
    await chain.mine(3);
    await chain.scan(context);
    const txExpiresAt = (await deposits())[0]?.txExpiresAt;
    await chain.reorg({ depth: 3, drop: [txId] });
    await chain.scan(context);
    expect(await statuses()).toEqual(["REORG_PENDING"]);
    const { timeMs } = await chain.client.getSolidBlock();
    await chain.mine(Math.ceil(((txExpiresAt?.getTime() ?? 0) - timeMs) / 3_000) - 1);
    await chain.scan(context);
    expect(await statuses()).toEqual(["REORG_PENDING"]);
    await chain.mine(2);
    await chain.scan(context);
    expect(await deposits()).toMatchObject([{ status: "FAILED", failureReason: "dropped" }]);
    expect(await eventTypes()).toEqual([]);
  });

  it("fails a deposit whose transaction fails in a new block, once that block is solid", async () => {
    const order = await anOrder();
    const [txId = ""] = await chain.pay(order.address, { usdt: "25" });
    await chain.mine(2);
    await chain.scan(context);
    await chain.reorg({ depth: 2, fail: [txId] });
    await chain.scan(context);
    expect(await statuses()).toEqual(["REORG_PENDING"]);
    await confirm();
    expect(await deposits()).toMatchObject([{ status: "FAILED", failureReason: "failed_on_chain" }]);
  });

  it("leaves the stored chain without a gap: consecutive numbers, each linked to its parent", async () => {
    await chain.mine(6);
    await chain.scan(context);
    await chain.reorg({ depth: 4 });
    await chain.scan(context);
    const broken = await context.db.query(sql`
      select child.number from blocks child
      left join blocks parent on parent.id = child.parent_id and parent.orphaned_at is null
      where child.orphaned_at is null and parent.id is null`);
    expect(broken).toHaveLength(1);
    const forks = await context.db.query(sql`select id from blocks where orphaned_at is not null`);
    expect(forks).toHaveLength(4);
  });
});

describe("an untrusted node, watcher or transaction:", () => {
  it("a node that lags behind is not taken for a fork", async () => {
    const scanner = await chain.scanner(context);
    const old = await chain.client.getBlock((await chain.client.getHeadBlock()).number - 3);
    const lagging: ChainReader = { ...bound(chain.client), getHeadBlock: async () => old?.header ?? fail() };
    await scanChain(context, { ...scanner, client: nodeGroup(lagging) });
    const forks = await context.db.query(sql`select id from blocks where orphaned_at is not null`);
    expect(forks).toEqual([]);
  });

  /** A node whose head is the first block. */
  async function aLostNode(): Promise<ChainReader> {
    const first = await chain.client.getBlock(1);
    return { ...bound(chain.client), getHeadBlock: async () => first?.header ?? fail() };
  }

  it("a node with a head below a final block is logged, and the hidden blocks are read later", async () => {
    const order = await anOrder();
    await chain.mine(60);
    await chain.scan(context);
    await chain.pay(order.address, { usdt: "25" });
    await chain.mine(1);
    const lost = await aLostNode();
    const scanner = { ...(await chain.scanner(context)), client: nodeGroup(lost) };
    await expect(scanChain(context, scanner)).rejects.toThrow("which was final");
    expect(await context.db.query(sql`select id from blocks where orphaned_at is not null`)).toEqual([]);
    expect(await statuses()).toEqual([]);
    await chain.scan(context);
    expect(await statuses()).toEqual(["DETECTED"]);
  });

  it("the next step reads from another node than one with a head below a final block", async () => {
    const order = await anOrder();
    await chain.mine(60);
    await chain.scan(context);
    await chain.pay(order.address, { usdt: "25" });
    await chain.mine(1);
    const lost = await aLostNode();
    const scanner = { ...(await chain.scanner(context)), client: nodeGroup(lost, bound(chain.client)) };
    await expect(scanChain(context, scanner)).rejects.toThrow("which was final");
    await scanChain(context, scanner);
    expect(await statuses()).toEqual(["DETECTED"]);
  });

  it("a watcher whose lease was taken over writes nothing", async () => {
    const lapse = () => context.db.query(sql`update leases set is_free = true`);
    await lapse();
    const paused = await chain.scanner(context, "paused");
    await lapse();
    await chain.scanner(context, "other");
    await anOrder();
    await chain.mine(1);
    await expect(scanChain(context, paused)).rejects.toThrow(LeaseLostError);
  });

  it("a block whose transaction fails is not announced, and is counted once when it is read again", async () => {
    const order = await anOrder();
    await chain.pay(order.address, { usdt: "25" });
    await chain.mine(1);
    const scanner = await chain.scanner(context);
    const cutOff: TestContext["db"] = {
      ...context.db,
      transaction: (work) => context.db.transaction(async (tx) => work(tx).then(fail)),
    };
    await expect(scanChain({ ...context, db: cutOff }, scanner)).rejects.toThrow("not there");
    const detected = async () => {
      const { values } = await context.metrics.deposits.get();
      return values.filter(({ labels }) => labels.status === "DETECTED").map(({ value }) => value);
    };
    expect([await statuses(), await detected()]).toEqual([[], []]);
    await chain.scan(context);
    expect([await statuses(), await detected()]).toEqual([["DETECTED"], [1]]);
  });

  it("its metrics show the number and time of the scanned block, even after a start without a new block", async () => {
    const head = await chain.client.getHeadBlock();
    await chain.scan(context);
    const metrics = createMetrics({ processMetrics: false });
    await chain.scan({ ...context, metrics });
    const of = async (gauge: typeof metrics.scannedBlock) =>
      (await gauge.get()).values.map(({ value }) => value);
    expect([await of(metrics.scannedBlock), await of(metrics.scannedBlockTime)]).toEqual([
      [head.number],
      [head.timeMs / 1_000],
    ]);
    expect([await of(metrics.headBlock), await of(metrics.headBlockTime)]).toEqual([
      [head.number],
      [head.timeMs / 1_000],
    ]);
  });

  it("reading the same blocks again changes nothing", async () => {
    const order = await anOrder();
    await chain.pay(order.address, { usdt: "25" });
    await confirm();
    const before = { deposits: await deposits(), events: await eventTypes(), history: await history() };
    const solid = (await chain.client.getBlock((before.deposits[0]?.blockNumber ?? 1) - 1))?.header;
    await context.db.query(sql`
      update scan_cursors set number = ${solid?.number ?? 0}, block_id = ${solid?.id ?? ""},
        time = ${new Date(solid?.timeMs ?? 0)}`);
    await chain.scan(context);
    const after = { deposits: await deposits(), events: await eventTypes(), history: await history() };
    expect(after.events).toEqual(before.events);
    expect(after.history).toEqual(before.history);
    expect(after.deposits.map(({ id, status }) => ({ id, status }))).toEqual(
      before.deposits.map(({ id, status }) => ({ id, status })),
    );
  });
});

/** The client's methods as plain properties, so that a test can replace one. */
function bound(client: ChainReader): ChainReader {
  return {
    getHeadBlock: () => client.getHeadBlock(),
    getBlock: (number) => client.getBlock(number),
    getBlockById: (id) => client.getBlockById(id),
    getTransactionInfos: (number) => client.getTransactionInfos(number),
    getSolidBlock: () => client.getSolidBlock(),
    getGenesisId: () => client.getGenesisId(),
    getTokenDecimals: (contract) => client.getTokenDecimals(contract),
    fetchCompleteBlock: (number, parent) => client.fetchCompleteBlock(number, parent),
  };
}

function fail(): never {
  throw new Error("not there");
}
