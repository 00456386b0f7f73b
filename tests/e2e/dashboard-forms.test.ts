import { randomUUID } from "node:crypto";
import { invite } from "@daric/console/people/members/links";
import { sql } from "@daric/postgres/sql";
import { isNight } from "@daric/testing/at-night";
import { ownersDatabase } from "@daric/testing/owners-database";
import { PASSWORD } from "@daric/testing/people";
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
afterEach(async () => expect((await stage.closePages()).join("\n")).toBe(""));

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Opens a page, sends its form as it is filled in, and returns what the service refused, as it is shown. */
type Walk = {
  readonly path: string;
  /** the place of the button that opens the form in a dialog, if it has one */
  readonly opener?: string;
  /** texts by the names of their fields */
  readonly typed?: Readonly<Record<string, string>>;
  /** a part of the page with the form; the first form if none */
  readonly form?: string;
};

const WALKS: Readonly<Record<string, Walk>> = {
  "a request for a payment": {
    path: "ask-for-payment",
    typed: { amount: "1e3", orderRef: "A", successUrl: "shop" },
  },
  "a price in dollars": { path: "ask-for-payment", typed: { amount: "1.5555", price: "USD" } },
  settings: {
    path: "settings",
    typed: { underpaymentTolerance: "9", orderLifetime: "soon", embedOrigin: "https://shop.example/cart" },
  },
  "a payment link": {
    path: "payment-links/new",
    typed: {
      priceBy: "free",
      minAmount: "5",
      maxAmount: "1",
      suggested1: "9",
      expiresAt: "2020-01-01T12:00",
    },
  },
  branding: { path: "branding", typed: { name: " ", supportEmail: "ada", supportUrl: "http://shop" } },
  "an invitation": { path: "people", opener: ".page-head .primary", typed: { email: "ada" } },
  "a name": { path: "security", form: "form:has([name=name][autocomplete])", typed: { name: " " } },
  "a password": {
    path: "security",
    form: "form:has([name=newPassword])",
    typed: { password: PASSWORD, newPassword: "short" },
  },
  "an endpoint": { path: "webhooks", opener: ".page-head .primary", typed: { url: "shop" } },
  "a private endpoint": {
    path: "webhooks",
    opener: ".page-head .primary",
    typed: { url: "https://10.0.0.1/hook" },
  },
  "a wallet": {
    path: "settlement",
    opener: ".card-head .button.plain:last-child",
    typed: { address: "TNo" },
  },
  "a decision without a reason": { path: "inbox", opener: ".case .primary" },
  "a note": { path: "payments/short", form: "form:has(textarea)" },
  "a merchant": {
    path: "operator/merchants",
    opener: ".page-head .primary",
    typed: { activeAddressCap: "many" },
  },
};

async function refusalOf(page: Page, { path, opener, typed = {}, form = "form" }: Walk): Promise<string[]> {
  await page.goto(`${stage.origin}/dashboard/${path.replace("short", payments.short ?? "")}`);
  await page.locator("#content h1").waitFor({ timeout: SOON_MS });
  if (opener) await page.locator(opener).first().click();
  const place = page.locator(opener ? "dialog form" : `main ${form}`).first();
  await place.waitFor({ timeout: SOON_MS });
  for (const [name, text] of Object.entries(typed)) {
    const field = place.locator(`[name="${name}"]`);
    if ((await field.evaluate((element: { tagName: string }) => element.tagName)) === "SELECT")
      await field.selectOption(text);
    else await field.fill(text);
  }
  await place.locator("button[type=submit]").click();
  await place.locator(".problem").waitFor({ timeout: SOON_MS });
  return place.locator(".fault, .problem p").filter({ visible: true }).allInnerTexts();
}

/** Words of the service's own sentences. */
const ENGLISH = /\b(must|is|has|have|like|the|not|be|are|with)\b/;

