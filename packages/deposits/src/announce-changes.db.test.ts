import type { MerchantId } from "@daric/domain/ids";
import { webhookEventTypes } from "@daric/domain/webhook-event";
import { type Database, sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { copyDatabase } from "@daric/testing/database";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { aScanner, scanToRest } from "@daric/testing/watch";
import { anEndpointRow, deliveryRows } from "@daric/testing/webhook-builders";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

const UNITS = 25_000_000n;
const DUST = 99_999n;

const depositTypes = webhookEventTypes.filter((type) => type.startsWith("deposit."));

let context: TestContext & { close(): Promise<void> };
let chain: ForkChain;
let merchantId: MerchantId;
let address: string;

beforeEach(async () => {
  context = await createTestContext({ STUCK_AFTER: "60s" });
  merchantId = (await aMerchant(context.db)).id;
  address = (await aCharge(context.db, { merchantId, currency: "TRX", amount: "25" })).address;
  chain = createForkChain(Date.now());
  chain.mine(30);
  await scan();
  return () => context.close();
});

const subscribe = (eventTypes: string[] = depositTypes) =>
  anEndpointRow(context.db, merchantId, { eventTypes });

async function scan(db: Database = context.db): Promise<void> {
  const own = { ...context, db };
  await scanToRest(own, await aScanner(own, chain.reader));
}

async function mine(blocks: number): Promise<void> {
  for (let mined = 0; mined < blocks; mined += 1) {
    chain.mine(1);
    await scan();
  }
}

type AnnouncedEvent = { id: string; sequence: number; event: string; data: Record<string, unknown> };

/** The events of deposits, in their order. */
async function announcedEvents(db: Database = context.db): Promise<AnnouncedEvent[]> {
  const rows = await db.query<{ body: Buffer }>(sql`
    select body.body from webhook_events event
    join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
    where event.merchant_id = ${merchantId} and event.type like 'deposit.%' order by event.resource_id, event.sequence`);
  return rows.map(({ body }) => JSON.parse(body.toString()));
}

const names = (events: readonly AnnouncedEvent[]) => events.map(({ event }) => event.replace("deposit.", ""));
const ids = (events: readonly AnnouncedEvent[]) => events.map(({ id }) => id);

describe("an unconfirmed deposit", () => {
  it("is announced to its subscribers, each state once, in order, with its block and confirmations at that moment", async () => {
    const endpointId = await subscribe();
    chain.pay(address, UNITS);
    await mine(25);
    const events = await announcedEvents();
    expect(
      events.map(({ event, sequence, data }) => [
        event,
        sequence,
        data.previousStatus,
        data.status,
        data.confirmations,
      ]),
    ).toEqual([
      ["deposit.detected", 1, null, "DETECTED", 1],
      ["deposit.confirming", 2, "DETECTED", "CONFIRMING", 2],
      ["deposit.confirmed", 3, "CONFIRMING", "CONFIRMED", 19],
    ]);
    for (const { data } of events) expect(data).toMatchObject({ address, amount: "25", blockNumber: 31 });
    expect(events.map(({ data }) => data.amountReceived)).toEqual(["0", "0", "25"]);
    const deliveries = await deliveryRows(context, endpointId);
    expect(new Set(deliveries.map(({ event_id }) => event_id))).toEqual(new Set(ids(events)));
  });

  it("is announced to subscribers alone; without one no event is written", async () => {
    const endpointId = await subscribe(["deposit.confirmed", "order.paid"]);
    const { id: outsider } = await aMerchant(context.db);
    await anEndpointRow(context.db, outsider, { eventTypes: depositTypes });
    chain.pay(address, UNITS);
    await mine(25);
    expect(names(await announcedEvents())).toEqual(["confirmed"]);
    expect((await deliveryRows(context, endpointId)).map(({ event_type }) => event_type).toSorted()).toEqual([
      "deposit.confirmed",
      "order.paid",
    ]);
  });

  it("is announced from a batch of blocks too, after events without a subscriber", async () => {
    await subscribe();
    const { id: outsider } = await aMerchant(context.db);
    const theirs = await aCharge(context.db, { merchantId: outsider, currency: "TRX", amount: "25" });
    for (const to of [theirs.address, address]) {
      chain.pay(to, UNITS);
      chain.mine(1);
    }
    chain.mine(40);
    await scan();
    expect(names(await announcedEvents())).toEqual(["detected", "confirming", "confirmed"]);
  });

  it("is announced for the subscribed types alone, and a disabled endpoint's deliveries wait", async () => {
    const endpointId = await anEndpointRow(context.db, merchantId, {
      eventTypes: ["deposit.reorged"],
      isActive: false,
    });
    chain.pay(address, UNITS);
    await mine(2);
    chain.fork(2, ["dropped"]);
    await scan();
    expect(names(await announcedEvents())).toEqual(["reorged"]);
    expect(await deliveryRows(context, endpointId)).toHaveLength(1);
  });

  it("is not announced if its transaction rolls back, and is announced when it is repeated", async () => {
    await subscribe();
    chain.pay(address, UNITS);
    chain.mine(1);
    const transaction: Database["transaction"] = (work) =>
      context.db.transaction(async (tx) => {
        await work(tx);
        throw new Error("killed before the commit");
      });
    await expect(scan({ ...context.db, transaction })).rejects.toThrow("killed");
    expect(await announcedEvents()).toEqual([]);
    await scan();
    expect(names(await announcedEvents())).toEqual(["detected"]);
  });

  it("is announced by deposit.confirmed alone when it is dust, by deposit.unmatched alone in the other currency, and as dust of that by nothing", async () => {
    await subscribe();
    const other = await aCharge(context.db, { merchantId, currency: "USDT", amount: "25" });
    chain.pay(address, DUST);
    chain.pay(other.address, UNITS);
    chain.pay(other.address, DUST);
    await mine(1);
    chain.fork(1, ["moved"]);
    await scan();
    await mine(25);
    expect(names(await announcedEvents()).toSorted()).toEqual(["confirmed", "unmatched"]);
  });

  it("that waits too long is announced as stuck and then as confirmed, with a higher number", async () => {
    await subscribe();
    chain.leaveTurnsTo(10);
    chain.pay(address, UNITS);
    await mine(45);
    chain.leaveTurnsTo(27);
    await mine(45);
    expect(names(await announcedEvents())).toEqual(["detected", "confirming", "stuck", "confirmed"]);
  });

  it("that FAILED is announced as failed", async () => {
    await subscribe();
    chain.pay(address, UNITS);
    await mine(3);
    chain.fork(3, ["failed"]);
    await scan();
    await mine(45);
    const events = await announcedEvents();
    expect(names(events)).toEqual(["detected", "confirming", "reorged", "failed"]);
    expect(events.slice(2).map(({ data }) => [data.confirmations, data.status])).toEqual([
      [0, "REORG_PENDING"],
      [0, "FAILED"],
    ]);
  });
});

describe("a deposit whose block leaves the chain", () => {
  it("is announced as reorged, and as detected in its new block, under other event ids", async () => {
    await subscribe();
    chain.pay(address, UNITS);
    await mine(2);
    chain.fork(2, ["moved"]);
    await scan();
    await mine(25);
    const events = await announcedEvents();
    expect(names(events)).toEqual([
      "detected",
      "confirming",
      "reorged",
      "detected",
      "confirming",
      "confirmed",
    ]);
    expect(events.map(({ data }) => data.blockNumber)).toEqual([31, 31, 31, 32, 32, 32]);
    expect(events[3]?.data.previousStatus).toBe("REORG_PENDING");
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(ids(events)).size).toBe(6);
  });

  it("and returns is announced each time that the block leaves and returns", async () => {
    await subscribe();
    chain.pay(address, UNITS);
    await mine(1);
    chain.fork(1, ["kept"]);
    await scan();
    for (let time = 0; time < 2; time += 1) {
      chain.flipBack();
      await scan();
    }
    const events = await announcedEvents();
    const [, , otherTypes] = events;
    expect(names(events).filter((word) => word !== "confirming")).toEqual([
      ...["detected", "reorged", "detected", "reorged", "detected", "reorged", "detected"],
    ]);
    const blocks = events
      .filter(({ event }) => event === "deposit.detected")
      .map(({ data }) => data.blockHash);
    expect([blocks[2], blocks[3]]).toEqual([blocks[0], blocks[1]]);
    expect(otherTypes?.data.blockHash).toBe(blocks[1]);
    expect(new Set(ids(events)).size).toBe(events.length);
  });

  it("keeps its event ids after a restore of the database, and gets no second event after a restart", async () => {
    await subscribe();
    chain.pay(address, UNITS);
    await mine(1);
    const restored = await copyDatabase(context.config.runtime.databaseUrl);
    onTestFinished(() => restored.drop());
    await mine(1);
    chain.fork(2, ["moved"]);
    await scan();
    await mine(25);
    const events = await announcedEvents();
    await scan();
    expect(await announcedEvents()).toEqual(events);

    await scan(restored.db);
    const again = await announcedEvents(restored.db);
    expect(names(again)).toEqual(["detected", "reorged", "detected", "confirming", "confirmed"]);
    const known = new Set(ids(events));
    expect(again.filter(({ id }) => !known.has(id))).toEqual([]);
  });
});
