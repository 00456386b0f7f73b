import { sealPerson } from "@daric/console/people/rights";
import type { MerchantRole } from "@daric/domain/merchant-role";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { ownersDatabase } from "@daric/testing/owners-database";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { SOON_MS } from "./checkout-stage.ts";
import { type DashboardStage, openDashboardStage, seedPayments } from "./dashboard-stage.ts";

let stage: DashboardStage;
let payments: Record<string, string>;

beforeAll(async () => {
  stage = await openDashboardStage();
  payments = await seedPayments(stage);
});
afterAll(() => stage?.close());
// A script that the page's policy stopped is a fault too.
afterEach(async () => expect((await stage.closePages()).join("\n")).toBe(""));

const goTo = async (page: Page, path: string) => {
  await page.goto(`${stage.origin}/dashboard/${path}`);
  await page.locator("h1").waitFor({ timeout: SOON_MS });
  await page.locator(".loading").first().waitFor({ state: "detached", timeout: SOON_MS });
};

/** The actions of roles by page: the label of the control, and the right that it needs. */
const controls: readonly (readonly [path: string, name: RegExp, scope: string])[] = [
  ["payments", /^Ask for a payment$/, "charges:write"],
  ["payment-links", /^Create payment link$/, "charges:write"],
  ["payments/SHORT", /^(Accept as paid|Close)$/, "others' orders"],
  ["payments/SHORT", /^Add a note$/, "notes:write"],
  ["inbox", /^(Accept as paid|Mark as solved)$/, "others' orders"],
  ["keys", /^(Create key|Replace|End now)$/, "keys:write"],
  ["webhooks", /^(Add endpoint|Send a test|Pause|Replace the secret|Delete)$/, "webhooks:write"],
  ["settlement", /^Ask for a wallet$/, "wallets:write"],
  ["branding", /^(Save|Remove the logo)$/, "settings:write"],
  ["settings", /^Save$/, "settings:write"],
  ["people", /^(Invite|Role|Remove|Withdraw)$/, "people:write"],
];

const integrating = ["charges:write", "others' orders", "notes:write", "keys:write", "webhooks:write"];
const administering = [...integrating, "settings:write", "people:write"];
const rights: Readonly<Record<MerchantRole, readonly string[]>> = {
  viewer: [],
  accountant: [],
  support: ["notes:write"],
  cashier: ["charges:write"],
  developer: integrating,
  admin: administering,
  owner: [...administering, "wallets:write"],
};

describe("a page", () => {
  it.each(Object.keys(rights) as MerchantRole[])(
    "offers a %s what the role may do, and nothing else",
    async (role) => {
      const page = await stage.enter(await stage.person(role));
      for (const [path, name, scope] of controls) {
        await goTo(page, path.replace("SHORT", payments.short ?? ""));
        const main = page.locator("main");
        const offered =
          (await main.getByRole("button", { name }).count()) +
          (await main.getByRole("link", { name }).count());
        expect({ path, isOffered: offered > 0 }).toEqual({ path, isOffered: rights[role].includes(scope) });
        expect(await main.getByRole("button", { name: /refund/i }).count()).toBe(0);
      }
    },
    120_000,
  );
});

/** Each tries another door: an element, a handler, a template, a URL, a style, a text that ends a script. */
const hostile = [
  `<script>window.stolen=1</script>`,
  `"><img src=x onerror="window.stolen=1">`,
  `'><svg onload=window.stolen=1>`,
  `javascript:window.stolen=1`,
  "{{constructor.constructor('window.stolen=1')()}}",
  `</script><script>window.stolen=1</script>`,
].join(" ");

describe("a hostile text", () => {
  it("in any field is shown as it is, on every page", async () => {
    const { db } = stage.context;
    const merchant = await aMerchant(db, {
      name: hostile.slice(0, 110),
      supportUrl: "https://shop.example/<x>",
    });
    const order = await aCharge(db, {
      merchantId: merchant.id,
      amount: "25.5",
      orderRef: hostile.slice(0, 110),
      label: hostile.slice(30, 140),
    });
    const metadata = JSON.stringify({ [hostile.slice(0, 30)]: hostile });
    await ownersDatabase(db).query(sql`
      update deposit_addresses set metadata = ${metadata}::jsonb
      where merchant_id = ${merchant.id} and id = ${order.id}`);
    const person = await stage.person("owner", true);
    await ownersDatabase(db).query(sql`
      update memberships set merchant_id = ${merchant.id} where person_id = ${person.id}`);
    await ownersDatabase(db).query(
      sql`update people set name = ${hostile.slice(0, 110)} where id = ${person.id}`,
    );
    await db.transaction((tx) => sealPerson(tx, stage.context.config.integrity.key, person.id));
    const page = await stage.enter(person);
    await goTo(page, `payments/${order.id}`);
    await page.getByRole("textbox", { name: "Add a note" }).fill(hostile);
    await page.getByRole("button", { name: "Add a note" }).click();
    await page.getByText(`Note: ${hostile}`).waitFor({ timeout: SOON_MS });
    await goTo(page, "webhooks");
    await page.getByRole("button", { name: "Add endpoint" }).first().click();
    await page
      .getByLabel("Address of your server")
      .fill("https://shop.example/?<script>window.stolen=1</script>");
    await page.getByLabel(/^Description/).fill(hostile.slice(0, 250));
    await page.locator("dialog").getByRole("button", { name: "Add endpoint" }).click();
    await page
      .getByRole("alert")
      .or(page.getByRole("dialog", { name: "Signing secret" }))
      .first()
      .waitFor();
    const paths = [
      "",
      "payments",
      `payments/${order.id}`,
      "ask-for-payment",
      "payment-links",
      "keys",
      "webhooks",
      "branding",
      "settings",
    ];
    for (const path of [...paths, "people", "audit", "security", "operator/merchants", "operator/accounts"]) {
      await goTo(page, path);
      expect({ path, stolen: await page.evaluate("window.stolen ?? null") }).toEqual({ path, stolen: null });
    }
    expect(await page.locator("main").textContent()).toContain("<script>window.stolen=1</script>");
  }, 120_000);
});
