import { askForRefund } from "@daric/charges/close/ask-for-refund";
import type { ApiScope } from "@daric/domain/api-scope";
import { apiScopes } from "@daric/domain/api-scope";
import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anAddress, anApiKey } from "@daric/testing/builders";
import { aCharge, aDeposit, type ChargeOverrides } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { amplePeopleLimits, aPerson, type Browser, signedIn } from "@daric/testing/people";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let key: string;

beforeAll(async () => {
  context = await createTestContext({
    ...amplePeopleLimits,
    PUBLIC_BASE_URL: "https://pay.example",
    RATE_LIMIT_KEY_BURST: "10000",
  });
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

async function call(method: "GET" | "POST", url: string, payload?: object, apiKey = key) {
  const response = await app.inject({
    method,
    url,
    headers: { "x-api-key": apiKey },
    ...(payload && { payload }),
  });
  const { data, error, message, meta } = response.json();
  return { status: response.statusCode, data, code: error?.code, details: error?.details, message, meta };
}

async function paid(amount: string, overrides: Partial<ChargeOverrides> = {}, from = anAddress()) {
  const charge = await aCharge(context.db, { merchantId, amount: "10", ...overrides });
  await aDeposit(context.db, { chargeId: charge.id, amount, status: "CONFIRMED", fromAddress: from });
  return charge;
}

const ask = (id: string, body: object = {}, apiKey = key) =>
  call("POST", `/v1/deposit-addresses/${id}/refunds`, body, apiKey);
const keyWith = async (...scopes: ApiScope[]) => (await anApiKey(context, merchantId, { scopes })).key;

async function aBrowserOf(role: "owner" | "admin" | "viewer"): Promise<Browser> {
  return signedIn(app, await aPerson(context, { places: [{ merchantId, role }] }), merchantId);
}

describe("asking", () => {
  it("the same refundRef on the same order is the same refund, on another order it is taken", async () => {
    const [one, other] = [await paid("15"), await paid("15")];
    const first = await ask(one.id, { amount: "1", refundRef: "R-1" });
    const again = await ask(one.id, { amount: "2", refundRef: "R-1" });
    expect([first.status, again.status, again.data.id]).toEqual([201, 201, first.data.id]);
    expect(await ask(other.id, { refundRef: "R-1" })).toMatchObject({
      status: 409,
      code: "REFUND_REF_TAKEN",
    });
  });

  it("two requests with one reference at once make one refund", async () => {
    const charge = await paid("15");
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(charge.id, { amount: "1", refundRef: "R-1" })),
    );
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
  });

  it("many requests at once never promise more than what came", async () => {
    const charge = await paid("15");
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(charge.id, { amount: "4" })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ code }) => code === "REFUND_EXCEEDS_RECEIVED")).toHaveLength(5);
  });

  it("above what is left, with an amount of zero, with both amounts or without money it is refused, with what is left", async () => {
    const charge = await paid("15");
    const above = await ask(charge.id, { amount: "15.000001" });
    expect(above).toMatchObject({ status: 422, code: "REFUND_EXCEEDS_RECEIVED" });
    expect(above.message).toContain("15");
    expect(await ask(charge.id, { amount: "0" })).toMatchObject({ status: 422, code: "VALIDATION_ERROR" });
    expect(await ask(charge.id, { amount: "1", fiatAmount: "1" })).toMatchObject({ status: 422 });
    expect(await ask(charge.id, { fiatAmount: "1" })).toMatchObject({ code: "NOT_FIAT_PRICED" });
    const empty = await aCharge(context.db, { merchantId, amount: "10" });
    expect(await ask(empty.id)).toMatchObject({ status: 409, code: "NOTHING_RECEIVED" });
  });

  it("while money that may pay an unpaid order is not final it is refused", async () => {
    const charge = await paid("4");
    await aDeposit(context.db, { chargeId: charge.id, amount: "6", status: "CONFIRMING" });
    expect(await ask(charge.id)).toMatchObject({ status: 409, code: "PAYMENT_IN_PROGRESS" });
  });

  it("a part of a price in fiat is the same part of the coins that paid", async () => {
    const charge = await paid("10.003", { fiatAmount: "10.00" });
    const { data } = await ask(charge.id, { fiatAmount: "2.50" });
    expect(data).toMatchObject({ amount: "2.50075", fiat_amount: "2.50", needs_confirmation: "paid_money" });
  });

  it("the other coin that came is refunded whole, without a confirmation", async () => {
    const charge = await paid("10");
    await aDeposit(context.db, { chargeId: charge.id, amount: "33", currency: "TRX", status: "CONFIRMED" });
    expect((await ask(charge.id, { currency: "TRX" })).data).toMatchObject({
      amount: "33",
      currency: "TRX",
      needs_confirmation: null,
    });
  });

  it("a large surplus is to go back to its sender", async () => {
    const sender = anAddress();
    const charge = await paid("500", {}, sender);
    expect((await ask(charge.id)).data).toMatchObject({ amount: "490", default_address: sender });
  });

  it("an address needs its scope, its form, and a person; another chain is named", async () => {
    const charge = await paid("15");
    const address = anAddress();
    const without = await keyWith("refunds:read", "refunds:write");
    expect(await ask(charge.id, { address }, without)).toMatchObject({ status: 403 });
    const faultOf = async (text: string) => (await ask(charge.id, { address: text })).details?.[0].message;
    expect(await faultOf(`0x${"ab".repeat(20)}`)).toContain("Ethereum");
    expect(await faultOf("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq")).toContain("Bitcoin");
    const wrong = `${address.slice(0, -1)}${address.endsWith("A") ? "B" : "A"}`;
    expect(await faultOf(wrong)).toContain("wrong character");
    expect(await faultOf(charge.address)).toContain("cannot take this refund");
    const { data } = await ask(charge.id, { address });
    expect(data).toMatchObject({ status: "REQUESTED", address, needs_confirmation: "address" });
  });
});