describe("what a form refuses", () => {
  it.runIf(isNight).each([
    ["es", /./],
    ["zh-Hans", /\p{Script=Han}/u],
  ] as const)(
    "is said in the reader's language (%s), beside the field or below the form",
    async (tag, script) => {
      const page = await stage.enter(await stage.person("owner", true));
      await page.evaluate(`localStorage.setItem("daric.language", "${tag}")`);
      const wrong: Record<string, string[]> = {};
      for (const [name, walk] of Object.entries(WALKS)) {
        const texts = await refusalOf(page, walk);
        if (texts.length < 2 || texts.some((text) => ENGLISH.test(text) || !script.test(text)))
          wrong[name] = texts;
      }
      expect(wrong).toEqual({});
    },
    180_000,
  );

  it("stands beside each field that is wrong, of which the first gets the focus, and what was typed is kept", async () => {
    const page = await stage.enter(await stage.person("admin"));
    const { path, typed } = WALKS.settings ?? { path: "" };
    await refusalOf(page, { path, ...(typed && { typed }) });
    expect(await page.locator(".fault").allInnerTexts()).toEqual([
      "Enter a percentage from 0 to 5, like 0.5.",
      "Enter a time of at least 1 second.",
      "Enter at most 10 sites like https://shop.example, without a path, one a line.",
    ]);
    expect(await page.evaluate("document.activeElement.name")).toBe("underpaymentTolerance");
    expect(await page.locator("[name=orderLifetime]").inputValue()).toBe("soon");
  });
});

describe("a number in a form", () => {
  const LINK = "POST /dashboard/v1/payments";
  async function linkFor(page: Page, amount: string): Promise<string> {
    await page.goto(`${stage.origin}/dashboard/ask-for-payment`);
    await page.locator("[name=amount]").fill(amount);
    const answer = page.waitForResponse(
      (response) => `${response.request().method()} ${new URL(response.url()).pathname}` === LINK,
    );
    await page.locator("main form button[type=submit]").click();
    return (await (await answer).json()).data.expected_amount;
  }

  it("is what a Spanish, a Persian and a Chinese person typed, and the field repeats it", async () => {
    const page = await stage.enter(await stage.person("admin"));
    const cases = [
      ["es", "1.200", "1200"],
      ["es", "25,5", "25.5"],
      ["es", "1.200,50 USDT", "1200.5"],
      ["fa", "۱٬۲۰۰٫۵۰", "1200.5"],
      ["zh-Hans", "１，２００．５", "1200.5"],
    ] as const;
    for (const [tag, typed, amount] of cases) {
      await page.evaluate(`localStorage.setItem("daric.language", "${tag}")`);
      expect([tag, typed, await linkFor(page, typed)]).toEqual([tag, typed, amount]);
    }
    await page.evaluate(`localStorage.setItem("daric.language", "es")`);
    await page.goto(`${stage.origin}/dashboard/ask-for-payment`);
    await page.locator("[name=amount]").fill("1.200");
    await page.getByText("= 1.200,00 USDT", { exact: true }).waitFor({ timeout: SOON_MS });
  });

  it("is asked for where it can be two, and nothing is sent", async () => {
    const page = await stage.enter(await stage.person("admin"));
    await page.evaluate(`localStorage.setItem("daric.language", "ru")`);
    await page.goto(`${stage.origin}/dashboard/ask-for-payment`);
    await page.locator("[name=amount]").fill("1.200");
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "POST") sent += 1;
    });
    await page.locator("main form button[type=submit]").click();
    await page.locator(".fault", { hasText: "1200 или 1,20" }).waitFor({ timeout: SOON_MS });
    expect(await page.evaluate("document.activeElement.name")).toBe("amount");
    expect(sent).toBe(0);
  });

  it("a duration has a unit, also one that is typed; a reference that is used says so", async () => {
    const page = await stage.enter(await stage.person("admin"));
    await page.goto(`${stage.origin}/dashboard/settings`);
    await page.locator("[name=orderLifetime]").fill("1,5");
    await page.getByLabel("Time to pay an order: unit").selectOption("h");
    await page.locator("[name=lateWindow]").fill("30 minutes");
    await page.locator("main form button[type=submit]").first().click();
    await page.getByRole("button", { name: "Saved" }).waitFor({ timeout: SOON_MS });
    expect(await page.locator("[name=orderLifetime]").inputValue()).toBe("90");
    expect(await page.locator("[name=lateWindow]").inputValue()).toBe("30");
    await page.goto(`${stage.origin}/dashboard/ask-for-payment`);
    await page.locator("[name=orderRef]").fill("A-1043");
    await page.getByText("A payment with this reference exists already.").waitFor({ timeout: SOON_MS });
  });
});

