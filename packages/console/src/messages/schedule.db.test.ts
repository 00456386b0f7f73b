import { idOf, type MerchantId } from "@daric/domain/ids";
import type { OrderEventData } from "@daric/domain/webhook-event";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext, type TestContext, withSettings } from "@daric/testing/context";
import { type MailServer, openMailServer } from "@daric/testing/mail-server";
import { aPerson } from "@daric/testing/people";
import { aMerchantId, orderData } from "@daric/testing/webhook-builders";
import { enqueueEvents } from "@daric/webhooks/events/enqueue-events";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createSchedule } from "./schedule.ts";
import { sumPaid } from "./sum-paid.ts";
import { startMessageWorker } from "./worker.ts";

let shared: Awaited<ReturnType<typeof createTestContext>>;
let server: MailServer;
let context: TestContext;
let merchantId: MerchantId;
beforeAll(async () => {
  shared = await createTestContext();
  server = await openMailServer();
  context = withSettings(shared, {
    mail: { smtpUrl: server.url, mailFrom: "pay@host.example", perMinute: 60_000 },
    http: { publicBaseUrl: "https://pay.host.example" },
  });
});
afterAll(async () => {
  await server.close();
  await shared.close();
});
beforeEach(async () => {
  server.received.length = 0;
  merchantId = await aMerchantId(shared.db);
});

async function paid(...received: readonly Partial<OrderEventData>[]): Promise<void> {
  await shared.db.transaction((tx) =>
    enqueueEvents(
      shared,
      tx,
      received.map((data) => {
        const resourceId = idOf("charge", uuidv7());
        return {
          merchantId,
          type: "order.paid" as const,
          resourceId,
          data: { ...orderData(resourceId), ...data },
        };
      }),
    ),
  );
}

const lately = () => ({ from: new Date(Date.now() - 60_000), until: new Date(Date.now() + 60_000) });

it("a summary adds the paid orders of a time by coin, and leaves out what the service did not write", async () => {
  await paid(
    { amountReceived: "25.5" },
    { amountReceived: "0.000001" },
    { currency: "TRX", amountReceived: "7" },
  );
  expect(await sumPaid(context as never, merchantId, lately())).toEqual({
    orders: 3,
    sums: [
      { currency: "USDT", amount: "25.500001" },
      { currency: "TRX", amount: "7" },
    ],
  });
  await shared.owner.query(sql`
    update webhook_event_bodies set body = convert_to(replace(convert_from(body, 'UTF8'), '"7"', '"7000"'), 'UTF8')
    where merchant_id = ${merchantId}`);
  expect(await sumPaid(context as never, merchantId, lately())).toMatchObject({ orders: 2 });
});

it("the summary of the day and the statement of the month are written once and arrive, the statement as a file", async () => {
  const owner = await aPerson(shared, { places: [{ merchantId, role: "owner" }] });
  await shared.db.query(sql`
    insert into message_choices (merchant_id, person_id, choices, time_zone, updated_at)
    values (${merchantId}, ${owner.id}, '{"daily_summary":["mail"],"monthly_statement":["mail"]}', 'Europe/Berlin',
      '2026-11-01T00:00:00Z')`);
  const clock = { ...context.clock, now: () => new Date("2026-12-01T12:00:00Z") };
  for (let process = 0; process < 2; process += 1) {
    const schedule = createSchedule({ ...context, clock } as never);
    await schedule.write();
    await schedule.write();
  }
  await shared.owner.query(sql`update messages set due_at = now(), gives_up_at = now() + interval '1 day'`);
  const worker = startMessageWorker({ ...context, clock } as never);
  await expect.poll(() => server.received.length, { timeout: 10_000 }).toBe(2);
  await worker.stop();
  const raws = server.received.map(({ raw }) => raw);
  expect(raws.filter((raw) => raw.includes("statement-2026-11.csv"))).toHaveLength(1);
  expect(
    raws.filter((raw) => /^Subject:.*November.30.*2026|^Subject:.*30.November.*2026/m.test(raw)),
  ).toHaveLength(1);
  const rows = await shared.db.query(sql`
    select kind, sent_at is not null as sent from messages where merchant_id = ${merchantId} order by kind`);
  expect(rows).toEqual([
    { kind: "daily_summary", sent: true },
    { kind: "monthly_statement", sent: true },
  ]);
});

it("no statement is written before the month is over for the merchant, whose zone is further west than the member's", async () => {
  const shop = await aMerchant(shared.db, { timeZone: "America/New_York" });
  const owner = await aPerson(shared, { places: [{ merchantId: shop.id, role: "owner" }] });
  await shared.db.query(sql`
    insert into message_choices (merchant_id, person_id, choices, time_zone, updated_at)
    values (${shop.id}, ${owner.id}, '{"monthly_statement":["mail"]}', 'Pacific/Auckland', '2026-11-01T00:00:00Z')`);
  let now = new Date("2026-12-01T05:04:59Z");
  const schedule = createSchedule({ ...context, clock: { ...context.clock, now: () => now } } as never);
  const written = () =>
    shared.db.query<{ cause: string }>(sql`select cause from messages where merchant_id = ${shop.id}`);
  await schedule.write();
  expect(await written()).toEqual([]);
  now = new Date("2026-12-01T05:05:00Z");
  await schedule.write();
  expect(await written()).toEqual([{ cause: "monthly_statement 2026-11" }]);
});
