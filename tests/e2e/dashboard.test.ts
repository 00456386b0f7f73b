import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "@daric/postgres/sql";
import { isNight } from "@daric/testing/at-night";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { ownersDatabase } from "@daric/testing/owners-database";
import { aPerson, codeOf, PASSWORD } from "@daric/testing/people";
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

const narrow = { viewport: { width: 390, height: 844 } };
const heading = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name }).waitFor({ timeout: SOON_MS });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await button(page, "Sign in").click();
}

describe("sign-in", () => {
  it("keeps what was typed after a wrong password, and then leads to the page that was asked for", async () => {
    const { email } = await stage.person("viewer");
    const page = await stage.open("/payments?status=EXPIRED");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill("not this one, surely");
    await button(page, "Sign in").click();
    await page.getByRole("alert").waitFor({ timeout: SOON_MS });
    expect(await page.getByLabel("E-mail").inputValue()).toBe(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await heading(page, "Payments");
    expect(new URL(page.url()).search).toContain("status=EXPIRED");
    await page.reload();
    await heading(page, "Payments");
    await button(page, "Sign out").click();
    await heading(page, "Sign in");
  });

  it.runIf(isNight)("asks for a code once an authenticator app is set up", async () => {
    const { email } = await stage.person("viewer");
    const page = await stage.enter({ email, id: "" as never }, "/security");
    await page.goto(`${stage.origin}/dashboard/security`);
    await button(page, "Set up the app").click();
    const secret = await page.locator("dialog code").textContent();
    await page.getByLabel("Code from your authenticator app").fill(codeOf(secret ?? "", -1));
    await button(page, "Confirm").click();
    await page.getByText("This is shown only once").waitFor({ timeout: SOON_MS });
    const codes = (await page.locator("dialog pre").textContent())?.split("\n") ?? [];
    expect(codes).toHaveLength(10);
    await page.locator("dialog").getByText("Close").click();
    await button(page, "Sign out").click();
    await heading(page, "Sign in");
    await signIn(page, email);
    await page.getByText("Now enter the code").waitFor({ timeout: SOON_MS });
    await page.getByLabel("Code from your authenticator app").fill(codeOf(secret ?? ""));
    await button(page, "Sign in").click();
    await heading(page, "Home");
    await button(page, "Sign out").click();
    await heading(page, "Sign in");
    await signIn(page, email);
    await page.getByText("Now enter the code").waitFor({ timeout: SOON_MS });
    await page.getByLabel("Code from your authenticator app").fill(codes[0] ?? "");
    await button(page, "Sign in").click();
    await heading(page, "Home");
    await page.goto(`${stage.origin}/dashboard/security`);
    await page.getByText("Unused: 9 of 10.").waitFor({ timeout: SOON_MS });
  });

  it.runIf(isNight)("takes a passkey of the device in place of the password", async () => {
    const page = await stage.enter(await stage.person("viewer"));
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    const options = {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    } as const;
    await devtools.send("WebAuthn.addVirtualAuthenticator", { options });
    await page.goto(`${stage.origin}/dashboard/security`);
    await page.getByLabel("Name of the passkey").fill("Phone");
    await button(page, "Add a passkey").click();
    await page.locator(".lines strong", { hasText: "Phone" }).waitFor({ timeout: SOON_MS });
    await button(page, "Sign out").click();
    await heading(page, "Sign in");
    await button(page, "Use a passkey").click();
    await heading(page, "Home");
  });

  it("never leads to another host", async () => {
    const { email } = await stage.person("viewer");
    const page = await stage.open("/sign-in?next=%2F%2Fevil.example");
    await signIn(page, email);
    await page.getByLabel("E-mail").waitFor({ state: "detached", timeout: SOON_MS });
    expect(page.url()).toBe(`${stage.origin}/dashboard//evil.example`);
  });

  it("stands in no frame, on any page", async () => {
    for (const path of ["", "/sign-in", "/link", "/payments", "/settlement", "/operator"]) {
      const { headers } = await fetch(`${stage.origin}/dashboard${path}`);
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("content-security-policy")).toContain("script-src 'self'");
    }
  });

  it("is in the language of the browser, from the right if need be, and in the one that was chosen", async () => {
    const page = await stage.open("", { locale: "fa-IR" });
    await heading(page, "ورود");
    expect(await page.evaluate("document.documentElement.dir")).toBe("rtl");
    await page.getByLabel("زبان").selectOption("pt-BR");
    await heading(page, "Entrar");
    await page.reload();
    await heading(page, "Entrar");
    expect(await page.evaluate("document.documentElement.lang + document.documentElement.dir")).toBe(
      "pt-BRltr",
    );
  });

  it.runIf(isNight)(
    "is asked for over the page when the session has ended elsewhere, and what was typed is kept",
    async () => {
      const person = await stage.person("admin");
      const page = await stage.enter(person, "/settings");
      await page.getByLabel("Time to pay an order", { exact: true }).fill("45m");
      await ownersDatabase(stage.context.db).query(sql`delete from sessions where person_id = ${person.id}`);
      // The page may ask before this click, since the service closes its socket.
      await button(page, "Save").first().dispatchEvent("click");
      const again = page.getByRole("dialog", { name: "Sign in" });
      await again.getByText("Your session has ended").waitFor({ timeout: SOON_MS });
      await again.getByLabel("Password").fill("not this one, surely");
      await page.keyboard.press("Enter");
      await again.getByRole("alert").waitFor({ timeout: SOON_MS });
      await again.getByLabel("Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await again.waitFor({ state: "detached", timeout: SOON_MS });
      expect(await page.getByLabel("Time to pay an order", { exact: true }).inputValue()).toBe("45");
      await button(page, "Save").first().click();
      await page.getByText("Saved").first().waitFor({ timeout: SOON_MS });
      await page.reload();
      await heading(page, "Settings");
      expect(await page.getByLabel("Time to pay an order", { exact: true }).inputValue()).toBe("45");
    },
  );

  it.runIf(isNight)("in another tab leaves a form as it was typed, and saves it", async () => {
    const person = await stage.person("admin");
    const page = await stage.enter(person);
    const other = await page.context().newPage();
    await page.goto(`${stage.origin}/dashboard/settings`);
    await page.getByLabel("Time to pay an order", { exact: true }).fill("50m");
    await other.goto(`${stage.origin}/dashboard/sign-in`);
    await signIn(other, person.email);
    await other.locator("#content h1").waitFor({ timeout: SOON_MS });
    await button(page, "Save").first().click();
    await page.getByText("Saved").first().waitFor({ timeout: SOON_MS });
    expect(await page.getByLabel("Time to pay an order", { exact: true }).inputValue()).toBe("50");
  });
});

describe("the home page", () => {
  it("takes the answers that the document asked for early, and asks for none twice", async () => {
    const page = await stage.enter(await stage.person("viewer"));
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${stage.origin}/dashboard`);
    await page.locator(".figure").first().waitFor({ timeout: SOON_MS });
    const timesOf = (path: string) => asked.filter((call) => call === path).length;
    expect([timesOf("/dashboard/v1/session"), timesOf("/dashboard/v1/home")]).toEqual([1, 1]);
    const order = [asked.indexOf("/dashboard/v1/home"), asked.indexOf("/dashboard/v1/settings")];
    expect(order[0], "before what the program asks for").toBeLessThan(order[1] ?? 0);
  });

  it("says that customers cannot reach the merchant until a contact is set, to those that may set it", async () => {
    const page = await stage.enter(await stage.person("owner"));
    await page.getByText("Customers cannot reach you").waitFor({ timeout: SOON_MS });
    await page.getByRole("link", { name: "Add a contact" }).click();
    await heading(page, "Branding");
    await page.getByLabel("Support e-mail").fill("help@books.example");
    await button(page, "Save").click();
    await page.getByText("Saved").first().waitFor({ timeout: SOON_MS });
    await page.goto(`${stage.origin}/dashboard`);
    await page.locator(".figure").first().waitFor({ timeout: SOON_MS });
    expect(await page.getByText("Customers cannot reach you").count()).toBe(0);
    await ownersDatabase(stage.context.db).query(
      sql`update merchants set support_email = null where id = ${stage.merchant.id}`,
    );
    const viewer = await stage.enter(await stage.person("viewer"));
    await viewer.locator(".figure").first().waitFor({ timeout: SOON_MS });
    expect(await viewer.getByText("Customers cannot reach you").count()).toBe(0);
  });

  it.runIf(isNight)("says that the service is away, and is drawn by another try", async () => {
    const page = await stage.enter(await stage.person("viewer"));
    await page.route("**/dashboard/v1/session", (route) => route.fulfill({ status: 418, json: {} }));
    await page.goto(`${stage.origin}/dashboard/payments`);
    await page.getByRole("alert").waitFor({ timeout: SOON_MS });
    await page.unroute("**/dashboard/v1/session");
    await button(page, "Try again").click();
    await heading(page, "Payments");
    // The browser's log has the refusal too.
    expect((await stage.closePages()).filter((fault) => !fault.includes("Refusal"))).toEqual([]);
  });
});

describe("the settlement page", () => {
  it("says on a phone what is too small to send, since when, at what price, and that a sum has no rate", async () => {
    const { db } = stage.context;
    const owner = ownersDatabase(db);
    const { id: merchantId } = await aMerchant(db);
    const { id } = await aCharge(db, { merchantId });
    await owner.query(sql`
      update settlement_control set terms_found_at = now(), terms = '[
        {"currency": "USDT", "price": "7528500", "priceUsdE8": "225855000", "paysFrom": "225855000", "oldPaysFrom": "22585500",
          "oldAfterMs": 86400000},
        {"currency": "TRX", "price": "268000", "oldAfterMs": 86400000}]'`);
    await owner.query(sql`
      insert into address_contents (merchant_id, deposit_address_id, currency, units, oldest_at)
      values (${merchantId}, ${id}, 'USDT', 12500000, '2026-11-20'), (${merchantId}, ${id}, 'TRX', 2000000, '2026-11-21')`);
    const person = await aPerson(stage.context, { places: [{ merchantId, role: "viewer" }] });
    const page = await stage.enter(person, "/settlement", {
      viewport: { width: 360, height: 720 },
    });
    await page.getByRole("heading", { name: "Too small to send now" }).waitFor({ timeout: SOON_MS });
    const shown = await page.locator("section", { hasText: "Too small to send now" }).last().innerText();
    for (const text of ["12.50 USDT", "Nov 20, 2026", "7.5285 TRX (2.26 USD)", "225.86 USDT", "22.59 USDT"])
      expect(shown).toContain(text);
    expect(shown).toContain("No exchange rate says whether this is worth a transfer");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await owner.query(sql`delete from address_contents where merchant_id = ${merchantId}`);
    await owner.query(sql`update settlement_control set terms = null, terms_found_at = null`);
  });
});

