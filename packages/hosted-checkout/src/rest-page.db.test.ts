import { idOf, type MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { settleCharges } from "@daric/testing/settle-charges";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findChangedTokens, findCheckouts } from "./store.ts";

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

const act = async (id: string, operation: string) =>
  (
    await app.inject({
      method: "POST",
      url: `/v1/deposit-addresses/${id}/${operation}`,
      headers: { "x-api-key": key },
    })
  ).json().data;
const page = (path: string, headers = {}) => app.inject({ url: `/c/${path}`, headers });

const pay = async ({ id }: { id: string }, amount: string, more: { blockTime?: Date } = {}) => {
  const chargeId = idOf("charge", id);
  const deposit = await aDeposit(context.db, { chargeId, amount, ...more });
  await context.db.transaction((tx) => settleCharges(context, tx, [{ merchantId, id: chargeId }]));
  return deposit;
};
async function aShortOrder() {
  const order = await aCharge(context.db, { merchantId });
  await pay(order, "10");
  return order;
}
/** Where a browser is sent, and what a script of the page reads. */
async function shown(token: string) {
  const navigated = await page(token);
  const read = await page(token, { "sec-fetch-dest": "empty" });
  return { to: navigated.headers.location, text: read.body };
}

it("the page of an order leads to the page of its open rest, and shows no address in any case", async () => {
  const order = await aShortOrder();
  expect((await page(order.checkoutToken)).body).toContain(order.address);
  const rest = await act(order.id, "rest");
  const led = await page(`${order.checkoutToken}?lang=tr`);
  expect([led.statusCode, led.headers.location]).toEqual([303, `${rest.checkout_token}?lang=tr`]);
  expect((await page(rest.checkout_token)).body).toContain(rest.address);
  const read = await page(order.checkoutToken, { "sec-fetch-dest": "empty" });
  expect([read.statusCode, read.body.includes(order.address)]).toEqual([200, false]);
  expect(read.body).toContain("This order goes on at another page");
  expect(read.body).toContain(`href="${rest.checkout_token}?lang=en"`);
  await act(rest.id, "archive");
  const own = await page(order.checkoutToken);
  expect([own.statusCode, own.body.includes(order.address)]).toEqual([200, false]);
});

it("every ended page of an order leads to its newest open rest, and once it is paid to the first order", async () => {
  const order = await aShortOrder();
  const first = await act(order.id, "rest");
  await pay(first, "5");
  await act(first.id, "archive");
  expect((await shown(order.checkoutToken)).to).toBe(first.checkout_token);
  const second = await act(first.id, "rest");
  await act(second.id, "archive");
  const third = await act(order.id, "rest");
  for (const token of [order.checkoutToken, first.checkout_token, second.checkout_token])
    expect((await shown(token)).to).toBe(third.checkout_token);
  expect((await shown(third.checkout_token)).to).toBeUndefined();
  await pay(third, "10");
  for (const { checkout_token: token } of [first, second])
    expect((await shown(token)).to).toBe(order.checkoutToken);
  const { to, text } = await shown(order.checkoutToken);
  expect([to, text]).toEqual([undefined, expect.stringContaining("another page of this order")]);
  expect(text).toContain(`href="${third.checkout_token}?lang=en"`);
  expect((await shown(third.checkout_token)).to).toBeUndefined();
});

it("the page of an order that a rest paid names both payments, and no part as full payment", async () => {
  const order = await aShortOrder();
  await pay(await act(order.id, "rest"), "15");
  const text = (await page(order.checkoutToken)).body.replace(/<[^>]*>/g, "").replaceAll("\u00a0", " ");
  expect(text).toContain("10.00 USDT arrived here, and 15.00 USDT by another page of this order.");
  expect(text).not.toContain("as full payment");
});

it("the page of a rest leads to its first order once that was paid at its own address, though late", async () => {
  const order = await aShortOrder();
  const rest = await act(order.id, "rest");
  await pay(order, "15", { blockTime: new Date(Date.now() + 3_600_000) });
  expect((await shown(rest.checkout_token)).to).toBe(order.checkoutToken);
  expect((await shown(order.checkoutToken)).text).toContain("Part of your payment came too late");
});

it("an open page learns of each rest by its poll and by its socket", async () => {
  const order = await aCharge(context.db, { merchantId, status: "EXPIRED", expiresAt: new Date(0) });
  await pay(order, "10");
  const first = await act(order.id, "rest");
  await act(first.id, "archive");
  const tokens = [order.checkoutToken, first.checkout_token];
  const poll = (token: string, etag = "") =>
    app.inject({ url: `/v1/checkout/${token}`, headers: { "if-none-match": etag } });
  const etags = await Promise.all(tokens.map(async (token) => String((await poll(token)).headers.etag)));
  const checkouts = await findCheckouts(context.db, tokens);
  const versions = tokens.map((token) => checkouts.get(token)?.version ?? "");
  const loaded = (await page(first.checkout_token, { "sec-fetch-dest": "empty" })).body;
  expect(loaded).toContain(`data-version=${etags[1]}`);
  for (const [n, token] of tokens.entries()) expect((await poll(token, etags[n])).statusCode).toBe(304);
  await act(order.id, "rest");
  expect((await findChangedTokens(context.db, tokens, versions)).toSorted()).toEqual(tokens.toSorted());
  for (const [n, token] of tokens.entries())
    await expect.poll(async () => (await poll(token, etags[n])).statusCode, { timeout: 3_000 }).toBe(200);
});

it("a look-up on the page of any order of the family counts a payment to another one of it", async () => {
  const order = await aCharge(context.db, { merchantId });
  const { txId } = await pay(order, "10");
  const stranger = await pay(await aCharge(context.db, { merchantId }), "1");
  const rest = await act(order.id, "rest");
  const lookUp = async (token: string, txHash: string) =>
    (await app.inject({ method: "POST", url: `/v1/checkout/${token}/lookup`, payload: { txHash } })).json()
      .data;
  expect(await lookUp(rest.checkout_token, txId)).toMatchObject({ result: "counted", amount: "10" });
  expect((await lookUp(rest.checkout_token, stranger.txId)).result).toBe("not_found");
  const { body } = await app.inject({
    method: "POST",
    url: `/c/${rest.checkout_token}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({ txHash: txId }).toString(),
  });
  expect(body.replace(/<[^>]*>/g, "").replaceAll("\u00a0", " ")).toContain(
    "10.00 USDT arrived by this transaction, and it is counted for this order. This page asks for the rest: 15.00 USDT.",
  );
  const paid = await pay(rest, "15");
  expect(await lookUp(order.checkoutToken, paid.txId)).toMatchObject({ result: "counted", amount: "15" });
});

it("the page of an order that was accepted after all shows that it is paid", async () => {
  const order = await aShortOrder();
  await act(order.id, "rest");
  await act(order.id, "accept");
  expect((await page(order.checkoutToken)).statusCode).toBe(200);
});
