import { sealCustomerEmail } from "@daric/charges/customer-email";
import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { amplePeopleLimits, aPerson, signedIn } from "@daric/testing/people";
import { afterAll, beforeAll, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;

beforeAll(async () => {
  const mail = { SMTP_URL: "smtp://127.0.0.1:1?tls=none", MAIL_FROM: "pay@pay.example" };
  context = await createTestContext({ ...amplePeopleLimits, ...mail });
  app = createApp(context);
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(async () => {
  await app.close();
  await context.close();
});

/** An order with a surplus, whose payer typed an e-mail address on its page. */
async function anOrder(): Promise<string> {
  const charge = await aCharge(context.db, { merchantId, amount: "25" });
  const email = { email: "ada@home.example", source: "page", language: "en", later: null } as const;
  const sealed = sealCustomerEmail(context.config.webhooks.masterKey, charge, email);
  await context.db.query(sql`
    update deposit_addresses set customer_email = ${sealed} where merchant_id = ${merchantId} and id = ${charge.id}`);
  await aDeposit(context.db, { chargeId: charge.id, amount: "30" });
  return charge.id;
}
const causesOf = async (orderId: string) =>
  (
    await context.db.query<{ cause: string }>(sql`
      select cause from messages where kind = 'payer_claim' and receiver = ${`payer ${orderId}`} order by id`)
  ).map(({ cause }) => cause);

it("a person confirms an e-mail address when asking for a refund and when asking again, and the audit log names the person", async () => {
  const person = await aPerson(context, { places: [{ merchantId, role: "admin" }] });
  const browser = await signedIn(app, person, merchantId);
  const order = await anOrder();
  const asked = await browser.send(`/v1/deposit-addresses/${order}/refunds`, { confirmEmail: true });
  const { id } = asked.body.data;
  expect(asked.status).toBe(201);
  const again = await browser.send(`/v1/refunds/${id}/ask-again`, { confirmEmail: true });
  expect([again.status, again.body.data.claim_url === asked.body.data.claim_url]).toEqual([200, false]);
  expect((await browser.send(`/v1/refunds/${id}/ask-again`, {})).status).toBe(200);
  expect(await causesOf(order)).toEqual([
    `refund_claim ${id} 1 ${person.id}`,
    `refund_claim ${id} 2 ${person.id}`,
    `refund_claim ${id} 3`,
  ]);
  const entries = await context.owner.query<{ after: object; actor: string }>(sql`
    select after, actor from audit_log where merchant_id = ${merchantId}
      and action in ('askForRefund', 'askForRefundAddressAgain') order by id limit 2`);
  expect(entries).toMatchObject([
    { after: { confirmEmail: true }, actor: `person ${person.id}` },
    { after: { confirmEmail: true }, actor: `person ${person.id}` },
  ]);
});

it("a key confirms no address", async () => {
  const { key } = await anApiKey(context, merchantId, { scopes: ["refunds:read", "refunds:write"] });
  const order = await anOrder();
  const send = (url: string, payload: object) =>
    app.inject({ method: "POST", url, payload, headers: { "x-api-key": key } });
  const path = `/v1/deposit-addresses/${order}/refunds`;
  const refused = await send(path, { confirmEmail: true });
  expect([refused.statusCode, refused.json().error.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
  const { id } = (await send(path, {})).json().data;
  expect((await send(`/v1/refunds/${id}/ask-again`, { confirmEmail: true })).statusCode).toBe(403);
  expect(await causesOf(order)).toEqual([`refund_claim ${id} 1`]);
});
