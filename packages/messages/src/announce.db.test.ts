import { idOf, type MerchantId, type PersonId } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import { MAX_PAID_A_DAY, type MessageChoices, parseReceiver } from "@daric/domain/message";
import { sql } from "@daric/postgres/sql";
import { createTestContext, type TestContext, withSettings } from "@daric/testing/context";
import { aPerson } from "@daric/testing/people";
import { aMerchantId, anEndpointRow, depositData, orderData } from "@daric/testing/webhook-builders";
import { enqueueEvents, type NewWebhookEvent } from "@daric/webhooks/events/enqueue-events";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { forgetAudience } from "./audience.ts";
import { isMessageMac } from "./message.ts";

let shared: Awaited<ReturnType<typeof createTestContext>>;
let context: TestContext;
let merchantId: MerchantId;
beforeAll(async () => {
  shared = await createTestContext();
  const mail = { smtpUrl: "smtp://127.0.0.1:9?tls=none", mailFrom: "daric@shop.example" };
  context = withSettings(shared, { mail });
});
afterAll(() => shared.close());
beforeEach(async () => {
  merchantId = await aMerchantId(shared.db);
});

async function aMember(role: MerchantRole): Promise<PersonId> {
  const { id } = await aPerson(shared, { places: [{ merchantId, role }] });
  forgetAudience(context, merchantId);
  return id;
}

async function choose(personId: PersonId, choices: MessageChoices, everyPaid = false): Promise<void> {
  await shared.db.query(sql`
    insert into message_choices (merchant_id, person_id, choices, every_paid)
    values (${merchantId}, ${personId}, ${JSON.stringify(choices)}::jsonb, ${everyPaid})
    on conflict (merchant_id, person_id) do update set choices = excluded.choices, every_paid = excluded.every_paid`);
  forgetAudience(context, merchantId);
}

type Facts = { readonly isByPerson?: boolean; readonly hasCustomerEmail?: boolean };

function order(type: NewWebhookEvent["type"], { isByPerson = false, hasCustomerEmail = false }: Facts = {}) {
  const id = idOf("charge", uuidv7());
  const told = { id, isByPerson, hasCustomerEmail };
  return { merchantId, resourceId: id, told, type, data: orderData(id) } as NewWebhookEvent;
}

function deposit(
  type: "deposit.confirmed" | "deposit.unmatched" | "deposit.stuck",
  data: object,
  facts: Facts = {},
) {
  const id = idOf("deposit", uuidv7());
  const { told } = order("order.paid", facts);
  return { merchantId, resourceId: id, told, type, data: { ...depositData(id), ...data } } as NewWebhookEvent;
}

const enqueue = (events: readonly NewWebhookEvent[], by: TestContext = context) =>
  by.db.transaction((tx) => enqueueEvents(by, tx, events));

async function messages(): Promise<{ kind: string; receiver: string }[]> {
  return shared.db.query(sql`
    select kind, receiver from messages where merchant_id = ${merchantId} order by id`);
}

it("an owner is mailed by default; another member gets no message", async () => {
  const owner = await aMember("owner");
  await aMember("admin");
  await enqueue([
    order("order.paid"),
    order("order.underpaid"),
    order("order.overpaid"),
    order("order.paid_late"),
    order("order.accepted"),
    order("order.expired"),
    deposit("deposit.unmatched", { unmatched: true }),
    deposit("deposit.stuck", {}),
    deposit("deposit.confirmed", {}),
  ]);
  expect(await messages()).toEqual(
    ["paid", "underpaid", "overpaid", "paid_late", "other_coin"].map((kind) => ({
      kind,
      receiver: `person ${owner} mail`,
    })),
  );
});

it("paid orders of programs are not told while an endpoint works; those made by persons are", async () => {
  await aMember("owner");
  const endpoint = await anEndpointRow(shared.db, merchantId);
  await enqueue([order("order.paid"), order("order.paid", { isByPerson: true })]);
  expect(await messages()).toHaveLength(1);
  await shared.db.query(sql`
    insert into endpoint_health (merchant_id, endpoint_id, failed_attempts, failing_since, probe_at)
    values (${merchantId}, ${endpoint}, 5, now(), now())`);
  forgetAudience(context, merchantId);
  await enqueue([order("order.paid")]);
  expect(await messages()).toHaveLength(2);
});

it("a member who wants every paid order gets a message of each while an endpoint works", async () => {
  const owner = await aMember("owner");
  await anEndpointRow(shared.db, merchantId);
  await choose(owner, { paid: ["mail"] }, true);
  await enqueue([order("order.paid")]);
  expect(await messages()).toHaveLength(1);
});

