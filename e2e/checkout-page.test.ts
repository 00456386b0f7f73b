import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import type { ApiApp } from "@daric/server/http/api-app";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit, confirmDeposit } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";

/** Two polls and what a busy machine adds. */
const SOON_MS = 15_000;
const HEAD = 1_000;
const HOUR_MS = 3_600_000;
const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };
const narrow = { width: 320, height: 640 };

let context: TestContext & { close(): Promise<void> };
let app: ApiApp;
let browser: Browser;
let origin: string;
let merchantId: string;
let axe: string;
/** What a page did that it must not do; every test ends with none. */
let faults: string[] = [];

beforeAll(async () => {
  context = await createTestContext({ RATE_LIMIT_CHECKOUT_PER_MINUTE: "100000" });
  app = createApp(context);
  await app.listen({ host: "127.0.0.1", port: 0 });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  merchantId = (await aMerchant(context.db, { name: "Blue Bottle Books", accentColor: "#0b5fff" })).id;
  browser = await launchBrowser();
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await context?.close();
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((each) => each.close()));
  const found = faults;
  faults = [];
  expect(found).toEqual([]);
});

type AxeReport = {
  checked: number;
  violations: { id: string; impact: string; nodes: { html: string }[] }[];
};
type ChargeOverrides = Partial<Parameters<typeof aCharge>[1]>;

function anOrder(overrides: ChargeOverrides = {}) {
  return aCharge(context.db, {
    merchantId,
    amount: "25.5",
    orderRef: "A-1042",
    cancelUrl: `${origin}/shop/cart?own=1`,
    ...overrides,
  });
}

/** Opens a page that may talk to this service and the shop alone, and must not complain of anything. */
async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const browserContext = await browser.newContext({ viewport: phone, ...options });
  await browserContext.route("**/*", (route) => {
    const url = route.request().url();
    if (url.startsWith(`${origin}/shop/`))
      return route.fulfill({ contentType: "text/html", body: "The shop" });
    if (url.startsWith(`${origin}/`)) return route.continue();
    faults.push(`request to ${url}`);
    return route.abort();
  });
  const page = await browserContext.newPage();
  if (options.javaScriptEnabled !== false) await page.clock.install();
  page.on("console", (message) => faults.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`script error: ${error.message}`));
  page.on("dialog", (dialog) => faults.push(`dialog: ${dialog.message()}`));
  await page.goto(`${origin}${path}`);
  return page;
}

/** Puts the head of the read chain so that a deposit in block HEAD has this many confirmations. */
async function setConfirmations(count: number): Promise<void> {
  await context.db.query(sql`
    insert into scan_cursors (network, number, block_id, time, leader_epoch)
    values ('devnet', ${HEAD + count - 1}, ${"00".repeat(32)}, now(), 1)
    on conflict (network) do update set number = excluded.number`);
}

