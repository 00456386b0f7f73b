import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, expect, it } from "vitest";

const ADA = "ada@mail.example";
const WARNING = "ask has email, but this service has no mail server: the page does not ask for it";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
/** a service without a mail server */
let quiet: ApiApp;
let merchantId: MerchantId;
let key: string;

beforeAll(async () => {
  context = await createTestContext({
    SMTP_URL: "smtp://127.0.0.1:1?tls=none",
    MAIL_FROM: "pay@pay.example",
    RATE_LIMIT_KEY_BURST: "10000",
    TRUSTED_PROXIES: "127.0.0.1",
  });
  const mail = { ...context.config.mail, smtpUrl: undefined };
  app = createApp(context);
  quiet = createApp({ ...context, config: { ...context.config, mail } });
  merchantId = (await aMerchant(context.db)).id;
  key = (await anApiKey(context, merchantId)).key;
});
afterAll(async () => {
  await Promise.all([app.close(), quiet.close()]);
  await context.close();
});

type Link = { readonly id: string; readonly token: string };

async function api(method: "GET" | "POST" | "PATCH", url: string, payload?: object, by = app) {
  const headers = { "x-api-key": key };
  return (await by.inject({ method, url, headers, ...(payload && { payload }) })).json();
}
const aLink = async (ask = ["email"], by = app): Promise<Link> =>
  (await api("POST", "/v1/payment-links", { title: "Ticket", amount: "25", ask }, by)).data;
let clients = 0;
/** Each call is of a client of its own. */
function aClient() {
  clients += 1;
  return { "x-forwarded-for": `203.0.113.${clients}` };
}
async function submit({ token }: Link, fields: Record<string, string>, query = "") {
  return app.inject({
    method: "POST",
    url: `/l/${token}${query}`,
    headers: { "content-type": "application/x-www-form-urlencoded", ...aClient() },
    payload: new URLSearchParams(fields).toString(),
  });
}
const click = async ({ token }: Link, payload: object, by = app) => {
  const answer = await by.inject({
    method: "POST",
    url: `/v1/links/${token}/orders`,
    headers: aClient(),
    payload,
  });
  return { status: answer.statusCode, error: answer.json().error };
};
async function emailsOf({ id }: Link) {
  const { data } = await api("GET", `/v1/deposit-addresses?paymentLinkId=${id}`);
  return data.map((row: Record<string, unknown>) => [row.customer_email, row.customer_email_source]);
}

it("the page of a link asks for the address, says why, and keeps it with the language of the page", async () => {
  const link = await aLink();
  const { body } = await app.inject(`/l/${link.token}?lang=de&lang=es`);
  expect(body).toMatch(
    /<input id="email" name="email" type="email" dir="ltr" required maxlength="254" autocomplete="email"/,
  );
  expect(body).toContain("For the receipt and what you have to know about this payment.");
  const answer = await submit(link, { email: ` ${ADA} ` }, "?lang=tr");
  expect(answer.statusCode).toBe(303);
  expect(await emailsOf(link)).toEqual([[ADA, "link"]]);
});

it.each([
  ["", "Escribe tu dirección de correo electrónico."],
  ["ada", "Esto no es una dirección de correo electrónico."],
  ["ada@mail.example\r\nBcc: eve@mail.example", "Esto no es una dirección de correo electrónico."],
  ['"><script>alert(1)</script>@mail.example', "Esto no es una dirección de correo electrónico."],
  [`${"a".repeat(60)}@${"b.".repeat(100)}cd`, "Esto no es una dirección de correo electrónico."],
])(
  "the form names the fault of a mistyped address %j in the page's language, and makes no order",
  async (email, told) => {
    const link = await aLink();
    const answer = await submit(link, { email }, "?lang=es");
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain(told);
    expect(answer.body).toContain('aria-describedby="fault why" aria-invalid="true"');
    expect(answer.body).not.toContain("<script>alert");
    expect(await emailsOf(link)).toEqual([]);
  },
);

it("POST /v1/links/:token/orders refuses a missing and a wrong address by the name of the field", async () => {
  const link = await aLink();
  for (const body of [{}, { email: null }, { email: "ada" }]) {
    const { status, error } = await click(link, body);
    expect([status, error.details[0].path]).toEqual([422, "email"]);
  }
  expect((await click(link, { email: ADA })).status).toBe(201);
  expect(await emailsOf(link)).toEqual([[ADA, "link"]]);
});

it("a link that does not ask keeps no address", async () => {
  const link = await aLink(["name"]);
  expect((await click(link, { name: "Ada", email: ADA })).status).toBe(201);
  expect(await emailsOf(link)).toEqual([[null, null]]);
});

it("another address is another click, and the same click makes one order", async () => {
  const link = await aLink();
  const attempt = "q3Zr8b1Yw5tK7xN2";
  for (const email of [ADA, ADA, "eve@mail.example"]) await click(link, { attempt, email });
  expect(await emailsOf(link)).toEqual([
    ["eve@mail.example", "link"],
    [ADA, "link"],
  ]);
});

it("without a mail server the page does not ask, and making or changing the link says so", async () => {
  const made = await api(
    "POST",
    "/v1/payment-links",
    { title: "Ticket", amount: "25", ask: ["email"] },
    quiet,
  );
  expect([made.data.ask, made.warnings]).toEqual([["email"], [WARNING]]);
  const changed = await api("PATCH", `/v1/payment-links/${made.data.id}`, { title: "Seat" }, quiet);
  expect(changed.warnings).toEqual([WARNING]);
  expect(await api("PATCH", `/v1/payment-links/${made.data.id}`, { title: "Seat" })).not.toHaveProperty(
    "warnings",
  );
  expect((await quiet.inject(`/l/${made.data.token}`)).body).not.toContain('type="email"');
  expect((await click(made.data, { email: ADA }, quiet)).status).toBe(201);
  expect(await emailsOf(made.data)).toEqual([[null, null]]);
  const [row] = await context.db.query<{ ask: string[] }>(sql`
    select ask from payment_links where merchant_id = ${merchantId} and id = ${made.data.id}`);
  expect(row?.ask).toEqual(["email"]);
});
