import { findCursor } from "@daric/deposits/block-store";
import { idOf } from "@daric/domain/ids";
import { amountFromUnits } from "@daric/domain/money";
import { sql } from "@daric/postgres/sql";
import { anAddress } from "@daric/testing/builders";
import { openRefundShop } from "@daric/testing/refund-shop";
import { uuidv7 } from "uuidv7";
import { afterEach, beforeEach, expect, it } from "vitest";
import { askAgain } from "./ask-again.ts";
import { cancelRefund } from "./cancel-refund.ts";
import { confirmRefund } from "./confirm-refund.ts";
import { confirmTransfer } from "./confirm-transfer.ts";
import { listSenders } from "./store.ts";
import { findGiven } from "./transfer-store.ts";

const DAY_MS = 86_400_000;

const ada = idOf("person", uuidv7());

let shop: Awaited<ReturnType<typeof openRefundShop>>;
beforeEach(async () => {
  shop = await openRefundShop();
});
afterEach(() => shop.context.close());

it("a refund whose order changed while its transfer was on the way waits for a person once that transfer is lost", async () => {
  const charge = await shop.paidCharge(15_000_000n);
  const refund = await shop.claimed(await shop.ask(charge));
  shop.chain.pay(charge.address, 1_000_000n);
  await shop.scan(12);
  shop.send(refund.address ?? "", 5_000_000n);
  await shop.scan(1);
  expect((await shop.again(refund)).status).toBe("SENT");
  await shop.scan(10);
  shop.chain.fork(11, ["dropped"]);
  await shop.scan(330);
  expect(await shop.again(refund)).toMatchObject({
    txId: null,
    status: "REQUESTED",
    needsConfirmation: "order_changed",
  });
});

it("another address for a large surplus needs a reason, whatever else is in doubt", async () => {
  const charge = await shop.paidCharge(2_000_000_000n);
  const refund = await shop.ask(charge);
  expect(refund.defaultAddress).not.toBeNull();
  shop.chain.pay(charge.address, 1_000_000n);
  await shop.scan(30);
  const named = await shop.claimed(refund);
  expect(named.needsConfirmation).toBe("order_changed");
  await expect(confirmRefund(shop.context, { ...named, personId: ada, reason: null })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
});

it("the fee share stays when the surplus went elsewhere, although money that paid the order goes back to its sender", async () => {
  const charge = await shop.paidCharge(15_000_000n, { feeBasisPoints: 100 });
  const [sender = expect.fail("no sender")] = await listSenders(shop.context.db, {
    ...charge,
    currency: "TRX",
  });
  const other = await shop.claimed(await shop.ask(charge));
  shop.send(other.address ?? "", 5_000_000n);
  await shop.scan(30);
  expect((await shop.again(other)).status).toBe("COMPLETED");
  const paid = await shop.claimed(
    await shop.ask(charge, { amount: amountFromUnits(5_000_000n) }),
    sender.address,
  );
  expect(paid.needsConfirmation).toBe("paid_money");
  await confirmRefund(shop.context, { ...paid, personId: ada, reason: null });
  shop.send(sender.address, 5_000_000n);
  await shop.scan(30);
  expect((await shop.again(paid)).status).toBe("COMPLETED");
  expect(
    await shop.context.db.query(
      sql`select units from ledger_entries where merchant_id = ${shop.merchantId} and kind = 'fee_returned'`,
    ),
  ).toEqual([]);
});

it("a settlement wallet pays refunds of its own merchants, although another merchant confirmed a transfer of it", async () => {
  const somewhere = anAddress();
  const old = shop.send(somewhere, 7_000_000n);
  await shop.scan(3);
  const { number, blockId, time } = (await findCursor(shop.context.db, "devnet")) ?? expect.fail("no cursor");
  const block = { blockNumber: number, blockId, blockTime: time, txExpiresAt: null };
  const { merchantId } = await shop.aShop();
  const bait = await shop.claimed(
    await shop.ask(await shop.paidCharge(12_000_000n, { merchantId })),
    somewhere,
  );
  await confirmTransfer(shop.context, { ...bait, txId: old, personId: ada }, async () => [
    {
      network: "devnet",
      txId: old,
      source: "transfer",
      eventIndex: 0,
      fromAddress: shop.wallet,
      toAddress: somewhere,
      currency: "TRX",
      units: amountFromUnits(7_000_000n),
      ...block,
    },
  ]);
  const address = anAddress();
  const theft = await shop.claimed(
    await shop.ask(await shop.paidCharge(15_000_000n, { merchantId })),
    address,
  );
  const refund = await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)), address);
  shop.send(address, 5_000_000n);
  await shop.scan(30);
  expect([(await shop.again(refund)).status, (await shop.again(theft)).status]).toEqual([
    "COMPLETED",
    "READY",
  ]);
});

