import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { idOf, type MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { aPerson, type TestPerson } from "@daric/testing/people";
import { startTelegram, type TelegramServer, telegramRefusals } from "@daric/testing/telegram";
import { until } from "@daric/testing/until";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { openChannel } from "./channel-address.ts";
import { confirmChannel, findChannel, insertChannel } from "./channel-store.ts";
import { hashOfCode, startChatLinker } from "./link-chats.ts";
import { resealChannels } from "./reseal-channels.ts";
import { sendToChannel } from "./send-to-channel.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let telegram: TelegramServer;
let merchantId: MerchantId;
let person: TestPerson;
let linker: ReturnType<typeof startChatLinker>;

beforeAll(async () => {
  telegram = await startTelegram();
  context = await createTestContext({ ALERT_TELEGRAM_TOKEN: telegram.token });
  merchantId = (await aMerchant(context.db)).id;
  person = await aPerson(context, { places: [{ merchantId, role: "owner" }] });
}, 60_000);
afterAll(async () => {
  await context.close();
  await telegram.close();
});
beforeEach(() => {
  linker = startLinker();
});
afterEach(() => linker.stop());

async function ask() {
  const code = randomBytes(16).toString("base64url");
  const id = idOf("messageChannel", randomUUID());
  const asked = { name: null, sealed: null, codeHash: hashOfCode(code) };
  await insertChannel(context.db, { merchantId, id, personId: person.id, kind: "telegram", ...asked });
  return { id, code };
}
const startLinker = () => startChatLinker(context, { access: telegram.access, pollMs: 50 });
const find = (id: Awaited<ReturnType<typeof ask>>["id"]) => findChannel(context.db, { merchantId, id });
const chatOf = async (id: Awaited<ReturnType<typeof ask>>["id"]) => {
  const sealed = (await find(id))?.sealed;
  return sealed && openChannel([context.config.webhooks.masterKey], { merchantId, id }, sealed);
};
const polls = () => telegram.calls.filter(({ method }) => method === "getUpdates").length;

it("a code links the chat that uses it, private or a group, once, by its cleaned name", async () => {
  const [own, group] = [await ask(), await ask()];
  telegram.write({ id: 1, first_name: "Eve" }, `/start ${own.code.slice(0, -1)}`);
  telegram.write({ id: 1, first_name: "Eve" }, `please /start ${own.code}`);
  telegram.write(
    { id: 7, type: "private", first_name: "Ada\u202e", last_name: "L\n." },
    `/start ${own.code}`,
  );
  telegram.write({ id: 8, type: "private", first_name: "Eve" }, `/start ${own.code}`);
  const title = `Shop ${"x".repeat(100)}`;
  telegram.write({ id: -99, type: "group", title }, `/start@${telegram.name} ${group.code}`);
  await until(
    "both are linked",
    async () => (await chatOf(own.id)) !== null && (await chatOf(group.id)) !== null,
  );
  expect([await chatOf(own.id), await chatOf(group.id)]).toEqual(["7", "-99"]);
  expect(await find(own.id)).toMatchObject({ name: "Ada L .", confirmedAt: null });
  expect((await find(group.id))?.name).toHaveLength(64);
  expect(telegram.calls.filter(({ method }) => method === "sendMessage")).toEqual([]);
});

it("a code that is older than ten minutes links nothing", async () => {
  const [late, waiting] = [await ask(), await ask()];
  await context.owner.query(sql`
    update message_channels set code_expires_at = code_expires_at - interval '10 minutes' where id = ${late.id}`);
  telegram.write({ id: 7 }, `/start ${late.code}`);
  telegram.write({ id: 8 }, `/start ${waiting.code}`);
  await until("the other is linked", async () => (await chatOf(waiting.id)) === "8");
  expect(await chatOf(late.id)).toBeNull();
});

it("Telegram is not asked while no code waits, and a refusal by it ends nothing", async () => {
  await context.owner.query(sql`update message_channels set code_expires_at = now()`);
  await linker.stop();
  const before = polls();
  const idle = startLinker();
  await sleep(500);
  await idle.stop();
  expect(polls()).toBe(before);
  telegram.answerNext("getUpdates", telegramRefusals.otherPoller, telegramRefusals.broken);
  const { id, code } = await ask();
  linker = startLinker();
  telegram.write({ id: 7 }, `/start ${code}`);
  await until("it is linked", async () => (await chatOf(id)) === "7");
});

it("a chat is sealed anew under a new master key, and one that opens under neither key is named", async () => {
  const { id, code } = await ask();
  telegram.write({ id: 7 }, `/start ${code}`);
  await until("it is linked", async () => (await chatOf(id)) === "7");
  const [masterKey, other] = [randomBytes(32), randomBytes(32)];
  const previousMasterKey = context.config.webhooks.masterKey;
  const lost = await resealChannels(context.db, { masterKey, previousMasterKey: other });
  expect([lost.resealed, lost.lost.includes(id)]).toEqual([0, true]);
  expect((await resealChannels(context.db, { masterKey, previousMasterKey })).lost).toEqual([]);
  const sealed = (await find(id))?.sealed ?? Buffer.of();
  expect(openChannel([masterKey], { merchantId, id }, sealed)).toBe("7");
  const again = await resealChannels(context.db, {
    masterKey: previousMasterKey,
    previousMasterKey: masterKey,
  });
  expect(again.resealed).toBeGreaterThan(0);
});

it("a text goes to a confirmed chat alone, and a group that moved is stored under its new number", async () => {
  const { id, code } = await ask();
  telegram.write({ id: -500, title: "Team" }, `/start ${code}`);
  await until("it is linked", async () => (await chatOf(id)) === "-500");
  const send = async () => {
    const channel = await find(id);
    if (channel === undefined) throw new Error("the channel is gone");
    await sendToChannel({ ...context, access: telegram.access }, channel, "12 USDT");
  };
  await expect(send()).rejects.toMatchObject({ of: "receiver" });
  await confirmChannel(context.db, { merchantId, id, personId: person.id });
  telegram.answerNext("sendMessage", telegramRefusals.movedTo(-100_500));
  await send();
  expect(telegram.textsTo(-100_500)).toEqual(["12 USDT"]);
  expect(await chatOf(id)).toBe("-100500");
  telegram.answerNext("sendMessage", telegramRefusals.blocked);
  await expect(send()).rejects.toMatchObject({ of: "receiver", message: expect.stringContaining("blocked") });
});
