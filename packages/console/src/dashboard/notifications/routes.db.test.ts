import type { MerchantId } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import type { ApiApp } from "@daric/http/api-app";
import { audienceOf } from "@daric/messages/audience";
import { openChannel } from "@daric/messages/channel-address";
import { findChannel } from "@daric/messages/channel-store";
import { hashOfCode } from "@daric/messages/link-chats";
import { addressHashOf, stopRefused } from "@daric/messages/mail-stop-store";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { amplePeopleLimits, aPerson, type Browser, signedIn, type TestPerson } from "@daric/testing/people";
import { startTelegram, type TelegramServer, telegramRefusals } from "@daric/testing/telegram";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

const BASE = "/dashboard/v1/notifications";
const PUBLIC = "93.184.216.34";

let context: Awaited<ReturnType<typeof createTestContext>>;
let telegram: TelegramServer;
let app: ApiApp;
let merchantId: MerchantId;
let person: TestPerson;
let owner: Browser;
beforeAll(async () => {
  telegram = await startTelegram();
  context = await createTestContext({
    ...amplePeopleLimits,
    ALERT_TELEGRAM_TOKEN: telegram.token,
    SMTP_URL: "smtp://127.0.0.1:1?tls=none",
    MAIL_FROM: "daric@shop.example",
  });
  const resolve = async (host: string) => (host.endsWith(".private.example") ? ["10.0.0.7"] : [PUBLIC]);
  const access = {
    ...telegram.access,
    resolve: async (host: string, options: Parameters<typeof telegram.access.resolve>[1]) =>
      host === "api.telegram.org" ? telegram.access.resolve(host, options) : resolve(host),
  };
  app = createApp(context, { access });
}, 60_000);
afterAll(async () => {
  await app.close();
  await context.close();
  await telegram.close();
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
  [person, owner] = await member("owner");
});

async function member(role: MerchantRole, at = merchantId): Promise<[TestPerson, Browser]> {
  const made = await aPerson(context, { places: [{ merchantId: at, role }] });
  return [made, await signedIn(app, made, at)];
}
const read = async (browser = owner) => (await browser.send(BASE)).body.data;
const choose = (body: object, browser = owner) =>
  browser.send(
    BASE,
    { kinds: [], everyPaid: false, quietFrom: null, quietTo: null, timeZone: "UTC", ...body },
    { method: "PUT" },
  );
const add = (body: object, browser = owner) => browser.send(`${BASE}/channels`, body);
const addUrl = async (url: string, browser = owner) => (await add({ kind: "url", url }, browser)).body.data;
const of = (id: string, verb: string, browser = owner) => browser.send(`${BASE}/channels/${id}/${verb}`, {});
const remove = (id: string, browser = owner) =>
  browser.send(`${BASE}/channels/${id}`, undefined, { method: "DELETE" });
const rowOf = async (id: string) => (await read()).channels.find((row: { id: string }) => row.id === id);
const audit = async () =>
  context.db.query<{ action: string; after: object | null }>(sql`
    select action, after from audit_log where merchant_id = ${merchantId} order by id`);
/** Does the same as `link-chats.ts` once a chat has used the code. */
const useCode = (id: string) =>
  context.owner.query(sql`
    update message_channels set sealed = '\x01', name = 'Shop team', code_hash = null where id = ${id}`);

