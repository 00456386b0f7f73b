import type { Charge } from "@daric/charges/charge";
import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { one, type Sql, sql } from "@daric/postgres/sql";
import { createLogger } from "@daric/runtime/logger";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, TEST_INTEGRITY_KEY, TEST_XPUB } from "@daric/testing/context";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import { announceDeposit, deliveryRows, settled } from "@daric/testing/webhook-builders";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { startWebhookWorker } from "@daric/webhooks/deliveries/worker";
import { createEndpoint } from "@daric/webhooks/endpoints/create-endpoint";
import { uuidv7 } from "uuidv7";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../app.ts";
import { startAuditWorker } from "../doctor/worker.ts";

const THIEF = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
const LIMIT_MS = 20_000;
const QUICKLY = { pauseMs: 20 };

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let receiver: Receiver;
let merchantId: MerchantId;
let key: string;
const lines: string[] = [];

beforeAll(async () => {
  const made = await createTestContext({
    WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    RATE_LIMIT_KEY_BURST: "1000000",
    LOG_LEVEL: "error",
  });
  const destination = { write: (line: string) => void lines.push(line) };
  context = { ...made, log: createLogger({ level: "error", role: "test", destination }) };
  app = createApp(context);
  receiver = await startReceiver();
  merchantId = (await aMerchant(context.db)).id;
  await aSettlementAccount(context.db, merchantId);
  ({ key } = await anApiKey(context, merchantId));
});
afterAll(async () => {
  await app.close();
  await receiver.close();
  await context.close();
});
afterEach(() => {
  lines.length = 0;
});

describe("a row of the service's role alone", () => {
  const request = (address: string, expiresAt: Sql) =>
    context.db.query(sql`
      insert into signing_requests (id, kind, derivation_index, address, units, block_number, block_id, block_time, expires_at)
      values (${uuidv7()}, 'top_up', 0, ${address}, 1, 1, 'b', now(), ${expiresAt})`);

  it("asks the signer for no megabytes and not for ever", async () => {
    const soon = sql`now() + interval '10 minutes'`;
    await expect(request("x".repeat(100_000), soon)).rejects.toThrow(/signing_requests_bounded/);
    await expect(request(THIEF, sql`'infinity'`)).rejects.toThrow(/signing_requests_bounded/);
    await expect(request(THIEF, soon)).resolves.toEqual([]);
  });
});

/** Changes the row of an order as the owner of the tables; the service may not. */
async function change(order: Pick<Charge, "merchantId" | "id">, set: Sql): Promise<void> {
  await context.owner.query(
    sql`update deposit_addresses set ${set} where merchant_id = ${order.merchantId} and id = ${order.id}`,
  );
}

async function send(url: string, init: { method?: "GET" | "POST"; payload?: object } = {}) {
  const response = await app.inject({ url, headers: { "x-api-key": key }, ...init });
  return { status: response.statusCode, text: response.body };
}

/** The URLs that show a charge. */
const places = (order: Pick<Charge, "id" | "checkoutToken">) => [
  `/v1/deposit-addresses/${order.id}`,
  `/v1/checkout/${order.checkoutToken}`,
  `/c/${order.checkoutToken}`,
];

async function expectShown(order: Charge): Promise<void> {
  for (const url of places(order)) {
    const { status, text } = await send(url);
    expect([url, status, text.includes(order.address)]).toEqual([url, 200, true]);
  }
}

/** Requires that no URL shows its address, that the list has its row, and that an alarm names it. */
async function expectHidden(order: Charge, ...addresses: string[]): Promise<void> {
  for (const url of places(order)) {
    // The wait is needed because a correct answer is cached for a second.
    await expect.poll(async () => (await send(url)).status, { timeout: LIMIT_MS }).toBe(503);
    const { text } = await send(url);
    for (const address of addresses) expect(text).not.toContain(address);
    if (!url.startsWith("/c/")) expect(text).toContain("SERVICE_UNAVAILABLE");
  }
  const list = JSON.parse((await send("/v1/deposit-addresses?limit=100")).text);
  const row = list.data.find(({ id }: { id: string }) => id === order.id);
  expect(row).toMatchObject({ address: "", order_ref: order.orderRef });
  expect(lines.filter((line) => line.includes(order.id)).join()).toContain("was not issued for it");
}

