import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import type { TestChain } from "@daric/testing/chain";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, withSettings } from "@daric/testing/context";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchBrowser } from "./browser.ts";

/** The time limit for a change of the page: two polls, and the delay of a busy machine. */
export const SOON_MS = 15_000;
export const HEAD = 1_000;
export const HOUR_MS = 3_600_000;
/** The browser of a phone by its own word, which decides what the page offers. */
const MOBILE =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Mobile Safari/537.36";
/** Phones have touch and no mouse, which changes the page's layout. */
export const phone = {
  viewport: { width: 375, height: 667 },
  hasTouch: true,
  isMobile: true,
  userAgent: MOBILE,
};
export const smallPhone = { ...phone, viewport: { width: 320, height: 568 } };
export const desk = {
  viewport: { width: 1280, height: 800 },
  hasTouch: false,
  isMobile: false,
  userAgent: MOBILE.replace(" Mobile", "").replace("Linux; Android 10; K", "X11; Linux x86_64"),
};

type ChargeOverrides = Partial<Parameters<typeof aCharge>[1]>;

/** The checkout pages of one service, and a browser for them. */
export type CheckoutStage = {
  readonly context: Awaited<ReturnType<typeof createTestContext>>;
  readonly origin: string;
  /** origin of a service on nile, whose network a wallet can identify */
  readonly nileOrigin: string;
  /** origin of a service on mainnet, where the links into wallets lead */
  readonly mainnetOrigin: string;
  readonly axe: string;
  /** forbidden actions of a page; every test ends with none */
  faults: string[];
  anOrder(overrides?: ChargeOverrides): ReturnType<typeof aCharge>;
  /** Opens a page that may contact this service and the shop alone, and must log no error. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** Sets the head of the scan so that a deposit in block HEAD has this many confirmations. */
  setConfirmations(count: number): Promise<void>;
  /** Closes the open pages, and returns the faults. */
  closePages(): Promise<string[]>;
  close(): Promise<void>;
};

/** Starts the service, with a merchant Blue Bottle Books, and a chain where the pages ask one. */
export async function openCheckoutStage(chain?: TestChain): Promise<CheckoutStage> {
  const context = await createTestContext({ RATE_LIMIT_CHECKOUT_PER_MINUTE: "100000" });
  const on = (network: "nile" | "mainnet") => withSettings(context, { chain: { network } });
  const apps = [context, on("nile"), on("mainnet")].map((served) =>
    createApp(served, chain && { currentChain: () => chain }),
  );
  const origins = await Promise.all(
    apps.map(async (app) => {
      await app.listen({ host: "127.0.0.1", port: 0 });
      return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    }),
  );
  const [origin = "", nileOrigin = "", mainnetOrigin = ""] = origins;
  const { id: merchantId } = await aMerchant(context.db, {
    name: "Blue Bottle Books",
    accentColor: "#0b5fff",
  });
  const browser: Browser = await launchBrowser();
  const stage: CheckoutStage = {
    context,
    origin,
    nileOrigin,
    mainnetOrigin,
    axe: await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"),
    faults: [],
    anOrder: (overrides) =>
      aCharge(context.db, {
        merchantId,
        amount: "25.5",
        orderRef: "A-1042",
        cancelUrl: `${origin}/shop/cart?own=1`,
        ...overrides,
      }),
    async open(path, options = {}) {
      const browserContext = await browser.newContext({ ...phone, ...options });
      await browserContext.route("**/*", (route) => {
        const url = route.request().url();
        if (url.startsWith(`${origin}/shop/`))
          return route.fulfill({ contentType: "text/html", body: "The shop" });
        if (origins.some((served) => url.startsWith(`${served}/`))) return route.continue();
        stage.faults.push(`request to ${url}`);
        return route.abort();
      });
      const page = await browserContext.newPage();
      if (options.javaScriptEnabled !== false) await page.clock.install();
      page.on("console", (message) => stage.faults.push(`console ${message.type()}: ${message.text()}`));
      page.on("pageerror", (error) => stage.faults.push(`script error: ${error.message}`));
      page.on("dialog", (dialog) => stage.faults.push(`dialog: ${dialog.message()}`));
      await page.goto(path.startsWith("http") ? path : `${origin}${path}`);
      return page;
    },
    async setConfirmations(count) {
      await context.db.query(sql`
        insert into scan_cursors (network, number, block_id, time, leader_epoch)
        values ('devnet', ${HEAD + count - 1}, ${"00".repeat(32)}, now(), 1)
        on conflict (network) do update set number = excluded.number`);
    },
    async closePages() {
      await Promise.all(browser.contexts().map((served) => served.close()));
      return stage.faults.splice(0);
    },
    async close() {
      await browser.close();
      for (const app of apps) await app.close();
      await context.close();
    },
  };
  return stage;
}

/**
 * Resolves when the page shows this text; the text for screen readers alone comes earlier, during the fade.
 */
export function visibleText(page: Page, text: string): Promise<void> {
  return page.locator("main").getByText(text).first().waitFor({ state: "visible", timeout: SOON_MS });
}
