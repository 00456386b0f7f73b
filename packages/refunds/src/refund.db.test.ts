import { getCharge } from "@daric/charges/charge";
import { findCursor } from "@daric/deposits/block-store";
import type { ApiError } from "@daric/domain/errors";
import { idOf } from "@daric/domain/ids";
import { amountFromUnits, parseAmount } from "@daric/domain/money";
import { sql } from "@daric/postgres/sql";
import { anAddress } from "@daric/testing/builders";
import { openRefundShop } from "@daric/testing/refund-shop";
import { rescanRange } from "@daric/testing/rescans";
import { uuidv7 } from "uuidv7";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cancelRefund } from "./cancel-refund.ts";
import { confirmTransfer } from "./confirm-transfer.ts";
import type { Refund } from "./refund.ts";
import { listSenders, sumRefunded } from "./store.ts";
import { listTransfersOf, type RefundTransfer } from "./transfer-store.ts";

let shop: Awaited<ReturnType<typeof openRefundShop>>;
beforeEach(async () => {
  shop = await openRefundShop();
});
afterEach(() => shop.context.close());

describe("a transfer to the address of a refund", () => {
  it("of the exact amount from the merchant's wallet is the refund: SENT in its block, COMPLETED once it is final", async () => {
    const refund = await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)));
    expect(refund).toMatchObject({ status: "READY", units: 5_000_000n, needsConfirmation: null });
    const txId = shop.send(refund.address ?? "", 5_000_000n);
    await shop.scan(1);
    expect(await shop.again(refund)).toMatchObject({ status: "SENT", txId });
    await shop.scan(30);
    expect(await shop.again(refund)).toMatchObject({ status: "COMPLETED", txId, paidUnits: 5_000_000n });
  });

  it("of another sender, or of another amount, is a proposal", async () => {
    const refund = await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)));
    const address = refund.address ?? "";
    shop.send(address, 5_000_000n, anAddress());
    shop.send(address, 4_999_999n);
    shop.send(address, 4_999_999n, anAddress());
    await shop.scan(30);
    expect(await shop.again(refund)).toMatchObject({ status: "READY", txId: null });
    const given = await listTransfersOf(shop.context.db, refund);
    expect(given.map(({ status, units }) => [status, units])).toEqual([
      ["PROPOSED", 5_000_000n],
      ["PROPOSED", 4_999_999n],
    ]);
  });

  it("that a fork drops leaves it SENT until the transaction has expired; one that returns keeps it", async () => {
    const refund = await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)));
    const txId = shop.send(refund.address ?? "", 5_000_000n);
    await shop.scan(1);
    shop.chain.fork(1, ["dropped"]);
    await shop.scan(1);
    expect(await shop.again(refund)).toMatchObject({ status: "SENT", txId });
    shop.chain.rebroadcast();
    await shop.scan(30);
    expect(await shop.again(refund)).toMatchObject({ status: "COMPLETED", txId });
  });

  it("completes a canceled refund that was READY", async () => {
    const refund = await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)));
    await cancelRefund(shop.context, refund);
    shop.send(refund.address ?? "", 5_000_000n);
    await shop.scan(1);
    expect(await shop.again(refund)).toMatchObject({ status: "CANCELED" });
    await shop.scan(30);
    expect(await shop.again(refund)).toMatchObject({ status: "COMPLETED", paidUnits: 5_000_000n });
  });
});

const ada = idOf("person", uuidv7());
const noNodes = async () => [];

