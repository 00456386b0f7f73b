import { insertBlock } from "@daric/deposits/block-store";
import { saveChecks } from "@daric/deposits/check-store";
import { confirmDeposits } from "@daric/deposits/verify/confirm-deposits";
import { checkoutState, orderPaymentStatus } from "@daric/domain/charge-state";
import { ApiError } from "@daric/domain/errors";
import { type ChargeId, type DepositId, idOf, type MerchantId } from "@daric/domain/ids";
import { paymentState } from "@daric/domain/order";
import { openDatabase } from "@daric/postgres/database";
import { type Database, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit, type ChargeOverrides, confirmDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { requireDerivedTables } from "@daric/testing/derived-tables";
import { countOutcomes, raceLimitMs, raceRounds, startTogether } from "@daric/testing/races";
import { announced, settleCharges } from "@daric/testing/settle-charges";
import { anEndpointRow, deliveryRows } from "@daric/testing/webhook-builders";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Charge, findCharge } from "../charge.ts";
import { countCharges } from "../list-store.ts";
import { acceptCharge } from "./accept-charge.ts";
import { archiveCharge } from "./archive-charge.ts";
import { expireCharges } from "./close-charges.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let blockNumber = 1_000;

beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(() => context.close());

const anOrder = (overrides: Partial<ChargeOverrides> = {}) =>
  aCharge(context.db, { merchantId, ...overrides });

function accept(id: ChargeId, reason: string | null = null): Promise<Charge> {
  return acceptCharge(context, { merchantId, id, reason });
}

async function codeOf(accepting: Promise<unknown>): Promise<string> {
  const error = await accepting.then(
    () => "accepted",
    (thrown: unknown) => thrown,
  );
  return error instanceof ApiError ? error.code : String(error);
}

async function eventsOf(id: string) {
  const rows = await context.db.query<{ type: string; body: Buffer }>(sql`
    select type, body.body from webhook_events event
    join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
    where resource_id = ${id} order by sequence`);
  return rows.map(({ type, body }) => ({ type, data: JSON.parse(body.toString()).data }));
}

const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);
const settle = (id: ChargeId) =>
  context.db.transaction((tx) => settleCharges(context, tx, [{ merchantId, id }]));

describe("an order that its merchant accepts", () => {
  it.each(["ACTIVE", "EXPIRED", "ARCHIVED"] as const)(
    "while it is %s and short is archived, counts as paid, and its sums stay",
    async (status) => {
      const order = await anOrder({ status });
      await aDeposit(context.db, { chargeId: order.id, amount: "20" });
      const accepted = await accept(order.id, "five off for the delay");
      expect(accepted).toMatchObject({ status: "ARCHIVED", acceptReason: "five off for the delay" });
      expect(accepted.acceptedAt).toBeInstanceOf(Date);
      expect(orderPaymentStatus(accepted)).toBe("paid");
      expect(paymentState(accepted.terms, accepted.confirmed.total)).toBe("under");
      expect(checkoutState(accepted)).toBe("paid");
    },
  );

  it("is announced by order.accepted alone, once, with its deposits", async () => {
    const endpointId = await anEndpointRow(context.db, merchantId, { eventTypes: ["order.accepted"] });
    const order = await anOrder({ orderRef: "r-1" });
    const deposit = await aDeposit(context.db, { chargeId: order.id, amount: "20" });
    await accept(order.id, "kept to ourselves");
    const events = await eventsOf(order.id);
    expect(events.map(({ type }) => type)).toEqual(["order.accepted"]);
    expect(events[0]?.data).toMatchObject({
      orderRef: "r-1",
      orderAmount: "25",
      amountReceived: "20",
      difference: "-5",
      paymentState: "under",
      paidLate: false,
      paidAt: null,
      deposits: [{ depositId: deposit.id, amount: "20" }],
    });
    expect(JSON.stringify(events)).not.toContain("kept to ourselves");
    expect((await deliveryRows(context, endpointId)).map(({ event_type }) => event_type)).toEqual([
      "order.accepted",
    ]);
  });

  it("moves in the totals of the list, except one that was archived before", async () => {
    const own = (await aMerchant(context.db)).id;
    const orders = await Promise.all(
      (["ACTIVE", "ARCHIVED"] as const).map((status) => aCharge(context.db, { merchantId: own, status })),
    );
    for (const { id } of orders) {
      await aDeposit(context.db, { chargeId: id, amount: "1" });
      await acceptCharge(context, { merchantId: own, id, reason: null });
    }
    const totals = ["ACTIVE", "ARCHIVED"].map((status) =>
      countCharges(context.db, { merchantId: own, status: status as "ACTIVE" }),
    );
    expect(await Promise.all(totals)).toEqual([0, 2]);
  });

  it("may have been paid in full after its late window", async () => {
    const order = await anOrder({ status: "EXPIRED", expiresAt: new Date(Date.now() - 48 * 3_600_000) });
    await aDeposit(context.db, { chargeId: order.id, amount: "25" });
    await settle(order.id);
    expect(await typesOf(order.id)).toEqual(["order.paid_late"]);
    await accept(order.id);
    const events = await eventsOf(order.id);
    expect(events.map(({ type }) => type)).toEqual(["order.paid_late", "order.accepted"]);
    expect(events[1]?.data.paidAt).not.toBeNull();
  });

  it("is not announced as paid after full payment, and once as overpaid", async () => {
    const order = await anOrder();
    await aDeposit(context.db, { chargeId: order.id, amount: "20" });
    await accept(order.id);
    await aDeposit(context.db, { chargeId: order.id, amount: "5" });
    await settle(order.id);
    expect(await typesOf(order.id)).toEqual(["order.accepted"]);
    await aDeposit(context.db, { chargeId: order.id, amount: "10" });
    await settle(order.id);
    await settle(order.id);
    expect(await typesOf(order.id)).toEqual(["order.accepted", "order.overpaid"]);
    const after = await findCharge(context.db, order);
    expect(after && paymentState(after.terms, after.confirmed.total)).toBe("over");
  });
});

