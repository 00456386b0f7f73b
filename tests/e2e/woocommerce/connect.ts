import { strict as assert } from "node:assert";
import type { Page } from "playwright-core";
import { openShopAdmin } from "./admin.ts";
import { picture, type Rig } from "./rig.ts";
import type { Site } from "./wordpress.ts";

const WAIT_MS = 60_000;
const SWITCH_ON =
  "update_option('woocommerce_daric_settings', ['enabled' => 'yes'] + (array) get_option('woocommerce_daric_settings', [])); return true;";

/** Signs the shop's administrator in, at the plugin's page. */
export async function openAdmin({ browser }: Rig, site: Site): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const here = encodeURIComponent(`${site.url}/wp-admin/admin.php?page=daric`);
  await page.goto(`${site.url}/wp-login.php?redirect_to=${here}`, { waitUntil: "domcontentloaded" });
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
  await page.goto(`${site.url}/wp-admin/admin.php?page=daric`, { waitUntil: "domcontentloaded" });
  await page.fill("#daric-address", form.address);
  await page.fill("#daric-code", form.code);
  await page.locator("form:has(#daric-code) [type=submit]").click();
  await page.waitForLoadState("domcontentloaded");
  return page.locator(".daric-page").innerText();
}

/** Connects the shop by a code of the dashboard and the plugin's page in the browser, and switches the gateway on. */
export async function connectInBrowser(rig: Rig): Promise<void> {
  const { site, daric, owner } = rig;
  const page = await openAdmin(rig, site);
  await picture(rig, page, "settings-before");
  const text = await sendCode(page, site, { address: daric.baseUrl, code: await owner.shopCode() });
  assert.match(text, /Blue Bottle Books/, text);
  await page.context().close();
  await site.php(SWITCH_ON);
}

/** Connects the shop again, by a new code. */
export async function reconnect({ site, facts, daric, owner }: Rig): Promise<void> {
  const admin = await openShopAdmin(site, facts);
  const form = { address: daric.baseUrl, code: await owner.shopCode() };
  assert.match(await admin.press("connect", form), /Connected with Blue Bottle Books/);
  await site.php(SWITCH_ON);
}
