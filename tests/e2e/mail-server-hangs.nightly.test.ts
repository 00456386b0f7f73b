import { openDatabase } from "@daric/postgres/database";
import { type Database, sql } from "@daric/postgres/sql";
import { type MailBehaviour, type MailServer, openMailServer } from "@daric/testing/mail-server";
import { type Stack, type StackMerchant, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { startWebhookReceiver, type WebhookReceiver } from "@daric/testing/webhook-receiver";
import { afterAll, beforeAll, expect, it } from "vitest";
import { leaveAddresses } from "./leave-addresses.ts";

const ORDERS = 20;
const REQUESTS = 60;
/** Shorter than each wait for a mail server, so that one wait is seen. */
const SLACK_MS = 1_000;

let stack: Stack;
let db: Database;
let mails: MailServer;
let merchant: StackMerchant;
let receiver: WebhookReceiver;
/** with a server that takes mails */
let usual: Times;

type Times = { readonly create: number; readonly page: number; readonly webhooks: number };

beforeAll(async () => {
  [mails, receiver] = await Promise.all([openMailServer(), startWebhookReceiver()]);
  stack = await startStack({ SMTP_URL: mails.url, MAIL_FROM: "pay@shop.example" });
  const url = stack.variables.DATABASE_URL ?? "";
  db = openDatabase({ url, applicationName: "mail-server-hangs", onError: () => undefined });
  merchant = await stack.merchant("--active-address-cap", "10000");
  await merchant.daric.webhooks.endpoints.create({ url: receiver.url, eventTypes: ["order.paid"] });
  // The first requests of a process are slow.
  await timesWhile("accept");
  usual = await timesWhile("accept");
});
afterAll(async () => {
  await db.close();
  await stack.stop();
  await Promise.all([mails.close(), receiver.stop()]);
});

/** The slowest of some requests, and the time until the webhooks of paid orders have come whose payers are to be mailed. */
async function timesWhile(behaviour: MailBehaviour): Promise<Times> {
  // No message waits for the end of a pause.
  await stack.stopService();
  await db.query(
    sql`update messages set due_at = now() where merchant_id = ${merchant.id} and ended_at is null`,
  );
  mails.behaviour = behaviour;
  await stack.startService();
  const before = receiver.received.length;
  const pages: string[] = [];
  for (let made = 0; made < ORDERS; made += 1) {
    const { address, checkout_url: page } = await merchant.daric.depositAddresses.create({ amount: "25" });
    if (page !== null) pages.push(page);
    await stack.control("faucet", { address, usdt: "25" });
  }
  await leaveAddresses(stack, db, merchant.id);
  const create = () => merchant.daric.depositAddresses.create({ amount: "25" });
  const open = async () => expect((await fetch(pages[0] ?? "")).status).toBe(200);
  const startedMs = performance.now();
  const arrived = until("each webhook has come", () => receiver.received.length === before + ORDERS).then(
    () => performance.now() - startedMs,
  );
  await stack.mine(25);
  const slowest = { create: 0, page: 0 };
  for (let request = 0; request < REQUESTS; request += 1) {
    slowest.create = Math.max(slowest.create, await timeOf(create));
    slowest.page = Math.max(slowest.page, await timeOf(open));
  }
  return { ...slowest, webhooks: await arrived };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Messages that the service tried to send in vain. */
async function countTried(): Promise<number> {
  const rows = await db.query(sql`
    select from messages where merchant_id = ${merchant.id} and attempts > 0 and ended_at is null`);
  return rows.length;
}

it.each(["hang at connect", "hang at data"] as const)(
  "a mail server with a %s delays no create, no page and no webhook",
  async (behaviour) => {
    const { create, page, webhooks } = await timesWhile(behaviour);
    expect(await countTried()).toBeGreaterThan(0);
    expect(create).toBeLessThan(3 * usual.create + SLACK_MS);
    expect(page).toBeLessThan(3 * usual.page + SLACK_MS);
    expect(webhooks).toBeLessThan(3 * usual.webhooks + SLACK_MS);
  },
);

it("once the mail server takes mails again, each payer is mailed once", async () => {
  await timesWhile("accept");
  const ended = sql`select from messages where merchant_id = ${merchant.id} and sent_at is not null`;
  const count = 5 * ORDERS;
  await until("each message is sent", async () => (await db.query(ended)).length === count, 60_000);
  expect(mails.received.length).toBe(count);
  expect(new Set(mails.received.map(({ to }) => to.join())).size).toBe(count);
});
