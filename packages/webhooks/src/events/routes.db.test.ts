import { idOf, type MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { plansOf } from "@daric/testing/plans";
import { anEndpointRow, announceDeposit, deliveryRows, orderData } from "@daric/testing/webhook-builders";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { enqueueEvents, type NewWebhookEvent } from "./enqueue-events.ts";
import { readFeed } from "./feed-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let apiKey: string;

beforeAll(async () => {
  context = await createTestContext({ RATE_LIMIT_KEY_BURST: "10000", LOG_LEVEL: "error" });
  app = createApp(context);
});
afterAll(async () => {
  await app.close();
  await context.close();
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
  apiKey = (await anApiKey(context, merchantId)).key;
});

type Feed = {
  data: { id: string; event: string; data: { depositId?: string } | null }[];
  meta: { limit: number; next: string | null; has_more: boolean };
  error: { code: string; details: { path: string; message: string }[] };
};

async function read(query: Record<string, string | number> = {}, key = apiKey) {
  const url = `/v1/events?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;
  const response = await app.inject({ method: "GET", url, headers: { "x-api-key": key } });
  return { status: response.statusCode, text: response.body, ...response.json<Feed>() };
}

/** Every event by repeated calls, as a client reads them. */
async function readAll(query: Record<string, string | number> = {}): Promise<Feed["data"]> {
  const events: Feed["data"] = [];
  let after: string | null = null;
  for (let calls = 0; calls < 200; calls++) {
    const page: Feed = await read({ ...query, ...(after === null ? {} : { after }) });
    events.push(...page.data);
    after = page.meta.next;
    if (!page.meta.has_more) return events;
  }
  throw new Error("the feed does not end");
}

const enqueue = (events: readonly NewWebhookEvent[]) =>
  context.db.transaction((tx) => enqueueEvents(context, tx, events));

function orderPaid(of = merchantId): NewWebhookEvent {
  const resourceId = idOf("charge", uuidv7());
  return { merchantId: of, resourceId, type: "order.paid", data: orderData(resourceId) };
}

describe("the feed of events", () => {
  it("has every event in the order of its writing, page by page, with the body of its webhook", async () => {
    const endpointId = await anEndpointRow(context.db, merchantId);
    const deposits: string[] = [];
    for (let count = 0; count < 5; count++) deposits.push(await announceDeposit(context, merchantId));
    const first = await read({ limit: 2 });
    expect(first.data.map(({ data }) => data?.depositId)).toEqual(deposits.slice(0, 2));
    expect(first.meta).toEqual({ limit: 2, next: first.data[1]?.id, has_more: true });
    const all = await readAll({ limit: 2 });
    expect(all.map(({ data }) => data?.depositId)).toEqual(deposits);
    const bodies = await context.db.query<{ body: Buffer }>(sql`
      select body from webhook_event_bodies join webhook_events event on event.id = event_id
      where event.merchant_id = ${merchantId} order by position`);
    expect(all.map((event) => JSON.stringify(event))).toEqual(bodies.map(({ body }) => body.toString()));
    expect(await deliveryRows(context, endpointId)).toHaveLength(5);
  });

  it("answers an empty page after the last event, with the same cursor, and goes on from it", async () => {
    expect((await read()).meta).toEqual({ limit: 20, next: null, has_more: false });
    await announceDeposit(context, merchantId);
    const { meta } = await read();
    const end = await read({ after: meta.next ?? "" });
    expect([end.data, end.meta]).toEqual([[], { limit: 20, next: meta.next, has_more: false }]);
    const depositId = await announceDeposit(context, merchantId);
    expect((await read({ after: meta.next ?? "" })).data.map(({ data }) => data?.depositId)).toEqual([
      depositId,
    ]);
  });

  it("begins with what comes after now for `newest`, also before the first event", async () => {
    expect((await read({ after: "newest" })).meta.next).toBeNull();
    await announceDeposit(context, merchantId);
    const { data, meta } = await read({ after: "newest" });
    expect(data).toEqual([]);
    const depositId = await announceDeposit(context, merchantId);
    expect((await read({ after: meta.next ?? "" })).data.map((event) => event.data?.depositId)).toEqual([
      depositId,
    ]);
  });

  it("has only the wanted types, and reads past the others in bounded steps", async () => {
    await enqueue(Array.from({ length: 1_200 }, () => orderPaid()));
    const depositId = await announceDeposit(context, merchantId);
    const wanted = { types: "deposit.confirmed, order.expired" };
    const first = await read(wanted);
    expect([first.data, first.meta.has_more]).toEqual([[], true]);
    expect((await readAll(wanted)).map(({ data }) => data?.depositId)).toEqual([depositId]);
    expect(await readAll({ types: "order.paid", limit: 100 })).toHaveLength(1_200);
  });

  it("never shows another merchant's events, and takes none of their ids as a cursor", async () => {
    await announceDeposit(context, merchantId);
    const { meta } = await read();
    const other = (await anApiKey(context, (await aMerchant(context.db)).id)).key;
    expect((await read({}, other)).data).toEqual([]);
    expect((await read({ after: meta.next ?? "" }, other)).status).toBe(422);
  });

  it.each([
    [{ after: "7" }, "VALIDATION_ERROR", "after", "must be the id of one of your events, or newest"],
    [{ after: uuidv7() }, "VALIDATION_ERROR", "after", "must be the id of one of your events, or newest"],
    [
      { types: "order.payed" },
      "INVALID_EVENT_TYPE",
      "types.0",
      "order.payed is not an event: did you mean order.paid?",
    ],
    [{ limit: 101 }, "VALIDATION_ERROR", "limit", "must be at most 100"],
    [{ page: 2 }, "VALIDATION_ERROR", "page", expect.stringContaining("after")],
  ])("refuses %o with the field and its rule", async (query, code, path, message) => {
    const { status, error } = await read(query);
    expect([status, error.code, error.details]).toEqual([422, code, [{ path, message }]]);
  });

  it("shows an event without data once its body is gone, or if its MAC is not ours", async () => {
    await announceDeposit(context, merchantId);
    await announceDeposit(context, merchantId);
    const [gone, forged] = (await read()).data;
    await context.owner.query(sql`delete from webhook_event_bodies where event_id = ${gone?.id}`);
    await context.owner.query(sql`
      update webhook_event_bodies set body = convert_to(replace(convert_from(body, 'UTF8'), '"25"', '"95"'), 'UTF8')
      where event_id = ${forged?.id}`);
    const shown = (await read()).data;
    expect(shown.map(({ id, event, data }) => [id, event, data])).toEqual([
      [gone?.id, "deposit.confirmed", null],
      [forged?.id, "deposit.confirmed", null],
    ]);
    await context.owner.query(sql`
      update webhook_event_bodies set body = convert_to(replace(convert_from(body, 'UTF8'), '"95"', '"25"'), 'UTF8')
      where event_id = ${forged?.id}`);
  });
});

it("an event is retrieved by its id, with the body of its webhook, and is 404 of another merchant", async () => {
  await announceDeposit(context, merchantId);
  const [event] = (await read()).data;
  const retrieve = (key: string) =>
    app.inject({ method: "GET", url: `/v1/events/${event?.id}`, headers: { "x-api-key": key } });
  expect((await retrieve(apiKey)).json().data).toEqual(event);
  const other = await retrieve((await anApiKey(context, (await aMerchant(context.db)).id)).key);
  expect([other.statusCode, other.json().message]).toEqual([
    404,
    "No event with this id belongs to this key.",
  ]);
});

describe("the positions of events", () => {
  it("have no gap and no repetition under concurrent writers of several merchants", async () => {
    const merchants = [merchantId, (await aMerchant(context.db)).id, (await aMerchant(context.db)).id];
    const writing = Array.from({ length: 30 }, async (_, number) => {
      const of = merchants
        .toSorted(() => (number % 2 === 0 ? 1 : -1))
        .flatMap((id) => [orderPaid(id), orderPaid(id)]);
      await enqueue(number % 3 === 0 ? of.toReversed() : of);
    });
    await Promise.all(writing);
    for (const id of merchants) {
      const rows = await context.db.query<{ position: bigint }>(sql`
        select position from webhook_events where merchant_id = ${id} order by position`);
      expect(rows.map(({ position }) => Number(position))).toEqual(
        Array.from({ length: 60 }, (_, place) => place + 1),
      );
    }
  });

  it("are read in the order of commits: an uncommitted event holds up later ones of its merchant, and of no other", async () => {
    let commit = () => {};
    const isDone = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let isWritten = () => {};
    const written = new Promise<void>((resolve) => {
      isWritten = resolve;
    });
    const first = orderPaid();
    const holding = context.db.transaction(async (tx) => {
      await enqueueEvents(context, tx, [first]);
      isWritten();
      await isDone;
    });
    await written;
    const later = enqueue([orderPaid()]);
    await enqueue([orderPaid((await aMerchant(context.db)).id)]);
    expect((await read()).data).toEqual([]);
    commit();
    await Promise.all([holding, later]);
    const { data } = await read();
    expect([data.length, (data[0]?.data as { depositAddressId?: string })?.depositAddressId]).toEqual([
      2,
      first.resourceId,
    ]);
  });

  it("cost a page the rows that it shows, at any depth", async () => {
    await enqueue(Array.from({ length: 3_000 }, () => orderPaid()));
    await context.owner.query(sql`analyze webhook_events, webhook_event_bodies`);
    const options = { merchantId, types: undefined, scan: 20, limit: 20 };
    const on = { db: context.owner, url: context.ownerUrl };
    for (const { scans } of await plansOf(on, (db) => readFeed(db, options, 2_000n)))
      expect(scans.filter((scan) => scan.startsWith("webhook_events "))).toEqual([
        "webhook_events by webhook_events_position",
      ]);
  });
});
