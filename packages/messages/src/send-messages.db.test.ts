import { idOf } from "@daric/domain/ids";
import type { MessageKind } from "@daric/domain/message";
import { sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { aMerchantId } from "@daric/testing/webhook-builders";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sealed } from "./announce.ts";
import type { Message } from "./message.ts";
import { type Deliver, SendFailure, sendMessages } from "./send-messages.ts";
import { createServerPauses } from "./server-pauses.ts";
import { findTime, insertMessages } from "./store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let delivered: Message[];
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  delivered = [];
  await context.owner.query(sql`delete from messages`);
});

const deliver: Deliver = async (message) => {
  delivered.push(message);
  return { is: "sent" };
};

async function write(count: number, kind: MessageKind = "paid"): Promise<void> {
  const merchantId = await aMerchantId(context.db);
  const createdAt = await findTime(context.db);
  const receiver = { of: "person", personId: idOf("person", uuidv7()), channel: "mail" } as const;
  const made = Array.from({ length: count }, () => ({
    merchantId,
    kind,
    cause: uuidv7(),
    receiver,
    createdAt,
  }));
  await insertMessages(context.db, sealed(context, made));
}

type Row = { attempts: number; sent: boolean; ended: boolean; error: string | null; waits: number };
const rows = () =>
  context.db.query<Row>(sql`
    select attempts, sent_at is not null as sent, ended_at is not null as ended, last_error as error,
      round(extract(epoch from due_at - now()))::integer as waits from messages order by id`);
const makeDue = () => context.db.query(sql`update messages set due_at = now() where ended_at is null`);
const alarms = async (alarm: string) =>
  (await context.metrics.alarms.get()).values.find(({ labels }) => labels.alarm === alarm)?.value ?? 0;

it("due messages are sent once, also by two processes at once", async () => {
  await write(30);
  const send = () => sendMessages(context, { lane: "mail" }, deliver);
  await Promise.all([send(), send(), send()]);
  expect(delivered).toHaveLength(30);
  expect(new Set(delivered.map(({ cause }) => cause)).size).toBe(30);
  expect(await send()).toBe(0);
});

it("a lane does not take the messages of another", async () => {
  await write(1);
  expect(await sendMessages(context, { lane: "chat" }, deliver)).toBe(0);
  expect(delivered).toEqual([]);
});

it("a message that the service did not write is not sent, and an alarm says so", async () => {
  await write(1);
  const before = await alarms("message_refused");
  await context.db.query(sql`
    insert into messages (merchant_id, lane, kind, cause, receiver, created_at, mac, due_at, gives_up_at)
    select merchant_id, lane, kind, 'another', receiver, created_at, mac, due_at, gives_up_at from messages`);
  await sendMessages(context, { lane: "mail" }, deliver);
  expect(delivered).toHaveLength(1);
  expect((await rows())[1]).toMatchObject({ sent: false, ended: true, error: "its code is not ours" });
  expect((await alarms("message_refused")) - before).toBe(1);
});

it("a failed message is tried again after growing pauses, and given up with an alarm after a day", async () => {
  await write(1);
  const fail: Deliver = async () => {
    throw new SendFailure("451 try again", { of: "message" });
  };
  const waits: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    await sendMessages(context, { lane: "mail" }, fail);
    waits.push((await rows())[0]?.waits ?? 0);
    await makeDue();
  }
  expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900]);
  const before = await alarms("message_given_up");
  await context.owner.query(sql`update messages set gives_up_at = now()`);
  await sendMessages(context, { lane: "mail" }, fail);
  expect((await rows())[0]).toMatchObject({ sent: false, ended: true, error: "451 try again" });
  expect((await alarms("message_given_up")) - before).toBe(1);
});

it("while a server is away no message dials it, and each waits by its own pauses", async () => {
  await write(3);
  const pauses = createServerPauses(context.clock);
  let dialled = 0;
  const away: Deliver = (message) =>
    pauses.through("mail", async () => {
      dialled += 1;
      throw new SendFailure(`421 closing ${message.kind}`, { of: "server", pauseMs: 120_000 });
    });
  await sendMessages(context, { lane: "mail" }, away);
  expect(dialled).toBe(1);
  const all = await rows();
  for (const row of all) expect(row).toMatchObject({ attempts: 1, error: "421 closing paid" });
  expect(all.map(({ waits }) => waits >= 119 && waits <= 120)).toEqual([true, true, true]);
});

