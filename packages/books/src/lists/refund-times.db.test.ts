import { one, sql } from "@daric/postgres/sql";
import { anAddress } from "@daric/testing/builders";
import { openRefundShop } from "@daric/testing/refund-shop";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listJournalFacts } from "../journal/journal-store.ts";
import { listRefundedPieces } from "./piece-store.ts";

let shop: Awaited<ReturnType<typeof openRefundShop>>;
beforeAll(async () => {
  shop = await openRefundShop();
}, 60_000);
afterAll(() => shop.context.close());

it("a refund is valued at the time of the block that paid it, and one without a final transfer when it was completed", async () => {
  const { merchantId } = shop;
  const { db, owner } = shop.context;
  const address = anAddress();
  const { id } = await shop.claimed(await shop.ask(await shop.paidCharge(15_000_000n)), address);
  shop.send(address, 5_000_000n);
  await shop.scan(30);
  const { blockTime } = one(
    await owner.query<{ blockTime: Date }>(sql`
      update refund_transfers set block_time = '2026-01-02T03:04:05Z' where refund_id = ${id} and status = 'FINAL'
      returning block_time as "blockTime"`),
  );
  const times = async () => {
    const facts = await listJournalFacts(db, { merchantId }, { limit: 100, after: undefined });
    const pieces = await listRefundedPieces(db, merchantId, [id]);
    return [
      ...facts.filter(({ refundId }) => refundId === id).map(({ valuedAt }) => valuedAt),
      ...pieces.map(({ at }) => at),
    ];
  };
  expect(await times()).toEqual([blockTime, blockTime]);
  await owner.query(sql`update refund_transfers set status = 'DROPPED' where refund_id = ${id}`);
  const completedAt = (await shop.again({ merchantId, id })).completedAt;
  expect(completedAt).toBeInstanceOf(Date);
  expect(await times()).toEqual([completedAt, completedAt]);
});