describe("choices", () => {
  it("are the defaults of the role until the member chooses", async () => {
    const row = await read();
    expect(row).toMatchObject({ is_default: true, mail_configured: true, telegram_configured: true });
    const told = row.kinds.filter(({ channels }: { channels: string[] }) => channels.length > 0);
    expect(told.map(({ kind }: { kind: string }) => kind)).toContain("paid");
    expect(row.channels).toMatchObject([{ id: "mail", kind: "mail", name: person.email, status: "active" }]);
    const [, viewer] = await member("viewer");
    const { kinds } = await read(viewer);
    expect(kinds.flatMap(({ channels }: { channels: string[] }) => channels)).toEqual([]);
  });

  it("are stored, count at once, and the audit log has them", async () => {
    const { id } = await addUrl("https://chat.example/hook");
    const kinds = [
      { kind: "paid", channels: ["mail", id] },
      { kind: "stuck", channels: [id] },
    ];
    const told = async () =>
      (await audienceOf(context, context.db, [merchantId])).receivers(merchantId, "stuck", true);
    expect(await told()).toEqual([]);
    const { status, body } = await choose({
      ...{ kinds, everyPaid: true, quietFrom: "22:00", quietTo: "07:30", timeZone: "Europe/Berlin" },
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      ...{ is_default: false, every_paid: true, time_zone: "Europe/Berlin" },
      ...{ quiet_from: "22:00", quiet_to: "07:30" },
    });
    expect(await read()).toEqual(body.data);
    expect(body.data.kinds).toContainEqual({ kind: "stuck", channels: [id] });
    expect(await told()).toEqual([{ of: "person", personId: person.id, channel: id }]);
    expect((await audit()).at(-1)).toMatchObject({
      action: "choose notifications",
      after: { everyPaid: true },
    });
    expect((await choose({})).body.data).toMatchObject({
      is_default: false,
      quiet_from: null,
      quiet_to: null,
    });
  });

  it.each([
    ["kinds.0.kind", { kinds: [{ kind: "refunded", channels: [] }] }],
    ["kinds.0.channels.0", { kinds: [{ kind: "paid", channels: ["sms"] }] }],
    [
      "kinds.0.channels.1",
      { kinds: [{ kind: "paid", channels: ["mail", "0190f1c5-0000-7000-8000-000000000000"] }] },
    ],
    [
      "kinds.1.kind",
      {
        kinds: [
          { kind: "paid", channels: [] },
          { kind: "paid", channels: ["mail"] },
        ],
      },
    ],
    ["quietTo", { quietFrom: "22:00" }],
    ["quietFrom", { quietTo: "07:00" }],
    ["quietTo", { quietFrom: "22:00", quietTo: "22:00" }],
    ["quietFrom", { quietFrom: "24:00", quietTo: "07:00" }],
    ["timeZone", { timeZone: "Mars/Olympus" }],
    ["timeZone", { timeZone: "+01:00" }],
  ])("a fault is refused by the name of its field: %s", async (path, body) => {
    const { status, body: answer } = await choose(body);
    expect(status).toBe(422);
    expect(answer.error.details).toMatchObject([{ path, message: expect.any(String) }]);
    expect((await read()).is_default).toBe(true);
  });

  it("a channel of another member, or of the member at another merchant, cannot be chosen", async () => {
    const [, other] = await member("admin");
    const { id } = await addUrl("https://chat.example/hook", other);
    const foreign = await choose({ kinds: [{ kind: "paid", channels: [id] }] });
    expect(foreign.body.error.details).toMatchObject([{ path: "kinds.0.channels.0" }]);
  });

  it("the mail shows why its address gets no mail", async () => {
    const hash = addressHashOf(context, person.email);
    await stopRefused(context.db, hash, "550 no such user");
    expect((await read()).channels[0]).toMatchObject({ status: "failing", failure: "550 no such user" });
  });
});

