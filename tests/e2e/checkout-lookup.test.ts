import type { AddressInfo } from "node:net";
import type { ApiApp } from "@daric/http/api-app";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext, withSettings } from "@daric/testing/context";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";

let context: TestContext & { close(): Promise<void> };
let chain: TestChain;
let app: ApiApp;
let browser: Browser;
let origin: string;
let merchantId: string;
/** Forbidden actions of a page. */
const faults: string[] = [];

beforeAll(async () => {
  [context, chain, browser] = await Promise.all([createTestContext(), startTestChain(), launchBrowser()]);
  const onDevnet = withSettings(context, { chain: { network: "devnet", nodeUrls: [chain.devchain.url] } });
  app = createApp(onDevnet, { currentChain: () => chain });
  await app.listen({ host: "127.0.0.1", port: 0 });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  merchantId = (await aMerchant(context.db, { name: "Blue Bottle Books" })).id;
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await chain?.stop();
  await context?.close();
});

async function open(token: string, javaScriptEnabled = true): Promise<Page> {
  const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
  page.on("dialog", (dialog) => faults.push(`dialog: ${dialog.message()}`));
  page.on("console", (message) => faults.push(`console: ${message.text()}`));
  page.on("response", (answer) => {
    if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.url()}`);
  });
  await page.goto(`${origin}/c/${token}`);
  return page;
}

/** Submits the page's form, and waits for its result. */
async function lookUp(page: Page, text: string, expected: RegExp): Promise<void> {
  const details = page.locator("details.lookup");
  if ((await details.getAttribute("open")) === null) await details.locator("summary").click();
  await page.getByLabel("Transaction ID or explorer link").fill(text);
  await page.getByRole("button", { name: "Check" }).click();
  await details.getByRole("status").filter({ hasText: expected }).waitFor();
  expect(new URL(page.url()).search).toBe("");
}

it("a payer looks up a missing payment, with scripts and without, and input never becomes markup", async () => {
  const order = await aCharge(context.db, { merchantId, amount: "25.5" });
  const [txId = ""] = await chain.pay(order.address, { usdt: "25.5" });
  await chain.mine(1);
  for (const hasScripts of [true, false]) {
    const page = await open(order.checkoutToken, hasScripts);
    await lookUp(page, `https://tronscan.org/#/transaction/${txId}`, /USDT found: 0 of 19/);
    await lookUp(page, `"><img src=x onerror=alert(1)>`, /no transaction ID/);
    await lookUp(page, `0x${txId}`, /Ethereum hash/);
    expect(page.url()).toBe(`${origin}/c/${order.checkoutToken}`);
    await page.context().close();
  }
  expect(faults).toEqual([]);
});

it("on a devnet the page's panel makes the chain pay, and shows the reason of a failure", async () => {
  const order = await aCharge(context.db, { merchantId, amount: "25.5" });
  const page = await open(order.checkoutToken);
  const panel = page.getByRole("region", { name: /demo wallet/ });
  await panel.getByRole("button", { name: "Exact" }).click();
  await panel.getByRole("status").filter({ hasText: "Sent" }).waitFor();
  expect(faults.splice(0)).toEqual([]);
  await panel.getByRole("button", { name: "Late" }).click();
  await panel.getByRole("status").filter({ hasText: "The order has not expired" }).waitFor();
  await chain.mine(21);
  await chain.scan(context);
  await page.reload();
  await page.locator('[data-state="paid"]').waitFor();
  await page.context().close();
});