describe("people", () => {
  it("are invited by a link that works once, after a refused one in the same tab, and see only what their role may do", async () => {
    const owner = await stage.enter(await stage.person("owner"), "/people");
    await button(owner, "Invite").click();
    await owner.getByLabel("E-mail").fill("eve@shop.example");
    await owner.locator("dialog").getByRole("button", { name: "Invite" }).click();
    const link = await owner.locator("dialog pre").textContent();
    const guest = await stage.open("/link#not-a-token");
    await heading(guest, "This link is not valid any more");
    // Only the fragment changes, so the browser loads no new document.
    await guest.goto(`${stage.origin}/${link?.split("/").slice(3).join("/")}`);
    await heading(guest, "You are invited to Blue Bottle Books as Viewer");
    await guest.getByLabel("Your name").fill("Eve");
    await guest.getByLabel("New password").fill("short");
    await button(guest, "Accept the invitation").click();
    await guest.locator(".fault").waitFor({ timeout: SOON_MS });
    expect(await guest.getByLabel("Your name").inputValue()).toBe("Eve");
    await guest.getByLabel("New password").fill("seven grey cats watch the slow rain");
    await button(guest, "Accept the invitation").click();
    await heading(guest, "Home");
    expect(await guest.getByRole("link", { name: "Ask for a payment" }).count()).toBe(0);
    await guest.goto(`${stage.origin}/dashboard/keys`);
    await heading(guest, "API keys");
    expect(await button(guest, "Create key").count()).toBe(0);
  });
});

