import { type Charge, getCharge } from "@daric/charges/charge";
import { askForRefund, type RefundRequest } from "@daric/charges/close/ask-for-refund";
import { type CustomerEmail, sealCustomerEmail } from "@daric/charges/customer-email";
import { idOf, type MerchantId } from "@daric/domain/ids";
import { type Amount, amountFromUnits } from "@daric/domain/money";
import { addressHashOf, stopUnsubscribed } from "@daric/messages/mail-stop-store";
import { sql } from "@daric/postgres/sql";
import { askAgain } from "@daric/refunds/ask-again";
import { moveRefund } from "@daric/refunds/change-refund";
import { claimRefund } from "@daric/refunds/claim-refund";
import { claimToken } from "@daric/refunds/claim-token";
import type { Refund } from "@daric/refunds/refund";
import { refundEvent } from "@daric/refunds/refund-event";
import { lockRefund } from "@daric/refunds/store";
import { giveTransfer, transferMac } from "@daric/refunds/transfer-store";
import { createWakeUps } from "@daric/runtime/wake-ups";
import { aCharge, aDeposit, type ChargeOverrides } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext, withSettings } from "@daric/testing/context";
import { type MailServer, openMailServer } from "@daric/testing/mail-server";
import { aPerson } from "@daric/testing/people";
import { aMerchantId } from "@daric/testing/webhook-builders";
import { enqueueEvents } from "@daric/webhooks/events/enqueue-events";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { startMessageWorker } from "./worker.ts";

const PAYER = "payer@home.example";
const PERSON = idOf("person", "0190a8e2-1c1c-7000-8000-00000000000a");
const WALLET = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE";
const BASE = "https://pay.host.example";

let shared: Awaited<ReturnType<typeof createTestContext>>;
let context: TestContext;
let server: MailServer;
let running: { stop(): Promise<void> }[] = [];
let merchantId: MerchantId;
beforeAll(async () => {
  shared = await createTestContext();
});
afterAll(() => shared.close());
beforeEach(async () => {
  await shared.owner.query(sql`delete from messages`);
  await shared.owner.query(sql`delete from mail_stops`);
  server = await openMailServer();
  context = withSettings(shared, {
    mail: { smtpUrl: server.url, mailFrom: "pay@host.example", perMinute: 60_000 },
    http: { publicBaseUrl: BASE },
  });
  merchantId = await aMerchantId(shared.db);
});
afterEach(async () => {
  for (const worker of running) await worker.stop();
  running = [];
  await server.close();
});

const wakeUps = createWakeUps();
const start = () => running.push(startMessageWorker(context as never, { wakeUps }));
const messages = () =>
  shared.db.query<{ kind: string; cause: string; error: string | null; ended: boolean }>(sql`
    select kind, cause, last_error as error, ended_at is not null as ended from messages order by id`);
const allEnd = (count: number) =>
  expect
    .poll(async () => (await messages()).filter(({ ended }) => ended).length, { timeout: 10_000 })
    .toBe(count);
/** The mail's text, without the line breaks of its encoding. */
const textOf = (n: number) => (server.received[n]?.raw ?? "").replaceAll(/=\r?\n/g, "");

/** An order that got 30 of 25 USDT, whose payer left an address. */
async function anOrder(
  email: Partial<CustomerEmail> = {},
  { amount = "30", ...overrides }: Partial<ChargeOverrides> & { amount?: string } = {},
): Promise<Charge> {
  const charge = await aCharge(shared.db, { merchantId, orderRef: "A-17", ...overrides, amount: "25" });
  const given = { email: PAYER, source: "api", language: null, later: null, ...email } as const;
  const sealed = sealCustomerEmail(context.config.webhooks.masterKey, charge, given);
  await shared.db.query(sql`
    update deposit_addresses set customer_email = ${sealed} where merchant_id = ${merchantId} and id = ${charge.id}`);
  await aDeposit(shared.db, { chargeId: charge.id, amount });
  return getCharge(shared.db, charge);
}
const ask = ({ id }: Pick<Charge, "id">, request: Partial<RefundRequest> = {}) =>
  askForRefund(context, {
    ...{ merchantId, id, amount: null, fiatAmount: null, currency: null, refundRef: null, reason: null },
    ...{ address: null, askedBy: null, apiKeyId: null, ...request },
  });
