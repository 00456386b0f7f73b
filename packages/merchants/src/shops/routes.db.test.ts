import { shopScopes } from "@daric/domain/api-scope";
import type { MerchantId } from "@daric/domain/ids";
import { merchantRoles } from "@daric/domain/merchant-role";
import type { ApiApp } from "@daric/http/api-app";
import { one, sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { ownersDatabase } from "@daric/testing/owners-database";
import { amplePeopleLimits, aPerson, type Browser, signedIn, type TestPerson } from "@daric/testing/people";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import { claimAsIdle, deliver, deliveryRows, eventually } from "@daric/testing/webhook-builders";
import { signWebhook } from "@daric/webhooks/sending/signature";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { storeSuspended } from "../store.ts";
import { newShopCode } from "./code.ts";

const SITE = "https://shop.example";
const HOOK = "https://8.8.8.8/wp-json/daric/v1/webhook";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let receiver: Receiver;
let merchantId: MerchantId;
let admin: TestPerson;
let browser: Browser;

beforeAll(async () => {
  context = await createTestContext({ ...amplePeopleLimits, WEBHOOK_ALLOW_TARGETS: "127.0.0.1/32" });
  app = createApp(context);
  receiver = await startReceiver();
});
afterAll(async () => {
  await app.close();
  await receiver.close();
  await context.close();
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
  admin = await aPerson(context, { places: [{ merchantId, role: "admin" }] });
  browser = await signedIn(app, admin, merchantId);
});

const offer = (by = browser) => by.send("/dashboard/v1/shop-codes", {});
const aCode = async (): Promise<string> => (await offer()).body.data.code;

let clients = 0;
async function connect(body: object, remoteAddress = `203.0.113.${(clients++ % 250) + 1}`) {
  const payload = { webhookUrl: HOOK, site: SITE, ...body };
  const answer = await app.inject({
    method: "POST",
    url: "/v1/shop-connections",
    remoteAddress,
    payload,
  });
  const { data, error } = answer.json();
  return { status: answer.statusCode, data, code: error?.code, details: error?.details, answer };
}
const refusedCode = { status: 404, code: "SHOP_CODE_NOT_VALID" };

const counts = async () =>
  one(
    await context.db.query<{ keys: bigint; endpoints: bigint; events: bigint }>(sql`
      select (select count(*) from api_keys where merchant_id = ${merchantId}) as keys,
        (select count(*) from webhook_endpoints where merchant_id = ${merchantId}) as endpoints,
        (select count(*) from webhook_events where merchant_id = ${merchantId}) as events`),
  );
const nothing = { keys: 0n, endpoints: 0n, events: 0n };
const audit = () =>
  context.db.query<{ actor: string; action: string; address: string | null; after: object }>(sql`
    select actor, action, address, after from audit_log where merchant_id = ${merchantId}
      and action like '%shop%' order by id`);

describe("a code", () => {
  it("is made for ten minutes, with the address of the service, and only its digest is stored", async () => {
    const { status, body } = await offer();
    expect(status).toBe(201);
    expect(body.data).toEqual({
      code: expect.stringMatching(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/),
      expires_at: expect.any(String),
      service_url: context.config.http.publicBaseUrl,
    });
    const leftMs = Date.parse(body.data.expires_at) - Date.now();
    expect(Math.abs(leftMs - 600_000)).toBeLessThan(30_000);
    const stored = await context.db.query<{ row: string }>(sql`
      select row_to_json(shop_codes)::text as row from shop_codes where merchant_id = ${merchantId}`);
    const secret = body.data.code.replaceAll("-", "");
    expect(one(stored).row.includes(secret)).toBe(false);
    expect(one(stored).row.includes(Buffer.from(secret).toString("hex"))).toBe(false);
  });

  it("needs a proof of the last five minutes", async () => {
    await ownersDatabase(context.db).query(sql`
      update sessions set reauthenticated_at = now() - interval '6 minutes' where person_id = ${admin.id}`);
    expect((await offer()).body.error.code).toBe("REAUTHENTICATION_REQUIRED");
  });

  it("is made by roles alone that have each right of the key, and may make keys and endpoints", async () => {
    const made: string[] = [];
    for (const role of merchantRoles) {
      const by = await signedIn(app, await aPerson(context, { places: [{ merchantId, role }] }), merchantId);
      const { status, body } = await offer(by);
      if (status === 201) made.push(role);
      else expect(body.error.code).toBe("INSUFFICIENT_SCOPE");
    }
    expect(made).toEqual(["admin", "owner"]);
  });

  it("connects once, and gives exactly the answer of the contract", async () => {
    const code = await aCode();
    const first = await connect({ code: ` ${code.toLowerCase()} ` });
    expect(first.status).toBe(201);
    expect(first.data).toEqual({
      apiKey: expect.stringMatching(/^daric_test_sk_/),
      webhookSecret: expect.stringMatching(/^whsec_[0-9a-f]{64}$/),
      endpointId: expect.any(String),
      merchantId,
    });
    expect(await connect({ code })).toMatchObject(refusedCode);
    expect(await counts()).toEqual({ keys: 1n, endpoints: 1n, events: 1n });
  });

  it("of two requests at once, one wins", async () => {
    const code = await aCode();
    const answers = await Promise.all(Array.from({ length: 8 }, () => connect({ code })));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, ...Array.from({ length: 7 }, () => 404)]);
    expect(await counts()).toEqual({ keys: 1n, endpoints: 1n, events: 1n });
  });

  it("that is old, replaced, unknown or made up is one refusal", async () => {
    const replaced = await aCode();
    const old = await aCode();
    await ownersDatabase(context.db).query(sql`
      update shop_codes set expires_at = now() - interval '1 second' where merchant_id = ${merchantId}`);
    const unknown = newShopCode(context.config.merchants.keyPepper).code;
    for (const code of [replaced, old, unknown, "7777-7777-7777-7777", ""]) {
      const { answer, ...refused } = await connect({ code });
      expect(refused).toMatchObject(refusedCode);
      expect(answer.json().message).toContain("make a new one in the dashboard");
    }
    expect(await counts()).toEqual(nothing);
  });

  it("ends with the rights of its maker: a lower role, a removed or a disabled person", async () => {
    const losses = [
      ({ id }: TestPerson) => sql`update memberships set role = 'developer' where person_id = ${id}`,
      ({ id }: TestPerson) => sql`delete from memberships where person_id = ${id}`,
      ({ id }: TestPerson) => sql`update people set disabled_at = now() where id = ${id}`,
    ];
    for (const loss of losses) {
      const person = await aPerson(context, { places: [{ merchantId, role: "admin" }] });
      const { code } = (await offer(await signedIn(app, person, merchantId))).body.data;
      await ownersDatabase(context.db).query(loss(person));
      expect(await connect({ code })).toMatchObject(refusedCode);
    }
    expect(await counts()).toEqual(nothing);
  });

  it("of a suspended merchant is refused, and works once the suspension has ended", async () => {
    const code = await aCode();
    await context.db.transaction((tx) => storeSuspended(tx, merchantId, true));
    expect(await connect({ code })).toMatchObject({ status: 403, code: "MERCHANT_SUSPENDED" });
    expect(await counts()).toEqual(nothing);
    await context.db.transaction((tx) => storeSuspended(tx, merchantId, false));
    expect((await connect({ code })).status).toBe(201);
  });
});

