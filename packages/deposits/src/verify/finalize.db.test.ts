import { NodeError } from "@daric/chain/blocks/node-error";
import type { BlockHeader } from "@daric/chain/blocks/parse-block";
import type { ChainReader } from "@daric/chain/nodes/chain-reader";
import type { MerchantId } from "@daric/domain/ids";
import { one, sql } from "@daric/postgres/sql";
import { LeaseLostError } from "@daric/runtime/lease";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, storedCharges } from "@daric/testing/charge-builders";
import { createTestContext, withSettings } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { alarms, aScanner, listening, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cursor, findCursor } from "../block-store.ts";
import { scanChain } from "../follow/scan-chain.ts";
import { listDeposits } from "../list-store.ts";
import { finalize } from "./finalize.ts";

const BLOCK_MS = 3_000;
const FIFTY_YEARS_MS = 50 * 365 * 24 * 3_600_000;
const UNITS = 25_000_000n;

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let chain: ForkChain;
let startMs: number;

async function begin(settings: Record<string, string> = {}) {
  context = await createTestContext(settings);
  merchantId = (await aMerchant(context.db)).id;
  startMs = Date.now();
  chain = createForkChain(startMs);
  chain.mine(30);
  await scan();
}
beforeEach(() => begin());
afterEach(() => context.close());

async function scan(reader: Partial<ChainReader> = {}) {
  await scanToRest(context, await aScanner(context, { ...chain.reader, ...reader }));
}

const anOrder = (overrides: Partial<Parameters<typeof aCharge>[1]> = {}) =>
  aCharge(context.db, { merchantId, currency: "TRX", amount: "25", ...overrides });

/** An order that expires at the time of the block `blocks` above the head. */
async function anOrderFor(blocks: number) {
  const { number } = await chain.reader.getHeadBlock();
  return anOrder({ expiresAt: new Date(startMs + (number + blocks) * BLOCK_MS) });
}

async function deposits() {
  return (await listDeposits(context.db, { merchantId }, { limit: 300, offset: 0 })).rows.toReversed();
}

async function statusOf(id: string) {
  const rows = await context.db.query<{ status: string }>(
    sql`select status from deposit_addresses where id = ${id}`,
  );
  return one(rows).status;
}

async function events(resourceId: string) {
  const rows = await context.db.query<{ type: string; body: Buffer }>(sql`
    select type, body.body from webhook_events event
    join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
    where resource_id = ${resourceId} order by sequence`);
  return rows.map(({ type, body }) => ({ type, data: JSON.parse(body.toString()).data }));
}

const solidNumber = async () => (await findCursor(context.db, "devnet"))?.solidNumber ?? 0;

/** A node that reports its head as solid, like a gateway that maps both paths to one node. */
const headIsSolid = (): Partial<ChainReader> => ({ getSolidBlock: () => chain.reader.getHeadBlock() });

describe("a node that reports its head as solid", () => {
  it("confirms no deposit before 19 confirmations, and then does", async () => {
    chain.pay((await anOrder()).address, UNITS);
    chain.mine(18);
    await scan(headIsSolid());
    expect(await deposits()).toMatchObject([{ status: "CONFIRMING" }]);
    chain.mine(1);
    await scan(headIsSolid());
    expect(await deposits()).toMatchObject([{ status: "CONFIRMED", finalConfirmations: 19 }]);
  });

  it("does not stop the watcher at the next fork, whether it does so once or always", async () => {
    chain.pay((await anOrder()).address, UNITS);
    chain.mine(19);
    await scan(headIsSolid());
    chain.fork(18, ["kept"]);
    await scan(headIsSolid());
    chain.fork(3, ["kept"]);
    chain.mine(20);
    await scan();
    expect(await deposits()).toMatchObject([{ status: "CONFIRMED" }]);
    expect(await alarms(context)).toEqual({});
  });
});