describe("a transaction that a person names", () => {
  it("is the refund with what it moved; its sender is a paying wallet from then on", async () => {
    const exchange = anAddress();
    const refund = await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)));
    const txId = shop.send(refund.address ?? "", 5_000_000n, exchange);
    await shop.scan(2);
    await confirmTransfer(shop.context, { ...refund, txId, personId: ada }, noNodes);
    expect(await shop.again(refund)).toMatchObject({ status: "SENT", txId });
    await shop.scan(30);
    expect(await shop.again(refund)).toMatchObject({ status: "COMPLETED", paidUnits: 5_000_000n });
    const next = await shop.claimed(await shop.ask(await shop.paidCharge(13_000_000n)));
    shop.send(next.address ?? "", 3_000_000n, exchange);
    await shop.scan(1);
    expect(await shop.again(next)).toMatchObject({ status: "SENT" });
  });

  it("may have moved another amount, which then counts as refunded", async () => {
    const charge = await shop.paidCharge(15_000_000n);
    const refund = await shop.claimed(await shop.ask(charge));
    const txId = shop.send(refund.address ?? "", 4_000_000n);
    await shop.scan(2);
    await confirmTransfer(shop.context, { ...refund, txId, personId: ada }, noNodes);
    await shop.scan(30);
    expect(await shop.again(refund)).toMatchObject({ status: "COMPLETED", paidUnits: 4_000_000n });
    expect((await sumRefunded(shop.context.db, [charge])).get(charge.id)).toBe(4_000_000n);
  });

  it("is refused if no block has it, if it paid another address or another refund, or is in another coin", async () => {
    const first = await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)));
    const second = await shop.claimed(
      await shop.ask(await shop.paidCharge(15_000_000n)),
      first.address ?? "",
    );
    const txId = shop.send(first.address ?? "", 5_000_000n);
    await shop.scan(1);
    expect(await shop.again(first)).toMatchObject({ status: "SENT" });
    const name = (refund: Refund, transfers: readonly RefundTransfer[] = []) =>
      confirmTransfer(shop.context, { ...refund, txId, personId: ada }, async () => transfers);
    const faultOf = async (naming: Promise<unknown>) => {
      const error: ApiError = await naming.then(
        () => expect.fail("it was taken"),
        (reason) => reason,
      );
      return error.details?.[0]?.message ?? error.message;
    };
    expect(await faultOf(name(second))).toContain("is not in a block");
    const [given = expect.fail("no transfer")] = await listTransfersOf(shop.context.db, first);
    expect(await faultOf(name(second, [given]))).toContain("another refund");
    expect(await faultOf(name(second, [{ ...given, toAddress: anAddress() }]))).toContain("moved nothing to");
    expect(await faultOf(name(second, [{ ...given, currency: "USDT" }]))).toContain("another coin");
    const third = await shop.ask(await shop.paidCharge(15_000_000n));
    expect(await faultOf(name(third, [given]))).toContain("never was ready");
  });
});

describe("two refunds", () => {
  it("to one address of one amount are paid by two transfers, the oldest first; one transfer completes one", async () => {
    const address = anAddress();
    const first = await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)), address);
    const second = await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)), address);
    shop.send(address, 5_000_000n);
    await shop.scan(30);
    expect([(await shop.again(first)).status, (await shop.again(second)).status]).toEqual([
      "COMPLETED",
      "READY",
    ]);
    shop.send(address, 5_000_000n);
    await shop.scan(30);
    expect((await shop.again(second)).status).toBe("COMPLETED");
  });

  it("are not completed by one transfer of their sum", async () => {
    const address = anAddress();
    const refunds = [
      await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)), address),
      await shop.claimed(await shop.ask(await shop.paidCharge(13_000_000n)), address),
    ];
    shop.send(address, 8_000_000n);
    await shop.scan(30);
    for (const refund of refunds) expect((await shop.again(refund)).status).toBe("READY");
  });

  it("of two merchants differ by the sender", async () => {
    const address = anAddress();
    const ours = await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)), address);
    const { merchantId, wallet } = await shop.aShop();
    const theirs = await shop.claimed(
      await shop.ask(await shop.paidCharge(15_000_000n, { merchantId })),
      address,
    );
    shop.send(address, 5_000_000n, wallet);
    await shop.scan(30);
    expect((await shop.again(theirs)).status).toBe("COMPLETED");
    expect((await shop.again(ours)).status).toBe("READY");
  });
});