describe("accepting is refused", () => {
  it("as NOT_FOUND for another merchant's order and for an unknown one", async () => {
    const { id: other } = await aMerchant(context.db);
    const order = await anOrder();
    await aDeposit(context.db, { chargeId: order.id, amount: "1" });
    const asOther = acceptCharge(context, { merchantId: other, id: order.id, reason: null });
    expect(await codeOf(asOther)).toBe("NOT_FOUND");
    expect(await codeOf(accept(idOf("charge", "0193a1b2-0000-7000-8000-000000000009")))).toBe("NOT_FOUND");
  });

  it.each(["receive", "open"] as const)("as VALIDATION_ERROR for a charge of kind %s", async (kind) => {
    const charge = await anOrder({ kind });
    await aDeposit(context.db, { chargeId: charge.id, amount: "1" });
    expect(await codeOf(accept(charge.id))).toBe("VALIDATION_ERROR");
  });

  it("as NOTHING_RECEIVED while nothing is confirmed, or only money of the other currency", async () => {
    const order = await anOrder();
    expect(await codeOf(accept(order.id))).toBe("NOTHING_RECEIVED");
    const deposit = await aDeposit(context.db, { chargeId: order.id, amount: "20", status: "CONFIRMING" });
    await aDeposit(context.db, { chargeId: order.id, amount: "20", currency: "TRX" });
    expect(await codeOf(accept(order.id))).toBe("NOTHING_RECEIVED");
    await confirmDeposit(context.db, deposit);
    expect(await codeOf(accept(order.id))).toBe("accepted");
  });

  it("as ORDER_ALREADY_PAID after its payment or its acceptance", async () => {
    const paid = await anOrder();
    await aDeposit(context.db, { chargeId: paid.id, amount: "25" });
    await settle(paid.id);
    expect(await codeOf(accept(paid.id))).toBe("ORDER_ALREADY_PAID");
    const archived = await anOrder({ status: "ARCHIVED" });
    await aDeposit(context.db, { chargeId: archived.id, amount: "25" });
    expect(await codeOf(accept(archived.id))).toBe("ORDER_ALREADY_PAID");
    const short = await anOrder();
    await aDeposit(context.db, { chargeId: short.id, amount: "20" });
    await accept(short.id);
    expect(await codeOf(accept(short.id))).toBe("ORDER_ALREADY_PAID");
    expect(await typesOf(short.id)).toEqual(["order.accepted"]);
  });
});

it("an accepted order is archived again without a change", async () => {
  const order = await anOrder();
  await aDeposit(context.db, { chargeId: order.id, amount: "20" });
  const accepted = await accept(order.id);
  expect(await archiveCharge(context, { merchantId, id: order.id })).toEqual(accepted);
});

