import { type Charge, getCharge } from "@daric/charges/charge";
import { toldOf } from "@daric/charges/charge-event-data";
import { type CustomerEmail, sealCustomerEmail } from "@daric/charges/customer-email";
import type { ChargeRef, MerchantId } from "@daric/domain/ids";
import { formatAmount } from "@daric/domain/money";
import type { DepositEventData } from "@daric/domain/webhook-event";
import { sql } from "@daric/postgres/sql";
import { createWakeUps, type WakeUps } from "@daric/runtime/wake-ups";
import { aCharge, aDeposit, type ChargeOverrides } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext, withSettings } from "@daric/testing/context";
import { type MailServer, openMailServer, type ReceivedMail } from "@daric/testing/mail-server";
import { aPerson } from "@daric/testing/people";
import { settleCharges } from "@daric/testing/settle-charges";
import { aMerchantId, depositData } from "@daric/testing/webhook-builders";
import { enqueueEvents } from "@daric/webhooks/events/enqueue-events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { startMessageWorker } from "./worker.ts";

let shared: Awaited<ReturnType<typeof createTestContext>>;
let context: TestContext;
let server: MailServer;
let running: { stop(): Promise<void> }[] = [];
let merchantId: MerchantId;
let wakeUps: WakeUps;
beforeAll(async () => {
  shared = await createTestContext();
});
afterAll(() => shared.close());
beforeEach(async () => {
  await shared.owner.query(sql`delete from messages`);
  await shared.owner.query(sql`delete from mail_stops`);
  server = await openMailServer();
  wakeUps = createWakeUps();
  context = withSettings(shared, {
    mail: { smtpUrl: server.url, mailFrom: "pay@host.example", perMinute: 60_000 },
    http: { publicBaseUrl: "https://pay.host.example" },
  });
  merchantId = await aMerchantId(shared.db);
});
afterEach(async () => {
  for (const worker of running) await worker.stop();
  running = [];
  await server.close();
});

function start(): void {
  running.push(startMessageWorker(context as never, { wakeUps }));
}

type Given = ChargeOverrides extends infer O ? Partial<O> : never;

/** An order whose payer left an address. */
async function anOrder(overrides: Given = {}, email: Partial<CustomerEmail> = {}): Promise<Charge> {
  const charge = await aCharge(shared.db, { merchantId, amount: "25", orderRef: "A-17", ...overrides });
  const stored = {
    email: "payer@home.example",
    source: "api",
    language: null,
    later: null,
    ...email,
  } as const;
  const sealed = sealCustomerEmail(context.config.webhooks.masterKey, charge, stored);
  await shared.db.query(sql`
    update deposit_addresses set customer_email = ${sealed} where merchant_id = ${merchantId} and id = ${charge.id}`);
  return getCharge(shared.db, charge);
}

/** A payment that the watcher confirms. */
async function pay(ref: ChargeRef, amount: string, data: Partial<DepositEventData> = {}): Promise<void> {
  const late = data.late ?? false;
  const deposit = await aDeposit(shared.db, { chargeId: ref.id, amount, late });
  const charge = await getCharge(shared.db, ref);
  const due = charge.terms.due ?? 0n;
  await context.db.transaction(async (tx) => {
    await enqueueEvents(context, tx, [
      {
        merchantId,
        type: "deposit.confirmed",
        resourceId: deposit.id,
        told: toldOf(charge),
        data: {
          ...depositData(deposit.id),
          depositAddressId: charge.id,
          amount,
          amountReceived: formatAmount(charge.received.total),
          difference: `${charge.received.total < due ? "-" : ""}${formatAmount((due - charge.received.total) as never)}`,
          paymentState: charge.received.total < due ? "under" : "exact",
          txHash: deposit.txId,
          ...data,
        } as DepositEventData & { status: "CONFIRMED"; confirmedAt: string },
      },
    ]);
  });
  await context.db.transaction((tx) => settleCharges(context, tx, [charge]));
  wakeUps.notify();
}