describe("a deposit in a block that is solid by the headers is confirmed even if the only node", () => {
  const away = () => Promise.reject(new NodeError("away", { fault: "no_solidity", node: "node 1" }));

  it.each<[string, () => Promise<Partial<ChainReader>>]>([
    [
      "always reports the same solid block",
      async () => {
        const frozen = await chain.reader.getSolidBlock();
        return { getSolidBlock: async () => frozen };
      },
    ],
    [
      "reports block 1 as solid",
      async () => ({ getSolidBlock: async () => (await chain.reader.getBlock(1))?.header as BlockHeader }),
    ],
    ["reports no solid block", async () => ({ getSolidBlock: away })],
  ])("%s", async (_fault, faulty) => {
    chain.pay((await anOrder()).address, UNITS);
    chain.mine(80);
    await scan(await faulty());
    expect(await deposits()).toMatchObject([{ status: "CONFIRMED" }]);
    expect(await solidNumber()).toBeGreaterThan(60);
    expect(await alarms(context)).toEqual({});
  });
});

describe("a chain on which too few witnesses build", () => {
  it("makes a deposit STUCK after ten minutes of chain time, and CONFIRMED when more build again", async () => {
    chain.pay((await anOrder()).address, UNITS);
    chain.mine(1);
    await scan();
    chain.leaveTurnsTo(18);
    chain.mine(240);
    await scan();
    expect(await deposits()).toMatchObject([{ status: "STUCK", stuckReason: "solidity" }]);
    chain.leaveTurnsTo(27);
    chain.mine(27);
    await scan();
    expect(await deposits()).toMatchObject([{ status: "CONFIRMED", stuckReason: null }]);
  });
});

describe("the witnesses", () => {
  it("may change for 12 of 27 at once: every deposit is confirmed as usual", async () => {
    const paid = await anOrder();
    for (let change = 1; change <= 3; change += 1) {
      chain.changeWitnesses(12);
      chain.pay(paid.address, UNITS);
      chain.mine(19);
      await scan();
      const rows = await deposits();
      expect(rows.map(({ status }) => status)).toEqual(Array.from({ length: change }, () => "CONFIRMED"));
    }
    expect(await alarms(context)).toEqual({});
  });
});

describe("the solid block", () => {
  it("is computed from our own headers, even if a node reports a lower one", async () => {
    chain.pay((await anOrder()).address, UNITS);
    chain.mine(45);
    await scan();
    const proven = await solidNumber();
    chain.pay((await anOrder()).address, UNITS);
    chain.mine(20);
    const old = (await chain.reader.getBlock(5))?.header as BlockHeader;
    await scan({ getSolidBlock: async () => old });
    expect(await solidNumber()).toBe(proven + 20);
  });

  it("has the time that we read, whatever time the node's solid block has", async () => {
    const order = await anOrderFor(100);
    chain.pay((await anOrder()).address, UNITS);
    chain.mine(30);
    const future = (header: BlockHeader | undefined) =>
      header && { ...header, timeMs: header.timeMs + FIFTY_YEARS_MS };
    await scan({ getSolidBlock: async () => future(await chain.reader.getSolidBlock()) as BlockHeader });
    expect(await statusOf(order.id)).toBe("ACTIVE");
    expect(await solidNumber()).toBeGreaterThan(30);
  });

  it("costs no call to a node", async () => {
    chain.pay((await anOrder()).address, UNITS);
    chain.mine(40);
    await scan({ getSolidBlock: () => expect.fail("asked") });
    expect(await deposits()).toMatchObject([{ status: "CONFIRMED" }]);
  });
});

describe("a deposit that needs more than 19 confirmations", () => {
  it("waits for all of them", async () => {
    await context.close();
    await begin({ REQUIRED_CONFIRMATIONS: "25" });
    chain.pay((await anOrder()).address, UNITS);
    chain.mine(24);
    await scan();
    expect(await deposits()).toMatchObject([{ status: "CONFIRMING" }]);
    chain.mine(1);
    await scan();
    expect(await deposits()).toMatchObject([{ status: "CONFIRMED", finalConfirmations: 25 }]);
  });
});

