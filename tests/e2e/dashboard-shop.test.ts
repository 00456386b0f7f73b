import { sql } from "@daric/postgres/sql";
import { ownersDatabase } from "@daric/testing/owners-database";
import { PASSWORD } from "@daric/testing/people";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { SOON_MS } from "./checkout-stage.ts";
import { type DashboardStage, openDashboardStage } from "./dashboard-stage.ts";

let stage: DashboardStage;
beforeAll(async () => {
  stage = await openDashboardStage();
});
afterAll(() => stage?.close());
afterEach(async () => expect((await stage.closePages()).join("\n")).toBe(""));

const SITE = "https://shop.example";
const owners = () => ownersDatabase(stage.context.db);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** The shop's own request, with what its administrator typed. */
async function connect(address: string, code: string) {
  const body = { code, webhookUrl: "https://8.8.8.8/wp-json/daric/v1/webhook", site: SITE };
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  return fetch(`${address}/v1/shop-connections`, request);
}

it("an owner proves who it is, copies address and code, and reads that the shop is connected", async () => {
  const person = await stage.person("owner");
  const page = await stage.enter(person, "/keys");
  await owners().query(
    sql`update sessions set reauthenticated_at = now() - interval '1 hour' where person_id = ${person.id}`,
  );
  await button(page, "Connect a shop").click();
  const dialog = page.getByRole("dialog", { name: "Connect a shop" });
  await dialog.getByRole("button", { name: "Make a code" }).click();
  await page.getByLabel("Password").fill(PASSWORD);
  await button(page, "Confirm").click();
  await dialog.getByText("It connects one shop. Time left:").waitFor({ timeout: SOON_MS });
  expect(await dialog.getByRole("timer").textContent()).toMatch(/^(?:9:\d\d|10:00)$/);
  await dialog.locator(".copy").click();
  const address = await copied(page);
  expect(address).toBe(stage.origin);
  await dialog.getByRole("button", { name: "Copy the code" }).click();
  const code = await copied(page);
  expect(await dialog.locator(".address-groups").textContent()).toBe(code);
  expect((await connect(address, code)).status).toBe(201);
  await dialog.getByText(`${SITE} is connected`).waitFor({ timeout: SOON_MS });
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("cell", { name: SITE }).waitFor({ timeout: SOON_MS });
  await page.goto(`${stage.origin}/dashboard/audit`);
  await page.getByText("Shop connected").waitFor({ timeout: SOON_MS });
  await page.getByText("Code to connect a shop made").waitFor({ timeout: SOON_MS });
});

it("a code that has ended gives way to a new one, and the old one connects no shop", async () => {
  const page = await stage.enter(await stage.person("admin"), "/webhooks");
  await button(page, "Connect a shop").click();
  const dialog = page.getByRole("dialog", { name: "Connect a shop" });
  await dialog.getByRole("button", { name: "Make a code" }).click();
  const shown = dialog.locator(".address-groups");
  const old = (await shown.textContent({ timeout: SOON_MS })) ?? "";
  await page.clock.install({ time: Date.now() });
  await page.clock.fastForward("11:00");
  await dialog.getByText("This code has ended.").waitFor({ timeout: SOON_MS });
  await page.clock.setSystemTime(Date.now());
  await dialog.getByRole("button", { name: "Make a code" }).click();
  await shown.waitFor({ timeout: SOON_MS });
  expect(await shown.textContent()).not.toBe(old);
  const refused = await connect(stage.origin, old);
  expect([refused.status, (await refused.json()).error.code]).toEqual([404, "SHOP_CODE_NOT_VALID"]);
});

it("a developer, whose keys ask for no refund, is offered no code", async () => {
  const page = await stage.enter(await stage.person("developer"), "/keys");
  await button(page, "Create key").waitFor({ timeout: SOON_MS });
  expect(await button(page, "Connect a shop").count()).toBe(0);
});
