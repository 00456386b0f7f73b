import type { Browser, CDPSession, Page } from "playwright-core";
import { tsImport } from "tsx/esm/api";
import { onStage, type Stage, type StagedDeployment } from "./stage.ts";

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
  /** A page without a cache, by default on a phone, and its devtools. */
  openPage(device?: Device): Promise<{ readonly page: Page; readonly devtools: CDPSession }>;
};

/** Runs the work with an order of 25.5 USDT at a service that watches the chain. */
export async function withPayer<T>(name: string, work: (payer: Payer) => Promise<T>): Promise<T> {
  return onStage(async (stage) => {
    const deployment = await stage.open(name);
    const { port } = await deployment.serve("all", { RATE_LIMIT_CHECKOUT_PER_MINUTE: "10000" });
    const origin = `http://127.0.0.1:${port}`;
    const order = await orderAt(origin, deployment);
    const browser = await launchTestBrowser();
    try {
      return await work({
        stage,
        address: order.address,
        url: `${origin}/c/${order.checkout_token}`,
        openPage: (device = PHONE) => openFrom(browser, device),
      });
    } finally {
      await browser.close();
    }
  });
}

type Order = { readonly address: string; readonly checkout_token: string };

async function orderAt(origin: string, { merchant }: StagedDeployment): Promise<Order> {
  const { apiKey } = await merchant();
  const answer = await fetch(`${origin}/v1/deposit-addresses`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey },
    body: JSON.stringify({ amount: "25.5", orderRef: "A-1042" }),
  });
  if (!answer.ok) throw new Error(`no order: ${await answer.text()}`);
  return ((await answer.json()) as { data: Order }).data;
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