/** Encoded words of a header (RFC 2047), with common spaces. */
const decoded = (text: string | undefined) =>
  text
    ?.replaceAll("?= =?UTF-8?Q?", "")
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, words: string) =>
      decodeURIComponent(words.replaceAll("_", " ").replaceAll("=", "%")).replaceAll("\u00a0", " "),
    );
const header = ({ raw }: ReceivedMail, name: string) =>
  decoded(
    new RegExp(`^${name}:\\s*(.*(?:\\r?\\n[ \\t].*)*)`, "mi").exec(raw)?.[1]?.replaceAll(/\r?\n[ \t]/g, " "),
  );
const mails = () => server.received.map(({ to }) => to.join());
const ends = () =>
  shared.db.query<{ kind: string; error: string | null }>(sql`
    select kind, last_error as error from messages where ended_at is not null order by id`);
const alarmsOf = async (alarm: string) =>
  (await context.metrics.alarms.get()).values.find(({ labels }) => labels.alarm === alarm)?.value ?? 0;
const allEnd = (count: number) =>
  expect.poll(async () => (await ends()).length, { timeout: 10_000 }).toBe(count);

it("a paid order mails its receipt to the payer and tells the owner, each once", async () => {
  const owner = await aPerson(shared, { places: [{ merchantId, role: "owner" }] });
  const order = await anOrder();
  await pay(order, "25");
  start();
  start();
  await allEnd(2);
  expect(mails().toSorted()).toEqual([owner.email, "payer@home.example"].toSorted());
  const receipt = server.received.find(({ to }) => to[0] === "payer@home.example");
  if (receipt === undefined) throw new Error("no receipt");
  expect(header(receipt, "From")).toBe('"Webhook Shop via pay.host.example" <pay@host.example>');
  expect(header(receipt, "Reply-To")).toBeUndefined();
  expect(header(receipt, "Subject")).toContain("25.00 USDT");
  expect(header(receipt, "List-Unsubscribe")).toMatch(/^<https:\/\/pay\.host\.example\/u\//);
  expect(receipt.raw).toContain("A-17");
});

it("replies go to the shop's address once its reader has confirmed it", async () => {
  await shared.owner.query(sql`
    update merchants set support_email = 'help@shop.example', confirmed_support_email = 'help@shop.example' where id = ${merchantId}`);
  await pay(await anOrder(), "25");
  start();
  await allEnd(1);
  expect(header(server.received[0] as ReceivedMail, "Reply-To")).toBe("help@shop.example");
});

it("a part of the price tells the payer what is missing, and the rest sends the receipt", async () => {
  const order = await anOrder();
  await pay(order, "10");
  start();
  await allEnd(1);
  expect(header(server.received[0] as ReceivedMail, "Subject")).toContain("15.00 USDT");
  await pay(order, "15");
  await allEnd(2);
  expect((await ends()).map(({ kind }) => kind)).toEqual(["payer_short", "payer_paid"]);
});

it("money after the late window tells the payer that it came too late", async () => {
  const past = new Date(Date.now() - 3_600_000);
  const order = await anOrder({ status: "EXPIRED", expiresAt: past, lateUntil: past });
  await pay(order, "25", { late: true, paymentState: "exact" });
  start();
  await allEnd(1);
  expect(server.received).toHaveLength(1);
  expect(header(server.received[0] as ReceivedMail, "Subject")).toMatch(/late/i);
});

it.each(["EXPIRED", "ARCHIVED"] as const)(
  "a part of the price in time is never called too late: the order is %s when the mail leaves",
  async (status) => {
    const past = new Date(Date.now() - 3_600_000);
    const order = await anOrder({ status, expiresAt: past, lateUntil: past });
    await pay(order, "10", { late: false, paymentState: "under" });
    start();
    await allEnd(1);
    expect(header(server.received[0] as ReceivedMail, "Subject")).not.toMatch(/late/i);
  },
);

it("once the merchant asked for the rest, the payer hears what the rest asks for", async () => {
  const order = await anOrder({ status: "ARCHIVED" });
  await pay(order, "10");
  const rest = await anOrder({ amount: "15", orderRef: "A-17" });
  await shared.owner.query(sql`
    update deposit_addresses set rest_of = ${order.id}, customer_email = null where merchant_id = ${merchantId} and id = ${rest.id}`);
  start();
  await allEnd(1);
  expect(header(server.received[0] as ReceivedMail, "Subject")).toContain("15.00 USDT");
});

it("an event that is not kept any more ends its message without an alarm", async () => {
  const before = await alarmsOf("message_refused");
  await pay(await anOrder(), "25");
  await shared.owner.query(sql`delete from webhook_event_bodies where merchant_id = ${merchantId}`);
  start();
  await allEnd(1);
  expect(server.received).toEqual([]);
  expect(await alarmsOf("message_refused")).toBe(before);
});

it("payments that are confirmed together send one mail, and the receipt is never crowded out", async () => {
  const order = await anOrder({ amount: "100" });
  const deposits = [await aDeposit(shared.db, { chargeId: order.id, amount: "10" })];
  deposits.push(await aDeposit(shared.db, { chargeId: order.id, amount: "10" }));
  const charge = await getCharge(shared.db, order);
  await context.db.transaction((tx) =>
    enqueueEvents(
      context,
      tx,
      deposits.map(({ id }) => ({
        ...{ merchantId, type: "deposit.confirmed" as const, resourceId: id, told: toldOf(charge) },
        data: {
          ...depositData(id),
          ...{ depositAddressId: charge.id, amount: "10", amountReceived: "20", difference: "-80" },
          paymentState: "under" as const,
        },
      })),
    ),
  );
  for (let index = 0; index < 6; index += 1) {
    await pay(order, "10");
    await shared.owner.query(sql`update messages set address_hash = null`);
  }
  start();
  await allEnd(7);
  await shared.owner.query(sql`update messages set address_hash = null`);
  await pay(order, "20");
  await allEnd(8);
  const [last] = await shared.db.query(sql`
    select kind, sent_at is not null as sent from messages order by id desc limit 1`);
  expect(last).toEqual({ kind: "payer_paid", sent: true });
});

it("a membership that the database alone wrote gets no message, and raises an alarm", async () => {
  const thief = await aPerson(shared, {});
  await shared.db.query(sql`
    insert into memberships (merchant_id, person_id, role) values (${merchantId}, ${thief.id}, 'owner')`);
  const before = await alarmsOf("person_refused");
  await pay(await aCharge(shared.db, { merchantId, amount: "25" }), "25");
  start();
  await allEnd(1);
  expect(server.received).toEqual([]);
  expect((await alarmsOf("person_refused")) - before).toBe(1);
});

it.each([
  ["0.9", "25", 0],
  ["1", "25", 1],
  ["0.2", "1.5", 1],
  ["0.1", "1.5", 0],
])("%s USDT of %s mails the payer %i times", async (amount, due, count) => {
  await pay(await anOrder({ amount: due }), amount);
  start();
  await allEnd(1);
  expect(server.received).toHaveLength(count);
});

it("one address gets five mails a day over all merchants, and an order five beside its receipt", async () => {
  for (let index = 0; index < 6; index += 1) {
    merchantId = await aMerchantId(shared.db);
    await pay(await anOrder(), "25");
  }
  start();
  await allEnd(6);
  expect(server.received).toHaveLength(5);
  await shared.owner.query(sql`delete from messages`);
  server.received.length = 0;
  const order = await anOrder({ amount: "1000" }, { email: "second@home.example" });
  for (let index = 0; index < 7; index += 1) {
    await pay(order, "101");
    await allEnd(index + 1);
    await shared.owner.query(sql`update messages set address_hash = null`);
  }
  expect(server.received).toHaveLength(5);
});

it("a payer who unsubscribed is mailed no more by that merchant, but for a receipt that was asked for", async () => {
  const { addressHashOf, stopUnsubscribed } = await import("@daric/messages/mail-stop-store");
  const hash = addressHashOf(context, "payer@home.example");
  await stopUnsubscribed(shared.db, merchantId, hash);
  await pay(await anOrder(), "25");
  await pay(await anOrder({}, { source: "page", email: "Payer@Home.example" }), "25");
  start();
  await allEnd(2);
  expect(server.received.map(({ to }) => to[0])).toEqual(["Payer@home.example"]);
});

it("a refused address gets no mail for a week, and no alarm is raised", async () => {
  server.behaviour = { refuse: "gone@home.example" };
  await pay(await anOrder({}, { email: "gone@home.example" }), "25");
  start();
  await allEnd(1);
  server.behaviour = "accept";
  await pay(await anOrder({}, { email: "gone@home.example" }), "25");
  await allEnd(2);
  expect(server.received).toEqual([]);
  const stops = await shared.db.query(
    sql`select reason, ends_at > now() + interval '6 days' as lasts from mail_stops`,
  );
  expect(stops).toEqual([{ reason: "refused", lasts: true }]);
});

it("what the database alone wrote is not mailed: a changed event, another order's address", async () => {
  const order = await anOrder();
  const other = await anOrder({}, { email: "other@home.example" });
  await pay(order, "25");
  await shared.owner.query(sql`
    update webhook_event_bodies set body = convert_to(replace(convert_from(body, 'UTF8'), '"amountReceived":"25"', '"amountReceived":"9999"'), 'UTF8')
    where merchant_id = ${merchantId}`);
  await shared.owner.query(sql`
    update deposit_addresses set customer_email = (select customer_email from deposit_addresses where id = ${order.id}) where id = ${other.id}`);
  await pay(other, "25");
  start();
  await allEnd(2);
  expect(server.received).toEqual([]);
});

it("a member who has left gets no message", async () => {
  const owner = await aPerson(shared, { places: [{ merchantId, role: "owner" }] });
  await pay(await aCharge(shared.db, { merchantId, amount: "25" }), "25");
  await shared.owner.query(sql`delete from memberships where person_id = ${owner.id}`);
  start();
  await allEnd(1);
  expect(server.received).toEqual([]);
});

it("while the mail server hangs, greylists or closes, messages wait and then arrive once", async () => {
  server.behaviour = "busy";
  await pay(await anOrder({}, { email: "first@home.example" }), "25");
  start();
  const tried = () => shared.db.query(sql`select attempts from messages where last_error is not null`);
  await expect.poll(tried, { timeout: 10_000 }).toHaveLength(1);
  for (const worker of running) await worker.stop();
  server.behaviour = "greylist";
  await shared.owner.query(sql`update messages set due_at = now()`);
  start();
  await expect.poll(tried, { timeout: 10_000 }).toEqual([{ attempts: 2 }]);
  for (const worker of running) await worker.stop();
  await shared.owner.query(sql`update messages set due_at = now()`);
  start();
  await allEnd(1);
  expect(mails()).toEqual(["first@home.example"]);
});

it("in quiet hours a member is not mailed", async () => {
  const owner = await aPerson(shared, { places: [{ merchantId, role: "owner" }] });
  await shared.db.query(sql`
    insert into message_choices (merchant_id, person_id, choices, quiet_from, quiet_to, time_zone)
    values (${merchantId}, ${owner.id}, '{"paid":["mail"]}', 0, 1439, 'UTC')`);
  await pay(await aCharge(shared.db, { merchantId, amount: "25" }), "25");
  start();
  const waiting = () =>
    shared.db.query<{ attempts: number }>(
      sql`select attempts from messages where due_at > now() and attempts = 0`,
    );
  await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1);
  expect(server.received).toEqual([]);
});