async function alarmsOf(alarm: string): Promise<number> {
  const { values } = await context.metrics.alarms.get();
  return values.find(({ labels }) => labels.alarm === alarm)?.value ?? 0;
}

describe("an attacker with the password of the service", () => {
  it.each([
    ["the address of an order", sql`update deposit_addresses set address = ${THIEF}`],
    ["its code", sql`update deposit_addresses set address_mac = null`],
    ["the note that older addresses are sealed", sql`update deployment set addresses_sealed_at = null`],
    [
      "the time of an event",
      sql`insert into webhook_events (merchant_id, id, type, sequence, created_at)
        values (${uuidv7()}, ${uuidv7()}, 'deposit.confirmed', 1, '2020-01-01')`,
    ],
    [
      "the time in an event's body",
      sql`insert into webhook_event_bodies (merchant_id, event_id, body, created_at)
        values (${uuidv7()}, ${uuidv7()}, '{}', '2020-01-01')`,
    ],
  ])("may not write %s", async (_, statement) => {
    await expect(context.db.query(statement)).rejects.toMatchObject({ code: "42501" });
  });
});

describe("an order whose row was changed", () => {
  it("is shown only with the address that was issued for it", async () => {
    const [order, beside] = [
      await aCharge(context.db, { merchantId }),
      await aCharge(context.db, { merchantId }),
    ];
    await expectShown(order);
    const before = await alarmsOf("address_refused");
    await change(order, sql`address = ${THIEF}`);
    await expectHidden(order, THIEF, order.address);
    expect(await alarmsOf("address_refused")).toBe(before + 1);
    await expectShown(beside);
  });

  it("is not shown with the address, the index and the MAC of another order, even of its own merchant", async () => {
    for (const from of [merchantId, (await aMerchant(context.db)).id]) {
      const [order, other] = [
        await aCharge(context.db, { merchantId }),
        await aCharge(context.db, { merchantId: from }),
      ];
      await change(
        order,
        sql`(address, derivation_index, address_mac) = (
          select address, derivation_index, address_mac from deposit_addresses
          where merchant_id = ${from} and id = ${other.id})`,
      );
      await expectHidden(order, other.address);
    }
  });

  it("is not shown under another index, nor without its MAC", async () => {
    for (const set of [sql`derivation_index = derivation_index + 1`, sql`address_mac = null`]) {
      const order = await aCharge(context.db, { merchantId });
      await change(order, set);
      await expectHidden(order, order.address);
    }
  });

  it("is not returned by a create that finds it", async () => {
    const create = () => send("/v1/deposit-addresses", { method: "POST", payload: { reusable: true } });
    const { data } = JSON.parse((await create()).text);
    await change({ merchantId, id: data.id }, sql`address = ${THIEF}`);
    const { status, text } = await create();
    expect([status, text]).toEqual([503, expect.stringContaining("SERVICE_UNAVAILABLE")]);
    expect(text).not.toContain(THIEF);
  });

  it("can still be archived, and is returned without its address", async () => {
    const order = await aCharge(context.db, { merchantId });
    await change(order, sql`address = ${THIEF}`);
    const { status, text } = await send(`/v1/deposit-addresses/${order.id}/archive`, { method: "POST" });
    expect([status, JSON.parse(text).data]).toEqual([
      200,
      expect.objectContaining({ status: "ARCHIVED", address: "" }),
    ]);
  });
});

