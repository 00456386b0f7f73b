import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApp } from "../app.ts";
import type { MerchantId } from "../domain/ids.ts";
import type { ApiApp } from "../http/api-app.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let key: string;

beforeAll(async () => {
  context = await createTestContext();
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

it("the page of an order leads to the page of its open rest, and shows no address in any case", async () => {
  const order = await aCharge(context.db, { merchantId });
  await aDeposit(context.db, { chargeId: order.id, amount: "10" });
  expect((await page(order.checkoutToken)).body).toContain(order.address);
  const rest = await act(order.id, "rest");
  const led = await page(`${order.checkoutToken}?lang=tr`);
  expect([led.statusCode, led.headers.location]).toEqual([303, `${rest.checkout_token}?lang=tr`]);
  expect((await page(rest.checkout_token)).body).toContain(rest.address);
  const read = await page(order.checkoutToken, { "sec-fetch-dest": "empty" });
  expect([read.statusCode, read.body.includes(order.address)]).toEqual([200, false]);
  await act(rest.id, "archive");
  const own = await page(order.checkoutToken);
  expect([own.statusCode, own.body.includes(order.address)]).toEqual([200, false]);
});

it("the page of an order that was accepted after all shows that it is paid", async () => {
  const order = await aCharge(context.db, { merchantId });
  await aDeposit(context.db, { chargeId: order.id, amount: "10" });
  await act(order.id, "rest");
  await act(order.id, "accept");
  expect((await page(order.checkoutToken)).statusCode).toBe(200);
});
