import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "@daric/postgres/sql";
import { ownersDatabase } from "@daric/testing/owners-database";
import { PASSWORD } from "@daric/testing/people";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { SOON_MS } from "./checkout-stage.ts";
import { type DashboardStage, openDashboardStage, seedPayments } from "./dashboard-stage.ts";
import { focusedName, tabTo } from "./keyboard.ts";

let stage: DashboardStage;
let shop: Server;

beforeAll(async () => {
  stage = await openDashboardStage();
  await seedPayments(stage);
  shop = createServer((request, response) => {
    request.resume();
    response.end("ok");
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  shop?.close();
  await stage?.close();
});
afterEach(async () => expect((await stage.closePages()).join("\n")).toBe(""));

const heading = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name }).waitFor({ timeout: SOON_MS });

/** Opens a page by its name in the command menu. */
async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.keyboard.type(name);
  await page.getByRole("option", { name: new RegExp(`^${name}`) }).waitFor({ timeout: SOON_MS });
  await page.keyboard.press("Enter");
  await heading(page, name);
}

describe("by the keyboard alone, a person", () => {
  it("signs in, accepts a short order, makes a key, an endpoint and a link", async () => {
    const person = await stage.person("admin");
    const page = await stage.open("");
    await tabTo(page, /^E-mail$/);
    await page.keyboard.type(person.email);
    await tabTo(page, /^Password$/);
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await heading(page, "Home");

    await page.keyboard.press("Control+k");
    await page.keyboard.type("A-1044");
    await page.getByRole("option", { name: /A-1044/ }).waitFor({ timeout: SOON_MS });
    await page.keyboard.press("Enter");
    await heading(page, "A-1044");
    await page.getByRole("button", { name: "Accept as paid" }).waitFor({ timeout: SOON_MS });
    await tabTo(page, /^Close$/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Close" }).waitFor({ timeout: SOON_MS });
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached", timeout: SOON_MS });
    expect(await focusedName(page)).toBe("Close");
    await tabTo(page, /^Accept as paid$/, "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Old customer");
    await page.keyboard.press("Enter");
    await page.locator(".badge", { hasText: "Accepted" }).first().waitFor({ timeout: SOON_MS });

    await command(page, "API keys");
    await ownersDatabase(stage.context.db).query(
      sql`update sessions set reauthenticated_at = now() - interval '1 hour' where person_id = ${person.id}`,
    );
    await tabTo(page, /^Create key$/);
    await page.keyboard.press("Enter");
    await page.keyboard.type("till");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Prove that it is you" }).waitFor({ timeout: SOON_MS });
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Your new key" }).waitFor({ timeout: SOON_MS });
    await page.keyboard.press("Escape");

    await command(page, "Webhooks");
    await tabTo(page, /^Add endpoint$/);
    await page.keyboard.press("Enter");
    await page.keyboard.type(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/hook`);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Signing secret" }).waitFor({ timeout: SOON_MS });
    await page.keyboard.press("Escape");
    await tabTo(page, /^Send a test$/);
    await page.keyboard.press("Enter");
    await page.getByText("Your server answered 200").waitFor({ timeout: SOON_MS });

    await page.keyboard.press("Control+k");
    await page.keyboard.type("Ask for a payment");
    await page.getByRole("option", { name: /^Ask for a payment/ }).waitFor({ timeout: SOON_MS });
    await page.keyboard.press("Enter");
    await tabTo(page, /^Amount/);
    await page.keyboard.type("12.5");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "The page is ready" }).waitFor({ timeout: SOON_MS });
  }, 180_000);

  it("asks for a refund from the inbox, opens it and cancels it", async () => {
    const page = await stage.enter(await stage.person("owner"), "/inbox");
    await page.getByRole("button", { name: "Refund 12.75 USDT" }).first().waitFor({ timeout: SOON_MS });
    await tabTo(page, /^Refund 12.75 USDT$/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Refund" }).getByLabel("Amount").waitFor({ timeout: SOON_MS });
    await tabTo(page, /^Ask for the refund$/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Link for the customer" }).waitFor({ timeout: SOON_MS });
    await tabTo(page, /^Open the refund$/);
    await page.keyboard.press("Enter");
    await heading(page, "A-1045");
    await page.getByRole("button", { name: "Cancel the refund" }).waitFor({ timeout: SOON_MS });
    await tabTo(page, /^Cancel the refund$/);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Cancel the refund" });
    await dialog.waitFor({ timeout: SOON_MS });
    await tabTo(page, /^Cancel the refund$/);
    await page.keyboard.press("Enter");
    await page.locator(".badge", { hasText: "Canceled" }).first().waitFor({ timeout: SOON_MS });
  }, 180_000);
});
