import { askForRefund } from "@daric/charges/close/ask-for-refund";
import { type ChargeId, idOf } from "@daric/domain/ids";
import { amountFromUnits } from "@daric/domain/money";
import { claimToken } from "@daric/refunds/claim-token";
import { startTestChain } from "@daric/testing/chain";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { aPaymentLink } from "@daric/testing/payment-link-builder";
import type { TestPerson } from "@daric/testing/people";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { SOON_MS } from "../checkout-stage.ts";
import { type DashboardStage, openDashboardStage, seedPayments } from "../dashboard-stage.ts";

/** A page that people use, in one of its states. */
export type Surface = {
  readonly name: string;
  readonly path: string;
  /** a text that stands on it once it is drawn */
  readonly shows: string;
};

/** The four surfaces of the report on one service, where a payer and a person of the merchant are at work. */
export type AccessibilityStage = DashboardStage & {
  readonly owner: TestPerson;
  readonly payments: Record<string, string>;
  /** an address that the chain knows, so that a claim may name it */
  readonly knownAddress: string;
  /** pages of payers: the checkout, a payment link and a claim, by their states */
  readonly public: readonly Surface[];
  /** pages of the dashboard */
  readonly dashboard: readonly Surface[];
  anOrder(overrides?: Partial<Parameters<typeof aCharge>[1]>): ReturnType<typeof aCharge>;
  /** the path of a page on which the payer says where a refund goes; above 25 USDT the page proposes the sender */
  aClaim(received?: string): Promise<string>;
  /** The surface of this name. */
  surface(name: string): Surface;
  /** Opens a surface, as the owner if it is of the dashboard. */
  show(surface: Surface | string, options?: BrowserContextOptions): Promise<Page>;
};

const SENDER = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
const amountOf = (whole: number) => amountFromUnits(BigInt(whole) * 1_000_000n);
const donation = {
  title: "Donation",
  description: "For the new roof.",
  minAmount: amountOf(1),
  maxAmount: amountOf(5_000),
  suggestedAmounts: [amountOf(5), amountOf(10), amountOf(25)],
  ask: ["name", "email", "note"],
} as const;

/** Starts the service with a chain, and makes a page of each surface. */
export async function openAccessibilityStage(): Promise<AccessibilityStage> {
  const chain = await startTestChain();
  const stage = await openDashboardStage(chain, { settings: { RATE_LIMIT_CHECKOUT_PER_MINUTE: "100000" } });
  const { context, merchant } = stage;
  const payments = await seedPayments(stage);
  const owner = await stage.person("owner", true);
  const anOrder: AccessibilityStage["anOrder"] = (overrides) =>
    aCharge(context.db, { merchantId: merchant.id, amount: "25.5", orderRef: "A-2042", ...overrides });
  const aRefundOf = (id: ChargeId) =>
    askForRefund(context, {
      ...{ merchantId: merchant.id, id, amount: null, fiatAmount: null, currency: null, refundRef: null },
      ...{ reason: null, address: null, askedBy: null, apiKeyId: null },
    });
  const aClaim = async (received = "30") => {
    const charge = await anOrder({ amount: "25", orderRef: "A-2043" });
    await aDeposit(context.db, { chargeId: charge.id, amount: received, fromAddress: SENDER });
    return `/r/${claimToken(context, await aRefundOf(charge.id))}`;
  };
  const link = await aPaymentLink(context, merchant.id, donation);
  const waiting = await anOrder({ fiatAmount: "25.00" });
  const short = await anOrder({ orderRef: "A-2044" });
  await aDeposit(context.db, { chargeId: short.id, amount: "10" });
  const paid = await anOrder({ orderRef: "A-2045", successUrl: `${stage.origin}/shop/thanks` });
  await aDeposit(context.db, { chargeId: paid.id, amount: "25.5" });
  const refund = await aRefundOf(idOf("charge", payments.over ?? ""));
  const dashboard = (path: string, shows: string): Surface => ({
    name: `dashboard, ${path === "" ? "home" : path.replace(/\/[-0-9a-f]{36}/, "/one")}`,
    path: `/dashboard/${path}`,
    shows,
  });
  const payers: Surface[] = [
    { name: "checkout, awaiting", path: `/c/${waiting.checkoutToken}`, shows: "Waiting for your payment" },
    { name: "checkout, underpaid", path: `/c/${short.checkoutToken}`, shows: "is missing" },
    { name: "checkout, paid", path: `/c/${paid.checkoutToken}`, shows: "The payment is final" },
    { name: "payment link", path: `/l/${link.token}`, shows: "For the new roof." },
    { name: "claim", path: await aClaim(), shows: "Where should" },
    { name: "claim that proposes", path: await aClaim("500"), shows: "Where should" },
  ];
  const pages = [
    dashboard("", "Home"),
    dashboard("payments", "Payments"),
    dashboard(`payments/${payments.short}`, "A-1044"),
    dashboard("inbox", "Inbox"),
    dashboard("ask-for-payment", "Ask for a payment"),
    dashboard("payment-links/new", "link"),
    dashboard(`payment-links/${link.id}`, "Donation"),
    dashboard("refunds", "Refunds"),
    dashboard(`refunds/${refund.id}`, "A-1045"),
    dashboard("settlement", "Settlement"),
    dashboard("keys", "API keys"),
    dashboard("webhooks", "Webhooks"),
    dashboard("deliveries", "Deliveries"),
    dashboard("branding", "Branding"),
    dashboard("settings", "Settings"),
    dashboard("people", "People"),
    dashboard("notifications", "Notifications"),
    dashboard("audit", "Audit"),
    dashboard("security", "Security"),
    dashboard("operator", "Alerts"),
    dashboard("operator/merchants", "Merchants"),
    dashboard("operator/accounts", "Accounts"),
  ];
  const surface = (name: string) =>
    [...payers, ...pages].find((one) => one.name === name) ?? expect.fail(`no surface ${name}`);
  return {
    ...stage,
    owner,
    payments,
    knownAddress: chain.devchain.payer.address,
    public: payers,
    dashboard: pages,
    anOrder,
    aClaim,
    surface,
    async show(named, options = {}) {
      const { path, shows } = typeof named === "string" ? surface(named) : named;
      const isOwn = path.startsWith("/dashboard");
      const page = isOwn ? await stage.enter(owner, "", options) : await stage.visit(path, options);
      if (isOwn) await page.goto(`${stage.origin}${path}`);
      await page.locator("main").getByText(shows).first().waitFor({ timeout: SOON_MS });
      await page.locator(".loading").first().waitFor({ state: "detached", timeout: SOON_MS });
      return page;
    },
    async close() {
      await stage.close();
      await chain.stop();
    },
  };
}
