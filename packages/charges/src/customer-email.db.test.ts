import type { ChargeId, MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { one, sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { aPerson, signedIn } from "@daric/testing/people";
import { settleCharges } from "@daric/testing/settle-charges";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openCustomerEmail, sealCustomerEmail } from "./customer-email.ts";
import { forgetCustomerEmails } from "./forget-customer-emails.ts";
import { keepCustomerEmail } from "./keep-customer-email.ts";
import { resealPayers } from "./reseal-payers.ts";

const PATH = "/v1/deposit-addresses";
const ADA = "ada@mail.example";
const NO_SERVER = "customerEmail is kept, but this service has no mail server: no mail is sent";

let context: Awaited<ReturnType<typeof createTestContext>>;
/** one with a mail server, and one without */
let [app, quiet]: ApiApp[] = [];
let merchantId: MerchantId;
let key: string;

beforeAll(async () => {
  context = await createTestContext({
    SMTP_URL: "smtp://127.0.0.1:1?tls=none",
    MAIL_FROM: "pay@pay.example",
    RATE_LIMIT_KEY_BURST: "10000",
  });
  const { config } = context;
  app = createApp(context);
  quiet = createApp({
    ...context,
    config: { ...config, mail: { ...config.mail, smtpUrl: undefined } },
  });
  merchantId = (await aMerchant(context.db)).id;
  await aSettlementAccount(context.db, merchantId);
  key = (await anApiKey(context, merchantId)).key;
});
afterAll(async () => {
  await Promise.all([app?.close(), quiet?.close()]);
  await context.close();
});

async function call(method: "GET" | "POST", url: string, payload?: object, by = app) {
  const headers = { "x-api-key": key };
  const answer = await by?.inject({ method, url, headers, ...(payload && { payload }) });
  return answer?.json();
}
async function anOrder(body: object = {}, by = app): Promise<{ id: ChargeId }> {
  return (await call("POST", PATH, { amount: "25", customerEmail: ADA, ...body }, by)).data;
}
async function rowOf({ id }: { id: string }) {
  const { data } = await call("GET", `${PATH}/${id}`);
  return [data.customer_email, data.customer_email_source, data.customer_email_later];
}
async function storedOf({ id }: { id: ChargeId }) {
  const [row] = await context.db.query<{ sealed: Buffer | null; checkoutToken: string }>(sql`
    select customer_email as sealed, checkout_token as "checkoutToken" from deposit_addresses
    where merchant_id = ${merchantId} and id = ${id}`);
  return one(row === undefined ? [] : [row]);
}

it("orders and open addresses keep the payer's address encrypted, which their rows show to the merchant", async () => {
  for (const body of [{}, { amount: null }, { pricingCurrency: null, currency: "TRX" }]) {
    const order = await anOrder(body);
    expect(await rowOf(order)).toEqual([ADA, "api", null]);
    expect((await storedOf(order)).sealed?.toString("latin1")).not.toContain("mail");
  }
  expect(await rowOf(await anOrder({ customerEmail: null }))).toEqual([null, null, null]);
  const [newest, before] = (await call("GET", `${PATH}?limit=2`)).data;
  expect([newest.customer_email, before.customer_email]).toEqual([null, ADA]);
});

it("creates of one batch keep each address with its own order", async () => {
  const orders = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      anOrder({ customerEmail: n % 2 === 0 ? `ada${n}@mail.example` : null }),
    ),
  );
  const rows = await Promise.all(orders.map(rowOf));
  expect(rows.map(([email]) => email)).toEqual(
    orders.map((_, n) => (n % 2 === 0 ? `ada${n}@mail.example` : null)),
  );
});

it.each([
  ["a".repeat(255)],
  [`${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}`],
  ["ada"],
  ["ada@mail.example,eve@mail.example"],
  ["ada@mail.example\r\nBcc: eve@mail.example"],
  ["Ada <ada@mail.example>"],
  ["<script>alert(1)</script>@mail.example"],
  ["ада@почта.рф"],
  ["ada@mail.example\u0000"],
  [""],
])("create refuses %j by the name of the field", async (customerEmail) => {
  const { error } = await call("POST", PATH, { amount: "25", customerEmail });
  expect([error.code, ...error.details.map(({ path }: { path: string }) => path)]).toEqual([
    "VALIDATION_ERROR",
    "customerEmail",
  ]);
});