const linkOf = (refund: Refund) => `${BASE}/r/${claimToken(context, refund)}`;

/** Completes a claimed refund by a transfer of the chain. */
async function complete(refund: Refund, units: Amount = refund.units) {
  const txId = refund.id.replaceAll("-", "").padEnd(64, "0");
  await context.db.transaction(async (tx) => {
    const locked = (await lockRefund(tx, refund)) ?? expect.fail("no refund");
    const given = {
      ...{ network: "devnet", txId, source: "log" as const, eventIndex: 0, merchantId, refundId: refund.id },
      ...{ fromAddress: WALLET, toAddress: refund.address ?? "", currency: refund.currency, units },
      ...{ blockNumber: 7, blockId: "0b".repeat(32), blockTime: new Date(), txExpiresAt: null },
      ...{ status: "FINAL" as const, confirmedBy: null },
    };
    await giveTransfer(tx, { ...given, mac: transferMac(context, given) });
    const sent = await moveRefund(context, tx, { refund: locked, event: "seen", txId, sentAt: locked.now });
    const done = { event: "completed", completedAt: locked.now, paidUnits: units } as const;
    const completed = await moveRefund(context, tx, { refund: sent, ...done });
    await enqueueEvents(context, tx, [refundEvent(completed, "refund.completed")]);
  });
  return txId;
}
const claimed = async (refund: Refund) =>
  (
    await claimRefund(context, {
      ...{ token: claimToken(context, refund), address: WALLET },
      vet: async () => undefined,
    })
  ).refund;

it("the claim link is mailed to an address that the merchant's program gave", async () => {
  const refund = await ask(await anOrder());
  start();
  await allEnd(1);
  expect(server.received.map(({ to }) => to)).toEqual([[PAYER]]);
  expect(textOf(0)).toContain(linkOf(refund));
  expect(textOf(0)).toContain("A-17");
  expect(textOf(0)).not.toContain("replaces");
});

it.each(["link", "page"] as const)(
  "the claim link is not mailed to an address that the payer's side typed (%s), unless a person confirmed it",
  async (source) => {
    await ask(await anOrder({ source }));
    const second = await ask(await anOrder({ source }), { askedBy: PERSON, emailConfirmedBy: PERSON });
    start();
    await allEnd(2);
    expect(server.received).toHaveLength(1);
    expect(textOf(0)).toContain(linkOf(second));
    const [first, confirmed] = await messages();
    expect(first?.error).toMatch(/no person confirmed it/);
    // The row says which person did, under its MAC.
    expect(confirmed?.cause).toBe(`refund_claim ${second.id} 1 ${PERSON}`);
  },
);

it("a person that only the database wrote into a message confirms nothing", async () => {
  const refund = await ask(await anOrder({ source: "page" }));
  await shared.owner.query(sql`update messages set cause = ${`refund_claim ${refund.id} 1 ${PERSON}`}`);
  start();
  await allEnd(1);
  expect(server.received).toEqual([]);
});

it("asking again mails the new link, and says that the earlier one is dead", async () => {
  const first = await ask(await anOrder());
  start();
  await allEnd(1);
  const second = await askAgain(context, first);
  wakeUps.notify();
  await allEnd(2);
  expect(textOf(1)).toContain(linkOf(second));
  expect(textOf(1)).toContain("This link replaces the one that you got before");
  expect(textOf(1)).not.toContain(linkOf(first));
});

it("a link that took an address, or that a newer one replaced, is not mailed any more", async () => {
  const first = await ask(await anOrder());
  const second = await askAgain(context, first);
  await claimed(second);
  start();
  await allEnd(2);
  expect(server.received).toEqual([]);
});

it("a refund with an address, and one of an order without an e-mail address, mails no link", async () => {
  await ask(await anOrder(), { address: WALLET });
  const charge = await aCharge(shared.db, { merchantId, amount: "25" });
  await aDeposit(shared.db, { chargeId: charge.id, amount: "30" });
  await ask(charge);
  expect(await messages()).toEqual([]);
});

