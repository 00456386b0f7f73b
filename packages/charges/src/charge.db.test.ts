import { depositStatuses } from "@daric/domain/deposit";
import { type ChargeId, idOf, type MerchantId, refKey } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit, type ChargeOverrides, setChainTime } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findCharge, findChargesByToken, getCharge, loadCharges } from "./charge.ts";

const expiresAt = new Date("2026-01-01T12:00:00Z");
const lateUntil = new Date("2026-01-02T12:00:00Z");
const UNKNOWN = idOf("charge", "0193a1b2-0000-7000-8000-000000000001");
const plus = (time: Date, ms: number) => new Date(time.getTime() + ms);
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;

beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(() => context.close());
beforeEach(() => context.owner.query(sql`delete from scan_cursors`));

function aChargeOfMine(overrides: Partial<ChargeOverrides> = {}) {
  return aCharge(context.db, { merchantId, expiresAt, lateUntil, ...overrides });
}

describe("the sums of a charge", () => {
  it("split confirmed money by the time of its block, both ends included", async () => {
    const { id } = await aChargeOfMine();
    const times = [expiresAt, plus(expiresAt, 1), lateUntil, plus(lateUntil, 1)];
    for (const [index, blockTime] of times.entries()) {
      await aDeposit(context.db, { chargeId: id, amount: String(10 ** index), blockTime });
    }
    const { confirmed, received, hasOpenDeposit } = await getCharge(context.db, { merchantId, id });
    expect(confirmed).toEqual({ onTime: 1_000_000n, inWindow: 111_000_000n, total: 1_111_000_000n });
    expect([received.pending, hasOpenDeposit]).toEqual([0n, false]);
  });

  it("can exceed a bigint column, so that one charge cannot stop the others", async () => {
    const { id } = await aChargeOfMine({ kind: "receive", expiresAt: null, lateUntil: null });
    for (let count = 0; count < 10; count += 1) {
      await aDeposit(context.db, { chargeId: id, amount: "999999999999" });
    }
    expect((await getCharge(context.db, { merchantId, id })).confirmed.total).toBe(
      9_999_999_999_990_000_000n,
    );
  });

  it("count a receive address's money as in time, whenever it comes", async () => {
    const { id } = await aCharge(context.db, { merchantId, kind: "receive" });
    await aDeposit(context.db, { chargeId: id, amount: "5" });
    expect((await getCharge(context.db, { merchantId, id })).confirmed).toEqual({
      onTime: 5_000_000n,
      inWindow: 5_000_000n,
      total: 5_000_000n,
    });
  });

  it.each(depositStatuses)("count a deposit that is %s by its status", async (status) => {
    const { id } = await aChargeOfMine();
    await aDeposit(context.db, { chargeId: id, amount: "3", status, blockTime: expiresAt });
    const charge = await getCharge(context.db, { merchantId, id });
    const isConfirming = ["CONFIRMING", "STUCK", "REORG_PENDING"].includes(status);
    const isOpen = isConfirming || status === "DETECTED";
    expect(charge.confirmed.total).toBe(status === "CONFIRMED" ? 3_000_000n : 0n);
    expect(charge.received.pending).toBe(isOpen ? 3_000_000n : 0n);
    expect([charge.hasConfirming, charge.hasDetected]).toEqual([isConfirming, status === "DETECTED"]);
    expect(charge.hasOpenDeposit).toBe(isOpen);
  });

  it("include pending dust in one sum only, as if it had not arrived", async () => {
    const { id } = await aChargeOfMine();
    for (const status of ["DETECTED", "CONFIRMING", "STUCK", "REORG_PENDING"] as const) {
      await aDeposit(context.db, { chargeId: id, amount: "0.009999", status, blockTime: expiresAt });
    }
    expect(await getCharge(context.db, { merchantId, id })).toMatchObject({
      received: { pending: 39_996n },
      hasConfirming: false,
      hasDetected: false,
      hasOpenDeposit: false,
    });
  });

  it.each([
    ["USDT", "0.01"],
    ["TRX", "0.1"],
  ] as const)("wait for %s, the least amount above dust", async (currency, amount) => {
    const { id } = await aChargeOfMine({ currency });
    await aDeposit(context.db, {
      chargeId: id,
      currency,
      amount,
      status: "CONFIRMING",
      blockTime: expiresAt,
    });
    const charge = await getCharge(context.db, { merchantId, id });
    expect(charge).toMatchObject({ hasConfirming: true, hasOpenDeposit: true });
  });

  it("never contain money of the other currency", async () => {
    const { id } = await aChargeOfMine();
    await aDeposit(context.db, { chargeId: id, currency: "TRX" });
    await aDeposit(context.db, { chargeId: id, currency: "TRX", status: "CONFIRMING" });
    const charge = await getCharge(context.db, { merchantId, id });
    expect([charge.confirmed.total, charge.received.pending, charge.hasOpenDeposit]).toEqual([0n, 0n, false]);
  });
});