it("a receive address takes no address of a payer", async () => {
  const { error } = await call("POST", PATH, { reusable: true, customerEmail: ADA });
  expect(error.details).toEqual([
    { path: "customerEmail", message: "cannot be given for a reusable address" },
  ]);
});

it("without a mail server create keeps the address and says that no mail is sent, beside ignored fields", async () => {
  const create = (body: object, by = quiet) => call("POST", PATH, { amount: "25", ...body }, by);
  const answer = await create({ customerEmail: ADA });
  expect(answer.warnings).toEqual([NO_SERVER]);
  expect(await rowOf(answer.data)).toEqual([ADA, "api", null]);
  expect((await create({ customerEmail: ADA, customer_emial: 1 })).warnings).toEqual([
    NO_SERVER,
    expect.stringContaining("customer_emial was ignored"),
  ]);
  expect(await create({})).not.toHaveProperty("warnings");
  expect(await create({ customerEmail: ADA }, app)).not.toHaveProperty("warnings");
});

it("a rest takes the address of its first order over, sealed for its own row", async () => {
  const order = await anOrder();
  const ref = { merchantId, id: order.id };
  await keepCustomerEmail(context, ref, { email: "eve@mail.example", language: "en" });
  await aDeposit(context.db, { chargeId: order.id, amount: "10" });
  await context.db.transaction((tx) => settleCharges(context, tx, [ref]));
  const { data: rest } = await call("POST", `${PATH}/${order.id}/rest`);
  expect(rest.rest_of).toBe(order.id);
  expect(await rowOf(rest)).toEqual([ADA, "api", "eve@mail.example"]);
  expect((await storedOf(rest)).sealed).not.toEqual((await storedOf(order)).sealed);
});

it("the audit log of a person's create has no address of a payer", async () => {
  const person = await aPerson(context, { places: [{ merchantId, role: "owner" }] });
  const browser = await signedIn(app ?? expect.fail("no app"), person, merchantId);
  for (const url of [PATH, "/dashboard/v1/payments"])
    expect((await browser.send(url, { amount: "25", customerEmail: ADA })).status).toBe(201);
  const [log] = await context.owner.query<{ text: string; entries: number }>(sql`
    select string_agg(entry::text, ' ') as text, count(*)::integer as entries from audit_log entry
    where action = 'createDepositAddress'`);
  expect(log?.entries).toBe(2);
  expect(log?.text).not.toContain("mail.example");
});

it("addresses are forgotten 90 days after the last change of their order, of every merchant", async () => {
  const [old, recent] = [await anOrder(), await anOrder()];
  await context.owner.query(sql`
    update deposit_addresses set updated_at = now() - interval '90 days 1 minute' where id = ${old.id}`);
  expect(await forgetCustomerEmails(context)).toBe(1);
  expect(await rowOf(old)).toEqual([null, null, null]);
  expect(await rowOf(recent)).toEqual([ADA, "api", null]);
  expect(await forgetCustomerEmails(context)).toBe(0);
});

it("a new master key seals every address anew, and names those that open under neither key", async () => {
  const order = await anOrder();
  const { id: lost } = await anOrder();
  const { sealed, checkoutToken } = await storedOf(order);
  await context.owner.query(sql`
    update deposit_addresses set customer_email = ${sealCustomerEmail(Buffer.alloc(32, 9), { merchantId, checkoutToken }, { email: ADA, source: "api", language: null, later: null })}
    where id = ${lost}`);
  const keys = {
    masterKey: Buffer.alloc(32, 5),
    previousMasterKey: context.config.webhooks.masterKey,
  };
  const first = await resealPayers(context.db, keys, merchantId);
  expect(first.resealed).toBeGreaterThan(0);
  expect(first.lost).toEqual([lost]);
  const { sealed: anew } = await storedOf(order);
  expect(anew).not.toEqual(sealed);
  expect(
    openCustomerEmail([keys.masterKey], { merchantId, checkoutToken }, anew ?? Buffer.alloc(0))?.email,
  ).toBe(ADA);
  expect(await resealPayers(context.db, keys, merchantId)).toEqual({ resealed: 0, lost: [lost] });
});
