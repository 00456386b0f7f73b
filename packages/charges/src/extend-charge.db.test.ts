import { insertDeposits, type ObservedTransfer } from "@daric/deposits/store";
import { chargeStatuses, MAX_LIFE_SECONDS } from "@daric/domain/charge";
import { ApiError } from "@daric/domain/errors";
import { type ChargeId, idOf, type MerchantId } from "@daric/domain/ids";
import { amountFromUnits } from "@daric/domain/money";
import { sql, type Transaction } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, type ChargeOverrides, setChainTime } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { eventually } from "@daric/testing/webhook-builders";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Charge } from "./charge.ts";
import { countRoom } from "./create/store.ts";
import { findMerchantsToExpire } from "./due-store.ts";
import { extendCharge } from "./extend-charge.ts";
import { extendLifetime, lockLifetime } from "./lifetime-store.ts";

const MINUTE_MS = 60_000;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;

beforeAll(async () => {
  context = await createTestContext();
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
  await context.owner.query(sql`delete from scan_cursors`);
});
afterAll(() => context.close());

const anOrder = (overrides: Partial<ChargeOverrides> = {}) =>
  aCharge(context.db, { merchantId, ...overrides });
const extend = (id: ChargeId, seconds: number) => extendCharge(context, { merchantId, id, seconds });
const after = (time: Date | null, seconds: number) => time && new Date(time.getTime() + seconds * 1_000);

async function codeOf(extending: Promise<unknown>): Promise<string> {
  const error = await extending.then(
    () => "extended",
    (thrown: unknown) => thrown,
  );
  return error instanceof ApiError ? error.code : String(error);
}

describe("extending", () => {
  it.each(["order", "open"] as const)(
    "moves the end of a charge of kind %s and of its late window, and nothing else",
    async (kind) => {
      const charge = await anOrder({ kind });
      const extended = await extend(charge.id, 1_800);
      expect(extended).toEqual({
        ...charge,
        expiresAt: after(charge.expiresAt, 1_800),
        lateUntil: after(charge.lateUntil, 1_800),
        updatedAt: extended.updatedAt,
      });
    },
  );

  it("is possible until the scanned chain is past the end, whatever our own clock shows", async () => {
    const expiresAt = new Date(Date.now() - MINUTE_MS);
    const { id } = await anOrder({ expiresAt });
    await setChainTime(context.db, expiresAt);
    await extend(id, 1);
    await setChainTime(context.db, new Date(expiresAt.getTime() + 1_001));
    expect(await codeOf(extend(id, 1))).toBe("ORDER_CLOSED");
  });

  it.each(chargeStatuses.filter((status) => status !== "ACTIVE"))(
    "is ORDER_CLOSED for one that is %s",
    async (status) => {
      const { id } = await anOrder({ status });
      expect(await codeOf(extend(id, 60))).toBe("ORDER_CLOSED");
    },
  );

  it("is VALIDATION_ERROR for a receive address, and NOT_FOUND for another merchant's order", async () => {
    const standing = await anOrder({ kind: "receive" });
    expect(await codeOf(extend(standing.id, 60))).toBe("VALIDATION_ERROR");
    const { id: other } = await aMerchant(context.db);
    const { id } = await anOrder();
    expect(await codeOf(extendCharge(context, { merchantId: other, id, seconds: 60 }))).toBe("NOT_FOUND");
  });

  it("ends ninety days after the creation, and a longer one changes nothing", async () => {
    const createdAt = new Date(Date.now() - MINUTE_MS);
    const expiresAt = new Date(createdAt.getTime() + 2 * MINUTE_MS);
    const order = await anOrder({ createdAt, expiresAt });
    const left = MAX_LIFE_SECONDS - 120;
    expect(await codeOf(extend(order.id, left + 1))).toBe("VALIDATION_ERROR");
    expect((await extend(order.id, left)).expiresAt).toEqual(after(createdAt, MAX_LIFE_SECONDS));
    expect(await codeOf(extend(order.id, 1))).toBe("VALIDATION_ERROR");
  });

  it("keeps the bound of the merchant's first expiry below all its expiries", async () => {
    const order = await anOrder();
    const { expiresAt } = await extend(order.id, 3_600);
    const later = after(expiresAt, 1) ?? expect.fail();
    expect(await findMerchantsToExpire(context.db, later)).toContain(merchantId);
  });
});

it("of a charge makes it count against the cap again", async () => {
  const expiresAt = new Date(Date.now() - MINUTE_MS);
  const { id } = await anOrder({ expiresAt });
  await context.db.transaction((tx) => countRoom(tx, merchantId));
  const load = async () => {
    const [row] = await context.db.query<{ active: bigint }>(
      sql`select active from active_charge_counts where merchant_id = ${merchantId}`,
    );
    return Number(row?.active);
  };
  expect(await load()).toBe(0);
  await extend(id, 3_600);
  expect(await load()).toBe(1);
});

describe("a deposit in the block after the end", () => {
  /** Records a deposit in a block of this time, as at a read of the chain. */
  async function record(tx: Transaction, charge: Charge, time: Date) {
    const txId = charge.id.replaceAll("-", "").repeat(2);
    const observed: ObservedTransfer = {
      id: idOf("deposit", charge.id),
      merchantId,
      chargeId: charge.id,
      txId,
      source: "log",
      eventIndex: 0,
      address: charge.address,
      fromAddress: null,
      currency: "USDT",
      amount: amountFromUnits(25_000_000n),
      txExpiresAt: null,
      isMerkleProven: true,
    };
    const block = { number: 101, blockId: "01".repeat(32), time };
    const scope = { network: "devnet", epoch: 1n };
    return insertDeposits(tx, scope, { observed: [observed], block, requiredConfirmations: 19 });
  }

  it("is on time by the new end if the extension was first", async () => {
    const order = await anOrder();
    const blockTime = after(order.expiresAt, 60) ?? expect.fail();
    let recording: ReturnType<typeof record> | undefined;
    await context.db.transaction(async (tx) => {
      await lockLifetime(tx, order);
      recording = context.db.transaction((watcher) => record(watcher, order, blockTime));
      await eventually(async () => {
        const [row] = await context.owner.query<{ waits: bigint }>(
          sql`select count(*) as waits from pg_locks where not granted`,
        );
        return Number(row?.waits) > 0;
      });
      expect(await extendLifetime(tx, { merchantId, id: order.id, seconds: 120 })).toBe(true);
    });
    expect((await recording)?.map(({ late }) => late)).toEqual([false]);
  });

  it("closes the order if its block was first", async () => {
    const order = await anOrder();
    const blockTime = after(order.expiresAt, 60) ?? expect.fail();
    let extending: Promise<string> | undefined;
    const deposits = await context.db.transaction(async (tx) => {
      const made = await record(tx, order, blockTime);
      extending = codeOf(extend(order.id, 120));
      await setChainTime(tx, blockTime);
      return made;
    });
    expect(deposits.map(({ late }) => late)).toEqual([true]);
    expect(await extending).toBe("ORDER_CLOSED");
  });
});
