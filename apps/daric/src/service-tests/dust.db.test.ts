import { getCharge } from "@daric/charges/charge";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { paymentState } from "@daric/domain/order";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit, setChainTime } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { amplePeopleLimits, aPerson, type Browser, signedIn } from "@daric/testing/people";
import { settleCharges } from "@daric/testing/settle-charges";
import { findWrongSums } from "@daric/totals/sums-store";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApp } from "../app.ts";

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
const DUST = "0.009999";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let browser: Browser;
beforeAll(async () => {
  context = await createTestContext(amplePeopleLimits);
  app = createApp(context);
  merchantId = (await aMerchant(context.db, { name: "Books" })).id;
  const places = [{ merchantId, role: "owner" }] as const;
  browser = await signedIn(app, await aPerson(context, { places }), merchantId);
  await setChainTime(context.db, new Date());
});
afterAll(async () => {
  await app.close();
  await context.close();
});

type Overrides = Omit<Parameters<typeof aCharge>[1], "merchantId">;
const order = (overrides: Overrides = {}) =>
  aCharge(context.db, { amount: "25.5", ...overrides, merchantId });
const pay = (chargeId: ChargeId, amount: string, more: object = {}) =>
  aDeposit(context.db, { chargeId, amount, ...more });
const settle = (id: ChargeId) =>
  context.db.transaction((tx) => settleCharges(context, tx, [{ merchantId, id }]));
const dataOf = async (url: string) => (await browser.send(url)).body.data;
const pageOf = async ({ checkoutToken }: { checkoutToken: string }) => {
  const { body } = await app.inject({ method: "GET", url: `/c/${checkoutToken}` });
  return body.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
};
async function eventsOf(id: ChargeId) {
  const rows = await context.db.query<{ type: string; body: Buffer }>(sql`
    select type, body.body from webhook_events event
    join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
    where event.merchant_id = ${merchantId} and resource_id = ${id} order by sequence`);
  return rows.map(({ type, body }) => ({ type, data: JSON.parse(body.toString()).data }));
}

it("an order event names the payments that count first, the largest first, and then dust", async () => {
  const { id } = await order();
  for (let n = 0; n < 25; n += 1) await pay(id, "0.000001", { confirmedAt: hoursAgo(1) });
  await pay(id, "12");
  await pay(id, "13.5");
  await settle(id);
  const [event, ...others] = await eventsOf(id);
  expect([event?.type, others]).toEqual(["order.paid", []]);
  const amounts = event?.data.deposits.map(({ amount }: { amount: string }) => amount);
  expect(amounts).toHaveLength(20);
  expect(amounts?.slice(0, 3)).toEqual(["13.5", "12", "0.000001"]);
});

it("dust of either coin after a payment opens no task, changes no text, and is one line on page, receipt and story", async () => {
  const paid = await order({ orderRef: "poisoned" });
  await pay(paid.id, "25.5");
  await settle(paid.id);
  const before = await pageOf(paid);
  for (const _ of [1, 2]) await pay(paid.id, DUST);
  await pay(paid.id, "0.000001", { currency: "TRX" });
  await settle(paid.id);
  const after = await pageOf(paid);
  expect(after.replace(/\d tiny transfers by others /, "")).toBe(before);
  expect(after).toContain("3 tiny transfers by others");
  const row = await dataOf(`/v1/deposit-addresses/${paid.id}`);
  expect(row).toMatchObject({ amount_received: "25.519998", payment_state: "exact", payment_status: "paid" });
  const inbox: { id: string }[] = await dataOf("/dashboard/v1/inbox");
  expect(inbox.filter(({ id }) => id === paid.id)).toEqual([]);
  const story = await dataOf(`/dashboard/v1/payments/${paid.id}/story`);
  const told: { kind: string; count: number }[] = story.entries;
  expect(told.filter(({ kind }) => kind === "dust")).toMatchObject([{ count: 3 }]);
  expect([story.state, story.difference]).toEqual(["paid", "0"]);
});

it("dust alone leaves an order empty: waiting, then expired; it cannot be accepted", async () => {
  for (const [status, shown, times] of [
    ["ACTIVE", "waiting", {}],
    ["EXPIRED", "expired", { expiresAt: hoursAgo(3), lateUntil: hoursAgo(2) }],
  ] as const) {
    const empty = await order({ status, ...times });
    await pay(empty.id, DUST, { blockTime: hoursAgo(4) });
    await pay(empty.id, DUST, { blockTime: hoursAgo(4), status: "CONFIRMING" });
    await settle(empty.id);
    const story = await dataOf(`/dashboard/v1/payments/${empty.id}/story`);
    expect([story.state, story.actions.includes("accept"), story.difference]).toEqual([
      shown,
      false,
      "-25.5",
    ]);
    expect(await dataOf(`/v1/deposit-addresses/${empty.id}`)).toMatchObject({
      amount_received: DUST,
      amount_pending: DUST,
      payment_state: "none",
    });
    const { status: projected } = await dataOf(`/v1/checkout/${empty.checkoutToken}`);
    expect(projected).toMatchObject({ depositStatus: null, txHash: null, paymentState: "none" });
    const accepted = await browser.send(`/v1/deposit-addresses/${empty.id}/accept`, {});
    expect([accepted.status, accepted.body.error.code]).toEqual([409, "NOTHING_RECEIVED"]);
    expect(await eventsOf(empty.id)).toEqual([]);
  }
});

it("dust completes no order and makes no surplus, but an order of less than the bound has none", async () => {
  const short = await order({ amount: "10" });
  await pay(short.id, "9.985");
  await pay(short.id, "0.009");
  const zero = await order({ amount: "0" });
  await pay(zero.id, DUST);
  const small = await order({ amount: "0.005" });
  await pay(small.id, "0.002");
  await pay(small.id, "0.003");
  const stateOf = async ({ id }: { id: ChargeId }) => {
    const { terms, confirmed } = await getCharge(context.db, { merchantId, id });
    return paymentState(terms, confirmed.total);
  };
  expect([await stateOf(short), await stateOf(zero), await stateOf(small)]).toEqual([
    "under",
    "none",
    "exact",
  ]);
  expect(await findWrongSums(context.db, [merchantId])).toEqual([]);
});

it("the look-up says that dust is too small to count", async () => {
  const waiting = await order();
  const { txId } = await pay(waiting.id, DUST);
  const { body } = await app.inject({
    method: "POST",
    url: `/c/${waiting.checkoutToken}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({ txHash: txId }).toString(),
  });
  expect(/data-answer>(.*?)<\/p>/s.exec(body)?.[1]).toContain("too small to count");
});
