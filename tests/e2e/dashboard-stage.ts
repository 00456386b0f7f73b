import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { ApiError } from "@daric/domain/errors";
import type { MerchantRole } from "@daric/domain/merchant-role";
import type { NetworkAccess } from "@daric/egress/guarded-dial";
import { createApp, createMemory } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import type { TestChain } from "@daric/testing/chain";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { freePort } from "@daric/testing/free-port";
import { aPerson, signedIn, type TestPerson } from "@daric/testing/people";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launchBrowser } from "./browser.ts";
import { desk, SOON_MS } from "./checkout-stage.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The currencies of the service. Its orders are in coins alone: it has no rates. */
const currencies = [
  { code: "USD", decimals: 2, sources: ["kraken"], available: true, resting: false },
  { code: "EUR", decimals: 2, sources: ["kraken"], available: null, resting: false },
  { code: "JPY", decimals: 0, sources: ["gmo"], available: false, resting: true },
  { code: "NGN", decimals: 2, sources: [], available: false, resting: false },
] as const;
const rates = {
  currencies: () => currencies,
  findRate: () => Promise.reject(new ApiError("RATE_UNAVAILABLE")),
};

type OpenOptions = BrowserContextOptions & {
  readonly cookie?: { readonly name: string; readonly value: string };
};
type Merchant = Awaited<ReturnType<typeof aMerchant>>;

/** The dashboard of one service, and a browser for it. */
export type DashboardStage = {
  readonly context: TestContext;
  readonly origin: string;
  readonly merchant: Merchant;
  readonly axe: string;
  /** A person of the merchant. */
  person(role: MerchantRole, isOperator?: boolean): Promise<TestPerson>;
  /** Opens a page of the service, which may contact this service alone. Its errors are in `faults`. */
  visit(path: string, options?: OpenOptions): Promise<Page>;
  /** Opens a page of the dashboard. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** Opens a page as this person, with the session of a sign-in. */
  enter(person: TestPerson, path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** Closes the open pages, and returns the faults. */
  closePages(): Promise<string[]>;
  close(): Promise<void>;
};

type StageOptions = {
  readonly settings?: Record<string, string>;
  /** the network in which people's chats are */
  readonly access?: NetworkAccess;
};

/** Starts the service with a merchant Blue Bottle Books, whose payments are in every state. `chain` vets wallets. */
export async function openDashboardStage(
  chain?: TestChain,
  { settings = {}, ...more }: StageOptions = {},
): Promise<DashboardStage> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const context = await createTestContext({
    PUBLIC_BASE_URL: origin,
    RATE_LIMIT_SIGN_IN_PER_MINUTE: "100000",
    ...settings,
  });
  const memory = createMemory(context, { rates });
  const app = createApp(context, { currentChain: () => chain, memory, ...more });
  await app.listen({ host: "127.0.0.1", port });
  const merchant = await aMerchant(context.db, { name: "Blue Bottle Books", accentColor: "#0b5fff" });
  const browser: Browser = await launchBrowser();
  const faults: string[] = [];
  const stage: DashboardStage = {
    context,
    origin,
    merchant,
    axe: await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"),
    person: (role, isOperator = false) =>
      aPerson(context, { places: [{ merchantId: merchant.id, role }], isOperator }),
    open: (path, options) => stage.visit(`/dashboard${path}`, options),
    async visit(path, { cookie, ...options } = {}) {
      const browserContext = await browser.newContext({
        ...desk,
        permissions: ["clipboard-read", "clipboard-write"],
        ...options,
      });
      // Routes would switch the browser's cache off; its resolver refuses every other host.
      browserContext.on("request", (request) => {
        if (!request.url().startsWith(`${origin}/`)) faults.push(`request to ${request.url()}`);
      });
      if (cookie !== undefined) await browserContext.addCookies([{ ...cookie, url: origin, secure: true }]);
      const page = await browserContext.newPage();
      page.on("console", (message) => {
        const text = message.text();
        // A refusal is an answer that the page handles; the browser logs it all the same.
        if (message.type() === "error" && !/status of 4\d\d|HTTP Authentication failed/.test(text))
          faults.push(`console: ${text}`);
      });
      page.on("pageerror", (error) => faults.push(`script error: ${error.message}`));
      await page.goto(`${origin}${path}`);
      return page;
    },
    async enter(person, path = "", options = {}) {
      const { cookie = "" } = await signedIn(app, person);
      const [name = "", value = ""] = cookie.split("=");
      const page = await stage.open(path, { ...options, cookie: { name, value } });
      await page.locator("#content").waitFor({ timeout: SOON_MS });
      return page;
    },
    async closePages() {
      await Promise.all(browser.contexts().map((context) => context.close()));
      return faults.splice(0);
    },
    async close() {
      await browser.close();
      await app.close();
      await context.close();
    },
  };
  return stage;
}

/** Payments in the states that a merchant meets, newest last. */
export async function seedPayments({ context, merchant }: DashboardStage): Promise<Record<string, string>> {
  const { db } = context;
  const order = (orderRef: string, more: Partial<Parameters<typeof aCharge>[1]> = {}) =>
    aCharge(db, { merchantId: merchant.id, amount: "25.5", orderRef, ...more });
  const past = { expiresAt: new Date(Date.now() - HOUR_MS) };
  const [waiting, paid, short, over, expired] = [
    await order("A-1042"),
    await order("A-1043", { amount: "1200" }),
    await order("A-1044", { ...past, status: "EXPIRED" }),
    await order("A-1045"),
    await order("A-1046", { ...past, status: "EXPIRED" }),
  ];
  const receive = await aCharge(db, {
    merchantId: merchant.id,
    kind: "receive",
    label: "Counter",
    expiresAt: null,
  });
  const before = new Date(Date.now() - 2 * HOUR_MS);
  await aDeposit(db, { chargeId: paid.id, amount: "1200" });
  await aDeposit(db, { chargeId: short.id, amount: "12.75", blockTime: before });
  await aDeposit(db, { chargeId: over.id, amount: "38.25" });
  const confirming = await order("A-1047");
  await aDeposit(db, { chargeId: confirming.id, amount: "25.5", status: "CONFIRMING" });
  return {
    waiting: waiting.id,
    paid: paid.id,
    short: short.id,
    over: over.id,
    expired: expired.id,
    receive: receive.id,
    confirming: confirming.id,
  };
}