describe("addresses without a MAC, as after a lost integrity key,", () => {
  const seal = (xpub = TEST_XPUB) =>
    captureDaric(["integrity", "seal", "--json"], {
      ...daricVariables(context),
      DATABASE_DIRECT_URL: context.ownerUrl,
      ACCOUNT_XPUB: xpub,
      DARIC_INTEGRITY_KEY: TEST_INTEGRITY_KEY,
    });

  it("are derived before they are shown, until they are sealed; then one without a MAC is never shown", async () => {
    const orders = [];
    for (let n = 0; n < 4; n += 1) orders.push(await aCharge(context.db, { merchantId }));
    const [first, swapped, taken, late] = orders as [Charge, Charge, Charge, Charge];
    for (const order of orders) await change(order, sql`address_mac = null`);
    await context.owner.query(sql`update deployment set addresses_sealed_at = null`);
    const upgraded = createApp(context);
    const before = app;
    app = upgraded;
    await expectShown(first);
    await change(swapped, sql`address = ${THIEF}`);
    await expectHidden(swapped, THIEF);
    // An address of the service that was issued for another order.
    await change(
      taken,
      sql`(address, derivation_index) = (
      select address, derivation_index from deposit_addresses where merchant_id = ${merchantId} and id = ${first.id})`,
    );

    const sealed = await seal();
    expect([sealed.code, sealed.err]).toEqual([1, expect.stringContaining("refused")]);
    const report = JSON.parse(sealed.out);
    const right = deriveReceiveAddress(parseAccountXpub(TEST_XPUB), swapped.issuedAs.index);
    expect(report.named).toEqual(
      expect.arrayContaining([
        {
          chargeId: swapped.id,
          address: THIEF,
          fault: `index ${swapped.issuedAs.index} derives to ${right}`,
        },
        expect.objectContaining({ chargeId: taken.id, fault: expect.stringContaining("another charge's") }),
      ]),
    );
    const macs = await context.owner.query<{ id: string; mac: Buffer | null }>(
      sql`select id, address_mac as mac from deposit_addresses where id = any(${orders.map(({ id }) => id)}::uuid[])`,
    );
    const withCode = macs.filter(({ mac }) => mac !== null).map(({ id }) => id);
    expect(withCode.toSorted()).toEqual([first.id, late.id].toSorted());
    await app.close();
    app = before;
    await expectShown(first);
    await change(late, sql`address_mac = null`);
    await expectHidden(late, late.address);
    // After an interruption a second run seals the remaining addresses.
    expect(JSON.parse((await seal()).out)).toMatchObject({ sealed: 1 });
    await expectShown(late);
  });
});

describe("a forged event", () => {
  /** A row from an attacker with the password of the service. */
  async function forge(
    endpointId: string,
    event: { id: string; merchantId: string; body: string; mac: Sql },
  ) {
    const { id, body, mac } = event;
    await context.db.query(sql`
      with event as (
        insert into webhook_events (merchant_id, id, type, resource_id, sequence, mac)
        values (${event.merchantId}, ${id}, 'deposit.confirmed', ${uuidv7()}, 1, ${mac}) returning *),
      body as (
        insert into webhook_event_bodies (merchant_id, event_id, body)
        select merchant_id, id, ${Buffer.from(body)} from event),
      counted as (
        insert into list_counts (merchant_id, list, facets, slot, rows)
        values (${event.merchantId}, 'webhook_deliveries', array['PENDING'], 99, 1)
        on conflict (merchant_id, list, facets, slot) do update set rows = list_counts.rows + 1)
      insert into webhook_deliveries (merchant_id, id, event_id, endpoint_id, event_type, next_attempt_at)
      select merchant_id, ${uuidv7()}, id, ${endpointId}, type, now() from event`);
    await context.db.query(sql`update endpoint_queue set due_at = now() where endpoint_id = ${endpointId}`);
  }

  it("is neither signed nor sent without a MAC, with an invented one, or with one of another event or merchant", async () => {
    const other = (await aMerchant(context.db)).id;
    const endpoints = new Map<string, { id: string }>();
    for (const id of [merchantId, other])
      endpoints.set(
        id,
        await createEndpoint(context, {
          merchantId: id,
          url: receiver.url,
          description: null,
          eventTypes: undefined,
        }),
      );
    const endpointOf = (id: string) => endpoints.get(id)?.id ?? "";
    await announceDeposit(context, merchantId);
    const real = one(
      await context.db.query<{ id: string; body: Buffer; mac: Buffer }>(sql`
        select event.id, body.body, event.mac from webhook_events event
        join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
        where event.merchant_id = ${merchantId}`),
    );
    const body = real.body.toString();
    const before = await alarmsOf("event_refused");
    await forge(endpointOf(merchantId), { id: uuidv7(), merchantId, body, mac: sql`null` });
    await forge(endpointOf(merchantId), { id: uuidv7(), merchantId, body, mac: sql`${real.mac}` });
    await forge(endpointOf(merchantId), { id: uuidv7(), merchantId, body, mac: sql`${Buffer.alloc(32, 7)}` });
    await forge(endpointOf(other), { id: real.id, merchantId: other, body, mac: sql`${real.mac}` });
    const worker = startWebhookWorker(context);
    try {
      const ended = async () =>
        [
          ...(await deliveryRows(context, endpointOf(merchantId))),
          ...(await deliveryRows(context, endpointOf(other))),
        ]
          .map(({ status, last_error }) => `${status} ${last_error}`)
          .toSorted();
      const refused = "EXHAUSTED event_refused";
      await expect
        .poll(ended, { timeout: LIMIT_MS })
        .toEqual(["DELIVERED null", refused, refused, refused, refused]);
    } finally {
      await worker.stop();
    }
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([real.id]);
    expect(await alarmsOf("event_refused")).toBe(before + 4);
    expect(lines.filter((line) => line.includes("is not signed")).join()).toContain(
      `"merchant_id":"${other}"`,
    );
  });

  it("does not decide the event type in the header: it is that of the signed body", async () => {
    const { id: merchant } = await aMerchant(context.db);
    const endpoint = await createEndpoint(context, {
      merchantId: merchant,
      url: receiver.url,
      description: null,
      eventTypes: undefined,
    });
    await announceDeposit(context, merchant);
    await context.owner.query(
      sql`update webhook_deliveries set event_type = 'order.paid' where merchant_id = ${merchant}`,
    );
    const worker = startWebhookWorker(context);
    try {
      await settled(context, endpoint.id, "DELIVERED");
    } finally {
      await worker.stop();
    }
    expect(receiver.received.at(-1)?.headers["x-service-event"]).toBe("deposit.confirmed");
  });
});