it("above 20 paid orders a day a receiver gets one message an hour", async () => {
  await aMember("owner");
  await enqueue(Array.from({ length: MAX_PAID_A_DAY - 1 }, () => order("order.paid")));
  await enqueue(Array.from({ length: 5 }, () => order("order.paid")));
  await enqueue([order("order.paid")]);
  const kinds = (await messages()).map(({ kind }) => kind);
  expect(kinds).toEqual([...Array.from({ length: MAX_PAID_A_DAY }, () => "paid"), "paid_hour"]);
  const [hour] = await shared.db.query<{ due: boolean }>(sql`
    select due_at = date_trunc('hour', created_at) + interval '1 hour 1 minute' as due from messages
    where merchant_id = ${merchantId} and kind = 'paid_hour'`);
  expect(hour).toEqual({ due: true });
});

it("a payer who left an address is mailed when the order is paid or accepted, and for money that does not pay it", async () => {
  const facts = { hasCustomerEmail: true };
  await enqueue([
    order("order.paid", facts),
    order("order.accepted", facts),
    deposit("deposit.confirmed", { paymentState: "under", late: false }, facts),
    deposit("deposit.confirmed", { paymentState: "exact", late: true }, facts),
    deposit("deposit.confirmed", { paymentState: "exact", late: false }, facts),
    order("order.underpaid", facts),
    order("order.paid"),
  ]);
  expect((await messages()).map(({ kind, receiver }) => [kind, parseReceiver(receiver)?.of])).toEqual([
    ["payer_paid", "payer"],
    ["payer_paid", "payer"],
    ["payer_short", "payer"],
    ["payer_short", "payer"],
  ]);
});

it("without a mail server no mail is written, and chats get their messages", async () => {
  const owner = await aMember("owner");
  const chat = idOf("messageChannel", uuidv7());
  await shared.db.query(sql`
    insert into message_channels (merchant_id, id, person_id, kind, name, sealed, confirmed_at)
    values (${merchantId}, ${chat}, ${owner}, 'url', 'chat.example', ${Buffer.alloc(40)}, now())`);
  await choose(owner, { paid: ["mail", chat] });
  await enqueue([order("order.paid", { hasCustomerEmail: true })], shared);
  expect(await messages()).toEqual([{ kind: "paid", receiver: `person ${owner} ${chat}` }]);
});

it("an order that was paid late or too much makes one message, and none beside it that it was paid", async () => {
  await aMember("owner");
  const [late, over] = [order("order.paid"), order("order.paid")];
  await enqueue([
    ...[late, { ...late, type: "order.paid_late" } as NewWebhookEvent],
    ...[over, { ...over, type: "order.overpaid" } as NewWebhookEvent],
    order("order.paid"),
  ]);
  expect((await messages()).map(({ kind }) => kind).toSorted()).toEqual(["overpaid", "paid", "paid_late"]);
});

it("an event that is announced again writes no message again, and a removed channel gets none", async () => {
  const owner = await aMember("owner");
  const chat = idOf("messageChannel", uuidv7());
  await choose(owner, { paid: ["mail", chat] });
  const event = order("order.paid");
  await enqueue([event]);
  await enqueue([event]);
  expect(await messages()).toEqual([{ kind: "paid", receiver: `person ${owner} mail` }]);
});

it("the MAC of a message covers its merchant, kind, cause, receiver and time", async () => {
  await aMember("owner");
  await enqueue([order("order.paid")]);
  const [row] = await shared.db.query<never>(sql`
    select merchant_id as "merchantId", kind, cause, receiver, created_at as "createdAt", mac from messages
    where merchant_id = ${merchantId}`);
  const { mac, receiver, ...stored } = row as unknown as Record<"mac" | "receiver" | "createdAt", never>;
  const message = { ...stored, receiver: parseReceiver(receiver) } as never as Parameters<
    typeof isMessageMac
  >[1];
  expect(isMessageMac(context, message, mac)).toBe(true);
  const changes = [
    { merchantId: idOf("merchant", uuidv7()) },
    { kind: "overpaid" as const },
    { cause: uuidv7() },
    { receiver: { of: "payer" as const, chargeId: idOf("charge", uuidv7()) } },
    { createdAt: new Date(0) },
  ];
  for (const change of changes) expect(isMessageMac(context, { ...message, ...change }, mac)).toBe(false);
});

it("a merchant without a receiver has no message, and its members are read once in some seconds", async () => {
  const read: string[] = [];
  await enqueue([order("order.paid")]);
  await context.db.transaction(async (tx) => {
    const watched = {
      ...tx,
      query: (statement: { text: string }) => {
        read.push(statement.text);
        return tx.query(statement as never);
      },
    };
    await enqueueEvents(context, watched as never, [order("order.paid"), order("order.overpaid")]);
  });
  expect(read.filter((text) => text.includes("memberships"))).toEqual([]);
  expect(read.filter((text) => text.includes("messages"))).toEqual([]);
  expect(await messages()).toEqual([]);
});
