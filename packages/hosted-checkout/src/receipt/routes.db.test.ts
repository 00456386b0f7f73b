import { gunzipSync } from "node:zlib";
import { keepCustomerEmail } from "@daric/charges/keep-customer-email";
import { type ChargeId, idOf, type MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { isMessageMac } from "@daric/messages/message";
import { claimMessages } from "@daric/messages/store";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { settleCharges } from "@daric/testing/settle-charges";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

const PAGE_BUDGET_BYTES = 25_000;
const MAIL = { SMTP_URL: "smtp://127.0.0.1:1?tls=none", MAIL_FROM: "pay@pay.example" };

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let key: string;

beforeAll(async () => {
  context = await createTestContext({ ...MAIL, RATE_LIMIT_KEY_BURST: "10000" });
  app = createApp(context);
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await context.close();
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
  key = (await anApiKey(context, merchantId)).key;
});

type Order = { readonly id: ChargeId; readonly checkout_token: string };

async function anOrder(body: object = {}): Promise<Order> {
  const answer = await app.inject({
    method: "POST",
    url: "/v1/deposit-addresses",
    headers: { "x-api-key": key },
    payload: { amount: "25", ...body },
  });
  return answer.json().data;
}
async function rowOf({ id }: Pick<Order, "id">) {
  const url = `/v1/deposit-addresses/${id}`;
  const { customer_email, customer_email_source, customer_email_later } = (
    await app.inject({ url, headers: { "x-api-key": key } })
  ).json().data;
  return [customer_email, customer_email_source, customer_email_later];
}
function type(token: string, email: string, headers: Record<string, string> = {}, query = "") {
  return app.inject({
    method: "POST",
    url: `/c/${token}/email${query}`,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams({ email }).toString(),
  });
}
const page = async (token: string, query = "") => (await app.inject(`/c/${token}${query}`)).body;

async function pay({ id }: Order) {
  await aDeposit(context.db, { chargeId: id, amount: "25" });
  await context.db.transaction((tx) => settleCharges(context, tx, [{ merchantId, id }]));
}
const messagesOf = async ({ id }: Order) =>
  context.db.query<{ kind: string; cause: string }>(sql`
    select kind, cause from messages where merchant_id = ${merchantId} and receiver = ${`payer ${id}`}`);

it("an address that is typed on the page is kept with its language, and the page never shows it", async () => {
  const order = await anOrder();
  expect(await page(order.checkout_token)).toContain('type="email"');
  const { statusCode, headers } = await type(order.checkout_token, " ada@mail.example ", {}, "?lang=es");
  expect([statusCode, headers.location]).toEqual([
    303,
    `../${order.checkout_token}?lang=es&receipt=thanks#receipt`,
  ]);
  const thanks = await page(order.checkout_token, "?lang=es&receipt=thanks");
  expect(thanks).toContain("Gracias. El recibo");
  expect(thanks).not.toContain("ada@mail.example");
  expect(await rowOf(order)).toEqual(["ada@mail.example", "page", null]);
  const projection = await app.inject(`/v1/checkout/${order.checkout_token}`);
  expect(projection.body).not.toContain("ada@");
});

it("the form keeps the page within its weight in every language", async () => {
  const { checkout_token: token } = await anOrder();
  for (const lang of ["en", "ar", "fa", "ru", "vi"]) {
    const url = `/c/${token}?lang=${lang}&receipt=wrong`;
    const whole = await app.inject({ url, headers: { "accept-encoding": "gzip" } });
    const [script] = /\/checkout\/[\w-]+\/main\.js/.exec(gunzipSync(whole.rawPayload).toString()) ?? [];
    const loaded = await app.inject({ url: String(script), headers: { "accept-encoding": "gzip" } });
    expect(whole.rawPayload.length + loaded.rawPayload.length).toBeLessThan(PAGE_BUDGET_BYTES);
  }
});

it("the page says the same whether the merchant gave an address before", async () => {
  const pages = await Promise.all(
    [{}, { customerEmail: "ada@mail.example" }].map(async (body) => {
      const { id, checkout_token: token } = await anOrder(body);
      const before = await page(token);
      const answer = await type(token, "eve@mail.example");
      return [before, answer.headers.location, await page(token, "?receipt=thanks"), id].map((text) =>
        String(text).match(/<(?:details class="lookup"|p class="answer") id="receipt".*?<\/(?:details|p)>/gs),
      );
    }),
  );
  const [without, given] = pages.map((found) => JSON.stringify(found).replaceAll(/[\w-]{40}/g, "token"));
  expect(without).toBe(given);
  expect(without).toContain("receipt-email");
});

it("the first address counts, and of 1,000 that follow only the newest is noted", async () => {
  const order = await anOrder({ customerEmail: "ada@mail.example" });
  const ref = { merchantId, id: order.id };
  const before = (
    await context.db.query<{ updatedAt: Date }>(
      sql`select updated_at as "updatedAt" from deposit_addresses where merchant_id = ${merchantId} and id = ${order.id}`,
    )
  )[0];
  for (let n = 1; n <= 1_000; n += 1)
    await keepCustomerEmail(context, ref, { email: `eve${n}@mail.example`, language: "en" });
  await keepCustomerEmail(context, ref, { email: "ADA@mail.example", language: "en" });
  expect(await rowOf(order)).toEqual(["ada@mail.example", "api", "eve1000@mail.example"]);
  expect(await messagesOf(order)).toEqual([]);
  const [after] = await context.db.query<{ updatedAt: Date; bytes: number }>(sql`
    select updated_at as "updatedAt", octet_length(customer_email) as bytes from deposit_addresses
    where merchant_id = ${merchantId} and id = ${order.id}`);
  expect(after?.updatedAt).toEqual(before?.updatedAt);
  expect(after?.bytes).toBeLessThan(700);
});

it("a page takes six addresses a minute", async () => {
  const { checkout_token: token } = await anOrder();
  const codes: number[] = [];
  for (let n = 0; n < 8; n += 1) codes.push((await type(token, `eve${n}@mail.example`)).statusCode);
  expect(codes).toEqual([303, 303, 303, 303, 303, 303, 429, 429]);
});

it.each([
  ["", "missing"],
  ["ada", "wrong"],
  ["ada@mail", "wrong"],
  ["ada@mail.example, eve@mail.example", "wrong"],
  ["ada@mail.example\r\nBcc: eve@mail.example", "wrong"],
  ["<script>@mail.example", "wrong"],
  ["ада@почта.рф", "wrong"],
  ["\u202eada@mail.example", "wrong"],
  [`${"a".repeat(64)}@${"b.".repeat(95)}cd`, "wrong"],
])("the page names the fault of %j in its language, and keeps nothing", async (email, told) => {
  const order = await anOrder();
  const answer = await type(order.checkout_token, email, {}, "?lang=ru");
  expect(answer.headers.location).toBe(`../${order.checkout_token}?lang=ru&receipt=${told}#receipt`);
  const shown = await page(order.checkout_token, `?lang=ru&receipt=${told}`);
  expect(shown).toMatch(
    told === "missing" ? "Введите адрес электронной почты." : "Это не адрес электронной почты",
  );
  expect(shown).toContain('aria-invalid="true"');
  expect(await rowOf(order)).toEqual([null, null, null]);
});

it("an address from another site's page is refused, and the page lets browsers name its own origin", async () => {
  const order = await anOrder();
  for (const origin of ["https://shop.example", "null"])
    expect((await type(order.checkout_token, "ada@mail.example", { origin })).statusCode).toBe(403);
  expect(await rowOf(order)).toEqual([null, null, null]);
  expect((await app.inject(`/c/${order.checkout_token}`)).headers["referrer-policy"]).toBe("same-origin");
  const origin = "http://127.0.0.1:3000";
  expect((await type(order.checkout_token, "ada@mail.example", { origin })).statusCode).toBe(303);
});

it("an order that is paid already has its receipt at the first address, once and under our code", async () => {
  const order = await anOrder();
  await pay(order);
  expect(await messagesOf(order)).toEqual([]);
  await type(order.checkout_token, "ada@mail.example");
  await type(order.checkout_token, "eve@mail.example");
  const [event] = await context.db.query<{ id: string }>(sql`
    select id from webhook_events where merchant_id = ${merchantId} and resource_id = ${order.id} and type = 'order.paid'`);
  expect(await messagesOf(order)).toEqual([{ kind: "payer_paid", cause: event?.id }]);
  const [claimed] = await claimMessages(context.db, "mail", { limit: 1, leaseMs: 1_000 });
  if (claimed === undefined) throw new Error("no message is due");
  const message = { ...claimed, receiver: { of: "payer", chargeId: order.id } as const };
  expect(isMessageMac(context, message, claimed.mac)).toBe(true);
});

it("an order that is paid after its address was typed has one receipt", async () => {
  const order = await anOrder();
  await type(order.checkout_token, "ada@mail.example");
  expect(await messagesOf(order)).toEqual([]);
  await pay(order);
  await type(order.checkout_token, "eve@mail.example");
  expect((await messagesOf(order)).map(({ kind }) => kind)).toEqual(["payer_paid"]);
});

it("nothing that others read has the address: no webhook, no feed, no page, no audit log", async () => {
  const order = await anOrder({ customerEmail: "ada@mail.example", metadata: { cart: "7" } });
  await type(order.checkout_token, "eve@mail.example");
  await pay(order);
  const feed = await app.inject({ url: "/v1/events", headers: { "x-api-key": key } });
  expect(feed.json().data.length).toBeGreaterThan(0);
  const [stored] = await context.owner.query<{ text: string }>(sql`
    select string_agg(convert_from(body, 'utf8'), ' ') as text from webhook_event_bodies`);
  const texts = [
    feed.body,
    stored?.text ?? "",
    await page(order.checkout_token),
    (await app.inject(`/v1/checkout/${order.checkout_token}`)).body,
  ];
  for (const text of texts) expect(text).not.toMatch(/(?:ada|eve)@|mail\.example/);
  const [row] = await context.owner.query<{ text: string }>(sql`
    select charge::text as text from deposit_addresses charge where id = ${order.id}`);
  expect(row?.text).not.toContain("mail.example");
});

it("only orders that are open or paid ask for an address, and only with a mail server", async () => {
  const open = await aCharge(context.db, { merchantId, kind: "open" });
  const expired = await aCharge(context.db, { merchantId, amount: "25", status: "EXPIRED" });
  for (const charge of [open, expired]) {
    expect(await page(charge.checkoutToken)).not.toContain('type="email"');
    await type(charge.checkoutToken, "ada@mail.example");
    expect(await rowOf({ id: idOf("charge", charge.id) })).toEqual([null, null, null]);
  }
  const without = createApp({
    ...context,
    config: { ...context.config, mail: { ...context.config.mail, smtpUrl: undefined } },
  });
  const order = await anOrder();
  const shown = await without.inject(`/c/${order.checkout_token}?receipt=thanks`);
  expect(shown.body).not.toMatch(/type="email"|id="receipt"/);
  expect(shown.headers["referrer-policy"]).toBe("no-referrer");
  const typed = await without.inject({
    method: "POST",
    url: `/c/${order.checkout_token}/email`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "email=ada%40mail.example",
  });
  expect([typed.statusCode, typed.headers.location]).toEqual([303, `../../c/${order.checkout_token}`]);
  expect(await rowOf(order)).toEqual([null, null, null]);
  await without.close();
});
