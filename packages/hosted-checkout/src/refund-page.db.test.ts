import { askForRefund } from "@daric/charges/close/ask-for-refund";
import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { claimRefund } from "@daric/refunds/claim-refund";
import { claimToken } from "@daric/refunds/claim-token";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit, type ChargeOverrides } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { settleCharges } from "@daric/testing/settle-charges";
import { afterAll, beforeAll, expect, it } from "vitest";

const PAYER = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;

beforeAll(async () => {
  context = await createTestContext();
  app = createApp(context);
  merchantId = (await aMerchant(context.db, { name: "Blue Bottle Books", supportEmail: "help@shop.example" }))
    .id;
});
afterAll(async () => {
  await app.close();
  await context.close();
});

async function anOrder(amount: string, overrides: Partial<ChargeOverrides> = {}, currency?: "TRX") {
  const order = await aCharge(context.db, { merchantId, amount: "25", ...overrides });
  await aDeposit(context.db, { chargeId: order.id, amount, ...(currency && { currency }) });
  await context.db.transaction((tx) => settleCharges(context, tx, [order]));
  return order;
}
const ask = ({ id }: Pick<Awaited<ReturnType<typeof anOrder>>, "id">, currency: "TRX" | null = null) =>
  askForRefund(context, {
    ...{ merchantId, id, currency, amount: null, fiatAmount: null, refundRef: null, reason: null },
    ...{ address: null, askedBy: null, apiKeyId: null },
  });
const claim = (refund: Awaited<ReturnType<typeof ask>>) =>
  claimRefund(context, {
    token: claimToken(context, refund),
    address: PAYER,
    vet: async () => undefined,
  });
async function textOf({ checkoutToken }: { checkoutToken: string }) {
  const { body } = await app.inject(`/c/${checkoutToken}`);
  expect(body).not.toMatch(/\/r\//);
  return body
    .slice(body.indexOf("<body>"))
    .replace(/<svg.*?<\/svg>/gs, "")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("\u00a0", " ")
    .replace(/\s+/g, " ");
}

it("the page of an order that a refund archived asks for nothing, and tells the refund", async () => {
  const order = await anOrder("10");
  expect(await textOf(order)).toContain("is missing");
  const refund = await ask(order);
  const asked = await textOf(order);
  expect(asked).toContain("Your money goes back");
  expect(asked).toContain("Blue Bottle Books sends 10.00 USDT back, and waits for your address.");
  expect(asked).not.toMatch(/is missing|Do not send the rest|more to the same address/);
  expect(asked).not.toContain(order.address.slice(0, 4));
  expect(asked).not.toContain(claimToken(context, refund));
});

it("the page shows the last six characters of the refund's address, and no more of it", async () => {
  const order = await anOrder("10");
  await claim(await ask(order));
  const { body } = await app.inject(`/c/${order.checkoutToken}`);
  expect(await textOf(order)).toContain("sends 10.00 USDT back to your address …KcbLSE.");
  expect(body.replace(/<[^>]*>/g, "")).not.toContain(PAYER.slice(0, 8));
});

it("of a paid order with a surplus that goes back says that it is paid, and does not ask the payer to ask", async () => {
  const order = await anOrder("30");
  expect(await textOf(order)).toContain("ask for it back");
  await ask(order);
  const text = await textOf(order);
  expect(text).toContain("30.00 USDT received. The payment is final.");
  expect(text).toContain("sends 5.00 USDT back, and waits for your address.");
  expect(text).not.toMatch(/[Aa]sk .*for it back/);
});

it("tells a refund of another coin in that coin", async () => {
  const order = await anOrder("40", {}, "TRX");
  await ask(order, "TRX");
  const text = await textOf(order);
  expect(text).toContain("sends 40 TRX back");
  expect(text).not.toContain("To pay, send USDT");
});

it("leaves out a refund that another program changed", async () => {
  const order = await anOrder("10");
  const refund = await ask(order);
  await context.owner.query(sql`
    update refunds set address = ${PAYER}, named_by = 'payer' where merchant_id = ${merchantId} and id = ${refund.id}`);
  expect(await textOf(order)).not.toContain("KcbLSE");
});
