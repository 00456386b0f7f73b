import { startTelegram, type TelegramServer, telegramRefusals } from "@daric/testing/telegram";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTelegram, type Telegram } from "./telegram.ts";

let server: TelegramServer;
let telegram: Telegram;
beforeEach(async () => {
  server = await startTelegram();
  telegram = createTelegram(server.token, server.access);
});
afterEach(() => server.close());

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error & { of?: string; pauseMs?: number }) => ({
      message: error.message,
      of: error.of,
      pauseMs: error.pauseMs,
    }),
  );

it("a text is sent plain, without previews of links, and is cut where Telegram would refuse it", async () => {
  expect(await telegram.sendMessage("-100", `*${"a".repeat(5_000)}`)).toBe("-100");
  expect(server.textsTo(-100)[0]).toHaveLength(4_000);
  expect(server.calls[0]?.body).toMatchObject({ link_preview_options: { is_disabled: true } });
  expect(server.calls[0]?.body).not.toHaveProperty("parse_mode");
});

it.each([
  ["blocked", "receiver"],
  ["kicked", "receiver"],
  ["deactivated", "receiver"],
  ["chatNotFound", "receiver"],
  ["unauthorized", "server"],
  ["broken", "server"],
] as const)("a refusal is of the chat or of the server: %s", async (name, of) => {
  server.answerNext("sendMessage", telegramRefusals[name]);
  expect(await failureOf(telegram.sendMessage("7", "hello"))).toMatchObject({ of });
});

it("a pause that Telegram asks for is kept, for at most 15 minutes", async () => {
  server.answerNext("sendMessage", telegramRefusals.tooMany(30), telegramRefusals.tooMany(86_400));
  expect(await failureOf(telegram.sendMessage("7", "a"))).toMatchObject({ of: "server", pauseMs: 30_000 });
  expect(await failureOf(telegram.sendMessage("7", "a"))).toMatchObject({ pauseMs: 900_000 });
});

it("a group that became a supergroup gets the text under its new number", async () => {
  server.answerNext("sendMessage", telegramRefusals.movedTo(-1_001_234));
  expect(await telegram.sendMessage("-55", "hello")).toBe("-1001234");
  expect(server.textsTo(-1_001_234)).toEqual(["hello"]);
});

it("no failure has the token", async () => {
  const wrong = createTelegram(`${server.token}x`, server.access);
  const failures = [await failureOf(wrong.getMe())];
  await server.close();
  failures.push(await failureOf(telegram.sendMessage("7", "a")));
  expect(failures).toMatchObject([{ of: "server" }, { of: "server" }]);
  expect(JSON.stringify(failures)).not.toContain(server.token);
  server = await startTelegram();
});

it("the bot's name and its updates are read", async () => {
  expect(await telegram.getMe()).toBe(server.name);
  server.write({ id: 5, type: "private", first_name: "Ada" }, "/start");
  const poll = { waitSeconds: 1, signal: AbortSignal.timeout(20_000) };
  const [update] = await telegram.getUpdates({ ...poll, offset: 0 });
  expect(update?.message?.chat.id).toBe(5);
  expect(await telegram.getUpdates({ ...poll, offset: (update?.update_id ?? 0) + 1 })).toEqual([]);
});
