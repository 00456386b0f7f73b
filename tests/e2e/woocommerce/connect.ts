import { strict as assert } from "node:assert";
import type { Page } from "playwright-core";
import { picture, type Rig } from "./rig.ts";
import type { Site } from "./wordpress.ts";

const WAIT_MS = 60_000;

/** Signs the shop's administrator in. */
export async function openAdmin({ browser }: Rig, site: Site): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  await page.goto(`${site.url}/wp-login.php`);
  await page.fill("#user_login", "admin");
  await page.fill("#user_pass", "admin");
  await page.click("#wp-submit");
  await page.waitForURL(/wp-admin/, { waitUntil: "domcontentloaded" });
  return page;
}

/** Fills the form of *WooCommerce, Daric* in, and returns what the page says then. */
export async function sendCode(
  page: Page,
  site: Site,
  form: { address: string; code: string },
): Promise<string> {
  await page.goto(`${site.url}/wp-admin/admin.php?page=daric`);
  await page.fill("#daric-address", form.address);
  await page.fill("#daric-code", form.code);
  await page.locator("form:has(#daric-code) [type=submit]").click();
  await page.waitForLoadState("domcontentloaded");
  return page.locator(".daric-page").innerText();
}

/** Connects the shop by a code of the dashboard and the plugin's page, and switches the gateway on. */
export async function connectShop(rig: Rig, site = rig.site): Promise<void> {
  const page = await openAdmin(rig, site);
  await disconnect(page, site);
  await picture(rig, page, "settings-before");
  const text = await sendCode(page, site, { address: rig.daric.baseUrl, code: await rig.owner.shopCode() });
  assert.match(text, /Blue Bottle Books/, text);
  await page.context().close();
  await site.php(
    "update_option('woocommerce_daric_settings', ['enabled' => 'yes'] + (array) get_option('woocommerce_daric_settings', [])); return true;",
  );
}

async function disconnect(page: Page, site: Site): Promise<void> {
  await page.goto(`${site.url}/wp-admin/admin.php?page=daric`);
  const form = page.locator('form:has(input[name="action"][value*="disconnect"])');
  if ((await form.count()) === 0) return;
  await page.locator("details.daric-more").last().locator("summary").click();
  await form.locator("[type=submit]").click();
  await page.locator("#daric-code").waitFor();
}