describe("expiry", () => {
  it("follows a solid block past the time, not the head", async () => {
    const order = await anOrderFor(3);
    chain.mine(4 + 17);
    await scan();
    expect(await statusOf(order.id)).toBe("ACTIVE");
    chain.mine(1);
    await scan();
    expect(await statusOf(order.id)).toBe("EXPIRED");
    expect((await events(order.id)).map(({ type }) => type)).toEqual(["order.expired"]);
  });

  it("does not follow a block of the future that leaves the chain", async () => {
    const order = await anOrderFor(100);
    const expired = await anOrder({ status: "EXPIRED", expiresAt: new Date(startMs) });
    chain.mine(1);
    const head = await chain.reader.getHeadBlock();
    await scan({
      fetchCompleteBlock: async (number) => {
        const block = await chain.reader.fetchCompleteBlock(number);
        if (number !== head.number) return block;
        return { ...block, header: { ...block.header, timeMs: block.header.timeMs + FIFTY_YEARS_MS } };
      },
    });
    chain.fork(1, []);
    chain.mine(30);
    await scan();
    expect([await statusOf(order.id), await statusOf(expired.id)]).toEqual(["ACTIVE", "EXPIRED"]);
    expect(await events(order.id)).toEqual([]);
  });

  it("of an order with only dust in time is announced as empty, with the dust in the sum", async () => {
    const order = await anOrderFor(3);
    chain.mine(2);
    chain.pay(order.address, 99_999n);
    chain.mine(25);
    await scan();
    expect(await statusOf(order.id)).toBe("EXPIRED");
    expect(await events(order.id)).toMatchObject([
      { type: "order.expired", data: { amountReceived: "0.099999" } },
    ]);
    const [dust] = await deposits();
    expect(await events(dust?.id ?? "")).toMatchObject([{ type: "deposit.confirmed" }]);
  });

  it("waits until all final deposits are confirmed, in several transactions if need be", async () => {
    const [short, other] = [await anOrderFor(3), await anOrder()];
    for (let n = 0; n < 201; n += 1) chain.pay(other.address, UNITS);
    chain.mine(1);
    chain.pay(short.address, 100_000n);
    chain.mine(30);
    await scan();
    expect((await events(short.id)).map(({ type }) => type)).toEqual(["order.underpaid"]);
  });

  /** Heights above the head with payments. The order expires at 3, and its late window ends at 8. */
  it.each<[string, [blocks: number, units: bigint][], string[]]>([
    ["all of it after the late window", [[9, UNITS]], ["order.expired", "order.paid_late"]],
    [
      "all of it in the first block that is late",
      [[4, UNITS]],
      ["order.expired", "order.paid", "order.paid_late"],
    ],
    [
      "some on time and the rest late",
      [
        [3, UNITS / 5n],
        [6, (UNITS / 5n) * 4n],
      ],
      ["order.underpaid", "order.paid", "order.paid_late"],
    ],
    [
      "some on time and the rest after the late window",
      [
        [2, UNITS / 2n],
        [9, UNITS / 2n],
      ],
      ["order.underpaid", "order.paid_late"],
    ],
    ["some late", [[5, UNITS / 2n]], ["order.expired"]],
  ])(
    "is announced alike by a watcher that keeps pace and one that was away: %s",
    async (_what, payments, reported) => {
      const logged = [];
      for (const pace of [60, 3]) {
        await scan();
        const { number } = await chain.reader.getHeadBlock();
        const at = (blocks: number) => new Date(startMs + (number + blocks) * BLOCK_MS);
        const order = await anOrder({ expiresAt: at(3), lateUntil: at(8) });
        for (let mined = 1; mined <= 60; mined += 1) {
          const due = payments.find(([blocks]) => blocks === mined);
          if (due) chain.pay(order.address, due[1]);
          chain.mine(1);
          if (mined % pace === 0) await scan();
        }
        const announced = await events(order.id);
        logged.push(
          announced.map(({ type, data: { amountReceived, difference, paymentState, deposits: listed } }) => ({
            type,
            ...{ amountReceived, difference, paymentState },
            amounts: listed.map(({ amount }: { amount: string }) => amount),
          })),
        );
      }
      const [away, inPace] = logged;
      expect(away?.map(({ type }) => type)).toEqual(reported);
      expect(away).toEqual(inPace);
    },
  );

  it("of many orders of many merchants continues at once", async () => {
    const order = await anOrderFor(3);
    const others = await Promise.all([aMerchant(context.db), aMerchant(context.db)]);
    for (const { id } of others) {
      await context.db.query(
        sql`${storedCharges(sql`
        insert into deposit_addresses (id, merchant_id, kind, account_key_id, derivation_index,
          address, currency, fee_mode, fee_basis_points, fee_fixed_units, tolerance_basis_points, expected_units,
          checkout_token, expires_at, late_until)
        select gen_random_uuid(), ${id}, kind, account_key_id, derivation_index + place + ${Number(id === others[0]?.id) * 1_000},
          'T' || translate(substr(md5(${id} || place) || md5(place || ${id}), 1, 33), '0', 'z'), currency, fee_mode,
          fee_basis_points, fee_fixed_units, tolerance_basis_points, expected_units, ${id} || place,
          expires_at - place * interval '1 millisecond', late_until
        from deposit_addresses, generate_series(1, 400) place where id = ${order.id}`)} select 1`,
      );
    }
    chain.mine(22);
    const scanner = await aScanner(context, chain.reader);
    let steps = 0;
    while (await scanChain(context, scanner)) steps += 1;
    const rows = await context.db.query(sql`select id from deposit_addresses where status = 'EXPIRED'`);
    expect([rows.length, steps]).toEqual([801, 2]);
  });
});