describe.runIf(isNight)("a passkey", () => {
  it("proves its person again; one that fails says so, and counts at another try", async () => {
    const person = await stage.person("owner");
    const page = await stage.enter(person);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    await page.goto(`${stage.origin}/dashboard/security`);
    await page.getByLabel("Name of the passkey").fill("Phone");
    await button(page, "Add a passkey").click();
    await page.locator(".lines strong", { hasText: "Phone" }).waitFor({ timeout: SOON_MS });

    await ownersDatabase(stage.context.db).query(
      sql`update sessions set reauthenticated_at = now() - interval '1 hour' where person_id = ${person.id}`,
    );
    await page.locator(".lines li", { hasText: "Phone" }).getByRole("button").click();
    await page.getByRole("dialog", { name: "Remove" }).getByRole("button", { name: "Remove" }).click();
    const again = page.getByRole("dialog", { name: "Prove that it is you" });
    await again.waitFor({ timeout: SOON_MS });
    await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await again.getByRole("button", { name: "Use a passkey" }).click();
    await again.getByText("The passkey was not accepted").waitFor({ timeout: SOON_MS });
    await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
    await again.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("You have no passkey yet.").waitFor({ timeout: SOON_MS });
  });
});

describe("a delivery", () => {
  it.runIf(isNight)("of a test is not sent again, unlike one of an event", async () => {
    const page = await stage.enter(await stage.person("admin"));
    await page.goto(`${stage.origin}/dashboard/webhooks`);
    await page.locator("#content h1").waitFor({ timeout: SOON_MS });
    await button(page, "Add endpoint").first().click();
    await page.getByLabel("Address of your server").fill("http://127.0.0.1:9/hook");
    await page.getByLabel("order.accepted").check();
    await page.locator("dialog").getByRole("button", { name: "Add endpoint" }).click();
    await page.getByRole("dialog", { name: "Signing secret" }).waitFor({ timeout: SOON_MS });
    await page.keyboard.press("Escape");
    await button(page, "Send a test").click();
    await page.getByText("The test failed").waitFor({ timeout: SOON_MS });
    await page.goto(`${stage.origin}/dashboard/inbox`);
    await button(page, "Accept as paid").first().click();
    await page.getByLabel("Why, for your records").fill("Old customer");
    await page.keyboard.press("Enter");
    await page.locator("dialog").waitFor({ state: "detached", timeout: SOON_MS });
    const buttonsOf = async (event: string) => {
      await page.goto(`${stage.origin}/dashboard/deliveries`);
      await page.locator("[data-row]", { hasText: event }).first().click();
      await page.locator(".facts").first().waitFor({ timeout: SOON_MS });
      return button(page, "Send again").count();
    };
    expect([await buttonsOf("order.accepted"), await buttonsOf("webhook.test")]).toEqual([1, 0]);
  });
});

