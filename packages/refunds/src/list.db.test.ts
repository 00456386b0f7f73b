import type { ChargeId, RefundId } from "@daric/domain/ids";
import { openRefundShop } from "@daric/testing/refund-shop";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listRefunds } from "./store.ts";

let shop: Awaited<ReturnType<typeof openRefundShop>>;

beforeAll(async () => {
  shop = await openRefundShop();
});
afterAll(() => shop?.context.close());

it("a list of refunds is of one order where asked, and is read on behind a row", async () => {
  const [one, other] = [await shop.paidCharge(15_000_000n), await shop.paidCharge(15_000_000n)];
  const [older, newer] = [await shop.ask(one), await shop.ask(other)];
  const idsOf = async (depositAddressId?: ChargeId, after?: RefundId) => {
    const filter = { merchantId: shop.merchantId, depositAddressId };
    const { rows, total } = await listRefunds(shop.context.db, filter, { limit: 10, offset: 0, after });
    return { ids: rows.map(({ id }) => id), total };
  };
  expect(await idsOf()).toEqual({ ids: [newer.id, older.id], total: 2 });
  expect(await idsOf(one.id)).toEqual({ ids: [older.id], total: 1 });
  expect((await idsOf(undefined, newer.id)).ids).toEqual([older.id]);
  expect((await idsOf(undefined, older.id)).ids).toEqual([]);
});
