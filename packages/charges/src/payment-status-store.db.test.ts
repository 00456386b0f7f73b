import { orderPaymentStatus } from "@daric/domain/charge-state";
import { type ChargeId, type MerchantId, refKey } from "@daric/domain/ids";
import { add, amountFromUnits, formatAmount } from "@daric/domain/money";
import { minPayingUnits, orderPaymentStatuses } from "@daric/domain/order";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit, anOffer, setChainTime } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { loadCharges } from "./charge.ts";
import { listCharges } from "./list-charges.ts";
import { selectPage } from "./list-store.ts";

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
const past = { expiresAt: hoursAgo(3), lateUntil: hoursAgo(2) };
const inTime = { blockTime: hoursAgo(4) };
const inLateWindow = { blockTime: hoursAgo(2.5) };
const afterWindow = { blockTime: hoursAgo(1) };

type ChargeTerms = Omit<Parameters<typeof aCharge>[1], "merchantId">;
type Deposit = Omit<Parameters<typeof aDeposit>[1], "chargeId">;

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
beforeAll(async () => {
  context = await createTestContext();
  await setChainTime(context.db, new Date());
});
afterAll(() => context.close());
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
});

async function made(charge: ChargeTerms, ...deposits: Deposit[]) {
  const { id } = await aCharge(context.db, { ...charge, merchantId });
  for (const deposit of deposits) await aDeposit(context.db, { ...deposit, chargeId: id });
  return id;
}

/** The rows of the merchant, newest first, by the payment status that each shows. */
async function shownBy(): Promise<Map<string | undefined, ChargeId[]>> {
  const ids = await context.db.query<{ id: ChargeId }>(
    sql`select id from deposit_addresses where merchant_id = ${merchantId} order by id desc`,
  );
  const refs = ids.map(({ id }) => ({ merchantId, id }));
  const charges = await loadCharges(context.db, refs);
  const shown = new Map<string | undefined, ChargeId[]>();
  for (const { id } of refs) {
    const charge = charges.get(refKey({ merchantId, id })) ?? expect.fail();
    const status = charge.kind === "order" ? orderPaymentStatus(charge) : undefined;
    shown.set(status, [...(shown.get(status) ?? []), id]);
  }
  return shown;
}

/** Every filter has exactly the rows that show its value, page by page and counted. */
async function expectAgreement(): Promise<Map<string | undefined, ChargeId[]>> {
  const shown = await shownBy();
  for (const paymentStatus of orderPaymentStatuses) {
    const expected = shown.get(paymentStatus) ?? [];
    const pages: ChargeId[] = [];
    for (let offset = 0; offset <= expected.length; offset += 40) {
      const { rows, total } = await listCharges(
        context.db,
        { merchantId, paymentStatus },
        { limit: 40, offset },
      );
      pages.push(...rows.map(({ id }) => id));
      expect(total, paymentStatus).toBe(expected.length);
    }
    expect(pages, paymentStatus).toEqual(expected);
  }
  return shown;
}