describe("a refused request", () => {
  it("names the field, makes nothing, and leaves the code", async () => {
    const code = await aCode();
    const blocked = await connect({ code, webhookUrl: "http://10.0.0.1/hook" });
    expect(blocked).toMatchObject({ status: 422, code: "INVALID_WEBHOOK_URL" });
    expect(blocked.details).toEqual([
      { path: "webhookUrl", message: expect.stringContaining("10.0.0.1 is not a public target") },
    ]);
    const faulty = await connect({ code, webhookUrl: "https://shop.example/#a", site: "shop.example" });
    expect(faulty).toMatchObject({ status: 422, code: "VALIDATION_ERROR" });
    expect(faulty.details.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      "site",
      "webhookUrl",
    ]);
    expect(await connect({ code, site: `https://${"a".repeat(120)}.example` })).toMatchObject({
      details: [{ path: "site", message: "must have at most 120 characters" }],
    });
    expect(await counts()).toEqual(nothing);
    expect((await connect({ code })).status).toBe(201);
  });

  it("for too many endpoints makes no key either, and leaves the code", async () => {
    await ownersDatabase(context.db).query(sql`
      insert into webhook_endpoints (merchant_id, id, url, event_types, secret_ciphertext, secret_generation)
      select ${merchantId}, gen_random_uuid(), ${HOOK} || '/' || n, '{order.paid}', '\\x00', 1
      from generate_series(1, ${context.config.webhooks.endpointsPerMerchant}::integer) as n`);
    const code = await aCode();
    expect(await connect({ code })).toMatchObject({ status: 422, code: "TOO_MANY_ENDPOINTS" });
    expect((await counts()).keys).toBe(0n);
    await ownersDatabase(context.db).query(sql`
      update webhook_endpoints set deleted_at = now(), secret_ciphertext = null where merchant_id = ${merchantId}`);
    expect((await connect({ code })).status).toBe(201);
  });

  it("counts for its address: forged codes end in RATE_LIMITED, and another address goes on", async () => {
    const code = await aCode();
    const forged: (string | undefined)[] = [];
    for (let times = 0; times < 40; times += 1)
      forged.push((await connect({ code: newShopCode("another pepper").code }, "192.0.2.77")).code);
    expect(forged.filter((refusal) => refusal === "RATE_LIMITED").length).toBeGreaterThan(5);
    const { status, answer } = await connect({ code }, "192.0.2.77");
    expect(status).toBe(429);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect((await connect({ code }, "192.0.2.78")).status).toBe(201);
  });
});

