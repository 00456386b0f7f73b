import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { MerchantId } from "@daric/domain/ids";
import { loadEmbedScript } from "@daric/hosted-checkout/embed/load-script";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchBrowser } from "./browser.ts";
import { desk } from "./checkout-stage.ts";

/** Pages of shops on other origins than the service, and a browser for them. */
export type EmbedStage = {
  readonly context: TestContext;
  readonly merchantId: MerchantId;
  readonly origin: string;
  /** the origin that the merchant listed, and one that it did not */
  readonly shop: string;
  readonly stranger: string;
  readonly axe: string;
  /** the path of `/embed-<hash>.js` and its integrity, as the dashboard shows them */
  readonly script: { readonly path: string; readonly integrity: string };
  anOrder(overrides?: Partial<Parameters<typeof aCharge>[1]>): ReturnType<typeof aCharge>;
  /** Opens a page of a shop with this markup. */
  open(at: string, markup: string, options?: BrowserContextOptions): Promise<Page>;
  closePages(): Promise<void>;
  close(): Promise<void>;
};

/** A strict policy of a shop: our script and our frames are all that it allows. */
function shopPolicy(origin: string): string {
  return `default-src 'none'; script-src ${origin}; style-src 'none'; frame-src ${origin}`;
}

export async function openEmbedStage(): Promise<EmbedStage> {
  const context = await createTestContext({ RATE_LIMIT_CHECKOUT_PER_MINUTE: "100000" });
  const app = createApp(context);
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  const markups = new Map<string, string>();
  const serve = async () => {
    const server = createServer(({ url = "" }, response) => {
      response.setHeader("content-type", "text/html; charset=utf-8");
      const markup = markups.get(url);
      if (markup !== undefined && !markup.includes("data-free"))
        response.setHeader("content-security-policy", shopPolicy(origin));
      response.end(markup ?? "<!doctype html><title>Shop</title>The shop");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { server, at: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };
  const [shop, stranger] = [await serve(), await serve()];
  const { id: merchantId } = await aMerchant(context.db, {
    name: "Blue Bottle Books",
    accentColor: "#0b5fff",
    embedOrigins: ["https://shop.example", shop.at],
  });
  const browser: Browser = await launchBrowser();
  return {
    context,
    merchantId,
    origin,
    shop: shop.at,
    stranger: stranger.at,
    axe: await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"),
    script: loadEmbedScript(),
    anOrder: (overrides) =>
      aCharge(context.db, { merchantId, amount: "25.5", orderRef: "A-1042", ...overrides }),
    async open(at, markup, options = {}) {
      const path = `/page-${markups.size}`;
      markups.set(path, markup);
      const page = await (await browser.newContext({ ...desk, ...options })).newPage();
      await page.goto(`${at}${path}`);
      return page;
    },
    closePages: async () => {
      await Promise.all(browser.contexts().map((opened) => opened.close()));
    },
    async close() {
      await browser.close();
      await app.close();
      await Promise.all([shop.server, stranger.server].map(stop));
      await context.close();
    },
  };
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