describe("the fee share of a surplus", () => {
  const returned = async (chargeId: string) =>
    (
      await shop.context.db.query<{ units: bigint }>(sql`
        select units from ledger_entries where merchant_id = ${shop.merchantId} and deposit_address_id = ${chargeId} and kind = 'fee_returned'`)
    ).map(({ units }) => units);

  it("goes back when the surplus goes to the very address that sent it", async () => {
    const charge = await shop.paidCharge(15_000_000n, { feeBasisPoints: 100 });
    const [sender = expect.fail("no sender")] = await listSenders(shop.context.db, {
      ...charge,
      currency: "TRX",
    });
    const refund = await shop.claimed(await shop.ask(charge), sender.address);
    shop.send(sender.address, 5_000_000n);
    await shop.scan(30);
    expect((await shop.again(refund)).status).toBe("COMPLETED");
    expect(await returned(charge.id)).toEqual([50_000n]);
  });

  it("stays when it goes to another address, and for money that paid the order", async () => {
    const charge = await shop.paidCharge(15_000_000n, { feeBasisPoints: 100 });
    const other = await shop.claimed(await shop.ask(charge));
    shop.send(other.address ?? "", 5_000_000n);
    await shop.scan(30);
    expect((await shop.again(other)).status).toBe("COMPLETED");
    expect(await returned(charge.id)).toEqual([]);
  });
});

it("a transaction that left the chain leaves its refund READY once it can land no more", async () => {
  const refund = await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)));
  shop.send(refund.address ?? "", 5_000_000n);
  await shop.scan(1);
  shop.chain.fork(1, ["dropped"]);
  await shop.scan(300);
  expect(await shop.again(refund)).toMatchObject({ status: "READY", txId: null, sentAt: null });
});

it("a rescan finds a transfer that was not seen", async () => {
  const refund = await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)));
  await shop.context.owner.query(sql`update refund_addresses set watched_until = now()`);
  shop.send(refund.address ?? "", 5_000_000n);
  await shop.scan(3);
  expect((await shop.again(refund)).status).toBe("READY");
  await shop.context.owner.query(sql`update refund_addresses set watched_until = 'infinity'`);
  const { number } = (await findCursor(shop.context.db, "devnet")) ?? expect.fail("no cursor");
  await rescanRange(shop.context, await shop.scanner(), { from: number - 5, to: number });
  expect((await shop.again(refund)).status).toBe("SENT");
});

describe("a request", () => {
  it("without an amount is of what came too much, and archives no paid order", async () => {
    const refund = await shop.ask(await shop.paidCharge(15_000_000n));
    expect(refund).toMatchObject({ status: "REQUESTED", units: 5_000_000n, currency: "TRX" });
  });

  it("for an order that is short archives it, and later money is late", async () => {
    const charge = await shop.paidCharge(4_000_000n);
    expect((await shop.ask(charge)).units).toBe(4_000_000n);
    shop.chain.pay(charge.address, 6_000_000n);
    await shop.scan(30);
    const { status, confirmed } = await getCharge(shop.context.db, charge);
    expect({ status, inWindow: confirmed.inWindow, total: confirmed.total }).toEqual({
      status: "ARCHIVED",
      inWindow: 4_000_000n,
      total: 10_000_000n,
    });
  });

  it("never promises more than what came", async () => {
    const charge = await shop.paidCharge(4_000_000n);
    await shop.ask(charge, { amount: amountFromUnits(1_000_000n) });
    await expect(shop.ask(charge, { amount: parseAmount("3.000001") ?? null })).rejects.toMatchObject({
      code: "REFUND_EXCEEDS_RECEIVED",
    });
    expect((await shop.ask(charge)).units).toBe(3_000_000n);
    await expect(shop.ask(charge)).rejects.toMatchObject({ code: "NOTHING_RECEIVED" });
  });

  it("of money that paid the order waits for a person, and so does one whose order changed", async () => {
    const charge = await shop.paidCharge(15_000_000n);
    const whole = await shop.claimed(await shop.ask(charge, { amount: amountFromUnits(6_000_000n) }));
    expect(whole).toMatchObject({ status: "REQUESTED", needsConfirmation: "paid_money" });
    const other = await shop.paidCharge(15_000_000n);
    const refund = await shop.claimed(await shop.ask(other));
    expect(refund.status).toBe("READY");
    shop.chain.pay(other.address, 1_000_000n);
    await shop.scan(30);
    expect(await shop.again(refund)).toMatchObject({
      status: "REQUESTED",
      needsConfirmation: "order_changed",
      address: refund.address,
    });
  });
});
