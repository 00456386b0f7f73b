import { apiScopes } from "@daric/domain/api-scope";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, withSettings } from "@daric/testing/context";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApp } from "../app.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: TestChain;
let app: ApiApp;
let key: string;
let orderId: string;

/** An order of 25 USDT that got 30. */
beforeAll(async () => {
  [context, chain] = await Promise.all([createTestContext(), startTestChain()]);
  const { id: merchantId } = await aMerchant(context.db);
  key = (await anApiKey(context, merchantId, { scopes: [...apiScopes] })).key;
  const order = await aCharge(context.db, { merchantId, amount: "25" });
  orderId = order.id;
  await chain.pay(order.address, { usdt: "30" });
  await read(30);
  app = createApp(withSettings(context, { chain: { network: "devnet", nodeUrls: [chain.devchain.url] } }));
}, 60_000);
afterAll(async () => {
  await app.close();
  await chain.stop();
  await context.close();
});

async function read(blocks: number): Promise<void> {
  await chain.mine(blocks);
  await chain.scan(context);
}

async function post(url: string, payload: object = {}) {
  const answer = await app.inject({ method: "POST", url, headers: { "x-api-key": key }, payload });
  return { status: answer.statusCode, body: answer.json() };
}

async function ask(amount: string): Promise<string> {
  const { body } = await post(`/v1/deposit-addresses/${orderId}/refunds`, { amount });
  return body.data.id;
}
const simulate = (id: string, testCase: string) =>
  post(`/v1/test/refunds/${id}/simulate`, { case: testCase });
const retrieve = async (id: string) =>
  (await app.inject({ url: `/v1/refunds/${id}`, headers: { "x-api-key": key } })).json().data;

it("plays a refund from the payer's claim to its final payment, with the events of each step", async () => {
  const id = await ask("3");
  expect(await simulate(id, "pay")).toMatchObject({
    status: 409,
    body: { error: { code: "REFUND_CLOSED" } },
  });
  const claimed = await simulate(id, "claim");
  expect(claimed).toMatchObject({
    status: 200,
    body: { data: { status: "READY", payments: [], expected_events: ["refund.ready"] } },
  });
  const paying = simulate(id, "pay");
  for (let n = 0; n < 5; n += 1) await read(1);
  const paid = await paying;
  expect(paid).toMatchObject({
    status: 200,
    body: {
      data: {
        ...{ status: "SENT", address: claimed.body.data.address, expected_events: ["refund.completed"] },
        payments: [{ currency: "USDT", amount: "3" }],
      },
    },
  });
  await read(30);
  const [{ tx_hash: txHash }] = paid.body.data.payments;
  expect(await retrieve(id)).toMatchObject({ status: "COMPLETED", tx_hash: txHash, paid_amount: "3" });
  const events = await context.owner.query<{ type: string }>(
    sql`select type from webhook_events where resource_id = ${id} order by sequence`,
  );
  expect(events.map(({ type }) => type)).toEqual(["refund.requested", "refund.ready", "refund.completed"]);
});

it("plays a payment that is short: it completes nothing, and is a proposal of a known wallet", async () => {
  const id = await ask("2");
  await simulate(id, "claim");
  const short = await simulate(id, "short");
  expect(short.body.data.payments).toMatchObject([{ amount: "1.999999" }]);
  await read(30);
  expect(await retrieve(id)).toMatchObject({ status: "READY", tx_hash: null });
  const given = await context.owner.query(sql`select status from refund_transfers where refund_id = ${id}`);
  expect(given).toEqual([{ status: "PROPOSED" }]);
});

it("is unknown on a public network, and for the refund of another merchant", async () => {
  const other = await anApiKey(context, (await aMerchant(context.db)).id, { scopes: [...apiScopes] });
  const [{ id: known } = { id: "" }] = await context.owner.query<{ id: string }>(
    sql`select id from refunds limit 1`,
  );
  const url = `/v1/test/refunds/${known}/simulate`;
  const headers = { "x-api-key": other.key };
  const foreign = await app.inject({ method: "POST", url, headers, payload: { case: "claim" } });
  const nile = createApp(withSettings(context, { chain: { network: "nile" } }));
  const away = await nile.inject({ method: "POST", url, headers: { "x-api-key": key }, payload: {} });
  await nile.close();
  expect([foreign.statusCode, away.statusCode]).toEqual([404, 404]);
});
