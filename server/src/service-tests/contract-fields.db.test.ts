import { isDeepStrictEqual } from "node:util";
import { one, sql } from "@daric/postgres/sql";
import { aLogo, aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { contractResources, type Expected, WRONG_FIELDS } from "@daric/testing/contract/fields";
import { freshRates } from "@daric/testing/rate-builders";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import { settleCharges } from "@daric/testing/settle-charges";
import { announceDeposit, claimAsIdle, deliver } from "@daric/testing/webhook-builders";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApp, createMemory } from "../app.ts";
import { getCharge } from "../charges/charge.ts";
import { depositConfirmedEvent } from "../deposits/deposit-event.ts";
import { type ChargeId, type MerchantId, refKey } from "../domain/ids.ts";
import { amountFromUnits } from "../domain/money.ts";
import type { ApiApp } from "../http/api-app.ts";
import { enqueueEvents } from "../webhooks/events/enqueue-events.ts";

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
  });
  return data as Json;
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

/** Makes a sample of each resource of the contract. */
const samples: Record<string, () => Promise<Json>> = {
  "a created deposit address": create,
  "a deposit address": async () => {
    await create();
    return dataOf(send("GET", `${CHARGES}/${(await newest("deposit_addresses")).id}`));
  },
  "a deposit": async () => dataOf(send("GET", `/v1/deposits/${await deposited()}`)),
  "a balance": async () => ((await depositedThen("/v1/balances")).data as Json[])[0] ?? {},
  "a statement": statement,
  "a balance of a statement": async () => ((await statement()).balances as Json[])[0] ?? {},
  "an entry of a statement": async () =>
    ((await statement()).entries as Json[]).find(({ kind }) => kind === "deposit") ?? {},
  "a settlement account": async () =>
    ((await send("GET", "/v1/settlement-accounts")).data as Json[])[0] ?? {},
  "a row of a look-up": lookedUp,
  "the charge of a deposit": () => partOf(lookedUp(), "deposit_address"),
  "a webhook endpoint": async () => {
    await anEndpoint();
    return dataOf(send("GET", `${ENDPOINTS}/${(await newest("webhook_endpoints")).id}`));
  },
  "a created webhook endpoint": () => dataOf(anEndpoint()),
  "a webhook endpoint with a rotated secret": async () => {
    await anEndpoint();
    return dataOf(send("POST", `${ENDPOINTS}/${(await newest("webhook_endpoints")).id}/rotate-secret`, {}));
  },
  "a deleted webhook endpoint": async () => {
    await anEndpoint();
    return dataOf(send("DELETE", `${ENDPOINTS}/${(await newest("webhook_endpoints")).id}`));
  },
  "the result of a test event": async () => {
    await anEndpoint();
    receiver.answer = (response) => response.writeHead(500).end();
    const endpoint = `${ENDPOINTS}/${(await newest("webhook_endpoints")).id}`;
    await send("PATCH", endpoint, { isActive: false });
    return dataOf(send("POST", `${endpoint}/test`));
  },
  "a webhook delivery in a list": async () => {
    await failedDelivery();
    return ((await send("GET", `${DELIVERIES}?status=FAILED`)).data as Json[])[0] ?? {};
  },
  "a webhook delivery": async () => dataOf(send("GET", `${DELIVERIES}/${await failedDelivery()}`)),
  "an attempt": attempted,
  "the checkout projection": checkedOut,
  "merchant of the checkout projection": () => partOf(checkedOut(), "merchant"),
  "order of the checkout projection": () => partOf(checkedOut(), "order"),
  "payment of the checkout projection": () => partOf(checkedOut(), "payment"),
  "status of the checkout projection": () => partOf(checkedOut(), "status"),
  "a look-up of a checkout": lookedUpByPayer,
  "a refusal": () => send("POST", CHARGES, { amount: 1 }),
  "an order event": async () => (await announced()).order,
  "data of an order event": () => partOf(partOf(announced(), "order"), "data"),
  "a deposit of an order event": async () =>
    ((await partOf(partOf(announced(), "order"), "data")).deposits as Json[])[0] ?? {},
  "a deposit event": async () => (await announced()).deposit,
  "data of a deposit event": () => partOf(partOf(announced(), "deposit"), "data"),
};

function isAs(value: unknown, expected: Expected): boolean {
  if (typeof expected === "function") return expected(value);
  if (expected instanceof RegExp) return typeof value === "string" && expected.test(value);
  return isDeepStrictEqual(value, expected);
}

it.each(Object.entries(contractResources))(
  "%s has every field of the contract",
  async (resource, { fields }) => {
    const sample = (await samples[resource]?.()) ?? expect.fail(`no sample of ${resource}`);
    const wrong = Object.entries(fields).filter(([name, { expected }]) => !isAs(sample[name], expected));
    // The mutants parse this message for the names of broken fields.
    if (wrong.length > 0) expect.fail(WRONG_FIELDS + wrong.map(([name]) => name).join(" "));
  },
);