describe("the amount due", () => {
  it("is the expected amount, or the payer's larger amount", async () => {
    const merchantMode = await aChargeOfMine({ amount: "25" });
    const clientMode = await aChargeOfMine({ amount: "25", payAmount: "25.3", feeMode: "client" });
    const open = await aChargeOfMine({ kind: "open" });
    expect([merchantMode, clientMode, open].map(({ terms }) => terms.due)).toEqual([
      25_000_000n,
      25_300_000n,
      null,
    ]);
  });

  it("follows the newest quote, even after it has lapsed", async () => {
    const charge = await aChargeOfMine({ fiatAmount: "25", quote: { rateE4: 10_003n, expiresAt } });
    expect(charge).toMatchObject({
      fiatCurrency: "USD",
      fiatAmount: "25",
      expectedAmount: 25_007_500n,
      terms: { due: 25_007_500n },
      quote: { rate: "1.0003", source: "test", expiresAt },
    });
  });
});

describe("a charge is expired", () => {
  const isExpired = async (id: ChargeId) => (await getCharge(context.db, { merchantId, id })).isExpired;

  it("by the scanned chain's clock, before the sweep of the row", async () => {
    const { id } = await aChargeOfMine();
    expect(await isExpired(id)).toBe(false);
    await setChainTime(context.db, expiresAt);
    expect(await isExpired(id)).toBe(false);
    await setChainTime(context.db, plus(expiresAt, 1));
    expect(await isExpired(id)).toBe(true);
  });

  it("not while a deposit that came on time is pending", async () => {
    const { id } = await aChargeOfMine();
    await setChainTime(context.db, plus(expiresAt, 1));
    await aDeposit(context.db, { chargeId: id, status: "CONFIRMING", blockTime: expiresAt });
    expect(await isExpired(id)).toBe(false);
    expect((await getCharge(context.db, { merchantId, id })).isTimeOver).toBe(true);
  });

  it("after its sweep, and if it was archived and its expiry is past", async () => {
    const swept = await aChargeOfMine({ status: "EXPIRED" });
    const archived = await aChargeOfMine({ status: "ARCHIVED" });
    expect([await isExpired(swept.id), await isExpired(archived.id)]).toEqual([true, false]);
    await setChainTime(context.db, plus(expiresAt, 1));
    expect(await isExpired(archived.id)).toBe(true);
  });

  it("never if it is a receive address", async () => {
    const { id } = await aCharge(context.db, { merchantId, kind: "receive" });
    await setChainTime(context.db, new Date("2126-01-01T00:00:00Z"));
    expect(await isExpired(id)).toBe(false);
  });
});

describe("finding charges", () => {
  it("by refs leaves out unknown ones", async () => {
    const [one, two] = [await aChargeOfMine(), await aChargeOfMine()];
    const unknown = { merchantId, id: UNKNOWN };
    const found = await loadCharges(context.db, [two, unknown, one]);
    expect(found).toEqual(new Map([one, two].map((charge) => [refKey(charge), charge])));
    expect(await loadCharges(context.db, [])).toEqual(new Map());
    expect(await findCharge(context.db, unknown)).toBeUndefined();
    await expect(getCharge(context.db, unknown)).rejects.toThrow(UNKNOWN);
  });

  it("of several merchants matches each id with its own merchant", async () => {
    const { id: other } = await aMerchant(context.db);
    const [mine, theirs] = [await aChargeOfMine(), await aCharge(context.db, { merchantId: other })];
    const foreign = { merchantId: other, id: mine.id };
    expect(await loadCharges(context.db, [mine, theirs, foreign, { merchantId, id: theirs.id }])).toEqual(
      new Map([mine, theirs].map((charge) => [refKey(charge), charge])),
    );
  });

  it("by token needs the whole token, and reads no private field of the merchant", async () => {
    const beside = () => sql`select coalesce(sums.open, 0) as "openCount", charge.label as "shownLabel"`;
    const [mine, other] = [await aChargeOfMine({ label: "shelf" }), await aChargeOfMine()];
    const cut = mine.checkoutToken.slice(0, -4);
    const found = await findChargesByToken(context.db, [mine.checkoutToken, cut], beside);
    expect([...found.keys()]).toEqual([mine.checkoutToken]);
    const shown = found.get(mine.checkoutToken);
    expect(shown).toMatchObject({ beside: { openCount: 0, shownLabel: "shelf" } });
    expect(mine).toMatchObject(shown?.charge ?? {});
    expect(
      Object.keys(mine)
        .filter((key) => !(key in (shown?.charge ?? {})))
        .sort(),
    ).toEqual([
      "acceptReason",
      "apiKeyId",
      "createdAt",
      "createdBy",
      "customerRef",
      "fee",
      "id",
      "label",
      "lateUntil",
      "merchantId",
      "metadata",
      "payerRef",
      "paymentLinkId",
      "restOf",
      "sealedCustomerEmail",
      "sealedPayer",
      "settlementAccountId",
      "updatedAt",
    ]);
    expect(await findChargesByToken(context.db, [cut], beside)).toEqual(new Map());
    expect((await findChargesByToken(context.db, [other.checkoutToken], beside)).size).toBe(1);
  });

  it("for a merchant finds only its own", async () => {
    const { id } = await aChargeOfMine();
    const { id: other } = await aMerchant(context.db);
    expect((await findCharge(context.db, { merchantId, id }))?.id).toBe(id);
    expect(await findCharge(context.db, { merchantId: other, id })).toBeUndefined();
  });
});
