import type { MerchantRole } from "@daric/domain/merchant-role";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { phone, SOON_MS } from "./checkout-stage.ts";
import { type DashboardStage, openDashboardStage, seedPayments } from "./dashboard-stage.ts";

let stage: DashboardStage;
let payments: Record<string, string>;
beforeAll(async () => {
  stage = await openDashboardStage();
  payments = await seedPayments(stage);
});
afterAll(() => stage?.close());
afterEach(async () => expect((await stage.closePages()).join("\n")).toBe(""));

const navigation = (page: Page) => page.locator("#side nav a").allInnerTexts();
const OWN = ["Home", "Payments", "Inbox", "Ask for a payment", "Payment links"];

it.each<[MerchantRole, readonly string[]]>([
  ["cashier", OWN],
  [
    "accountant",
    [
      ...["Home", "Payments", "Inbox", "Payment links", "Refunds", "Settlement", "API keys"],
      ...["Branding", "Settings", "People", "Notifications", "Audit log"],
    ],
  ],
])("the navigation offers a %s the pages of the role alone", async (role, expected) => {
  const page = await stage.enter(await stage.person(role));
  await page.locator("#side nav a").first().waitFor({ timeout: SOON_MS });
  const names = (await navigation(page)).map((name) => name.replace(/\s*\d+\+?$/, "").trim());
  expect(names).toEqual(expected);
  await page.goto(`${stage.origin}/dashboard/webhooks`);
  await page.getByText("Your role does not allow this.").waitFor({ timeout: SOON_MS });
});

it("a cashier asks for a payment, and sees it and no other, on a desk and on a phone", async () => {
  const person = await stage.person("cashier");
  const merchantId = stage.merchant.id;
  const own = await aCharge(stage.context.db, {
    merchantId,
    createdBy: person.id,
    amount: "5",
    orderRef: "TILL-1",
  });
  await aDeposit(stage.context.db, { chargeId: own.id, amount: "7" });
  for (const options of [{}, phone]) {
    const page = await stage.enter(person, "", options);
    await page.getByText("TILL-1").first().waitFor({ timeout: SOON_MS });
    expect(await page.getByText(/A-10\d\d/).count()).toBe(0);
    await page.goto(`${stage.origin}/dashboard/ask-for-payment`);
    await page.locator("main [name=amount]").waitFor({ timeout: SOON_MS });
    await page.goto(`${stage.origin}/dashboard/payments/${own.id}`);
    await page.getByRole("heading", { name: "TILL-1" }).waitFor({ timeout: SOON_MS });
    await page.goto(`${stage.origin}/dashboard/payments/${payments.short}`);
    await page.getByText("Not found").first().waitFor({ timeout: SOON_MS });
  }
});
