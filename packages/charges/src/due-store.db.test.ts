import type { MerchantId } from "@daric/domain/ids";
import { type Database, sql } from "@daric/postgres/sql";
import { isNight } from "@daric/testing/at-night";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { announced } from "@daric/testing/settle-charges";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expireCharges, hasChargesToExpire, markExpired } from "./close/close-charges.ts";
import { findMerchantsToExpire, raiseExpiry } from "./due-store.ts";

const ROUNDS = isNight ? 200 : 20;
const past = new Date("2026-01-01T00:00:00Z");
const now = new Date("2026-01-02T00:00:00Z");
const DAY_MS = 24 * 3_600_000;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(() => context.close());

const raise = (db: Database, ...merchantIds: MerchantId[]) =>
  db.transaction((tx) => raiseExpiry(tx, merchantIds));

async function boundOf(id: MerchantId): Promise<Date | number> {
  const rows = await context.db.query<{ at: Date | number }>(
    sql`select expires_from as at from active_charge_counts where merchant_id = ${id}`,
  );
  return rows[0]?.at ?? Number.NaN;
}

it("no charge is forgotten while creates, expiries and raises of the bound run concurrently", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const expiresAt = new Date(past.getTime() + round);
    const create = context.db.transaction(async (tx) => {
      const charge = await aCharge(tx, { merchantId, expiresAt });
      if (round % 3 === 0) await tx.query(sql`select pg_sleep(0.002)`);
      return charge;
    });
    const close = context.db.transaction((tx) =>
      announced(context, tx, expireCharges(context, tx, { chainTime: now })),
    );
    await Promise.all([
      raise(context.db, merchantId),
      create,
      close,
      markExpired(context.db, { chainTime: now }),
    ]);
    const left = await context.db.query(sql`
      select id from deposit_addresses where merchant_id = ${merchantId} and status = 'ACTIVE'`);
    const found = await findMerchantsToExpire(context.db, now);
    if (left.length > 0) expect(found).toContain(merchantId);
  }
  await context.db.transaction((tx) =>
    announced(context, tx, expireCharges(context, tx, { chainTime: now })),
  );
  expect(await context.db.query(sql`select id from deposit_addresses where status = 'ACTIVE'`)).toEqual([]);
}, 120_000);

it("a merchant without charges to expire is skipped, and one with some is found only when they are due", async () => {
  const [done, later] = [(await aMerchant(context.db)).id, (await aMerchant(context.db)).id];
  const next = new Date(now.getTime() + DAY_MS);
  await aCharge(context.db, { merchantId: done, expiresAt: past });
  await aCharge(context.db, { merchantId: later, expiresAt: past });
  await aCharge(context.db, { merchantId: later, expiresAt: next });
  expect(await hasChargesToExpire(context.db, { chainTime: now })).toBe(true);
  await context.db.transaction((tx) =>
    announced(context, tx, expireCharges(context, tx, { chainTime: now })),
  );
  await markExpired(context.db, { chainTime: now });
  expect(await findMerchantsToExpire(context.db, now)).toEqual([]);
  expect([await boundOf(done), await boundOf(later)]).toEqual([Number.POSITIVE_INFINITY, next]);
  await aCharge(context.db, { merchantId: done, expiresAt: past });
  expect(await boundOf(done)).toEqual(past);
});

it("raising a bound neither passes nor waits for a create that holds its merchant's row", async () => {
  const { id } = await aMerchant(context.db);
  await aCharge(context.db, { merchantId: id, expiresAt: past });
  await context.db.query(sql`update deposit_addresses set status = 'ARCHIVED' where merchant_id = ${id}`);
  await context.owner.query(sql`
    update list_counts set facets = array['order', 'ARCHIVED', 'tron'] where merchant_id = ${id}`);
  await context.db.transaction(async (tx) => {
    await aCharge(tx, { merchantId: id, expiresAt: now });
    await raise(context.db, id);
    expect(await boundOf(id)).toEqual(past);
  });
  await raise(context.db, id);
  expect(await boundOf(id)).toEqual(now);
});

/** The number of charges that are created in parallel. */
const LANES = 4;

it.runIf(isNight)(
  "a merchant with a long backlog of expiries gets the same share as another, and then the rest",
  async () => {
    const own = await createTestContext();
    try {
      const [whale, ...others] = await Promise.all(Array.from({ length: 4 }, () => aMerchant(own.db)));
      const chargesOf = async (id: string, count: number) => {
        const expiresAt = new Date(past.getTime() + (id === whale?.id ? 0 : 1_000));
        const lane = async (begin: number) => {
          for (let n = begin; n < count; n += LANES) await aCharge(own.db, { merchantId: id, expiresAt });
        };
        await Promise.all(Array.from({ length: LANES }, (_, begin) => lane(begin)));
      };
      await chargesOf(whale?.id ?? "", 520);
      for (const { id } of others) await chargesOf(id, 3);
      const step = () =>
        own.db.transaction((tx) => announced(own, tx, expireCharges(own, tx, { chainTime: now })));
      expect(await step()).toEqual({ moved: 500, isMoreWaiting: true });
      const left = await own.db.query<{ id: string; left: bigint }>(sql`
      select merchant_id as id, count(*) as left from deposit_addresses where status = 'ACTIVE' group by merchant_id`);
      expect(left).toEqual([{ id: whale?.id, left: 29n }]);
      expect(await step()).toEqual({ moved: 29, isMoreWaiting: false });
    } finally {
      await own.close();
    }
  },
  60_000,
);