/** Lets the page's own clock run a second every tenth of one, until what it is to do is done. */
async function whileTimePasses(page: Page, done: Promise<void>): Promise<void> {
  const waiting = new AbortController();
  const finished = done.finally(() => waiting.abort());
  while (!waiting.signal.aborted) {
    await page.clock.runFor(1_000);
    await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  await finished;
}

function visibleText(page: Page, text: string) {
  return page.getByText(text, { exact: false }).first().waitFor({ state: "visible", timeout: SOON_MS });
}

describe("the live page", () => {
  it("goes from awaiting through confirming to paid and back to the shop, without a reload", async () => {
    const order = await anOrder({ successUrl: `${origin}/shop/thanks?own=1` });
    await setConfirmations(1);
    const page = await open(`/c/${order.checkoutToken}`);
    await visibleText(page, "Waiting for your payment");
    await page.evaluate("window.neverReloaded = true");
    const deposit = await aDeposit(context.db, {
      chargeId: order.id,
      amount: "25.5",
      status: "CONFIRMING",
      blockNumber: HEAD,
    });
    await visibleText(page, "Payment found");
    expect(await page.locator("[data-copy]").count()).toBe(0);
    await setConfirmations(7);
    await page.locator('progress[value="7"]').waitFor({ timeout: SOON_MS });
    expect(await page.locator("output").textContent()).toBe("7");
    await setConfirmations(21);
    await visibleText(page, "Waiting for the network to make it final");
    await page.getByText("19 of 19").waitFor({ timeout: SOON_MS });
    await confirmDeposit(context.db, deposit);
    await visibleText(page, "25.5 USDT received and final");
    expect(await page.locator("#announcement").textContent()).toBe("Paid");
    expect(await page.title()).toBe("Paid · Blue Bottle Books");
    expect(await page.evaluate("window.neverReloaded")).toBe(true);
    await page.waitForURL(`${origin}/shop/thanks?own=1&ref=A-1042&status=paid`, { timeout: SOON_MS });
  });

  it("lets the payer stay on the page of a paid order", async () => {
    const order = await anOrder({ successUrl: `${origin}/shop/thanks` });
    await aDeposit(context.db, { chargeId: order.id, amount: "25.5" });
    const page = await open(`/c/${order.checkoutToken}`);
    await page.getByRole("button", { name: "Stay here" }).click();
    await page.clock.runFor(60_000);
    expect(page.url()).toBe(`${origin}/c/${order.checkoutToken}`);
    expect(await page.getByRole("link", { name: "Back to Blue Bottle Books" }).getAttribute("href")).toBe(
      `${origin}/shop/thanks?ref=A-1042&status=paid`,
    );
  });

  it("shows money of the other currency and the rest of a part payment when they arrive", async () => {
    const order = await anOrder();
    const page = await open(`/c/${order.checkoutToken}`);
    await aDeposit(context.db, { chargeId: order.id, amount: "10" });
    await visibleText(page, "15.5 USDT still to send");
    expect(await page.locator("#copy-amount").getAttribute("data-copy")).toBe("15.5");
    await aDeposit(context.db, {
      chargeId: order.id,
      currency: "TRX",
      amount: "5",
      source: "transfer",
    });
    await whileTimePasses(page, visibleText(page, "5 TRX arrived, but this order is in USDT."));
  });

  it("says that the connection is lost, and goes on when it is back", async () => {
    const order = await anOrder();
    const page = await open(`/c/${order.checkoutToken}`);
    await page.context().setOffline(true);
    const notice = page.locator("#connection");
    await whileTimePasses(page, notice.waitFor({ state: "visible", timeout: SOON_MS }));
    await page.context().setOffline(false);
    await whileTimePasses(page, notice.waitFor({ state: "hidden", timeout: SOON_MS }));
    faults = faults.filter((fault) => !fault.includes("ERR_INTERNET_DISCONNECTED"));
  });

  it("copies the address and the amount, exactly, and says so", async () => {
    const order = await anOrder();
    const page = await open(`/c/${order.checkoutToken}`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    for (const [name, text] of [
      ["Copy address", order.address],
      ["Copy amount", "25.5"],
    ] as const) {
      await page.getByRole("button", { name }).click();
      await visibleText(page, "Copied");
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(text);
    }
  });

  it("counts the time left from the server's clock, however wrong the payer's is", async () => {
    const order = await anOrder({ expiresAt: new Date(Date.now() + HOUR_MS) });
    const page = await open(`/c/${order.checkoutToken}`);
    await page.clock.setSystemTime(new Date("2031-01-01"));
    await page.reload();
    expect(await page.locator(".countdown").textContent()).toMatch(/^59:5\d$|^1:00:00$/);
  });
});

describe("without scripts", () => {
  it("shows everything that paying needs, and looks again by itself", async () => {
    const order = await anOrder();
    const page = await open(`/c/${order.checkoutToken}`, { javaScriptEnabled: false });
    for (const text of ["25.5", "A-1042", "Blue Bottle Books", "TRON · TRC-20", "Waiting for your payment"]) {
      await visibleText(page, text);
    }
    expect((await page.locator(".address").innerText()).replace(/\s/g, "")).toBe(order.address);
    expect(await page.locator(".qr-code path").count()).toBe(1);
    expect(await page.locator("button:visible").count()).toBe(0);
    await aDeposit(context.db, { chargeId: order.id, amount: "25.5" });
    await page.getByText("25.5 USDT received and final").waitFor({ timeout: 2 * SOON_MS });
  });
});

describe("every state, size and colour scheme", () => {
  const states: [string, ChargeOverrides, Parameters<typeof aDeposit>[1][]][] = [
    ["awaiting", {}, []],
    ["confirming", {}, [{ chargeId: "", amount: "25.5", status: "CONFIRMING", blockNumber: HEAD }]],
    ["paid", {}, [{ chargeId: "", amount: "25.5" }]],
    ["overpaid", {}, [{ chargeId: "", amount: "30" }]],
    ["underpaid", {}, [{ chargeId: "", amount: "10" }]],
    ["expired", { status: "EXPIRED", expiresAt: new Date(Date.now() - HOUR_MS) }, []],
    ["error", { status: "ARCHIVED" }, []],
  ];

  it("is readable and operable by everybody, and fits the screen: not final with every confirmation", async () => {
    await setConfirmations(20);
    const order = await anOrder();
    await aDeposit(context.db, {
      chargeId: order.id,
      amount: "25.5",
      status: "CONFIRMING",
      blockNumber: HEAD,
    });
    for (const viewport of [narrow, phone, desktop]) {
      for (const colorScheme of ["light", "dark"] as const) {
        const options = { viewport, colorScheme, reducedMotion: "reduce" } as const;
        const page = await open(`/c/${order.checkoutToken}`, options);
        await visibleText(page, "Waiting for the network to make it final");
        await expectSound(page);
        await page.context().close();
      }
    }
  });

  it.each(states)(
    "is readable and operable by everybody, and fits the screen: %s",
    async (state, charge, deposits) => {
      await setConfirmations(7);
      const order = await anOrder({
        orderRef: "ORDER-2026-000123456789-with-a-very-long-reference",
        ...charge,
      });
      for (const deposit of deposits) await aDeposit(context.db, { ...deposit, chargeId: order.id });
      for (const viewport of [narrow, phone, desktop]) {
        for (const colorScheme of ["light", "dark"] as const) {
          const page = await open(`/c/${order.checkoutToken}`, {
            viewport,
            colorScheme,
            reducedMotion: "reduce",
          });
          expect(await page.locator("main").getAttribute("data-state")).toBe(state);
          await expectSound(page);
          await page.context().close();
        }
      }
    },
  );

  it("says in a page of its own that there is no such checkout", async () => {
    const page = await open(`/c/${"A".repeat(32)}`);
    await visibleText(page, "There is no checkout here");
    await expectSound(page);
    faults = faults.filter((fault) => !fault.includes("404"));
  });
});

describe("what a merchant or a caller may write", () => {
  it("is text in a browser too: nothing runs, nothing is fetched, nothing moves", async () => {
    const payload = `</title><script>alert(1)</script>"><img src=x onerror=alert(2)>' onclick='alert(3)`;
    const hostile = await aMerchant(context.db, { name: payload });
    const order = await anOrder({
      merchantId: hostile.id,
      orderRef: payload,
      successUrl: `${origin}/shop/?a=${encodeURIComponent(payload)}`,
      cancelUrl: `${origin}/shop/"><script>alert(4)</script>`,
    });
    const page = await open(`/c/${order.checkoutToken}`, { viewport: narrow });
    await visibleText(page, "Waiting for your payment");
    expect(await page.locator("h1").textContent()).toBe(payload);
    expect(await page.locator("script").count()).toBe(1);
    expect(await page.locator("img").count()).toBe(0);
    await expectSound(page);
  });
});

/** No serious finding of axe, and nothing to scroll sideways. axe runs outside the page's own policy. */
async function expectSound(page: Page): Promise<void> {
  const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
  expect(overflow).toBeLessThanOrEqual(0);
  const { checked, violations } = await page.evaluate<AxeReport>(
    `${axe}; axe.run().then(({ passes, violations }) => ({ checked: passes.length, violations }))`,
  );
  expect(checked).toBeGreaterThan(10);
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