describe("the continuous audit", () => {
  it("names a paid order without money, an event without a deposit and an address that does not derive", async () => {
    const [paid, swapped] = [
      await aCharge(context.db, { merchantId }),
      await aCharge(context.db, { merchantId }),
    ];
    await context.db.query(sql`
      insert into charge_sums (merchant_id, deposit_address_id, confirmed, confirmed_on_time, confirmed_in_window)
      values (${merchantId}, ${paid.id}, 25000000, 25000000, 25000000)`);
    await change(swapped, sql`address = ${THIEF}`);
    const before = await alarmsOf("audit_violation");
    const watch = startAuditWorker(context, QUICKLY);
    try {
      const named = () => lines.filter((line) => line.includes("audit_violation")).join("\n");
      await expect.poll(named, { timeout: LIMIT_MS }).toContain("I6");
      await expect.poll(named, { timeout: LIMIT_MS }).toContain(paid.id);
      await expect
        .poll(named, { timeout: LIMIT_MS })
        .toContain(`${swapped.id} shows ${THIEF}, its index derives to ${swapped.address}`);
      expect(await alarmsOf("audit_violation")).toBeGreaterThan(before);
      const gauge = async () => (await context.metrics.auditViolations.get()).values;
      await expect
        .poll(gauge, { timeout: LIMIT_MS })
        .toEqual(
          expect.arrayContaining([expect.objectContaining({ labels: { invariant: "I2" }, value: 1 })]),
        );
    } finally {
      await watch.stop();
      await context.owner.query(sql`delete from charge_sums where deposit_address_id = ${paid.id}`);
    }
  });

  it("runs in one of several watchers", async () => {
    const other = {
      ...context,
      metrics: { ...context.metrics, auditLastRun: context.metrics.auditLastRun },
    };
    const watches = [startAuditWorker(context, QUICKLY), startAuditWorker(other, QUICKLY)];
    const holders = () =>
      context.db.query<{ holder: string }>(
        sql`select holder from leases where name = 'doctor:devnet' and not is_free`,
      );
    await expect.poll(holders, { timeout: LIMIT_MS }).toHaveLength(1);
    await Promise.all(watches.map((watch) => watch.stop()));
    expect(await holders()).toEqual([]);
  });
});