describe("the claim link", () => {
  it("is in the answers of create and retrieve for refunds:write alone, and never in lists", async () => {
    const charge = await paid("15");
    const { data } = await ask(charge.id);
    expect(data.claim_url).toMatch(/^https:\/\/pay\.example\/r\/[A-Za-z0-9_-]+$/);
    expect((await call("GET", `/v1/refunds/${data.id}`)).data.claim_url).toBe(data.claim_url);
    const reader = await keyWith("refunds:read");
    expect((await call("GET", `/v1/refunds/${data.id}`, undefined, reader)).data.claim_url).toBeNull();
    const { data: rows } = await call("GET", "/v1/refunds?status=REQUESTED");
    expect(rows).toEqual([{ ...data, claim_url: null }]);
    const events = await context.owner.query<{ body: string }>(
      sql`select convert_from(body, 'UTF8') as body from webhook_event_bodies where merchant_id = ${merchantId}`,
    );
    expect(events.length).toBeGreaterThan(0);
    expect(JSON.stringify(events)).not.toContain("/r/");
  });

  it("changes with every request for another address", async () => {
    const charge = await paid("15");
    const { data } = await ask(charge.id);
    const again = await call("POST", `/v1/refunds/${data.id}/ask-again`);
    expect(again.data.claim_url).not.toBe(data.claim_url);
  });
});

describe("keys", () => {
  it("of another merchant see and change nothing", async () => {
    const { data } = await ask((await paid("15")).id);
    const other = (await anApiKey(context, (await aMerchant(context.db)).id)).key;
    for (const path of ["", "/cancel", "/ask-again"])
      expect(
        await call(path === "" ? "GET" : "POST", `/v1/refunds/${data.id}${path}`, undefined, other),
      ).toMatchObject({ status: 404 });
    expect((await call("GET", "/v1/refunds", undefined, other)).meta.total).toBe(0);
  });

  it("without the scope, and keys of any scope for acts of people, are refused", async () => {
    const charge = await paid("15");
    const { data } = await ask(charge.id);
    const reader = await keyWith(...apiScopes.filter((scope) => scope !== "refunds:write"));
    expect(await ask(charge.id, {}, reader)).toMatchObject({ status: 403, code: "INSUFFICIENT_SCOPE" });
    for (const act of ["cancel", "ask-again"])
      expect(await call("POST", `/v1/refunds/${data.id}/${act}`, undefined, reader)).toMatchObject({
        status: 403,
      });
    const tx = { txHash: "ab".repeat(32) };
    for (const [act, body] of [
      ["confirm", {}],
      ["pay", undefined],
      ["transaction", tx],
    ] as const)
      expect(await call("POST", `/v1/refunds/${data.id}/${act}`, body)).toMatchObject({
        status: 403,
        code: "INSUFFICIENT_SCOPE",
      });
  });
});

