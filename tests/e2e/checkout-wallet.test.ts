import type { AddressInfo } from "node:net";
import type { ApiApp } from "@daric/http/api-app";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext, withSettings } from "@daric/testing/context";
import type { Browser, Page } from "playwright-core";
import { TronWeb } from "tronweb";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";

const SOON_MS = 20_000;
/** The page asks the look-up first after 8 s. */
const FIRST_LOOK_MS = 9_000;
const MINUTE_MS = 60_000;

let context: TestContext & { close(): Promise<void> };
let chain: TestChain;
let browser: Browser;
let merchantId: string;
const apps: ApiApp[] = [];

beforeAll(async () => {
  [context, chain, browser] = await Promise.all([createTestContext(), startTestChain(), launchBrowser()]);
  merchantId = (await aMerchant(context.db, { name: "Blue Bottle Books" })).id;
});
afterAll(async () => {
  await browser?.close();
  await Promise.all(apps.map((app) => app.close()));
  await chain?.stop();
  await context?.close();
});

/** How far the time of pages is ahead. The services' limits of look-ups count by it too. */
let aheadMs = 0;

async function serve(): Promise<string> {
  const settings = { chain: { network: "devnet" as const, nodeUrls: [chain.devchain.url] } };
  const clock = { ...context.clock, monotonicMs: () => context.clock.monotonicMs() + aheadMs };
  const app = createApp({ ...withSettings(context, settings), clock }, { currentChain: () => chain });
  apps.push(app);
  await app.listen({ host: "127.0.0.1", port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

type Signed = Parameters<TronWeb["trx"]["sendRawTransaction"]>[0];
/** How a wallet differs from one that signs and sends what it is asked for. */
type Behaviour = {
  readonly trx?: string;
  readonly sign?: (tronWeb: TronWeb, asked: object) => Promise<unknown>;
  readonly send?: (tronWeb: TronWeb, signed: Signed) => Promise<unknown>;
};

/** The page of a new order in a browser with a wallet of a new account, which has 100 USDT. */
async function openWith({ trx = "100", sign, send }: Behaviour) {
  const order = await aCharge(context.db, { merchantId, amount: "25.5" });
  const { address, privateKey } = await TronWeb.createAccount();
  await chain.pay(address.base58, { usdt: "100", trx });
  await chain.mine(1);
  const tronWeb = chain.devchain.tronWeb(privateKey);
  const sent: string[] = [];
  const calls: Record<string, (...values: never[]) => Promise<unknown>> = {
    getBlock: (number: number) => tronWeb.trx.getBlock(number),
    call: (...values: Parameters<typeof tronWeb.transactionBuilder.triggerSmartContract>) =>
      tronWeb.transactionBuilder.triggerSmartContract(...values),
    sign: (asked: never) => (sign ? sign(tronWeb, asked) : tronWeb.trx.sign(asked)),
    send: (signed: Signed) => {
      sent.push(signed.txID);
      return send ? send(tronWeb, signed) : tronWeb.trx.sendRawTransaction(signed);
    },
  };
  const page = await (await browser.newContext()).newPage();
  await page.clock.install();
  await page.exposeFunction("walletCall", (name: string, values: never[]) => calls[name]?.(...values));
  await page.addInitScript(`
    const pass = (name) => (...values) => window.walletCall(name, values);
    window.tronLink = { request: async () => ({ code: 200 }), tronWeb: {
      defaultAddress: { base58: "${address.base58}" },
      transactionBuilder: { triggerSmartContract: pass("call") },
      trx: { getBlock: pass("getBlock"), sign: pass("sign"), sendRawTransaction: pass("send") },
    } };`);
  await page.goto(`${await serve()}/c/${order.checkoutToken}`);
  return { page, order, sent, tronWeb };
}

const button = (page: Page) => page.getByRole("button", { name: "Pay with TronLink" });

async function click(page: Page): Promise<void> {
  await button(page).click();
  await says(page, "Not seen on the chain yet");
  expect(await button(page).isDisabled()).toBe(true);
}

function says(page: Page, text: string): Promise<void> {
  return page.locator("#wallet-says", { hasText: text }).waitFor({ timeout: SOON_MS });
}

/** Lets the page's time pass in steps, so that its look-ups get their answers in between, until it says this. */
async function saysWithin(page: Page, text: string, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 5_000) {
    aheadMs += 5_000;
    await page.clock.runFor(5_000);
    await page.waitForLoadState("networkidle");
    if ((await page.locator("#wallet-says").textContent())?.includes(text)) return;
  }
  expect(await page.locator("#wallet-says").textContent()).toContain(text);
}

it("what a wallet answers after it has signed proves nothing: the page shows the payment and sends none twice", async () => {
  const behaviours: Behaviour[] = [
    {},
    {
      send: async (tronWeb, signed) => {
        await tronWeb.trx.sendRawTransaction(signed);
        throw new Error("time-out");
      },
    },
    {
      send: async (tronWeb, signed) => {
        await tronWeb.trx.sendRawTransaction(signed);
        return { result: false, code: "SERVER_BUSY" };
      },
    },
    {
      send: async (tronWeb, signed) => {
        await tronWeb.trx.sendRawTransaction(signed);
        return new Promise(() => {});
      },
    },
  ];
  for (const behaviour of behaviours) {
    const { page, sent } = await openWith(behaviour);
    await click(page);
    await chain.mine(1);
    await page.reload();
    expect(await button(page).isDisabled()).toBe(true);
    await chain.scan(context);
    await page.clock.runFor(20_000);
    await page.locator('[data-state="confirming"]').waitFor({ timeout: SOON_MS });
    expect(sent).toHaveLength(1);
    await page.context().close();
  }
});

it("a transaction that failed on the chain moved no money, says the page, and offers the payment again", async () => {
  const poor = await openWith({ trx: "1.5" });
  await click(poor.page);
  await chain.mine(1);
  await saysWithin(poor.page, "It moved no money", MINUTE_MS);
  expect(await button(poor.page).isEnabled()).toBe(true);
  await poor.page.context().close();

  const reverted = await openWith({
    sign: async (tronWeb, asked) => {
      const signed = await tronWeb.trx.sign(asked as never);
      const [{ constant_result: _, ...spend }] = await Promise.all([
        tronWeb.transactionBuilder.triggerSmartContract(
          chain.devchain.usdtContract,
          "transfer(address,uint256)",
          { feeLimit: 100_000_000 },
          [
            { type: "address", value: chain.devchain.payer.address },
            { type: "uint256", value: "100000000" },
          ],
        ),
      ]);
      await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(spend.transaction));
      return signed;
    },
  });
  await click(reverted.page);
  await chain.mine(1);
  await saysWithin(reverted.page, "It moved no money", MINUTE_MS);
  expect(await button(reverted.page).isEnabled()).toBe(true);
  await reverted.page.context().close();
});

it("a transaction that no block has a minute after its expiry is gone, and not before", async () => {
  const { page, sent } = await openWith({ send: async () => ({ result: true }) });
  await click(page);
  await page.clock.runFor(FIRST_LOOK_MS);
  expect(await button(page).isDisabled()).toBe(true);
  await saysWithin(page, "no money moved. You can pay again", 4 * MINUTE_MS);
  expect([await button(page).isEnabled(), sent.length]).toEqual([true, 1]);
  await page.context().close();
});

it("nothing is sent of what the page did not ask for", async () => {
  const { page, sent } = await openWith({
    sign: async (tronWeb) =>
      tronWeb.trx.sign(await tronWeb.transactionBuilder.sendTrx(chain.devchain.payer.address, 5_000_000)),
  });
  await click(page);
  expect(sent).toEqual([]);
  await page.context().close();
});

it("whatever a wallet answers after it sent by itself, the page never says that nothing was sent", async () => {
  const answers = [() => Promise.reject(new Error("rejected by the server")), async () => null];
  for (const answer of answers) {
    const { page } = await openWith({
      sign: async (tronWeb, asked) => {
        await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(asked as never));
        return answer();
      },
    });
    await click(page);
    await chain.mine(1);
    await chain.scan(context);
    await page.clock.runFor(20_000);
    await page.locator('[data-state="confirming"]').waitFor({ timeout: SOON_MS });
    await page.context().close();
  }
});