describe.runIf(isNight)("of two forms of one row", () => {
  const tabs = async (path: string, isOperator = false): Promise<[Page, Page]> => {
    const mine = await stage.enter(await stage.person("owner", isOperator));
    const theirs = await mine.context().newPage();
    for (const page of [mine, theirs]) await page.goto(`${stage.origin}/dashboard/${path}`);
    return [mine, theirs];
  };

  it("an operator's cap is stored by the first, and the second says so and shows what is stored", async () => {
    // The tests' database has a twin of each merchant, which takes no change; only this one gets the name.
    await stage.context.db.query(
      sql`update merchants set name = 'Lamp and Wick' where id = ${stage.merchant.id}`,
    );
    const [mine, theirs] = await tabs("operator/merchants", true);
    const open = async (page: Page, cap: string) => {
      const row = page.locator("tr", { hasText: "Lamp and Wick" });
      await row.getByRole("button", { name: "Change the cap" }).click();
      await page.getByLabel("Active addresses at most").fill(cap);
      return page.locator("dialog");
    };
    const [first, second] = [await open(mine, "many"), await open(theirs, "700")];
    await first.locator("button[type=submit]").click();
    await first
      .locator(".fault", { hasText: "Enter a whole number from 1 to" })
      .waitFor({ timeout: SOON_MS });
    await second.locator("button[type=submit]").click();
    await second.waitFor({ state: "detached", timeout: SOON_MS });
    await mine.getByLabel("Active addresses at most").fill("800");
    await first.locator("button[type=submit]").click();
    await first.getByText("Another person changed this meanwhile").waitFor({ timeout: SOON_MS });
    await first.getByText("Stored by another person meanwhile: 700").waitFor({ timeout: SOON_MS });
    await first.locator("button[type=submit]").click();
    await first.waitFor({ state: "detached", timeout: SOON_MS });
    await mine.locator("tr", { hasText: "Lamp and Wick" }).getByText("800").waitFor({ timeout: SOON_MS });
  });

  it.each([
    ["an invitation of a member", "people", false],
    ["an invitation of an operator", "operator/accounts", true],
  ])("%s is withdrawn by the first, and the second says so", async (_, path, isOperator) => {
    const email = `${randomUUID()}@shop.example`;
    const membership = isOperator
      ? {}
      : { membership: { merchantId: stage.merchant.id, role: "viewer" as const } };
    await invite(stage.context, { operator: "test" }, { email, ...membership });
    const [mine, theirs] = await tabs(path, isOperator);
    const open = async (page: Page) => {
      const row = page.locator("tr", { hasText: email });
      await row.getByText("Command line").waitFor({ timeout: SOON_MS });
      await row.getByRole("button", { name: "Withdraw" }).click();
      return page.locator("dialog");
    };
    const [first, second] = [await open(mine), await open(theirs)];
    await first.locator("button[type=submit]").click();
    await mine.locator("tr", { hasText: email }).waitFor({ state: "detached", timeout: SOON_MS });
    await second.locator("button[type=submit]").click();
    await second.getByText("This does not exist any more.").waitFor({ timeout: SOON_MS });
  });

  it("a role is changed by the first, and the second says so", async () => {
    const eve = await stage.person("viewer");
    const [mine, theirs] = await tabs("people");
    const open = async (page: Page, role: string) => {
      await page.locator("tr", { hasText: eve.email }).getByRole("button", { name: "Role" }).click();
      await page.locator("dialog select").selectOption(role);
      return page.locator("dialog");
    };
    const [first, second] = [await open(mine, "developer"), await open(theirs, "admin")];
    await first.locator("button[type=submit]").click();
    await first.waitFor({ state: "detached", timeout: SOON_MS });
    await second.locator("button[type=submit]").click();
    await second.getByText("Another person changed this meanwhile").waitFor({ timeout: SOON_MS });
  });
});

describe("the audit log", () => {
  it("says in the reader's language what was changed, from what to what", async () => {
    const page = await stage.enter(await stage.person("owner"));
    await page.goto(`${stage.origin}/dashboard/settings`);
    await page.getByLabel("Accept as paid when short").fill("0.4");
    await button(page, "Save").first().click();
    await button(page, "Saved").waitFor({ timeout: SOON_MS });
    await page.evaluate('localStorage.setItem("daric.language", "es")');
    await page.goto(`${stage.origin}/dashboard/audit`);
    const entry = page.locator("tbody tr").first();
    await entry.getByText("Ajustes cambiados").waitFor({ timeout: SOON_MS });
    expect(await entry.innerText()).toContain("0.4 %");
    expect(await page.locator("main").innerText()).not.toContain("change settings");
  });
});