describe("a Telegram chat", () => {
  it("is asked for by a code of 128 bits, which no other answer has, and is confirmed by name", async () => {
    const { status, body } = await add({ kind: "telegram" });
    expect(status).toBe(201);
    const { id, code, ...asked } = body.data;
    expect(code).toMatch(/^[\w-]{22}$/);
    expect(asked).toMatchObject({
      ...{ kind: "telegram", status: "waiting_for_code", name: null },
      link: `https://t.me/${telegram.name}?start=${code}`,
      group_link: `https://t.me/${telegram.name}?startgroup=${code}`,
    });
    expect(JSON.stringify([await read(), await audit()])).not.toContain(code);
    const [stored] = await context.db.query<{ hash: Buffer; minutes: number }>(sql`
      select code_hash as hash, round(extract(epoch from code_expires_at - now()) / 60)::integer as minutes
      from message_channels where id = ${id}`);
    expect(stored).toEqual({ hash: hashOfCode(code), minutes: 10 });
    expect((await of(id, "confirm")).status).toBe(404);
    await useCode(id);
    expect(await rowOf(id)).toMatchObject({ status: "waiting_for_confirmation", name: "Shop team" });
    expect((await of(id, "test")).status).toBe(404);
    expect((await of(id, "confirm")).body.data).toMatchObject({ status: "active", name: "Shop team" });
    expect((await of(id, "confirm")).status).toBe(404);
    expect((await audit()).map(({ action }) => action)).toEqual(["add chat", "confirm chat"]);
  });

  it("that is asked for anew ends the code before, and one that no chat used in time is gone", async () => {
    const first = (await add({ kind: "telegram" })).body.data.id;
    const second = (await add({ kind: "telegram" })).body.data.id;
    expect([await rowOf(first), await rowOf(second)]).toMatchObject([undefined, { id: second }]);
    await context.owner.query(sql`
      update message_channels set code_expires_at = now() - interval '1 second' where id = ${second}`);
    expect((await read()).channels).toHaveLength(1);
  });

  it("is refused in words while Telegram does not name the bot", async () => {
    const away = createApp(context, { access: telegram.access });
    telegram.answerNext("getMe", telegramRefusals.broken);
    const browser = await signedIn(away, person, merchantId);
    const refused = await add({ kind: "telegram" }, browser);
    expect([refused.status, refused.body.error.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    expect(refused.text).not.toContain(telegram.token);
    expect((await add({ kind: "telegram" }, browser)).status).toBe(201);
    await away.close();
  });
});

describe("a chat's URL", () => {
  it("is stored sealed, shown by its host alone, and active at once", async () => {
    const url = "https://hooks.chat.example/services/T0/secret?key=1";
    const { status, body, text } = await add({ kind: "url", url });
    expect(status).toBe(201);
    const row = { kind: "url", name: "hooks.chat.example", status: "active", code: null, link: null };
    expect(body.data).toMatchObject(row);
    const { id } = body.data;
    expect(`${text}${JSON.stringify([await read(), await audit()])}`).not.toContain("secret");
    const channel = await findChannel(context.db, { merchantId, id });
    const { masterKey } = context.config.webhooks;
    expect(openChannel([masterKey], { merchantId, id }, channel?.sealed ?? Buffer.of())).toBe(url);
  });

  it.each([
    ["https://10.0.0.7/hook", "INVALID_WEBHOOK_URL"],
    ["https://chat.private.example/hook", "INVALID_WEBHOOK_URL"],
    ["http://chat.example/hook", "VALIDATION_ERROR"],
    ["javascript:alert(1)", "INVALID_WEBHOOK_URL"],
  ])("that is private or without TLS is refused: %s", async (url, code) => {
    const { body } = await add({ kind: "url", url });
    expect(body.error).toMatchObject({ code, details: [{ path: "url" }] });
    expect((await read()).channels).toHaveLength(1);
  });

  it("without TLS is taken where the operator's list opens the host", async () => {
    expect(await addUrl("http://127.0.0.1:8065/hooks/x")).toMatchObject({ name: "127.0.0.1:8065" });
  });
});

describe("channels", () => {
  it("are at most ten, and removing one makes room", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 10; count += 1) ids.push((await addUrl("https://chat.example/x")).id);
    const eleventh = await add({ kind: "url", url: "https://chat.example/x" });
    expect([eleventh.status, eleventh.body.error.code]).toEqual([422, "CAP_REACHED"]);
    expect((await add({ kind: "telegram" })).body.error.code).toBe("CAP_REACHED");
    expect((await remove(ids[0] ?? "")).status).toBe(200);
    expect((await add({ kind: "url", url: "https://chat.example/x" })).status).toBe(201);
  });

  it("that are removed keep no address, and leave the choices", async () => {
    const { id } = await addUrl("https://chat.example/x");
    await choose({ kinds: [{ kind: "stuck", channels: [id] }] });
    expect((await remove(id)).status).toBe(200);
    expect((await remove(id)).status).toBe(404);
    const row = await read();
    expect(row.channels).toHaveLength(1);
    expect(row.kinds).toContainEqual({ kind: "stuck", channels: [] });
    const [stored] = await context.db.query(
      sql`select sealed, confirmed_at from message_channels where id = ${id}`,
    );
    expect(stored).toEqual({ sealed: null, confirmed_at: null });
    expect(
      (await audienceOf(context, context.db, [merchantId])).receivers(merchantId, "stuck", true),
    ).toEqual([]);
  });

  it("get a test message, at most six a minute, and show what became of it", async () => {
    const { id } = await addUrl("https://chat.example/x");
    for (let count = 0; count < 6; count += 1) expect((await of(id, "test")).status).toBe(202);
    expect((await of(id, "test")).status).toBe(429);
    const rows = await context.db.query<{ kind: string; lane: string; receiver: string }>(sql`
      select distinct kind, lane, receiver from messages where merchant_id = ${merchantId}`);
    expect(rows).toEqual([{ kind: "channel_test", lane: "chat", receiver: `person ${person.id} ${id}` }]);
    expect((await rowOf(id)).test).toMatchObject({ sent_at: null, failure: null });
    await context.owner.query(sql`
      update messages set last_error = 'chat.example answered HTTP 500' where merchant_id = ${merchantId}`);
    expect((await rowOf(id)).test).toMatchObject({ failure: "chat.example answered HTTP 500" });
  });

  it("of another member and of another merchant are not found", async () => {
    const { id } = await addUrl("https://chat.example/x");
    const asked = (await add({ kind: "telegram" })).body.data.id;
    await useCode(asked);
    const [, colleague] = await member("owner");
    const elsewhere = await aMerchant(context.db);
    const [, stranger] = await member("owner", elsewhere.id);
    for (const browser of [colleague, stranger]) {
      expect((await of(asked, "confirm", browser)).status).toBe(404);
      expect((await of(id, "test", browser)).status).toBe(404);
      expect((await remove(id, browser)).status).toBe(404);
      expect((await read(browser)).channels).toHaveLength(1);
    }
    expect((await remove(id)).status).toBe(200);
  });

  it("end with the membership, and so do the choices", async () => {
    const [leaver, browser] = await member("viewer");
    const { id } = await addUrl("https://chat.example/x", browser);
    await choose({ kinds: [{ kind: "paid", channels: [id] }] }, browser);
    await owner.send(`/dashboard/v1/people/${leaver.id}`, undefined, { method: "DELETE" });
    expect((await browser.send(BASE)).status).not.toBe(200);
    const left = await context.db.query(sql`
      select person_id from message_channels where merchant_id = ${merchantId} and id = ${id}
      union all select person_id from message_choices where merchant_id = ${merchantId}`);
    expect(left).toEqual([]);
  });
});