describe("a deposit whose block left the chain", () => {
  async function orphaned() {
    chain.pay((await anOrder()).address, UNITS);
    chain.mine(3);
    await scan();
    chain.fork(3, ["dropped"]);
    await scan();
    expect(await deposits()).toMatchObject([{ status: "REORG_PENDING" }]);
  }

  it("fails when no transaction can live that long, though a node reported a later expiration", async () => {
    await orphaned();
    await context.db.query(sql`update deposits set tx_expires_at = '9999-12-31'`);
    const impatient = withSettings(context, { deposits: { droppedAfterMs: 60_000 } });
    chain.mine(33);
    await scanToRest(impatient, await aScanner(impatient, chain.reader));
    expect(await deposits()).toMatchObject([{ status: "REORG_PENDING" }]);
    chain.mine(6);
    await scanToRest(impatient, await aScanner(impatient, chain.reader));
    expect(await deposits()).toMatchObject([{ status: "FAILED", failureReason: "dropped" }]);
  });

  it("does not fail by a node's claim about the time", async () => {
    await orphaned();
    chain.mine(5);
    const later = (header: BlockHeader | undefined) =>
      header && { ...header, timeMs: header.timeMs + FIFTY_YEARS_MS };
    await scan({ getSolidBlock: async () => later(await chain.reader.getSolidBlock()) as BlockHeader });
    expect(await deposits()).toMatchObject([{ status: "REORG_PENDING" }]);
  });

  it("fails by our own blocks alone once its transaction has expired", async () => {
    await orphaned();
    // The order expires in block 51, which is solid under head 69; its time must be past.
    chain.mine(16);
    chain.pay((await anOrder()).address, UNITS);
    chain.mine(19);
    await scan();
    // The head is past the expiry while the other deposit is confirmed.
    const statuses = async () => (await deposits()).map(({ status }) => status).toSorted();
    expect(await statuses()).toEqual(["CONFIRMED", "REORG_PENDING"]);
    chain.mine(1);
    await scan();
    expect(await statuses()).toEqual(["CONFIRMED", "FAILED"]);
  });

  it("fails by an inclusion that does not pay it once that block is solid, and not if that block leaves too", async () => {
    chain.pay((await anOrder()).address, UNITS);
    chain.mine(2);
    await scan();
    chain.fork(2, ["failed"]);
    await scan();
    chain.fork(3, ["dropped"]);
    chain.mine(20);
    await scan();
    expect(await deposits()).toMatchObject([{ status: "REORG_PENDING" }]);
    chain.mine(20);
    await scan();
    expect(await deposits()).toMatchObject([{ status: "FAILED", failureReason: "dropped" }]);
  });

  it("does not fail by a failed inclusion that was replaced by one that pays", async () => {
    chain.pay((await anOrder()).address, UNITS);
    chain.mine(2);
    await scan();
    chain.fork(2, ["failed"]);
    await scan();
    chain.flipBack();
    chain.mine(20);
    await scan();
    expect(await deposits()).toMatchObject([{ status: "CONFIRMED" }]);
  });

  it("and that FAILED returns if our chain has it after all: once, with an alarm", async () => {
    await orphaned();
    chain.mine(45);
    await scan();
    const [failed] = await deposits();
    expect(failed?.status).toBe("FAILED");
    chain.rebroadcast();
    chain.mine(1);
    const logged = listening(context);
    await scanToRest(logged.context, await aScanner(context, chain.reader));
    expect(await deposits()).toMatchObject([
      { id: failed?.id, status: "DETECTED", failedAt: null, failureReason: null },
    ]);
    expect(await alarms(context)).toEqual({ failed_deposit_in_chain: 1 });
    expect(logged.lines).toMatchObject([{ level: "error", deposit_id: failed?.id }]);
    chain.mine(20);
    await scan();
    expect(await deposits()).toMatchObject([{ id: failed?.id, status: "CONFIRMED" }]);
    expect(await events(failed?.id ?? "")).toMatchObject([{ type: "deposit.confirmed" }]);
  });
});

