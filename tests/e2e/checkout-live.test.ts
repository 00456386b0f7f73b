import type { ApiApp } from "@daric/http/api-app";
import { createApp, createMemory } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit, confirmDeposit, setChainTime } from "@daric/testing/charge-builders";
import { createTestContext, withSettings } from "@daric/testing/context";
import { freshRates } from "@daric/testing/rate-builders";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";

const MINUTE_MS = 60_000;
/**
 * A change is visible within a second of its commit, plus the drawing time of a browser on a busy machine.
 */
const NOTIFIED_MS = 1_500;
const POLLED_MS = 8_000;
/** Connections of which an eighth, the share of websockets, is less than one. */
const TOO_FEW = 7;

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: string;
let browser: Browser;
/** services with sockets, and without */
let live: { app: ApiApp; url: string };
let polled: { app: ApiApp; url: string };

beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db, { name: "Blue Bottle Books" })).id;
  [live, polled] = [await serve(), await serve({ maxConnectionsPerAddress: TOO_FEW })];
  browser = await launchBrowser();
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await Promise.all([live, polled].map((served) => served?.app.close()));
  await context?.close();
});

async function serve(http: { maxConnectionsPerAddress?: number } = {}) {
  const settings = withSettings(context, { http });
  const memory = createMemory(settings);
  const app = createApp(settings, { memory: { ...memory, findRate: freshRates } });
  app.addHook("onClose", () => memory.addresses.stop());
  return { app, url: await app.listen({ host: "127.0.0.1", port: 0 }) };
}

async function open(url: string, token: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${url}/c/${token}`);
  return page;
}

const shows = (page: Page, state: string, timeout: number) =>
  page.locator(`main[data-state="${state}"]`).waitFor({ timeout });

it("the socket alone shows a payment within a second of each of its commits", async () => {
  const order = await aCharge(context.db, { merchantId, amount: "25.5", orderRef: "A-1042" });
  await setChainTime(context.db, new Date());
  const page = await open(live.url, order.checkoutToken);
  await page.context().route("**/v1/checkout/*", (route) => route.abort());
  await expect.poll(openSockets).toBe(1);

  const deposit = await aDeposit(context.db, {
    chargeId: order.id,
    amount: "25.5",
    status: "CONFIRMING",
    blockNumber: 100,
  });
  await shows(page, "confirming", NOTIFIED_MS);
  await confirmDeposit(context.db, deposit);
  await shows(page, "paid", NOTIFIED_MS);
  // A paid order may receive more; an overpaid one is final, and the page closes its socket.
  expect(await openSockets()).toBe(1);
  await aDeposit(context.db, { chargeId: order.id, amount: "5" });
  await shows(page, "overpaid", NOTIFIED_MS);
  await expect.poll(openSockets).toBe(0);
  await page.context().close();
});

it("without a socket the page polls", async () => {
  const order = await aCharge(context.db, { merchantId, amount: "25.5" });
  const page = await open(polled.url, order.checkoutToken);
  await aDeposit(context.db, { chargeId: order.id, amount: "25.5" });
  await shows(page, "paid", POLLED_MS);
  expect(await openSockets()).toBe(0);
  await page.context().close();
});

it("today's amount is offered when the lock lapses, and a click locks it", async () => {
  const lockedAt = new Date(Date.now() - 10 * MINUTE_MS + 3_000);
  const quote = { rateE4: 10_300n, lockedAt, expiresAt: new Date(lockedAt.getTime() + 10 * MINUTE_MS) };
  const order = await aCharge(context.db, { merchantId, fiatAmount: "100", quote });
  const page = await open(live.url, order.checkoutToken);
  await page.evaluate("window.neverReloaded = true");
  const button = page.getByRole("button", { name: "Get today's amount" });
  expect(await button.count()).toBe(0);
  expect(await page.locator(".held").textContent()).toMatch(/^Price held for 0:0[0-3]$/);
  await button.waitFor({ state: "visible", timeout: POLLED_MS });
  expect(await page.locator(".stale").innerText()).toMatch(/^103\.00\sUSDT$/);
  expect(await page.locator("time[data-local]").textContent()).toMatch(/^\d\d:\d\d$/);
  await button.click();
  await page.locator(".amount", { hasText: "100.04" }).waitFor({ timeout: NOTIFIED_MS });
  await button.waitFor({ state: "hidden", timeout: NOTIFIED_MS });
  await expect.poll(() => page.locator("#announcement").textContent()).toMatch(/^100\.04\sUSDT$/);
  expect(await page.evaluate("window.neverReloaded")).toBe(true);
  await page.context().close();
});

it("today's amount works without scripts too, in the language of the page", async () => {
  const lockedAt = new Date(Date.now() - 11 * MINUTE_MS);
  const order = await aCharge(context.db, {
    merchantId,
    fiatAmount: "100",
    quote: { rateE4: 10_300n, lockedAt },
  });
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${live.url}/c/${order.checkoutToken}?lang=ru`);
  await page.getByRole("button", { name: "Узнать актуальную сумму" }).click();
  await page.waitForURL(`${live.url}/c/${order.checkoutToken}?lang=ru`);
  await page.locator(".amount", { hasText: "100,04" }).waitFor({ timeout: NOTIFIED_MS });
  expect(await page.locator("[data-requote]").count()).toBe(0);
  await page.context().close();
});

async function openSockets(): Promise<number> {
  return (await context.metrics.checkoutSockets.get()).values[0]?.value ?? 0;
}
