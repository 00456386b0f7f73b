import { once } from "node:events";
import { openDatabase } from "@daric/postgres/database";
import { type Database, one, sql } from "@daric/postgres/sql";
import { type MailServer, openMailServer } from "@daric/testing/mail-server";
import { type FurtherProcess, type Stack, type StackMerchant, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { afterEach, expect, it } from "vitest";
import { leaveAddresses, payerOf } from "./leave-addresses.ts";

const KILLS = 25;
/** Two merchants, since one may mail 500 payers in an hour. */
const [MERCHANTS, ORDERS_EACH] = [2, 300];
/** Most kills then come between the end of a mail and its answer. */
const ANSWERS_AFTER_MS = 60;

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type Scene = {
  readonly stack: Stack;
  readonly db: Database;
  readonly mails: MailServer;
  readonly merchantIds: readonly string[];
};

async function openScene(): Promise<Scene> {
  const mails = await openMailServer({ behaviour: { answersAfterMs: ANSWERS_AFTER_MS } });
  cleanUps.push(mails.close);
  const stack = await startStack({
    SMTP_URL: mails.url,
    MAIL_FROM: "pay@shop.example",
    MAIL_PER_MINUTE: "60000",
  });
  cleanUps.push(stack.stop);
  const url = stack.variables.DATABASE_URL ?? "";
  const db = openDatabase({ url, applicationName: "messages-nightly", onError: () => undefined });
  cleanUps.push(db.close);
  const merchants: StackMerchant[] = [];
  while (merchants.length < MERCHANTS) merchants.push(await stack.merchant("--active-address-cap", "1000"));
  await payAll(stack, db, merchants);
  return { stack, db, mails, merchantIds: merchants.map(({ id }) => id) };
}

/** Orders with the addresses of their payers, all paid: each has one message, which no process sends yet. */
async function payAll(stack: Stack, db: Database, merchants: readonly StackMerchant[]): Promise<void> {
  for (const { id, daric } of merchants) {
    for (let made = 0; made < ORDERS_EACH; made += 1) {
      const { address } = await daric.depositAddresses.create({ amount: "25" });
      await stack.control("faucet", { address, usdt: "25" });
    }
    await leaveAddresses(stack, db, id);
  }
  await stack.stopService();
  const { process } = await stack.startBeside("watcher");
  await stack.mine(25);
  const ids = merchants.map(({ id }) => id);
  await until(
    "each order is paid",
    async () => (await messagesOf(db, ids)).all === MERCHANTS * ORDERS_EACH,
    120_000,
  );
  await end(process, "SIGTERM");
}

async function messagesOf(db: Database, merchantIds: readonly string[]) {
  const rows = await db.query<{ all: number; sent: number }>(sql`
    select count(*)::integer as all, count(sent_at)::integer as sent from messages
    where merchant_id = any(${merchantIds}::uuid[])`);
  return one(rows);
}

async function end(process: FurtherProcess["process"], signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  const ended = once(process, "exit");
  process.kill(signal);
  await ended;
}

/** Ends the leases of the process that sent to this order's payer: what a process claims at once has one time. */
async function endLeases({ db, merchantIds }: Scene, orderId: string): Promise<void> {
  await db.query(sql`
    update messages set due_at = now()
    where merchant_id = any(${merchantIds}::uuid[]) and ended_at is null and due_at in (
      select due_at from messages where merchant_id = any(${merchantIds}::uuid[]) and receiver = ${`payer ${orderId}`})`);
}

/** How often each payer was mailed. */
function timesMailed({ received }: MailServer): Map<string, number> {
  const times = new Map<string, number>();
  for (const { to } of received) times.set(to.join(), (times.get(to.join()) ?? 0) + 1);
  return times;
}

it(`of two processes the one that sends is killed ${KILLS} times: each message is mailed, and a kill repeats at most the mail on its way`, {
  timeout: 600_000,
}, async () => {
  const scene = await openScene();
  const { stack, db, mails, merchantIds } = scene;
  const senders = new Map<string, FurtherProcess>();
  const start = async (name: string) =>
    senders.set(name, await stack.startBeside("webhooks", { MAIL_GREETING_NAME: name }));
  const names = ["one.shop.example", "two.shop.example"];
  for (const name of names) await start(name);

  const onTheirWay = new Set<string>();
  for (let killed = 0; killed < KILLS; killed += 1) {
    const next = mails.received.length + 2 + (killed % 5);
    await until("mails are on their way", () => mails.received.length >= next, 60_000);
    const { greetedAs = "" } = mails.received.at(-1) ?? {};
    await end((senders.get(greetedAs) as FurtherProcess).process, "SIGKILL");
    const address = mails.received.findLast((mail) => mail.greetedAs === greetedAs)?.to.join() ?? "";
    onTheirWay.add(address);
    await endLeases(scene, address.split("@")[0] ?? "");
    await start(greetedAs);
  }
  expect((await messagesOf(db, merchantIds)).sent).toBeLessThan(MERCHANTS * ORDERS_EACH);
  for (const { process } of senders.values()) await end(process, "SIGTERM");
  // A kill between two claims leaves leases that its last mail does not name.
  await db.query(
    sql`update messages set due_at = now() where merchant_id = any(${merchantIds}::uuid[]) and ended_at is null`,
  );
  for (const name of names) await start(name);
  const areAllSent = async () => (await messagesOf(db, merchantIds)).sent === MERCHANTS * ORDERS_EACH;
  await until("each message is sent", areAllSent, 120_000);

  const times = timesMailed(mails);
  const ids = await db.query<{ id: string }>(
    sql`select id from deposit_addresses where merchant_id = any(${merchantIds}::uuid[])`,
  );
  expect([...times.keys()].toSorted()).toEqual(ids.map(({ id }) => payerOf(id)).toSorted());
  const repeated = [...times].filter(([, count]) => count > 1).map(([address]) => address);
  expect(repeated.filter((address) => !onTheirWay.has(address))).toEqual([]);
  expect(repeated.length).toBeGreaterThan(0);
  expect(mails.received.length - times.size).toBeLessThanOrEqual(KILLS);
});
