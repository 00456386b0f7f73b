import { startChatLinker } from "@daric/messages/link-chats";
import { startTelegram, type TelegramServer } from "@daric/testing/telegram";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { SOON_MS } from "./checkout-stage.ts";
import { type DashboardStage, openDashboardStage } from "./dashboard-stage.ts";

let telegram: TelegramServer;
let stage: DashboardStage;
let linker: ReturnType<typeof startChatLinker>;

beforeAll(async () => {
  telegram = await startTelegram();
  const settings = { ALERT_TELEGRAM_TOKEN: telegram.token };
  stage = await openDashboardStage(undefined, { settings, access: telegram.access });
  linker = startChatLinker(stage.context, { access: telegram.access, pollMs: 50 });
});
afterAll(async () => {
  await linker?.stop();
  await stage?.close();
  await telegram?.close();
});
afterEach(async () => expect((await stage.closePages()).join("\n")).toBe(""));

it("a person links a Telegram chat by its code, confirms it by its name, and chooses what it gets", async () => {
  const page = await stage.enter(await stage.person("viewer"), "/notifications");
  await page.getByRole("button", { name: "Add a Telegram chat" }).click();
  const link = await page.getByRole("link", { name: "Open in Telegram" }).getAttribute("href");
  telegram.write({ id: -42, type: "group", title: "Shop team" }, `/start ${link?.split("=")[1]}`);
  const dialog = page.getByRole("dialog");
  await dialog.getByText("“Shop team” used the code").waitFor({ timeout: SOON_MS });
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await dialog.getByText("“Shop team” is linked").waitFor({ timeout: SOON_MS });
  await dialog.getByRole("button", { name: "Close" }).last().click();
  const box = page.getByRole("checkbox", { name: "Paid too little: Shop team" });
  await box.check();
  await page.getByRole("checkbox", { name: "Send nothing at these hours" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Saved" }).waitFor({ timeout: SOON_MS });
  await page.reload();
  await box.waitFor({ timeout: SOON_MS });
  expect(await box.isChecked()).toBe(true);
  expect(await page.getByLabel("From").inputValue()).toBe("22:00");
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("A test is on its way").waitFor({ timeout: SOON_MS });
});

it("a chat's URL that is private is refused at its field, and what a removed chat got is gone", async () => {
  const page = await stage.enter(await stage.person("owner"), "/notifications");
  await page.getByText("No mail server is set up").waitFor({ timeout: SOON_MS });
  await page.getByRole("button", { name: "Add a chat by its URL" }).click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByLabel("Incoming webhook URL");
  await field.fill("https://10.0.0.7/hook");
  await dialog.getByRole("button", { name: "Add a chat by its URL" }).click();
  await dialog.locator(".fault").waitFor({ timeout: SOON_MS });
  await field.fill("https://93.184.216.34/hook/secret");
  await dialog.getByRole("button", { name: "Add a chat by its URL" }).click();
  await page.getByRole("checkbox", { name: "Order paid: 93.184.216.34" }).waitFor({ timeout: SOON_MS });
  expect(await page.content()).not.toContain("secret");
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page
    .getByRole("checkbox", { name: "Order paid: 93.184.216.34" })
    .waitFor({ state: "detached", timeout: SOON_MS });
});
