import type { Browser, CDPSession, Page } from "playwright-core";
import { tsImport } from "tsx/esm/api";
import { onStage, type Stage } from "./stage.ts";

/** A phone, the page's first target. */
export const PHONE = {
  viewport: { width: 375, height: 667 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
  userAgent:
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Mobile Safari/537.36",
};
/** A desktop, by whose name the page has the QR code in it. */
export const DESKTOP = {
  viewport: { width: 1280, height: 800 },
  userAgent:
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36",
};
export type Device = typeof PHONE | typeof DESKTOP;

/** An order with its page, and a browser with an empty cache. */
export type Payer = {
  readonly stage: Stage;
  readonly address: string;
  readonly url: string;
  /** the page of a payment link of the same merchant, of which it asks all that it can */
  readonly linkUrl: string;
  /** A page without a cache, by default on a phone, and its devtools. */
  openPage(device?: Device): Promise<{ readonly page: Page; readonly devtools: CDPSession }>;
};

/** Runs the work with an order of 25.5 USDT at a service that watches the chain. */
export async function withPayer<T>(name: string, work: (payer: Payer) => Promise<T>): Promise<T> {
  return onStage(async (stage) => {
    const deployment = await stage.open(name);
    const { port } = await deployment.serve("all", { RATE_LIMIT_CHECKOUT_PER_MINUTE: "10000" });
    const origin = `http://127.0.0.1:${port}`;
    const { apiKey } = await deployment.merchant();
    const order = await post<Order>(`${origin}/v1/deposit-addresses`, apiKey, {
      amount: "25.5",
      orderRef: "A-1042",
    });
    const link = await linkOf(origin, apiKey, WHOLE_LINK);
    const browser = await launchTestBrowser();
    try {
      return await work({
        stage,
        address: order.address,
        url: `${origin}/c/${order.checkout_token}`,
        linkUrl: `${origin}/l/${link}`,
        openPage: (device = PHONE) => openFrom(browser, device),
      });
    } finally {
      await browser.close();
    }
  });
}

type Order = { readonly address: string; readonly checkout_token: string };

/** A link with every part that its page can have. */
const WHOLE_LINK = {
  title: "A seat at the reading",
  description: "Doors open at seven.\nBring a book to swap.",
  amount: null,
  minAmount: "5",
  maxAmount: "500",
  suggestedAmounts: ["10", "25.5", "50", "100"],
  ask: ["name", "note"],
};

/** Makes a payment link, by default of a fixed amount. Returns its token. */
export async function linkOf(
  origin: string,
  apiKey: string,
  terms: object = { title: "Ticket", amount: "25.5" },
): Promise<string> {
  return (await post<{ token: string }>(`${origin}/v1/payment-links`, apiKey, terms)).token;
}

async function post<T>(url: string, apiKey: string, body: object): Promise<T> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { data: T }).data;
}

async function openFrom(browser: Browser, device: Device) {
  const context = await browser.newContext(device);
  const page = await context.newPage();
  return { page, devtools: await context.newCDPSession(page) };
}

/** The browser of the end-to-end tests. Their source is imported as it is, because tests are not compiled. */
export async function launchTestBrowser(): Promise<Browser> {
  const { launchBrowser } = await tsImport("../../e2e/browser.ts", import.meta.url);
  return launchBrowser();
}