describe("an address that was typed", () => {
  it.runIf(isNight)("of a page that the role lacks offers nothing", async () => {
    const page = await stage.enter(await stage.person("viewer"));
    for (const path of ["ask-for-payment", "operator/merchants", "operator/accounts"]) {
      await page.goto(`${stage.origin}/dashboard/${path}`);
      await page.getByText("Your role does not allow this.").waitFor({ timeout: SOON_MS });
      expect(await page.locator("main").getByRole("button").count(), path).toBe(0);
    }
  });

  it("of no page says so in words, and below the API as an error", async () => {
    const page = await stage.open("/nonsense");
    await page.getByText("This page does not exist").waitFor({ timeout: SOON_MS });
    const statuses = await Promise.all(
      ["nonsense", "v1/nonsense", "assets/nonsense"].map(async (path) => {
        const { status, headers } = await fetch(`${stage.origin}/dashboard/${path}`);
        return [status, headers.get("content-type")?.split(";")[0]];
      }),
    );
    expect(statuses).toEqual([
      [404, "text/html"],
      [404, "application/json"],
      [404, "application/json"],
    ]);
  });
});

describe("payments", () => {
  it.runIf(isNight)("are found, opened and left by the keyboard alone", async () => {
    const page = await stage.enter(await stage.person("developer"));
    await heading(page, "Home");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("A-1043");
    await page.getByRole("option", { name: /A-1043/ }).waitFor({ timeout: SOON_MS });
    await page.keyboard.press("Enter");
    await heading(page, "A-1043");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("payments");
    await page.getByRole("option", { name: /^Payments/ }).waitFor({ timeout: SOON_MS });
    await page.keyboard.press("Enter");
    await heading(page, "Payments");
    await page.getByRole("link", { name: /A-1047/ }).focus();
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await heading(page, "A-1047");
    expect(await page.locator("main").getByText("Confirming").count()).toBeGreaterThan(0);
  });

  it("are narrowed by filters that are the address of the page", async () => {
    const page = await stage.enter(await stage.person("viewer"), "/payments");
    await page.getByLabel("Status").selectOption("EXPIRED");
    await page.getByText("2 in all").waitFor({ timeout: SOON_MS });
    expect(new URL(page.url()).searchParams.get("status")).toBe("EXPIRED");
    await page.getByLabel("Reference begins with").fill("nothing");
    await page.keyboard.press("Enter");
    await button(page, "Clear the filters").click();
    await page.getByRole("link", { name: /A-1042/ }).waitFor({ timeout: SOON_MS });
    await page.goBack();
    await page.getByText("No payment fits these filters").waitFor({ timeout: SOON_MS });
  });

  it.runIf(isNight)(
    "are found by the beginning of a reference, by what was paid, and by their days",
    async () => {
      const page = await stage.enter(await stage.person("viewer"));
      const first = page.locator("main .rows [data-row]").first();
      await page.goto(`${stage.origin}/dashboard/payments?reference=1.10`);
      await page.getByText("No payment fits these filters").waitFor({ timeout: SOON_MS });
      expect(await page.getByLabel("Reference begins with").inputValue()).toBe("1.10");
      await page.goto(`${stage.origin}/dashboard/payments?reference=A-104`);
      await first.getByText("A-1047").waitFor({ timeout: SOON_MS });
      await page.getByLabel("Payment", { exact: true }).selectOption("short");
      await first.getByText("A-1044").waitFor({ timeout: SOON_MS });
      expect(await page.locator("main .rows [data-row]").count()).toBe(1);
      expect(new URL(page.url()).searchParams.get("payment")).toBe("short");
      await page.getByLabel("To day").fill("2020-01-01");
      await page.getByText("No payment fits these filters").waitFor({ timeout: SOON_MS });
      const csv = page.getByRole("link", { name: "Download CSV" });
      expect(await csv.getAttribute("href")).toContain("to=2020-01-0");
    },
  );

  it("that are short have the rest's link in the inbox by one click, and their page shows the same link", async () => {
    const { db } = stage.context;
    const merchantId = stage.merchant.id;
    const { id } = await aCharge(db, { merchantId, amount: "25.5", orderRef: "A-1050", status: "EXPIRED" });
    for (const amount of ["12.75", "0.002"]) await aDeposit(db, { chargeId: id, amount });
    const page = await stage.enter(await stage.person("developer"), "/inbox", narrow);
    const task = page.locator(".case", { hasText: "A-1050" });
    await task.getByText("Ask for the rest, accept it, or refund it.").waitFor({ timeout: SOON_MS });
    await task.getByText("12.75 USDT of 25.50 USDT", { exact: true }).waitFor({ timeout: SOON_MS });
    await task.getByRole("button", { name: "Ask for the rest" }).click();
    const ready = page.locator(".ready");
    await ready.getByText("12.75 USDT", { exact: true }).waitFor({ timeout: SOON_MS });
    const link = await ready.locator("code").innerText();
    expect(link).toContain(`${stage.origin}/c/`);
    await task.waitFor({ state: "detached", timeout: SOON_MS });
    await page.goto(`${stage.origin}/dashboard/payments/${id}`);
    await button(page, "Ask for the rest").click();
    await ready.getByText("12.75 USDT", { exact: true }).waitFor({ timeout: SOON_MS });
    expect(await ready.locator("code").innerText()).toBe(link);
  });

  it("that are short are accepted in the inbox with a reason, and their page shows the history", async () => {
    const page = await stage.enter(await stage.person("admin"), "/inbox");
    await button(page, "Accept as paid").click();
    await page.getByText("You take 12.75 USDT for the whole 25.50 USDT").waitFor({ timeout: SOON_MS });
    await page.getByLabel("Why, for your records").fill("Old customer");
    await page.locator("dialog").getByRole("button", { name: "Accept as paid" }).click();
    await page.locator("dialog").waitFor({ state: "detached", timeout: SOON_MS });
    await page.goto(`${stage.origin}/dashboard/payments/${payments.short}`);
    await page.getByText("Accepted as paid: Old customer").waitFor({ timeout: SOON_MS });
    await page.locator(".badge", { hasText: "Accepted" }).first().waitFor({ timeout: SOON_MS });
  });

  it.runIf(isNight)("that get more time show the person and the reason", async () => {
    const person = await stage.person("developer");
    const page = await stage.enter(person, `/payments/${payments.waiting}`);
    await button(page, "Give more time").click();
    await page.getByLabel("Reason, for your records").fill("Bank holiday");
    await page.locator("dialog").getByRole("button", { name: "Give more time" }).click();
    const moment = page.locator(".story li", { hasText: "More time given: Bank holiday" });
    await moment.waitFor({ timeout: SOON_MS });
  });

  it("that are stuck say what they wait for", async () => {
    const { db } = stage.context;
    const { id } = await aCharge(db, { merchantId: stage.merchant.id, amount: "25.5" });
    const stuck = await aDeposit(db, {
      chargeId: id,
      amount: "25.5",
      status: "STUCK",
      stuckReason: "quorum",
    });
    await ownersDatabase(db).query(sql`
      insert into deposit_checks (merchant_id, deposit_id, name, block_id, result, detail)
      select merchant_id, id, 'quorum', block_id, 'waiting', '1 of 2 nodes' from deposits
      where merchant_id = ${stage.merchant.id} and id = ${stuck.id}`);
    const page = await stage.enter(await stage.person("viewer"), `/payments/${id}`);
    const waits = page.locator(".story li", { hasText: "25.50 USDT waits until the nodes agree about it" });
    await waits.waitFor({ timeout: SOON_MS });
  });

  it("of another merchant do not exist", async () => {
    const page = await stage.enter(await stage.person("owner"));
    await page.goto(`${stage.origin}/dashboard/payments/0193a1b2-0000-7000-8000-000000000001`);
    await page.getByText("belongs to another merchant").waitFor({ timeout: SOON_MS });
  });
});