it("one server that is away holds up no other", async () => {
  await write(2);
  const pauses = createServerPauses(context.clock);
  const [first] = await context.db.query<{ cause: string }>(
    sql`select cause from messages order by id limit 1`,
  );
  const half: Deliver = (message) =>
    pauses.through(message.cause === first?.cause ? "dead" : "live", async () => {
      if (message.cause === first?.cause) throw new SendFailure("refused", { of: "server" });
      return deliver(message);
    });
  for (let round = 0; round < 3; round += 1) {
    await sendMessages(context, { lane: "mail" }, half);
    await makeDue();
  }
  expect(delivered).toHaveLength(1);
});

it("every message of a server that stays away is given up after its day", async () => {
  await write(5);
  const pauses = createServerPauses(context.clock);
  const away: Deliver = () =>
    pauses.through("mail", async () => {
      throw new SendFailure("ECONNREFUSED", { of: "server" });
    });
  const before = await alarms("message_given_up");
  await sendMessages(context, { lane: "mail" }, away);
  await context.owner.query(sql`
    update messages set gives_up_at = gives_up_at - interval '24 hours', due_at = now()`);
  await sendMessages(context, { lane: "mail" }, away);
  expect((await rows()).every(({ ended, sent }) => ended && !sent)).toBe(true);
  expect((await alarms("message_given_up")) - before).toBe(5);
});

it("a process that lost its lease changes nothing of the row", async () => {
  await write(1);
  let go = () => {};
  const waits = new Promise<void>((resolve) => {
    go = resolve;
  });
  const slow = sendMessages(context, { lane: "mail" }, async () => {
    await waits;
    throw new SendFailure("too late", { of: "message" });
  });
  await expect.poll(async () => (await rows())[0]?.attempts).toBe(1);
  await makeDue();
  await sendMessages(context, { lane: "mail" }, deliver);
  go();
  await slow;
  expect(await rows()).toMatchObject([{ sent: true, ended: true, error: null, attempts: 2 }]);
});

it("a refused receiver ends its message without an alarm, and holds up no other", async () => {
  await write(2);
  const before = await alarms("message_given_up");
  const refuseFirst: Deliver = async (message) => {
    if (delivered.push(message) === 1) throw new SendFailure("550 no such user", { of: "receiver" });
    return { is: "sent" };
  };
  await sendMessages(context, { lane: "mail" }, refuseFirst);
  expect(await rows()).toMatchObject([
    { sent: false, ended: true, error: "550 no such user" },
    { sent: true, ended: true, error: null },
  ]);
  expect(await alarms("message_given_up")).toBe(before);
});

it("a message that is put off keeps its day of trying from then on", async () => {
  await write(1);
  const until = new Date(Date.now() + 9 * 3_600_000);
  await sendMessages(context, { lane: "mail" }, async () => ({ is: "put off", until }));
  const [row] = await context.db.query<{ attempts: number; day: number }>(sql`
    select attempts, round(extract(epoch from gives_up_at - due_at))::integer as day from messages`);
  expect(row).toEqual({ attempts: 0, day: 86_400 });
});

it("a message whose process died is taken again when the lease is over, and not before", async () => {
  await write(1);
  let started = () => {};
  const hasStarted = new Promise<void>((resolve) => {
    started = resolve;
  });
  // The process dies in the middle of its sending.
  void sendMessages(context, { lane: "mail" }, () => {
    started();
    return new Promise(() => {});
  });
  await hasStarted;
  await sendMessages(context, { lane: "mail" }, deliver);
  expect(delivered).toEqual([]);
  await makeDue();
  await sendMessages(context, { lane: "mail" }, deliver);
  expect(delivered).toHaveLength(1);
});

it("a receiver gets one message of a cause, whatever writes it again", async () => {
  const merchantId = await aMerchantId(context.db);
  const receiver = { of: "person", personId: idOf("person", uuidv7()), channel: "mail" } as const;
  const message = {
    merchantId,
    kind: "daily_summary",
    cause: "daily_summary 2026-03-29 UTC",
    receiver,
  } as const;
  for (const createdAt of [new Date(), new Date(Date.now() + 60_000)])
    await insertMessages(context.db, sealed(context, [{ ...message, createdAt }]));
  expect(await rows()).toHaveLength(1);
});
