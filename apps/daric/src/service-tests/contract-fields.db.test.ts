import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { getCharge } from "@daric/charges/charge";
import { depositConfirmedEvent } from "@daric/deposits/deposit-event";
import { type ChargeId, type MerchantId, refKey } from "@daric/domain/ids";
import { amountFromUnits } from "@daric/domain/money";
import type { ApiApp } from "@daric/http/api-app";
import { one, sql } from "@daric/postgres/sql";
import { aLogo, aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { freshRates } from "@daric/testing/rate-builders";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import { settleCharges } from "@daric/testing/settle-charges";
import { announceDeposit, claimAsIdle, deliver } from "@daric/testing/webhook-builders";
import { enqueueEvents } from "@daric/webhooks/events/enqueue-events";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OpenApiDocument } from "../../scripts/openapi/openapi-document.ts";
import { createApp, createMemory } from "../app.ts";

/*
 * The fields of the contract. A test names every wrong field and no other. A sample takes its ids from the
 * database, so that it does not depend on fields of other answers.
 */

type Json = Record<string, unknown>;
const CHARGES = "/v1/deposit-addresses";
const ENDPOINTS = "/v1/webhooks/endpoints";
const DELIVERIES = "/v1/webhooks/deliveries";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let stopMemory: () => Promise<void>;
let merchantId: MerchantId;
let apiKey: string;
let receiver: Receiver;

