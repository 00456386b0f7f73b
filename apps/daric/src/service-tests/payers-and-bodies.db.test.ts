import type { MerchantId } from "@daric/domain/ids";
import { idOf } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aDeposit, setChainTime } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { amplePeopleLimits, aPerson, type Browser, signedIn } from "@daric/testing/people";
import { startReceiver } from "@daric/testing/receiver";
import { type SessionRoute, sessionRoutesOf } from "@daric/testing/session-routes";
import { announceOrder, claimAsIdle, deliver } from "@daric/testing/webhook-builders";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApp } from "../app.ts";

const PAYER = ["payer-of-the-shop@mail.example", "Grace Payername", "leave it at the door"];
/** in the bytes of each webhook of the builder, and in no row */
const BODY = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
const ANSWER = "the-words-of-the-receiver";
const ADDRESS = /198\.51\.100\.\d+/;

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let reads: readonly SessionRoute[];
let merchantId: MerchantId;
let claim: string;
let ids: readonly string[];

beforeAll(async () => {
  context = await createTestContext({
    ...amplePeopleLimits,
    PUBLIC_BASE_URL: "http://127.0.0.1:3000",
    WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8",
  });
  app = createApp(context);
  const routes = await sessionRoutesOf(app);
  reads = routes.filter(({ method, scope }) => method === "GET" && scope !== undefined);
  merchantId = (await aMerchant(context.db)).id;
  await fill(await as("owner"));
}, 120_000);
afterAll(async () => {
  await app.close();
  await context.close();
});

async function as(role: MerchantRole): Promise<Browser> {
  return signedIn(app, await aPerson(context, { places: [{ merchantId, role }] }), merchantId);
}

/** An order whose payer gave an address, one of a link whose payer typed texts, a refund, and a delivered webhook. */
async function fill(owner: Browser): Promise<void> {
  const [customerEmail = "", name, note] = PAYER;
  const made = await owner.send("/v1/deposit-addresses", { amount: "10", customerEmail });
  expect(made.status, made.text).toBe(201);
  const order = made.body.data;
  const link = (
    await owner.send("/v1/payment-links", { title: "Ticket", amount: "5", ask: ["name", "note"] })
  ).body.data;
  const payload = { name, note };
  expect(
    (await app.inject({ method: "POST", url: `/v1/links/${link.token}/orders`, payload })).statusCode,
  ).toBe(201);
  const [clicked] = await context.db.query<{ id: string }>(sql`
    select id from deposit_addresses where merchant_id = ${merchantId} and payment_link_id = ${link.id}`);
  const deposit = await aDeposit(context.db, { chargeId: order.id, amount: "15", fromAddress: null });
  await setChainTime(context.db, new Date());
  const asked = await owner.send(`/v1/deposit-addresses/${order.id}/refunds`, { confirmEmail: true });
  const refund = asked.body.data;
  claim = refund.claim_url.split("/").at(-1);
  const receiver = await startReceiver();
  receiver.answer = (response) => response.writeHead(500).end(ANSWER);
  await owner.send("/v1/webhooks/endpoints", { url: receiver.url, eventTypes: ["order.paid"] });
  await announceOrder(context, merchantId, idOf("charge", order.id));
  for (const waiting of await claimAsIdle(context, 100)) await deliver(context, waiting);
  await receiver.close();
  const [delivery] = await context.db.query<{ id: string; eventId: string }>(sql`
    select id, event_id as "eventId" from webhook_deliveries where merchant_id = ${merchantId} and event_type = 'order.paid'`);
  await owner.send(`/dashboard/v1/payments/${order.id}/notes`, { text: "called" });
  ids = [
    order.id,
    clicked?.id ?? "",
    link.id,
    deposit.id,
    refund.id,
    delivery?.id ?? "",
    delivery?.eventId ?? "",
  ];
}

/** The bytes of all that a role can read: each list, each file, each row. */
async function everythingFor(role: MerchantRole): Promise<string> {
  const browser = await as(role);
  const texts = [];
  for (const { url } of reads) {
    const paths = url.includes(":id") ? ids.map((id) => url.replace(":id", id)) : pathsOf(url);
    for (const path of paths) texts.push((await browser.send(path)).text);
  }
  return texts.join("\n");
}

function pathsOf(url: string): string[] {
  if (url.endsWith("/search")) return PAYER.map((text) => `${url}?q=${encodeURIComponent(text)}`);
  if (url.endsWith("/exports/statement")) return [`${url}?month=2026-01`];
  return url.includes("/exports/") ? [url, `${url}?format=json`] : [url];
}

const found = (bytes: string) => ({
  payer: PAYER.filter((text) => bytes.includes(text)).length,
  claim: bytes.includes(claim),
  bodies: bytes.includes(BODY),
  answers: bytes.includes(ANSWER),
});

it.each<[MerchantRole, object]>([
  ["owner", { payer: 3, claim: true, bodies: true, answers: true }],
  ["developer", { payer: 3, claim: false, bodies: true, answers: true }],
  ["support", { payer: 3, claim: true, bodies: false, answers: false }],
  ["viewer", { payer: 0, claim: false, bodies: false, answers: false }],
  ["accountant", { payer: 0, claim: false, bodies: false, answers: false }],
  ["cashier", { payer: 0, claim: false, bodies: false, answers: false }],
])(
  "in all that a %s reads are the payer's texts, a claim link and the bytes of webhooks as the role says",
  async (role, expected) => {
    expect(found(await everythingFor(role))).toEqual(expected);
  },
  120_000,
);

it("an accountant's audit log, read and downloaded, has the acts on money alone and no address of the network", async () => {
  const [viewer, accountant] = [await as("viewer"), await as("accountant")];
  const actionsOf = async (browser: Browser) => {
    const { body, text } = await browser.send("/dashboard/v1/audit?limit=100");
    const file = await browser.send("/dashboard/v1/exports/audit?format=json");
    const rows = [...body.data, ...JSON.parse(file.text)] as { action: string }[];
    return { actions: new Set(rows.map(({ action }) => action)), hasAddress: ADDRESS.test(text + file.text) };
  };
  const whole = await actionsOf(viewer);
  expect([
    whole.hasAddress,
    whole.actions.has("createWebhookEndpoint"),
    whole.actions.has("write note"),
  ]).toEqual([true, true, true]);
  const money = await actionsOf(accountant);
  expect(money).toEqual({ actions: new Set(["createDepositAddress", "askForRefund"]), hasAddress: false });
});

it("without the right to webhooks the story of a payment has no event and no attempt", async () => {
  const storyFor = async (role: MerchantRole) => {
    const { data } = (await (await as(role)).send(`/dashboard/v1/payments/${ids[0]}/story`)).body;
    const kinds = new Set(data.entries.map(({ kind }: { kind: string }) => kind));
    return [kinds.has("event"), kinds.has("attempt"), data.notes.length];
  };
  expect(await storyFor("viewer")).toEqual([true, true, 1]);
  expect(await storyFor("accountant")).toEqual([false, false, 1]);
});
