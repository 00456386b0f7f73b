import { askForRefund } from "@daric/charges/close/ask-for-refund";
import { type ChargeId, idOf } from "@daric/domain/ids";
import { claimRefund } from "@daric/refunds/claim-refund";
import { claimToken } from "@daric/refunds/claim-token";
import { isNight } from "@daric/testing/at-night";
import { anAddress } from "@daric/testing/builders";
import { aPaymentLink } from "@daric/testing/payment-link-builder";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { desk, SOON_MS } from "./checkout-stage.ts";
import { type DashboardStage, openDashboardStage, seedPayments } from "./dashboard-stage.ts";

let stage: DashboardStage;
let paths: string[];
/** a refund that is ready to pay */
let refundId: string;

beforeAll(async () => {
  stage = await openDashboardStage();
  const { short, over = "" } = await seedPayments(stage);
  refundId = await aReadyRefund(idOf("charge", over));
  // By day figures, a story, a form, a link with its codes, and the operator's.
  const { id } = await aPaymentLink(stage.context, stage.merchant.id);
  const daily = ["", `payments/${short}`, "payment-links/new", `payment-links/${id}`, "operator"];
  const links = ["ask-for-payment", "payment-links", `payment-links/${id}/poster`];
  const refunds = ["refunds", `refunds/${refundId}`];
  const own = ["payments", "inbox", "settings", "keys", "webhooks", "deliveries", "settlement", "branding"];
  const account = ["people", "notifications", "audit", "security"];
  const operator = ["operator/merchants", "operator/accounts"];
  paths = isNight ? [...daily, ...links, ...refunds, ...own, ...account, ...operator] : daily;
});
afterAll(() => stage?.close());
afterEach(async () => expect((await stage.closePages()).join("\n")).toBe(""));

/** A refund of what is too much, for which the payer has named an address. */
async function aReadyRefund(id: ChargeId): Promise<string> {
  const { context, merchant } = stage;
  const nothing = { amount: null, fiatAmount: null, currency: null, refundRef: null, address: null };
  const asked = { ...nothing, reason: "Paid twice", askedBy: null, apiKeyId: null };
  const refund = await askForRefund(context, { ...asked, merchantId: merchant.id, id });
  const token = claimToken(context, refund);
  await claimRefund(context, { token, address: anAddress(), vet: async () => undefined });
  return refund.id;
}

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The faults of a page by axe, and a width beyond the window. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.locator("h1").waitFor({ timeout: SOON_MS });
  await page.locator(".loading").first().waitFor({ state: "detached", timeout: SOON_MS });
  await page.evaluate(stage.axe);
  const found = await page.evaluate<string[]>(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + " at " + nodes.map(({ target }) => target.join(" ")).join(", ")))`,
  );
  // A phone's browser makes its own window wider for what does not fit.
  const { width = 0 } = page.viewportSize() ?? {};
  const tooWide = (await page.evaluate<number>("document.documentElement.scrollWidth")) - width;
  return tooWide > 0 ? [...found, `${tooWide} px too wide`] : found;
}

const narrow = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe("every page", () => {
  it.each([
    ["on a desk in the light", "en", { ...desk, colorScheme: "light" }] as const,
    ...(isNight
      ? [["on a phone in the dark, from the right", "ar", { ...narrow, colorScheme: "dark" }] as const]
      : []),
  ])(
    "%s is accessible, and fits into the window",
    async (_where, language, options) => {
      const page = await stage.enter(await stage.person("owner", true), "", options);
      await page.evaluate(`localStorage.setItem("daric.language", "${language}")`);
      const faults: Record<string, string[]> = {};
      for (const path of paths) {
        await page.goto(`${stage.origin}/dashboard/${path}`);
        const found = await faultsOf(page);
        if (found.length > 0) faults[path] = found;
      }
      expect(faults).toEqual({});
    },
    240_000,
  );
});

it.each([
  ["on a desk in the light", { ...desk, colorScheme: "light" }],
  ["on a phone in the dark", { ...narrow, colorScheme: "dark" }],
] as const)("what a refund is paid by is accessible %s", async (_where, options) => {
  const page = await stage.enter(await stage.person("owner"), `/refunds/${refundId}`, options);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await page.getByRole("dialog", { name: "Pay" }).locator(".qr").waitFor({ timeout: SOON_MS });
  expect(await faultsOf(page)).toEqual([]);
});

it("a found payment has its reference and amount on one line of a phone", async () => {
  const page = await stage.enter(await stage.person("viewer"), "", narrow);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("A-1043");
  const name = page.locator("[role=option] span", { hasText: "A-1043" }).first();
  await name.waitFor({ timeout: SOON_MS });
  expect((await name.boundingBox())?.height).toBeLessThan(30);
});