beforeAll(async () => {
  context = await createTestContext({ WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8", RATE_LIMIT_KEY_BURST: "10000" });
  const memory = { ...createMemory(context), findRate: freshRates };
  stopMemory = () => memory.addresses.stop();
  app = createApp(context, { memory });
  merchantId = await aShop();
  apiKey = (await anApiKey(context, merchantId)).key;
  receiver = await startReceiver();
});
afterAll(async () => {
  await app.close();
  await stopMemory();
  await receiver.close();
  await context.close();
});

async function aShop(): Promise<MerchantId> {
  const { id } = await aMerchant(context.db, {
    name: "Blue Bottle Books",
    logoId: await aLogo(context.db),
    accentColor: "#0b5fff",
    feeMode: "client",
    feeBasisPoints: 100,
  });
  await aSettlementAccount(context.db, id);
  return id;
}

async function send(
  method: "GET" | "POST" | "PATCH" | "DELETE",
  url: string,
  payload?: object,
): Promise<Json> {
  const response = await app.inject({
    method,
    url,
    headers: { "x-api-key": apiKey, "x-correlation-id": "order 7" },
    ...(payload && { payload }),
  });
  return response.json();
}

/** The newest row of this kind in a table. */
async function newest(
  table: "deposit_addresses" | "webhook_endpoints" | "webhook_deliveries",
): Promise<Json & { id: string }> {
  const from = { deposit_addresses: sql`deposit_addresses`, webhook_endpoints: sql`webhook_endpoints` };
  const name = table === "webhook_deliveries" ? sql`webhook_deliveries` : from[table];
  return one(
    await context.db.query<Json & { id: string }>(sql`
      select * from ${name} where merchant_id = ${merchantId} order by created_at desc, id desc limit 1`),
  );
}

async function create(): Promise<Json> {
  const account = one(
    await context.db.query<{ id: string }>(sql`
      select id from settlement_accounts where merchant_id = ${merchantId}`),
  );
  const { data } = await send("POST", CHARGES, {
    amount: "100.00",
    pricingCurrency: "USD",
    orderRef: "A-1042",
    label: "counter 3",
    successUrl: "https://shop.example/thanks",
    cancelUrl: "https://shop.example/cart",
    settlementAccountId: account.id,
    metadata: { cart: "8842" },
    customerEmail: "ada@mail.example",
  });
  return data as Json;
}

function aPaymentLink(): Promise<Json> {
  return dataOf(
    send("POST", "/v1/payment-links", {
      title: "Ticket",
      description: "Saturday",
      thanks: "See you!",
      minAmount: "1",
      maxAmount: "100",
      suggestedAmounts: ["5"],
      maxPayments: 3,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      ask: ["name"],
      orderRefPrefix: "T-",
      successUrl: "https://shop.example/thanks",
      cancelUrl: "https://shop.example/cart",
      metadata: { cart: "8842" },
    }),
  );
}

async function aLinkOrder(): Promise<Json> {
  const { token } = await aPaymentLink();
  // Open orders of a client are few.
  await context.owner.query(
    sql`update deposit_addresses set click_client = null where click_client is not null`,
  );
  return dataOf(send("POST", `/v1/links/${token}/orders`, { amount: "5", name: "Ada" }));
}

async function anOrder(): Promise<ChargeId> {
  const order = { merchantId, orderRef: "A-1042", label: "counter 3" };
  return (await aCharge(context.db, order)).id;
}

async function deposited(): Promise<string> {
  const chargeId = await anOrder();
  const { id } = await aDeposit(context.db, {
    chargeId,
    txId: "ab".repeat(32),
    blockId: "cd".repeat(32),
    eventIndex: 3,
  });
  return id;
}

/** An answer about confirmed money with a fee. */
async function depositedThen(path: string): Promise<Json> {
  const order = { merchantId, orderRef: "A-1042", feeBasisPoints: 100 };
  await aDeposit(context.db, { chargeId: (await aCharge(context.db, order)).id });
  return send("GET", path);
}

const statement = () => dataOf(depositedThen(`/v1/statements?month=${new Date().toISOString().slice(0, 7)}`));

async function lookedUp(): Promise<Json> {
  const { txId } = await aDeposit(context.db, { chargeId: await anOrder() });
  return ((await send("GET", `/v1/lookup?txHash=${txId}`)).data as Json[])[0] ?? {};
}

const anEndpoint = () => send("POST", ENDPOINTS, { url: receiver.url, description: "the shop" });

/** A delivery that has failed once. */
async function failedDelivery(): Promise<string> {
  await anEndpoint();
  const { id: chargeId } = await aCharge(context.db, { merchantId, orderRef: "A-1042" });
  const deposit = await aDeposit(context.db, { chargeId, amount: "25" });
  await announceDeposit(context, merchantId, deposit.id);
  receiver.answer = (response) => response.writeHead(500).end("broken");
  for (const claim of await claimAsIdle(context, 100)) await deliver(context, claim);
  const { id } = await newest("webhook_deliveries");
  await context.db.query(sql`
    update webhook_endpoints set is_active = false where merchant_id = ${merchantId}`);
  return id;
}

async function attempted(): Promise<Json> {
  const { data } = await send("GET", `${DELIVERIES}/${await failedDelivery()}`);
  return ((data as Json).attempts as Json[])[0] ?? {};
}

async function paidCheckout(): Promise<{ path: string; txId: string }> {
  await create();
  const { id, checkout_token: token } = await newest("deposit_addresses");
  const { txId } = await aDeposit(context.db, { chargeId: id, amount: "101.050506" });
  return { path: `/v1/checkout/${token}`, txId };
}

async function checkedOut(): Promise<Json> {
  return (await app.inject((await paidCheckout()).path)).json().data;
}

async function lookedUpByPayer(): Promise<Json> {
  const { path, txId } = await paidCheckout();
  return dataOf(send("POST", `${path}/lookup`, { txHash: txId }));
}

/** The bodies of the events of an order paid by 20 and 5: of its first deposit, and of the order. */
async function announced(): Promise<{ order: Json; deposit: Json }> {
  const charge = { merchantId, id: await anOrder() };
  const first = await aDeposit(context.db, { chargeId: charge.id, amount: "20" });
  await aDeposit(context.db, { chargeId: charge.id, amount: "5" });
  const loaded = await getCharge(context.db, charge);
  const facts = {
    ...first,
    chargeId: charge.id,
    address: loaded.address,
    source: "log",
    eventIndex: 0,
    // Another currency than the charge's, so that a mix-up of the two is noticed.
    currency: "TRX",
    amount: amountFromUnits(20_000_000n),
    status: "CONFIRMED",
    previousStatus: "CONFIRMING",
    blockNumber: 100,
    blockId: "cd".repeat(32),
    requiredConfirmations: 19,
    finalConfirmations: 19,
    late: false,
    unmatched: false,
    detectedAt: new Date(),
    confirmedAt: new Date(),
  } as unknown as Parameters<typeof depositConfirmedEvent>[0];
  await context.db.transaction(async (tx) => {
    await enqueueEvents(
      context,
      tx,
      [depositConfirmedEvent(facts, new Map([[refKey(charge), loaded]]))].flatMap((event) => event ?? []),
    );
    await settleCharges(context, tx, [charge]);
  });
  const bodyOf = async (resourceId: string): Promise<Json> => {
    const { body } = one(
      await context.db.query<{ body: Buffer }>(sql`
        select body.body from webhook_events event
        join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
        where event.merchant_id = ${merchantId} and event.resource_id = ${resourceId}`),
    );
    return JSON.parse(body.toString());
  };
  return { order: await bodyOf(charge.id), deposit: await bodyOf(first.id) };
}

const dataOf = async (answer: Promise<Json>) => (await answer).data as Json;
const partOf = async (whole: Promise<Json>, part: string) => (await whole)[part] as Json;

/** The expected value, its pattern, or a predicate. */
type Expected = RegExp | ((value: unknown) => boolean) | string | number | boolean | null | object;

/** A resource of the contract, field by field. */
type Resource = {
  /** the component of the OpenAPI document and, if the fields are inside one of its properties, the property */
  readonly component?: string;
  readonly within?: string;
  readonly sample: () => Promise<Json>;
  readonly fields: Readonly<Record<string, Expected>>;
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const derived = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const address = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const hash = /^[0-9a-f]{64}$/;
const decimal = /^\d+(\.\d{1,6})?$/;
const count = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const anObject = (value: unknown) => typeof value === "object" && value !== null;
const twoObjects = (value: unknown) => Array.isArray(value) && value.length === 2 && value.every(anObject);

/** An order of 100 USD in client fee mode at 1.0004, with a fee of 1 % and all optional fields. */
const created = {
  id: uuid,
  address,
  chain: "tron",
  currency: "USDT",
  status: "ACTIVE",
  expires_at: time,
  fee_mode: "client",
  expected_amount: "100.04",
  pay_amount: "101.050506",
  fiat_currency: "USD",
  fiat_amount: "100.00",
  quote_rate: "1.0004",
  quote_source: "alpha+beta+gamma",
  quote_expires_at: time,
  order_ref: "A-1042",
  success_url: "https://shop.example/thanks",
  cancel_url: "https://shop.example/cart",
  checkout_token: /^[A-Za-z0-9_-]{32,}$/,
  checkout_url: /^http:\/\/127\.0\.0\.1:3000\/c\/[A-Za-z0-9_-]{32,}$/,
  amount_due: "101.050506",
  metadata: { cart: "8842" },
  customer_ref: null,
};

const deposit = {
  id: derived,
  deposit_address_id: uuid,
  address,
  chain: "tron",
  currency: "USDT",
  amount: "25",
  status: "CONFIRMED",
  source: "log",
  tx_hash: "ab".repeat(32),
  event_index: 3,
  from_address: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
  block_number: 100,
  block_hash: "cd".repeat(32),
  block_time: time,
  confirmations: 19,
  required_confirmations: 19,
  order_ref: "A-1042",
  late: false,
  unmatched: false,
  stuck_reason: null,
  failure_reason: null,
  detected_at: time,
  confirmed_at: time,
  failed_at: null,
  book_currency: null,
  book_amount: null,
  book_rate: null,
  book_rate_sources: null,
  book_rate_at: null,
  created_at: time,
  updated_at: time,
};

const endpoint = {
  id: uuid,
  url: /^http:\/\/127\.0\.0\.1:\d+\/hook$/,
  description: "the shop",
  event_types: ["deposit.confirmed"],
  status: "active",
  is_active: true,
  created_at: time,
  updated_at: time,
};

const delivery = {
  id: uuid,
  event_id: derived,
  event_type: "deposit.confirmed",
  endpoint_id: uuid,
  endpoint_url: /^http:\/\/127\.0\.0\.1:\d+\/hook$/,
  reference_id: derived,
  deposit_address_id: uuid,
  order_ref: "A-1042",
  status: "FAILED",
  attempt_count: 1,
  last_status_code: 500,
  last_error: "http_status",
  next_attempt_at: time,
  created_at: time,
  updated_at: time,
};

/** The data of an event of an order of 25 that 20 and 5 paid. */
const chargeEvent = {
  depositAddressId: uuid,
  address,
  orderRef: "A-1042",
  label: "counter 3",
  chain: "tron",
  currency: "USDT",
  orderAmount: "25",
  payAmount: null,
  amountReceived: "25",
  difference: "0",
  paymentState: "exact",
  feeMode: "merchant",
  metadata: null,
  fiatCurrency: null,
  fiatAmount: null,
  quoteRate: null,
  paymentLinkId: null,
  payerRef: null,
};

const eventEnvelope = {
  id: derived,
  event: "order.paid",
  apiVersion: "v1",
  environment: "test",
  createdAt: time,
  sequence: 1,
  data: anObject,
};

/** Every resource of the contract, and the product's own. */
const resources: Readonly<Record<string, Resource>> = {
  "a created deposit address": {
    sample: create,
    component: "CreatedDepositAddress",
    fields: created,
  },
  "a deposit address": {
    sample: async () => {
      await create();
      return dataOf(send("GET", `${CHARGES}/${(await newest("deposit_addresses")).id}`));
    },
    component: "DepositAddress",
    fields: {
      ...created,
      kind: "order",
      payment_status: "awaiting",
      amount_received: "0",
      amount_pending: "0",
      payment_state: "none",
      paid_late: false,
      refunded_amount: "0",
      label: "counter 3",
      rest_of: null,
      payment_link_id: null,
      payer_ref: null,
      payer: null,
      customer_email: "ada@mail.example",
      customer_email_source: "api",
      customer_email_later: null,
      settlement_account_id: uuid,
      accepted_at: null,
      accept_reason: null,
      created_at: time,
      updated_at: time,
    },
  },
  "the payer of an order by a link": {
    sample: async () => {
      await aLinkOrder();
      return (await dataOf(send("GET", `${CHARGES}/${(await newest("deposit_addresses")).id}`)))
        .payer as Json;
    },
    component: "DepositAddress",
    within: "payer",
    fields: { name: "Ada", note: null },
  },
  "a payment link": {
    sample: aPaymentLink,
    component: "PaymentLink",
    fields: {
      id: uuid,
      token: /^[A-Za-z0-9_-]{40}$/,
      url: /^http:\/\/127\.0\.0\.1:3000\/l\/[A-Za-z0-9_-]{40}$/,
      title: "Ticket",
      description: "Saturday",
      amount: null,
      min_amount: "1",
      max_amount: "100",
      suggested_amounts: (value) => isDeepStrictEqual(value, ["5"]),
      thanks: "See you!",
      currency: "USDT",
      pricing_currency: null,
      max_payments: 3,
      expires_at: time,
      ask: (value) => isDeepStrictEqual(value, ["name"]),
      order_ref_prefix: "T-",
      status: "active",
      orders_open: 0,
      orders_paid: 0,
      success_url: "https://shop.example/thanks",
      cancel_url: "https://shop.example/cart",
      settlement_account_id: null,
      metadata: { cart: "8842" },
      created_at: time,
      updated_at: time,
    },
  },
  "an order by a link": {
    sample: aLinkOrder,
    component: "LinkOrder",
    fields: {
      checkout_url: /^http:\/\/127\.0\.0\.1:3000\/c\/[A-Za-z0-9_-]{40}$/,
      order_ref: /^T-[A-Z2-9]{8}$/,
    },
  },
  "a balance": {
    sample: async () => ((await depositedThen("/v1/balances")).data as Json[])[0] ?? {},
    component: "Balance",
    fields: {
      currency: "USDT",
      confirmed: decimal,
      fees: decimal,
      settled: "0",
      in_flight: "0",
      waiting: decimal,
      waiting_for: (value) => Array.isArray(value) && value.length === 1,
    },
  },
  "a statement": {
    sample: statement,
    component: "Statement",
    fields: {
      month: /^20\d\d-\d\d$/,
      time_zone: "UTC",
      from: time,
      to: time,
      is_closed: false,
      balances: twoObjects,
      entry_count: (value) => count(value) && value !== 0,
      entries: anObject,
    },
  },
  "a balance of a statement": {
    sample: async () => ((await statement()).balances as Json[])[0] ?? {},
    component: "StatementBalance",
    fields: {
      currency: "USDT",
      opening: "0",
      confirmed: decimal,
      fees: decimal,
      settled: "0",
      closing: decimal,
    },
  },
  "an entry of a statement": {
    sample: async () => ((await statement()).entries as Json[]).find(({ kind }) => kind === "deposit") ?? {},
    component: "StatementEntry",
    fields: {
      booked_at: time,
      kind: "deposit",
      currency: "USDT",
      amount: decimal,
      deposit_address_id: uuid,
      order_ref: "A-1042",
      deposit_id: derived,
      tx_hash: hash,
    },
  },
  "a settlement account": {
    sample: async () => ((await send("GET", "/v1/settlement-accounts")).data as Json[])[0] ?? {},
    component: "SettlementAccount",
    fields: {
      id: uuid,
      chain: "tron",
      address,
      label: null,
      status: "active",
      is_default: true,
      created_at: time,
      updated_at: time,
    },
  },
  "a deposit": {
    sample: async () => dataOf(send("GET", `/v1/deposits/${await deposited()}`)),
    component: "Deposit",
    fields: deposit,
  },
  "a row of a look-up": {
    sample: lookedUp,
    component: "LookupRow",
    fields: {
      kind: "deposit",
      deposit: anObject,
      deposit_address: anObject,
    },
  },
  "the charge of a deposit": {
    sample: () => partOf(lookedUp(), "deposit_address"),
    component: "PaidDepositAddress",
    fields: {
      id: uuid,
      kind: "order",
      status: "ACTIVE",
      payment_status: "paid",
      payment_state: "exact",
      amount_due: "25",
      amount_received: "25",
      currency: "USDT",
      order_ref: "A-1042",
      customer_ref: null,
      rest_of: null,
      expires_at: time,
    },
  },
  "a webhook endpoint": {
    sample: async () => {
      await anEndpoint();
      return dataOf(send("GET", `${ENDPOINTS}/${(await newest("webhook_endpoints")).id}`));
    },
    component: "WebhookEndpoint",
    fields: endpoint,
  },
  "a created webhook endpoint": {
    sample: () => dataOf(anEndpoint()),
    component: "CreatedWebhookEndpoint",
    fields: {
      ...endpoint,
      secret: /^whsec_[0-9a-f]{64}$/,
    },
  },
  "a webhook endpoint with a rotated secret": {
    sample: async () => {
      await anEndpoint();
      return dataOf(send("POST", `${ENDPOINTS}/${(await newest("webhook_endpoints")).id}/rotate-secret`, {}));
    },
    component: "RotatedWebhookEndpoint",
    fields: {
      ...endpoint,
      secret: /^whsec_[0-9a-f]{64}$/,
      previous_secret_expires_at: time,
    },
  },
  "a deleted webhook endpoint": {
    sample: async () => {
      await anEndpoint();
      return dataOf(send("DELETE", `${ENDPOINTS}/${(await newest("webhook_endpoints")).id}`));
    },
    fields: { id: uuid, deleted: true },
  },
  "the result of a test event": {
    sample: async () => {
      await anEndpoint();
      receiver.answer = (response) => response.writeHead(500).end();
      const endpoint = `${ENDPOINTS}/${(await newest("webhook_endpoints")).id}`;
      await send("PATCH", endpoint, { isActive: false });
      return dataOf(send("POST", `${endpoint}/test`));
    },
    component: "WebhookTestResult",
    fields: {
      ok: false,
      statusCode: 500,
      durationMs: count,
      error: /^The receiver answered, .* \(http_status\)\.$/,
      endpointStatus: "disabled",
    },
  },
  "a webhook delivery in a list": {
    sample: async () => {
      await failedDelivery();
      return ((await send("GET", `${DELIVERIES}?status=FAILED`)).data as Json[])[0] ?? {};
    },
    component: "WebhookDelivery",
    fields: {
      ...delivery,
      attempts: 1,
    },
  },
  "a webhook delivery": {
    sample: async () => dataOf(send("GET", `${DELIVERIES}/${await failedDelivery()}`)),
    component: "WebhookDeliveryDetail",
    fields: {
      ...delivery,
      attempts: anObject,
    },
  },
  "an attempt": {
    sample: attempted,
    component: "WebhookAttempt",
    fields: {
      number: 1,
      trigger: "schedule",
      status_code: 500,
      response_snippet: "broken",
      error: "http_status",
      duration_ms: count,
      attempted_at: time,
    },
  },
  "the checkout projection": {
    sample: checkedOut,
    component: "Checkout",
    fields: {
      state: "paid",
      merchant: anObject,
      order: anObject,
      payment: anObject,
      status: anObject,
    },
  },
  "merchant of the checkout projection": {
    sample: () => partOf(checkedOut(), "merchant"),
    component: "Checkout",
    within: "merchant",
    fields: {
      name: "Blue Bottle Books",
      logoUrl: /^http:\/\/127\.0\.0\.1:3000\/checkout\/logos\/[0-9a-f]{64}$/,
      accentColor: "#0b5fff",
    },
  },
  "order of the checkout projection": {
    sample: () => partOf(checkedOut(), "order"),
    component: "Checkout",
    within: "order",
    fields: {
      ref: "A-1042",
      amount: "100.04",
      payAmount: "101.050506",
      currency: "USDT",
      feeMode: "client",
      successUrl: "https://shop.example/thanks",
      cancelUrl: "https://shop.example/cart",
      fiatCurrency: "USD",
      fiatAmount: "100.00",
      quoteRate: "1.0004",
      quoteExpiresAt: time,
    },
  },
  "payment of the checkout projection": {
    sample: () => partOf(checkedOut(), "payment"),
    component: "Checkout",
    within: "payment",
    fields: { address, chain: "tron", expiresAt: time },
  },
  "status of the checkout projection": {
    sample: () => partOf(checkedOut(), "status"),
    component: "Checkout",
    within: "status",
    fields: {
      depositStatus: "CONFIRMED",
      confirmations: 19,
      requiredConfirmations: 19,
      amountReceived: "101.050506",
      paymentState: "exact",
      txHash: hash,
      confirmedAt: time,
    },
  },
  "a look-up of a checkout": {
    sample: lookedUpByPayer,
    component: "CheckoutLookup",
    fields: {
      result: "counted",
      amount: "101.050506",
      currency: "USDT",
      confirmations: null,
      requiredConfirmations: null,
      addressEnd: null,
      retryAfterSeconds: null,
    },
  },
  "a refusal": {
    sample: () => send("POST", CHARGES, { amount: 1 }),
    component: "Error",
    fields: {
      success: false,
      message: 'amount must be a string in quotes: "1", not 1 (money is never a number)',
      error: anObject,
      correlationId: "order 7",
    },
  },
  "the error of a refusal": {
    sample: () => partOf(send("POST", CHARGES, { amount: 1 }), "error"),
    component: "Error",
    within: "error",
    fields: {
      code: "VALIDATION_ERROR",
      docUrl: /\/docs\/errors#validation-error$/,
      details: (value) => Array.isArray(value) && value.length === 1,
    },
  },
  "an order event": {
    sample: async () => (await announced()).order,
    component: "OrderEvent",
    fields: eventEnvelope,
  },
  "data of an order event": {
    sample: () => partOf(partOf(announced(), "order"), "data"),
    component: "OrderEvent",
    within: "data",
    fields: {
      ...chargeEvent,
      paidLate: false,
      expiresAt: time,
      paidAt: time,
      deposits: anObject,
      // The samples share a reference, and each is paid.
      orderRefPaid: (value: unknown) => typeof value === "boolean",
      restOf: null,
      restCompletes: false,
    },
  },
  "a deposit of an order event": {
    sample: async () => ((await partOf(partOf(announced(), "order"), "data")).deposits as Json[])[0] ?? {},
    fields: { depositId: derived, txHash: hash, amount: "20", confirmedAt: time },
  },
  "a deposit event": {
    sample: async () => (await announced()).deposit,
    component: "DepositEvent",
    fields: { ...eventEnvelope, event: "deposit.confirmed" },
  },
  "data of a deposit event": {
    sample: () => partOf(partOf(announced(), "deposit"), "data"),
    component: "DepositEvent",
    within: "data",
    fields: {
      ...chargeEvent,
      depositId: derived,
      amount: "20",
      currency: "TRX",
      txHash: hash,
      eventIndex: 0,
      blockNumber: 100,
      blockHash: hash,
      confirmations: 19,
      requiredConfirmations: 19,
      previousStatus: "CONFIRMING",
      late: false,
      unmatched: false,
      detectedAt: time,
      status: "CONFIRMED",
      confirmedAt: time,
    },
  },
};

function isAs(value: unknown, expected: Expected): boolean {
  if (typeof expected === "function") return expected(value);
  if (expected instanceof RegExp) return typeof value === "string" && expected.test(value);
  return isDeepStrictEqual(value, expected);
}

it.each(Object.entries(resources))(
  "%s has every field of the contract",
  async (_name, { sample, fields }) => {
    const answer = await sample();
    const wrong = Object.entries(fields).filter(([name, expected]) => !isAs(answer[name], expected));
    expect(wrong.map(([name]) => `${name}: ${JSON.stringify(answer[name])}`)).toEqual([]);
  },
);

/** Components outside the contract, which have their own tests. */
const ADDED = [
  "Account",
  "PricingCurrency",
  "TestEvent",
  "SimulatedPayment",
  "Settlement",
  "SettlementDetail",
  "SettlementEvent",
  "Sweep",
  "SweepTransaction",
  "Refund",
  "RefundEvent",
  "RefundClaim",
  "SimulatedRefund",
  "EventRow",
  "WebhookEndpointHealth",
  "SentAgain",
  "ShopConnection",
];

it("every property of every component of the OpenAPI document is expected here", () => {
  const text = readFileSync(new URL("../../../../clients/typescript/openapi.json", import.meta.url), "utf8");
  const { components }: OpenApiDocument = JSON.parse(text);
  const expected = new Set(
    Object.values(resources).flatMap(({ component = "", within, fields }) =>
      Object.keys(fields).map((name) => [component, ...(within ? [within] : []), name].join(".")),
    ),
  );
  const documented = Object.entries(components.schemas)
    .filter(([component]) => !ADDED.includes(component))
    .flatMap(([component, { properties = {} }]) =>
      Object.entries(properties).flatMap(([name, { properties: inner = {} }]) => [
        `${component}.${name}`,
        ...Object.keys(inner).map((part) => `${component}.${name}.${part}`),
      ]),
    );
  expect(documented.filter((property) => !expected.has(property))).toEqual([]);
});