describe("a payment that a fork moves", () => {
  it.each([
    [
      "past the end of the late window moves nothing but sums",
      0,
      ["order.expired", "order.paid_late"],
      "EXPIRED",
    ],
    ["inside of the late window pays", 1, ["order.expired", "order.paid", "order.paid_late"], "ARCHIVED"],
  ])("%s", async (_where, spare, reported, status) => {
    const { number } = await chain.reader.getHeadBlock();
    const at = (blocks: number) => new Date(startMs + (number + blocks) * BLOCK_MS);
    const order = await anOrder({ expiresAt: at(2), lateUntil: at(5 + spare) });
    chain.mine(4);
    chain.pay(order.address, UNITS);
    chain.mine(1);
    await scan();
    expect(await deposits()).toMatchObject([{ late: true, pastWindow: false }]);
    chain.fork(1, ["moved"]);
    chain.mine(40);
    await scan();
    expect(await deposits()).toMatchObject([{ status: "CONFIRMED", pastWindow: spare === 0 }]);
    expect((await events(order.id)).map(({ type }) => type)).toEqual(reported);
    expect(await statusOf(order.id)).toBe(status);
  });
});

describe("a watcher whose lease was taken over", () => {
  it("confirms, fails and expires nothing", async () => {
    const order = await anOrderFor(3);
    chain.pay((await anOrder()).address, UNITS);
    chain.leaveTurnsTo(18);
    chain.mine(60);
    await scan();
    await context.owner.query(sql`update blocks set witness = 'one of 27: ' || number % 27`);
    const paused = await aScanner(context, chain.reader);
    await context.db.query(sql`update leases set is_free = true`);
    await aScanner(context, chain.reader, { holder: "other" });
    const cursor = (await findCursor(context.db, "devnet")) as Cursor;
    await expect(finalize(context, paused, { cursor, state: paused.following.verifying })).rejects.toThrow(
      LeaseLostError,
    );
    expect(await deposits()).toMatchObject([{ status: "CONFIRMING" }]);
    expect(await statusOf(order.id)).toBe("ACTIVE");
  });
});
