import { sql } from "@daric/postgres/sql";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SOON_MS } from "./checkout-stage.ts";
import { type DashboardStage, openDashboardStage, seedPayments } from "./dashboard-stage.ts";

let stage: DashboardStage;

beforeAll(async () => {
  stage = await openDashboardStage();
  await seedPayments(stage);
});
afterAll(() => stage?.close());

const own = [
  "payments",
  "refunds",
  "inbox",
  "keys",
  "webhooks",
  "deliveries",
  "settlement",
  "people",
  "audit",
];
const operator = ["operator", "operator/merchants", "operator/accounts"];

type Download = { readonly href: string; readonly status: number; readonly file: string | null };

/** The answer to each download of the page, by the very address of its link. One after the other: a session has two at a time. */
async function downloadsOf(page: Page): Promise<Download[]> {
  await page.locator("h1").waitFor({ timeout: SOON_MS });
  await page.locator(".loading").first().waitFor({ state: "detached", timeout: SOON_MS });
  return page.evaluate<Download[]>(`(async () => {
    const found = [];
    for (const link of document.querySelectorAll("a[download]")) {
      const answer = await fetch(link.href);
      await answer.text();
      found.push({ href: link.getAttribute("href"), status: answer.status, file: answer.headers.get("content-disposition") });
    }
    return found;
  })()`);
}

it("every download of the dashboard answers a file at the address of its link, and the audit log names it", async () => {
  const owner = await stage.person("owner", true);
  await stage.context.db.query(sql`
    insert into one_time_links (id, token_hash, kind, email, merchant_id, role, made_by, expires_at)
    values (gen_random_uuid(), sha256('a link'), 'invitation', 'guest@shop.example', ${stage.merchant.id}, 'viewer',
      ${owner.id}, now() + interval '1 day')`);
  const page = await stage.enter(owner);
  const found: Download[] = [];
  for (const path of [...own, ...operator]) {
    await page.goto(`${stage.origin}/dashboard/${path}`);
    found.push(...(await downloadsOf(page)));
  }
  const lists = new Set(found.map(({ href }) => href.split("?")[0]?.replace("/dashboard/v1/", "")));
  expect([...lists].filter((list) => !list?.startsWith("operator/")).toSorted()).toEqual(
    ["audit", "deliveries", "endpoints", "invitations", "keys", "payments", "people"]
      .concat(["refunds", "settlements", "statement", "wallets"])
      .map((list) => `exports/${list}`),
  );
  expect(found.filter(({ status, file }) => status !== 200 || !file?.startsWith("attachment;"))).toEqual([]);
  await page.goto(`${stage.origin}/dashboard/settlement`);
  const statements = page.locator("section", { hasText: "Statements" }).last();
  await statements.getByRole("button", { name: "More formats" }).click();
  await page.getByLabel("File").selectOption({ label: "Journal (double entry)" });
  await page.getByLabel("Between columns").selectOption({ label: "Semicolon" });
  await page.getByLabel("Decimal mark").selectOption({ label: "Comma" });
  const href = await page.getByRole("link", { name: "Download the file" }).getAttribute("href");
  expect(new URL(String(href), stage.origin).searchParams.get("separator")).toBe(";");
  expect(await page.evaluate<number>(`fetch(${JSON.stringify(href)}).then(({ status }) => status)`)).toBe(
    200,
  );
  await page.goto(`${stage.origin}/dashboard/audit`);
  const entry = page.locator("tbody tr", { hasText: "statement" }).first();
  await entry.getByText("List downloaded").waitFor({ timeout: SOON_MS });
}, 120_000);