describe("the filter by payment status", () => {
  it("lists an order under the payment status that it shows, and under no other", async () => {
    const statuses = ["ACTIVE", "EXPIRED", "ARCHIVED"] as const;
    const payments: readonly (readonly Deposit[])[] = [
      [],
      [{ ...inTime, amount: "10" }],
      [inTime],
      [inLateWindow],
      [afterWindow],
      [inTime, { ...afterWindow, amount: "5" }],
      [{ ...inTime, amount: "24.99" }],
      [{ ...inTime, amount: "24.989999" }],
      [{ ...inTime, amount: "30" }],
      [{ ...inTime, amount: "10" }, afterWindow],
      [{ ...inTime, amount: "0.000001" }],
      [
        { ...inTime, amount: "24.98" },
        { ...inTime, amount: "0.009", eventIndex: 1 },
      ],
      [{ ...inTime, currency: "TRX" }],
      [{ ...inTime, status: "FAILED" }],
      [{ ...inTime, status: "DETECTED" }],
      [{ ...afterWindow, status: "DETECTED" }],
      [{ ...inTime, status: "CONFIRMING" }],
      [{ ...inTime, status: "STUCK" }],
      [{ ...inTime, status: "REORG_PENDING" }],
      [{ ...inTime, status: "DETECTED", amount: "0.000001" }],
      [
        { ...inTime, status: "DETECTED" },
        { ...inTime, status: "CONFIRMING", amount: "1" },
      ],
      [inTime, { ...inTime, status: "DETECTED", amount: "1" }],
    ];
    const times = [past, { expiresAt: hoursAgo(-1), lateUntil: hoursAgo(-2) }];
    for (const status of statuses)
      for (const time of times) for (const deposits of payments) await made({ status, ...time }, ...deposits);
    await made({ status: "ARCHIVED", acceptedAt: new Date() }, { ...inTime, amount: "10" });
    await made({ amount: "0" });
    await made({ amount: "0" }, { ...inTime, amount: "0.000001" });
    for (const kind of ["open", "receive"] as const)
      for (const deposits of [[], [inTime], [{ ...inTime, status: "DETECTED" as const }]])
        await made({ kind, ...(kind === "receive" && { expiresAt: null }) }, ...deposits);
    const shown = await expectAgreement();
    expect([...shown.keys()].toSorted()).toEqual([...orderPaymentStatuses, undefined].toSorted());
  });

  it("knows the least amount that pays: by tolerance, with the client's fee, in USD and after another rate", async () => {
    const terms: ChargeTerms[] = [
      ...["0.000001", "0.5", "0.999999", "1", "25", "999999.123457"].flatMap((amount) =>
        [0, 1, 333, 500].map((toleranceBasisPoints) => ({ amount, toleranceBasisPoints })),
      ),
      { amount: "25", payAmount: "25.510205", feeMode: "client" },
      { fiatAmount: "19.99" },
      { fiatAmount: "0.37", quote: { rateE4: 33_333n }, currency: "TRX", toleranceBasisPoints: 120 },
      { fiatAmount: "12.34", feeMode: "client", feeBasisPoints: 250 },
    ];
    for (const term of terms) {
      const priced = await aCharge(context.db, { ...term, merchantId });
      const least = minPayingUnits(priced.terms) ?? expect.fail();
      const amounts = [-1n, 0n, 1n]
        .map((more) => add(least, amountFromUnits(more)))
        .filter((units) => units > 0n);
      for (const amount of amounts) await made(term, { amount: formatAmount(amount) });
      const half = formatAmount(amountFromUnits(least / 2n));
      const rest = formatAmount(amountFromUnits(least - least / 2n));
      if (half !== "0") await made(term, { amount: half, eventIndex: 0 }, { amount: rest, eventIndex: 1 });
      if (priced.fiatAmount === null) continue;
      const requoted = await aCharge(context.db, { ...term, merchantId });
      await aDeposit(context.db, { chargeId: requoted.id, amount: half });
      await anOffer(context.db, requoted, { rateE4: 20_011n });
      await aDeposit(context.db, { chargeId: requoted.id, amount: half, eventIndex: 1 });
    }
    const shown = await expectAgreement();
    expect([...shown.keys()].toSorted()).toEqual(["awaiting", "paid"]);
  });

  it("narrows with the other filters, and the dashboard's list of paid orders has the same rows", async () => {
    const late = await made({ ...past, status: "ARCHIVED" }, afterWindow);
    await context.owner.query(sql`update deposit_addresses set paid_at = now() where id = ${late}`);
    const paid = await made({ status: "ARCHIVED", orderRef: "A-1" }, {});
    await made({ status: "ARCHIVED", orderRef: "A-1" });
    const idsOf = async (filter: object) =>
      (await listCharges(context.db, { merchantId, ...filter }, { limit: 20, offset: 0 })).rows.map(
        ({ id }) => id,
      );
    expect(await idsOf({ paymentStatus: "paid", orderRef: "A-1" })).toEqual([paid]);
    expect(await idsOf({ paymentStatus: "paid", status: "ACTIVE" })).toEqual([]);
    expect(await idsOf({ paymentStatus: "paid", kind: "open" })).toEqual([]);
    expect(await idsOf({ paymentStatus: "paid", to: hoursAgo(1) })).toEqual([]);
    expect(await idsOf({ paymentStatus: "expired", status: "ARCHIVED" })).toHaveLength(2);
    const placesOf = async (payment: "paid" | "short") =>
      (await selectPage(context.db, { merchantId, payment }, { limit: 20, offset: 0 })).rows.map(
        ({ id }) => id,
      );
    expect(await placesOf("paid")).toEqual([paid]);
    expect(await placesOf("short")).toEqual([late]);
  });
});