describe("a connected shop", () => {
  it("has a key of exactly its rights, named after the site", async () => {
    const { data } = await connect({ code: await aCode() });
    const account = await app.inject({ url: "/v1/account", headers: { "x-api-key": data.apiKey } });
    const expected = "charges:read charges:write deposits:read webhooks:read refunds:read refunds:write";
    expect(account.json().data).toMatchObject({ merchantId, scopes: expected.split(" ") });
    expect(shopScopes.join(" ")).toBe(expected);
    const endpoint = await app.inject({
      method: "POST",
      url: "/v1/webhooks/endpoints",
      headers: { "x-api-key": data.apiKey },
      payload: { url: HOOK },
    });
    expect(endpoint.json().error.code).toBe("INSUFFICIENT_SCOPE");
  });

  it("stands in the usual lists of keys and endpoints, and no later answer or log has a secret", async () => {
    const code = await aCode();
    const { data } = await connect({ code });
    const keys = await browser.send("/dashboard/v1/keys");
    expect(keys.body.data).toMatchObject([{ name: SITE, scopes: [...shopScopes] }]);
    const endpoints = await browser.send("/v1/webhooks/endpoints");
    const health = await browser.send(`/v1/webhooks/endpoints/${data.endpointId}`);
    expect(endpoints.body.data).toMatchObject([
      { id: data.endpointId, url: HOOK, description: SITE, status: "active" },
    ]);
    const { event_types } = health.body.data;
    expect(event_types).toEqual(
      expect.arrayContaining(["order.paid", "deposit.detected", "refund.completed"]),
    );
    expect(event_types.some((type: string) => /^(?:settlement|webhook)\./.test(type))).toBe(false);
    const log = await browser.send("/dashboard/v1/audit");
    const said = [keys, endpoints, health, log].map(({ text }) => text).join("\n");
    for (const secret of [data.apiKey, data.webhookSecret, code]) expect(said.includes(secret)).toBe(false);
  });

  it("leaves an entry for the making and one for the using in the audit log", async () => {
    const { data } = await connect({ code: await aCode() }, "203.0.113.99");
    expect(await audit()).toEqual([
      {
        actor: `person ${admin.id}`,
        action: "make shop code",
        address: expect.stringMatching(/^198\.51\.100\./),
        after: { expiresAt: expect.any(String) },
      },
      {
        actor: `shop ${SITE}`,
        action: "connect shop",
        address: "203.0.113.99",
        after: {
          ...{ name: SITE, url: HOOK, scopes: [...shopScopes] },
          ...{ endpoint: data.endpointId, codeOf: admin.id },
        },
      },
    ]);
  });

  it("that connects again has one endpoint at its URL, and a key more", async () => {
    const first = await connect({ code: await aCode() });
    const elsewhere = await connect({ code: await aCode(), webhookUrl: `${HOOK}/copy` });
    const again = await connect({ code: await aCode() });
    const { body } = await browser.send("/v1/webhooks/endpoints");
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([
      again.data.endpointId,
      elsewhere.data.endpointId,
    ]);
    const account = { url: "/v1/account", headers: { "x-api-key": first.data.apiKey } };
    expect((await app.inject(account)).statusCode).toBe(200);
  });

  it("gets a test event that its secret signs, seconds after the answer", async () => {
    const { data } = await connect({
      code: await aCode(),
      webhookUrl: receiver.url,
      site: "http://127.0.0.1:1",
    });
    const [planned] = await deliveryRows(context, data.endpointId);
    expect(planned).toMatchObject({ status: "PENDING" });
    const claim = await eventually(async () =>
      (await claimAsIdle(context, 100)).find(({ endpointId }) => endpointId === data.endpointId),
    );
    expect(await deliver(context, claim)).toBe("DELIVERED");
    const received = one(receiver.received);
    const body = JSON.parse(received.body.toString());
    expect(body).toMatchObject({ event: "webhook.test", data: { endpointId: data.endpointId } });
    const signed = signWebhook({
      secret: data.webhookSecret,
      body: received.body,
      eventId: body.id,
      timestampSeconds: Number(received.headers["webhook-timestamp"]),
    });
    expect(received.headers).toMatchObject(signed);
  });
});