it("after an error of a wallet that sent nothing, the payment is offered again once no block can have it", async () => {
  const { page, sent } = await openWith({ sign: () => Promise.reject(new Error("time-out")) });
  await click(page);
  await saysWithin(page, "You can pay again", 4 * MINUTE_MS);
  expect([await button(page).isEnabled(), sent]).toEqual([true, []]);
  await page.context().close();
});

it("a payer's refusal sends nothing, and neither does a wallet that never answers", async () => {
  const refusals = [
    { code: 4001, message: "No" },
    "Confirmation declined by user",
    { message: "User rejected the request." },
  ];
  for (const refusal of refusals) {
    const refusing = await openWith({});
    await refusing.page.evaluate((thrown) => {
      const { trx } = (window as never as { tronLink: { tronWeb: { trx: { sign: unknown } } } }).tronLink
        .tronWeb;
      trx.sign = () => Promise.reject(thrown);
    }, refusal);
    await button(refusing.page).click();
    await says(refusing.page, "Nothing was sent. Try again?");
    expect([await button(refusing.page).isEnabled(), refusing.sent]).toEqual([true, []]);
    await refusing.page.context().close();
  }

  const silent = await openWith({ sign: () => new Promise(() => {}) });
  await button(silent.page).click();
  await says(silent.page, "Confirm in your wallet");
  await saysWithin(silent.page, "You can pay again", 5 * MINUTE_MS);
  expect(silent.sent).toEqual([]);
  await silent.page.context().close();
});