describe("operators", () => {
  it("see alerts with the way to what to do, forks, and why the scan was halted", async () => {
    const owner = ownersDatabase(stage.context.db);
    const { network } = stage.context.config.chain;
    await owner.query(sql`
      insert into alert_occurrences (alert, labels, severity, summary, runbook, pending_since, true_at, started_at)
      values ('DaricNoRate', '{"currency":"TRX"}', 'critical', 'Orders priced in USD are refused: TRX has no rate',
        'alerts#no-rate', now(), now(), now())`);
    await owner.query(sql`
      insert into scan_halts (network, number, our_id, their_id, nodes)
      values (${network}, 40, ${"a".repeat(64)}, ${"b".repeat(64)}, 'one shows b, two shows b')`);
    const page = await stage.enter(await stage.person("viewer", true));
    await page.goto(`${stage.origin}/dashboard/operator`);
    const alert = page.locator("li", { hasText: "Orders priced in USD are refused" });
    await alert.getByText("Critical").waitFor({ timeout: SOON_MS });
    await page.getByText("one shows b, two shows b").waitFor({ timeout: SOON_MS });
    await page.getByText("daric scan resume").waitFor({ timeout: SOON_MS });
    const path = await alert.getByRole("link", { name: "What to do" }).getAttribute("href");
    const runbook = await (await fetch(`${stage.origin}${path}`)).text();
    expect(runbook).toContain(`id="${path?.split("#")[1]}"`);
    await page.getByLabel("Language").selectOption("ru");
    await page.getByRole("heading", { name: "Оповещения" }).waitFor({ timeout: SOON_MS });
  });
});