it("without a mail server no message is written", async () => {
  context = withSettings(shared, { mail: { ...context.config.mail, smtpUrl: undefined } });
  await ask(await anOrder());
  expect(await messages()).toEqual([]);
});

it.each([
  ["0.9", undefined, 0],
  ["2.5", undefined, 1],
  ["9", "TRX", 0],
  ["10", "TRX", 1],
] as const)("for a refund of %s %s the payer is mailed %i times", async (amount, currency, count) => {
  const charge = await aCharge(shared.db, { merchantId, amount: "25" });
  const given = { email: PAYER, source: "api", language: null, later: null } as const;
  const sealed = sealCustomerEmail(context.config.webhooks.masterKey, charge, given);
  await shared.db.query(sql`
    update deposit_addresses set customer_email = ${sealed} where merchant_id = ${merchantId} and id = ${charge.id}`);
  await aDeposit(shared.db, { chargeId: charge.id, amount, ...(currency && { currency }) });
  await ask(charge, { currency: currency ?? null });
  start();
  await allEnd(1);
  expect(server.received).toHaveLength(count);
});

it("the claim link reaches a payer who unsubscribed; the mail that money went back does not", async () => {
  await stopUnsubscribed(shared.db, merchantId, addressHashOf(context, PAYER));
  const refund = await ask(await anOrder());
  start();
  await allEnd(1);
  expect(server.received).toHaveLength(1);
  await complete(await claimed(refund));
  await allEnd(2);
  expect(server.received).toHaveLength(1);
});

it("a refund that is paid mails what the chain moved, its transaction and the end of the address", async () => {
  const refund = await ask(await anOrder());
  const txId = await complete(await claimed(refund), amountFromUnits(4_000_000n));
  start();
  await allEnd(2);
  expect(server.received).toHaveLength(1);
  expect(textOf(0)).toContain(txId);
  expect(textOf(0)).toContain("KcbLSE");
  expect(textOf(0)).toMatch(/4\.00(?:=C2=A0| |\u00a0)USDT/);
  expect(textOf(0)).not.toMatch(/\/r\//);
});

it("two refunds of an order that are completed together mail the payer twice", async () => {
  const order = await anOrder({ source: "page" });
  const refunds = [];
  for (const units of [1_000_000n, 2_000_000n])
    refunds.push(await claimed(await ask(order, { amount: amountFromUnits(units) })));
  for (const refund of refunds) await complete(refund);
  start();
  await allEnd(4);
  expect(server.received).toHaveLength(2);
});

it("a row that another program changed is not mailed, and raises an alarm", async () => {
  const refund = await ask(await anOrder());
  await shared.owner.query(sql`
    update refunds set units = units + 1 where merchant_id = ${merchantId} and id = ${refund.id}`);
  start();
  await allEnd(1);
  expect(server.received).toEqual([]);
  const alarms = (await context.metrics.alarms.get()).values;
  expect(alarms.find(({ labels }) => labels.alarm === "refund_refused")?.value).toBeGreaterThan(0);
});

it("a member who chose it hears that a refund was asked for, can be paid, and is paid; never with the claim link", async () => {
  const owner = await aPerson(shared, { places: [{ merchantId, role: "owner" }] });
  const choices = { refund_requested: ["mail"], refund_ready: ["mail"], refund_completed: ["mail"] };
  await shared.db.query(sql`
    insert into message_choices (merchant_id, person_id, choices, time_zone)
    values (${merchantId}, ${owner.id}, ${JSON.stringify(choices)}::jsonb, 'UTC')`);
  const charge = await aCharge(shared.db, { merchantId, amount: "25", orderRef: "A-17" });
  await aDeposit(shared.db, { chargeId: charge.id, amount: "30" });
  await complete(await claimed(await ask(charge)));
  start();
  await allEnd(3);
  const texts = [0, 1, 2].map(textOf);
  expect(texts.map((text) => /Refund (?:asked for|to pay|paid)/.exec(text)?.[0]).toSorted()).toEqual([
    "Refund asked for",
    "Refund paid",
    "Refund to pay",
  ]);
  for (const text of texts) expect(text).not.toMatch(/\/r\/|ChVWFMSMeR/);
});