describe("accepting, the paying deposit and the expiry at the same moment", () => {
  /** Another process, with connections of its own. */
  let watcher: Database;
  beforeAll(() => {
    watcher = openDatabase({ url: context.config.runtime.databaseUrl, onError: () => undefined });
  });
  afterAll(() => watcher.close());

  beforeAll(() =>
    anEndpointRow(context.db, merchantId, {
      eventTypes: ["deposit.confirmed", "order.accepted", "order.paid", "order.underpaid"],
    }),
  );

  /** The last 5 of an order, in a block of our chain with all checks passed. */
  async function aRest(chargeId: ChargeId) {
    blockNumber += 1;
    const block = {
      number: blockNumber,
      id: blockNumber.toString(16).padStart(64, "0"),
      parentId: "0".repeat(64),
      witnessHex: `41${"22".repeat(20)}`,
      time: new Date(),
      transactionCount: 1,
      transferCount: 1,
      infosDigest: undefined,
      sourceNode: "node 1",
    };
    await context.db.transaction((tx) => insertBlock(tx, { network: "devnet", block, epoch: 1n }));
    const where = { blockNumber, blockId: block.id, blockTime: block.time };
    const deposit = await aDeposit(context.db, { chargeId, amount: "5", status: "CONFIRMING", ...where });
    const check = { name: "quorum", result: "passed", detail: "reported alike" } as const;
    const checks = [{ ...check, merchantId: deposit.merchantId, depositId: deposit.id }];
    await context.db.transaction((tx) => saveChecks(tx, { blockId: block.id, checks }));
    return deposit;
  }

  /** Confirms the rest of the order, as the watcher does. */
  async function confirmRest(tx: Transaction, { id }: { id: DepositId }): Promise<void> {
    const solid = { number: 1_000_000, blockId: "0".repeat(64), time: new Date() };
    const scope = { network: "devnet", epoch: 1n };
    const cursor = { ...solid, solidNumber: solid.number };
    const { deposits } = await announced(context, tx, confirmDeposits(context, tx, { scope, cursor, solid }));
    expect(deposits.map((deposit) => deposit.id)).toEqual([id]);
  }

  it("never deadlock: the accept waits for the confirmation, and neither is rolled back", async () => {
    const order = await anOrder();
    await aDeposit(context.db, { chargeId: order.id, amount: "20" });
    const rest = await aRest(order.id);
    const runs = { accept: 0, confirm: 0 };
    const counting: typeof context.db = {
      ...context.db,
      transaction: (work) =>
        context.db.transaction((tx) => {
          runs.accept += 1;
          return work(tx);
        }),
    };
    let accepting: Promise<string> | undefined;
    await context.db.transaction((tx) => {
      runs.confirm += 1;
      const query = async <Row>(statement: Sql) => {
        const rows = await tx.query<Row>(statement);
        // After it has written its deliveries it holds the endpoint's row.
        if (accepting === undefined && statement.text.includes("insert into webhook_deliveries")) {
          const accept = { merchantId, id: order.id, reason: null };
          accepting = codeOf(acceptCharge({ ...context, db: counting }, accept));
          await untilWaiting();
        }
        return rows;
      };
      return confirmRest({ ...tx, query }, rest);
    });
    expect(await accepting).toBe("ORDER_ALREADY_PAID");
    expect(runs).toEqual({ accept: 1, confirm: 1 });
    expect(await typesOf(order.id)).toEqual(["order.paid"]);
  });

  /** Resolves when a statement in this database waits for a lock. */
  async function untilWaiting(): Promise<void> {
    const waiting = () =>
      context.db.query(sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBeGreaterThan(0);
  }

  /** The events of an order whose rest comes late and is confirmed while it is accepted and expired. */
  async function meet(round: number) {
    const expiresAt = new Date(Date.now() - 60_000);
    const order = await anOrder({ expiresAt });
    const onTime = { blockTime: new Date(expiresAt.getTime() - 1_000) };
    await aDeposit(context.db, { chargeId: order.id, amount: "20", ...onTime });
    const rest = await aRest(order.id);
    const pay = () => watcher.transaction((tx) => confirmRest(tx, rest));
    const expire = () =>
      watcher.transaction((tx) =>
        announced(context, tx, expireCharges(context, tx, { chainTime: new Date() })),
      );
    const [code] = await startTogether(round, [() => codeOf(accept(order.id)), pay, expire]);
    return { code, types: await typesOf(order.id), charge: await findCharge(context.db, order) };
  }

  it(
    "race: exactly one of accepting and paying is announced, both before the expiry and after it",
    async () => {
      const seen = countOutcomes("accept, pay, expire", [
        "order.accepted",
        "order.paid",
        "expired, then order.accepted",
        "expired, then order.paid",
      ]);
      for (let round = 0; round < raceRounds; round += 1) {
        const { code, types, charge } = await meet(round);
        const isAccepted = code === "accepted";
        if (!isAccepted) expect(code).toBe("ORDER_ALREADY_PAID");
        const announced = isAccepted ? ["order.accepted"] : ["order.paid", "order.paid_late"];
        const isExpiredFirst = types[0] === "order.underpaid";
        expect(types).toEqual(isExpiredFirst ? ["order.underpaid", ...announced] : announced);
        expect(charge).toMatchObject({ status: "ARCHIVED" });
        expect(charge && orderPaymentStatus(charge)).toBe("paid");
        const outcome = isAccepted ? "order.accepted" : "order.paid";
        seen.add(isExpiredFirst ? `expired, then ${outcome}` : outcome);
      }
      await requireDerivedTables(context.db);
      seen.requireEach();
    },
    raceLimitMs,
  );
});