describe("the calls of the pages", () => {
  it("are operations that the service documents", async () => {
    const folder = join(import.meta.dirname, "../../web/dashboard/src/api");
    const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    const called = sources.flatMap((source) => source.match(/"[A-Z]+ \/dashboard\/v1\/[^"]+"/g) ?? []);
    const answer = await fetch(`${stage.origin}/dashboard/v1/openapi.json`);
    const { paths } = (await answer.json()) as { paths: Record<string, object> };
    const documented = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `"${method.toUpperCase()} ${path}"`),
    );
    expect(called.length).toBeGreaterThan(40);
    expect(called.filter((call) => !documented.includes(call))).toEqual([]);
  });
});

describe("developers", () => {
  it("create a key after proving themselves, see it once, and call the API with it", async () => {
    const person = await stage.person("developer");
    const page = await stage.enter(person, "/keys");
    await heading(page, "API keys");
    await ownersDatabase(stage.context.db).query(
      sql`update sessions set reauthenticated_at = now() - interval '1 hour' where person_id = ${person.id}`,
    );
    await page.getByRole("button", { name: "Create key" }).first().click();
    await page.locator("dialog").getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog", { name: "Prove that it is you" }).waitFor({ timeout: SOON_MS });
    await page.getByLabel("Password").fill(PASSWORD);
    await button(page, "Confirm").click();
    const shown = page.getByRole("dialog", { name: "Your new key" });
    await shown.waitFor({ timeout: SOON_MS });
    const key = (await shown.locator("pre").first().textContent()) ?? "";
    expect(key).toMatch(/^daric_test_sk_/);
    const answer = await fetch(`${stage.origin}/v1/deposit-addresses`, { headers: { "x-api-key": key } });
    expect(answer.status).toBe(200);
    await page.reload();
    await heading(page, "API keys");
    expect(await page.locator("main").textContent()).not.toContain(key);
  });

  it("make a payment link that a customer can open", async () => {
    const page = await stage.enter(await stage.person("developer"), "/ask-for-payment");
    await page.getByLabel(/^Amount/).fill("1200.5");
    await page.locator(".preview", { hasText: "1,200.50 USDT" }).waitFor({ timeout: SOON_MS });
    await page.getByLabel(/^Order reference/).fill("A-2000");
    await button(page, "Create the page").click();
    await page.getByRole("heading", { name: "The page is ready" }).waitFor({ timeout: SOON_MS });
    const until = await page.getByText(/^Valid until /).innerText();
    const day = Date.parse(until.replace(/^Valid until |,[^,]*$/g, ""));
    expect(Math.round((day - Date.now()) / 86_400_000)).toBeGreaterThanOrEqual(6);
    await button(page, "Copy a message").click();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toContain(until);
    await page.getByRole("button", { name: "Copy", exact: true }).first().click();
    const url = await page.evaluate<string>("navigator.clipboard.readText()");
    const checkout = await fetch(url);
    expect(checkout.status).toBe(200);
    expect(await checkout.text()).toContain("A-2000");
  });
});