it("a canceled refund whose transfer is in a block counts in the sum", async () => {
  const charge = await shop.paidCharge(15_000_000n);
  const refund = await shop.claimed(await shop.ask(charge, { amount: amountFromUnits(15_000_000n) }));
  await confirmRefund(shop.context, { ...refund, personId: ada, reason: null });
  await cancelRefund(shop.context, refund);
  shop.send(refund.address ?? "", 15_000_000n);
  await shop.scan(2);
  await expect(shop.ask(charge)).rejects.toMatchObject({ code: "NOTHING_RECEIVED" });
});

it("a canceled refund that is paid after all puts a READY one of its charge back", async () => {
  const charge = await shop.paidCharge(15_000_000n);
  const refund = await shop.claimed(await shop.ask(charge));
  await cancelRefund(shop.context, refund);
  const second = await shop.claimed(await shop.ask(charge));
  expect(second.status).toBe("READY");
  shop.send(refund.address ?? "", 5_000_000n);
  await shop.scan(30);
  expect((await shop.again(refund)).status).toBe("COMPLETED");
  expect(await shop.again(second)).toMatchObject({ status: "REQUESTED", needsConfirmation: "order_changed" });
});

it("the same reference never answers a row that another program wrote", async () => {
  const charge = await shop.paidCharge(15_000_000n);
  await shop.ask(charge, { refundRef: "R-1", address: anAddress() });
  await shop.context.db.query(
    sql`update refunds set address = ${anAddress()} where merchant_id = ${shop.merchantId}`,
  );
  await expect(shop.ask(charge, { refundRef: "R-1" })).rejects.toMatchObject({ code: "REFUND_CLOSED" });
});

it("a proposal to another merchant's older refund keeps the payer of ours from nothing: the merchant that paid names it", async () => {
  const address = anAddress();
  const { merchantId } = await shop.aShop();
  await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n, { merchantId })), address);
  const refund = await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)), address);
  const txId = shop.send(address, 5_000_000n, anAddress());
  await shop.scan(2);
  const [transfer = expect.fail("no proposal")] = await findGiven(shop.context.db, "devnet", [txId]);
  expect(transfer.merchantId).toBe(merchantId);
  await confirmTransfer(shop.context, { ...refund, txId, personId: ada }, async () => [transfer]);
  expect((await shop.again(refund)).status).toBe("SENT");
});

it("a refund that a person confirmed needs a person again for another address", async () => {
  const charge = await shop.paidCharge(15_000_000n);
  const refund = await shop.claimed(await shop.ask(charge, { amount: amountFromUnits(6_000_000n) }));
  expect(await confirmRefund(shop.context, { ...refund, personId: ada, reason: null })).toMatchObject({
    status: "READY",
  });
  expect(await shop.claimed(await askAgain(shop.context, refund))).toMatchObject({
    status: "REQUESTED",
    needsConfirmation: "address",
  });
});

it("a person confirms the address that the person saw, and no other", async () => {
  const charge = await shop.paidCharge(15_000_000n);
  const seen = await shop.claimed(await shop.ask(charge, { amount: amountFromUnits(6_000_000n) }));
  await shop.claimed(await askAgain(shop.context, seen));
  await expect(confirmRefund(shop.context, { ...seen, personId: ada, reason: null })).rejects.toMatchObject({
    code: "CHANGED_MEANWHILE",
  });
});

it("of an order that was paid too late all goes back, because nothing of it paid the order", async () => {
  const over = {
    expiresAt: new Date(Date.now() - 40 * DAY_MS),
    lateUntil: new Date(Date.now() - 39 * DAY_MS),
  };
  const charge = await shop.paidCharge(12_000_000n, {
    ...over,
    createdAt: new Date(Date.now() - 41 * DAY_MS),
  });
  expect((await shop.ask(charge)).units).toBe(12_000_000n);
});

it("a refund that is READY again after a fork is announced again", async () => {
  const refund = await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)));
  shop.send(refund.address ?? "", 5_000_000n);
  await shop.scan(1);
  shop.chain.fork(1, ["dropped"]);
  await shop.scan(300);
  const events = await shop.context.db.query(sql`
    select id from webhook_events where merchant_id = ${shop.merchantId} and resource_id = ${refund.id} and type = 'refund.ready'`);
  expect([events.length, (await shop.again(refund)).readyCount]).toEqual([2, 2]);
});

it("a transfer that a person names brings no fee share back, unless a settlement wallet sent it", async () => {
  const charge = await shop.paidCharge(15_000_000n, { feeBasisPoints: 100 });
  const [sender = expect.fail("no sender")] = await listSenders(shop.context.db, {
    ...charge,
    currency: "TRX",
  });
  const refund = await shop.claimed(await shop.ask(charge), sender.address);
  const txId = shop.send(sender.address, 5_000_000n, anAddress());
  await shop.scan(2);
  await confirmTransfer(shop.context, { ...refund, txId, personId: ada }, async () => []);
  await shop.scan(30);
  expect((await shop.again(refund)).status).toBe("COMPLETED");
  const returned = await shop.context.db.query(sql`
    select units from ledger_entries where merchant_id = ${shop.merchantId} and kind = 'fee_returned'`);
  expect(returned).toEqual([]);
});