describe("a person", () => {
  it("confirms what another one asked for; what a person asked alone, only where there is no second one", async () => {
    const owner = await aBrowserOf("owner");
    const askAs = async (browser: Browser) => {
      const charge = await paid("10");
      return (await browser.send(`/v1/deposit-addresses/${charge.id}/refunds`, { amount: "1" })).body.data.id;
    };
    const alone = await askAs(owner);
    expect((await owner.send(`/v1/refunds/${alone}/confirm`, {})).status).toBe(200);
    const admin = await aBrowserOf("admin");
    const own = await askAs(owner);
    expect((await owner.send(`/v1/refunds/${own}/confirm`, {})).body.error.code).toBe("INSUFFICIENT_SCOPE");
    expect((await admin.send(`/v1/refunds/${own}/confirm`, {})).body.data.needs_confirmation).toBeNull();
  });

  it("that only views neither asks nor decides, and sees no claim link", async () => {
    const charge = await paid("10");
    const { data } = await ask(charge.id, { amount: "1" });
    const viewer = await aBrowserOf("viewer");
    expect((await viewer.send(`/v1/deposit-addresses/${charge.id}/refunds`, {})).status).toBe(403);
    for (const act of ["confirm", "pay", "cancel", "ask-again"])
      expect((await viewer.send(`/v1/refunds/${data.id}/${act}`, {})).status).toBe(403);
    expect((await viewer.send(`/v1/refunds/${data.id}`)).body.data).toMatchObject({ claim_url: null });
  });

  it("with an old proof confirms nothing", async () => {
    const { data } = await ask((await paid("10")).id, { amount: "1" });
    const owner = await aBrowserOf("owner");
    await context.owner.query(sql`update sessions set reauthenticated_at = now() - interval '6 minutes'`);
    expect((await owner.send(`/v1/refunds/${data.id}/confirm`, {})).body.error.code).toBe(
      "REAUTHENTICATION_REQUIRED",
    );
  });

  it("opens Pay for half an hour, in which no other address is asked for", async () => {
    const owner = await aBrowserOf("owner");
    const { data } = await ask((await paid("15")).id, { address: anAddress() });
    expect((await owner.send(`/v1/refunds/${data.id}/pay`, {})).body.error.code).toBe("REFUND_CLOSED");
    expect((await owner.send(`/v1/refunds/${data.id}/confirm`, {})).body.data.status).toBe("READY");
    const { body } = await owner.send(`/v1/refunds/${data.id}/pay`, {});
    expect(Date.parse(body.data.pay_until)).toBeGreaterThan(Date.now() + 29 * 60_000);
    expect(await call("POST", `/v1/refunds/${data.id}/ask-again`)).toMatchObject({ code: "REFUND_CLOSED" });
  });
});

describe("the service's database password", () => {
  it("redirects nothing: a changed row shows no address, is not paid and raises an alarm", async () => {
    const { data } = await ask((await paid("15")).id, { address: anAddress() });
    const thief = anAddress();
    await context.db.query(
      sql`update refunds set address = ${thief}, status = 'READY', needs_confirmation = null, ready_count = 1, head_number = 0
        where merchant_id = ${merchantId} and id = ${data.id}`,
    );
    const { data: shown } = await call("GET", `/v1/refunds/${data.id}`);
    expect(shown.address).toBeNull();
    const owner = await aBrowserOf("owner");
    expect((await owner.send(`/v1/refunds/${data.id}/pay`, {})).body.error.code).toBe("REFUND_CLOSED");
    const { values } = await context.metrics.alarms.get();
    expect(values.find(({ labels }) => labels.alarm === "refund_refused")?.value).toBeGreaterThan(0);
  });
});

it("an acceptance puts a refund that is ready back, and Pay is closed", async () => {
  const charge = await paid("4", { status: "EXPIRED" });
  const refund = await askForRefund(context, {
    ...{
      merchantId,
      id: charge.id,
      amount: null,
      fiatAmount: null,
      currency: null,
      refundRef: null,
      reason: null,
    },
    ...{ address: anAddress(), askedBy: null, apiKeyId: null },
  });
  const owner = await aBrowserOf("owner");
  expect((await owner.send(`/v1/refunds/${refund.id}/confirm`, {})).body.data.status).toBe("READY");
  await owner.send(`/v1/refunds/${refund.id}/pay`, {});
  expect((await call("POST", `/v1/deposit-addresses/${charge.id}/accept`, { reason: "kind" })).status).toBe(
    200,
  );
  expect((await call("GET", `/v1/refunds/${refund.id}`)).data).toMatchObject({
    status: "REQUESTED",
    needs_confirmation: "order_changed",
    pay_until: null,
    address: refund.address,
  });
});
