import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let key: string;

beforeAll(async () => {
  context = await createTestContext({ RATE_LIMIT_KEY_BURST: "10000" });
  app = createApp(context);
  merchantId = (await aMerchant(context.db)).id;
  key = (await anApiKey(context, merchantId)).key;
});
afterAll(async () => {
  await app.close();
  await context.close();
});

async function lookUp(query: string, as = key) {
  const response = await app.inject({ url: `/v1/lookup${query}`, headers: { "x-api-key": as } });
  return { status: response.statusCode, body: response.json() };
}

describe("a transaction's look-up", () => {
  it("returns every deposit that it made to the merchant, with its status", async () => {
    const [order, open] = [
      await aCharge(context.db, { merchantId, orderRef: "A-1", status: "EXPIRED" }),
      await aCharge(context.db, { merchantId, kind: "open" }),
    ];
    const { id: first, txId } = await aDeposit(context.db, { chargeId: order.id, amount: "10" });
    const { id: second } = await aDeposit(context.db, {
      chargeId: open.id,
      amount: "3",
      currency: "TRX",
      status: "CONFIRMING",
      txId,
      eventIndex: 1,
    });
    await aDeposit(context.db, { chargeId: order.id, amount: "1" });
    const { status, body } = await lookUp(`?txHash=${txId.toUpperCase()}`);
    const link = encodeURIComponent(`https://tronscan.org/#/transaction/${txId}`);
    expect((await lookUp(`?txHash=${link}`)).body.data).toEqual(body.data);
    expect((await lookUp(`?txHash=0x${txId}`)).status).toBe(422);
    expect([status, body.meta]).toEqual([200, { page: 1, limit: 20, total: 2 }]);
    const rows = new Map(body.data.map((row: { deposit: { id: string } }) => [row.deposit.id, row]));
    expect(rows.get(first)).toMatchObject({
      kind: "deposit",
      deposit: { tx_hash: txId, amount: "10", status: "CONFIRMED", deposit_address_id: order.id },
      deposit_address: {
        id: order.id,
        kind: "order",
        status: "EXPIRED",
        payment_status: "expired",
        payment_state: "under",
        amount_due: "25",
        amount_received: "11",
        order_ref: "A-1",
      },
    });
    expect(rows.get(second)).toMatchObject({
      deposit: { amount: "3", currency: "TRX", status: "CONFIRMING", unmatched: true },
      deposit_address: { id: open.id, kind: "open", payment_status: null, amount_due: null },
    });
  });

  it("returns no amount due for an order of zero, which any deposit above dust pays", async () => {
    const { id: chargeId } = await aCharge(context.db, { merchantId, amount: "0" });
    const { txId } = await aDeposit(context.db, { chargeId, amount: "0.01" });
    const { body } = await lookUp(`?txHash=${txId}`);
    expect(body.data[0].deposit_address).toMatchObject({ amount_due: null, payment_status: "paid" });
  });

  it("is an empty list if it paid no address of ours, or another merchant", async () => {
    const { id: other } = await aMerchant(context.db);
    const foreign = await aCharge(context.db, { merchantId: other });
    const { txId } = await aDeposit(context.db, { chargeId: foreign.id });
    for (const hash of [txId, "0".repeat(64)]) {
      const { status, body } = await lookUp(`?txHash=${hash}`);
      expect([status, body.data, body.meta.total]).toEqual([200, [], 0]);
    }
  });

  it("has pages if it made more deposits than one page holds", async () => {
    const { id: chargeId } = await aCharge(context.db, { merchantId, kind: "receive" });
    const txId = "12".repeat(32);
    for (let eventIndex = 0; eventIndex < 3; eventIndex += 1)
      await aDeposit(context.db, { chargeId, txId, eventIndex });
    const pages = await Promise.all([1, 2].map((page) => lookUp(`?txHash=${txId}&limit=2&page=${page}`)));
    const ids = pages.flatMap(({ body }) =>
      body.data.map((row: { deposit: { id: string } }) => row.deposit.id),
    );
    expect(new Set(ids).size).toBe(3);
    expect(pages.map(({ body }) => body.meta.total)).toEqual([3, 3]);
  });

  it.each([
    "",
    "?txHash=",
    "?txHash=12",
    `?txHash=0x${"ab".repeat(32)}`,
    `?txHash=${"ab".repeat(32)}&txHash=1`,
  ])("takes only its hash: %j is refused", async (query) => {
    const { status, body } = await lookUp(query);
    expect([status, body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual(["txHash"]);
  });

  it("needs a key that may read deposits", async () => {
    const { key: narrow } = await anApiKey(context, merchantId, { scopes: ["charges:read"] });
    expect((await lookUp(`?txHash=${"ab".repeat(32)}`, narrow)).status).toBe(403);
  });
});