it("a payment is asked for in a currency that has a rate now", async () => {
  const page = await stage.enter(await stage.person("developer"), "/ask-for-payment");
  const choice = page.getByLabel("Price in");
  await choice.locator("[value=JPY][disabled]").waitFor({ state: "attached", timeout: SOON_MS });
  await choice.selectOption("EUR");
  await page.getByLabel(/^Amount/).fill("19.9900");
  await page.locator(".preview", { hasText: "19.99 EUR" }).waitFor({ timeout: SOON_MS });
  await page.getByLabel(/^Amount/).fill("19.999");
  await button(page, "Create the page").click();
  await page.locator(".fault", { hasText: "Decimals allowed: 2." }).waitFor({ timeout: SOON_MS });
  expect(await choice.inputValue()).toBe("EUR");
});

describe("a form that another person saves meanwhile", () => {
  const tabs = async (path: string): Promise<[Page, Page]> => {
    const mine = await stage.enter(await stage.person("admin"));
    const theirs = await mine.context().newPage();
    for (const page of [mine, theirs]) await page.goto(`${stage.origin}/dashboard/${path}`);
    return [mine, theirs];
  };
  const save = async (page: Page) => {
    await button(page, "Save").first().click();
    await button(page, "Saved").waitFor({ timeout: SOON_MS });
  };

  it.runIf(isNight)("shows the others' settings, and sends only what its person changed", async () => {
    const [mine, theirs] = await tabs("settings");
    const lifetime = mine.getByLabel("Time to pay an order", { exact: true });
    await lifetime.fill("47m");
    await theirs.getByLabel("The fee is paid by").selectOption("client");
    await theirs.getByLabel("Accept as paid when short").fill("0.2");
    await save(theirs);
    await button(mine, "Save").first().click();
    await mine.getByText("Another person changed this meanwhile").waitFor({ timeout: SOON_MS });
    const feeMode = mine.getByLabel("The fee is paid by");
    await expect.poll(() => feeMode.inputValue(), { timeout: SOON_MS }).toBe("client");
    expect(await lifetime.inputValue()).toBe("47");
    expect(await mine.getByLabel("Accept as paid when short").inputValue()).toBe("0.2");
    await save(mine);
    await mine.reload();
    expect(await lifetime.inputValue()).toBe("47");
    expect(await feeMode.inputValue()).toBe("client");
    expect(await mine.getByLabel("Accept as paid when short").inputValue()).toBe("0.2");
  });

  it.runIf(isNight)("shows their text beside the field that both changed", async () => {
    const [mine, theirs] = await tabs("branding");
    await mine.getByLabel("Name that customers see").fill("Mine");
    await theirs.getByLabel("Name that customers see").fill("Theirs");
    await save(theirs);
    await button(mine, "Save").click();
    await mine.getByText("Stored by another person meanwhile: Theirs").waitFor({ timeout: SOON_MS });
    await mine.getByText("Another person changed this meanwhile").waitFor({ timeout: SOON_MS });
    expect(await mine.getByLabel("Name that customers see").inputValue()).toBe("Mine");
    await mine.getByLabel("Name that customers see").fill("Blue Bottle Books");
    await save(mine);
  });
});

describe("branding", () => {
  it("shows the real payment page with values that are not saved yet", async () => {
    const page = await stage.enter(await stage.person("admin"), "/branding");
    await page.getByLabel("Name that customers see").fill("<b>Red Kettle</b>");
    const preview = page.frameLocator("iframe");
    await preview.getByText("<b>Red Kettle</b>").first().waitFor({ timeout: SOON_MS });
    await page.getByLabel("State").selectOption("paid");
    await preview.getByText("Paid").first().waitFor({ timeout: SOON_MS });
  });

  it("no link outside our own pages opens a preview", async () => {
    const answer = await fetch(`${stage.origin}/dashboard/preview?name=Evil`);
    expect(answer.status).toBe(404);
  });
});
