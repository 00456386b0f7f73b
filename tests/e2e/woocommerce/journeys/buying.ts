import { strict as assert } from "node:assert";
import type { Page } from "playwright-core";
import {
  addToCart,
  fillBlocks,
  fillClassic,
  newGuest,
  placeOrder,
  smallScreen,
  wideScreen,
} from "../buyer.ts";
import { chargeOf, orderWhen } from "../orders.ts";
import { journey, picture, type Rig } from "../rig.ts";

/** The newest order of the shop. */
async function newestOrder({ site }: Rig): Promise<number> {
  const [row] = await site.sql<{ id: number }>(
    "select max(id) as id from wp_wc_orders where type = 'shop_order'",
  );
  return Number(row?.id);
}

/** Pays the order on Daric's page, and follows the way back to the shop. */
async function payAndReturn(rig: Rig, page: Page, name: string): Promise<number> {
  assert.ok(
    page.url().startsWith(rig.daric.baseUrl),
    `the customer is at ${page.url()}, not at Daric's page`,
  );
  await picture(rig, page, `${name}-daric`);
  const id = await newestOrder(rig);
  await rig.daric.pay(await chargeOf(rig.site, id), "exact");
  const back = page.locator('a[href*="wc-api=daric"][href*="to=done"]');
  await back.waitFor();
  await back.click();
  await page.waitForURL((url) => url.href.startsWith(rig.site.url), { waitUntil: "domcontentloaded" });
  return id;
}

async function buy(rig: Rig, page: Page, kind: "classic" | "blocks", name: string): Promise<number> {
  await addToCart(rig, page, "mug");
  await addToCart(rig, page, "book");
  await (kind === "classic" ? fillClassic : fillBlocks)(rig, page);
  await picture(rig, page, `${name}-checkout`);
  await placeOrder(page, kind);
  const id = await payAndReturn(rig, page, name);
  const order = await orderWhen(rig.site, id, "processing");
  assert.equal(order.paymentMethod, "daric");
  await page.reload();
  assert.match(await page.locator("body").innerText(), /order received|order has been received/i);
  await picture(rig, page, `${name}-thank-you`);
  return id;
}

export const buying = [
  journey("a guest pays at the classic checkout, and the order is processing", async (rig) => {
    const page = await newGuest(rig);
    const id = await buy(rig, page, "classic", "classic-desktop");
    assert.match(await page.locator("body").innerText(), new RegExp(`\\b${id}\\b`));
    const mails = (await rig.site.mails()).map(({ subject }) => subject);
    assert.ok(mails.length > 0, "WooCommerce sent no mail");
    await page.context().close();
  }),
  journey("a guest pays at the block checkout, and the order is processing", async (rig) => {
    const page = await newGuest(rig);
    await buy(rig, page, "blocks", "blocks-desktop");
    await page.context().close();
  }),
  journey("both checkouts work on a phone", async (rig) => {
    for (const kind of ["classic", "blocks"] as const) {
      const page = await newGuest(rig, smallScreen);
      await buy(rig, page, kind, `${kind}-phone`);
      await page.context().close();
    }
  }),
  journey("where the shop wants it, the payment page opens over the shop's page", async (rig) => {
    const { site, daric } = rig;
    const choose = (display: string) =>
      site.php(
        "update_option('woocommerce_daric_settings', ['display' => $args['display']] + (array) get_option('woocommerce_daric_settings', [])); return true;",
        { display },
      );
    await daric.command("merchant", "update", daric.merchantId, "--embed-origin", new URL(site.url).origin);
    await choose("modal");
    try {
      const page = await newGuest(rig);
      await addToCart(rig, page, "mug");
      await fillBlocks(rig, page);
      await placeOrder(page, "blocks");
      assert.ok(page.url().startsWith(site.url), `the customer is at ${page.url()}, not in the shop`);
      const id = await newestOrder(rig);
      const frame = page.frameLocator("iframe");
      await frame.locator("[data-copy]").first().waitFor();
      await picture(rig, page, "modal");
      await daric.pay(await chargeOf(site, id), "exact");
      await orderWhen(site, id, "processing");
      await page.locator("dialog button").click();
      await page.waitForURL((url) => url.href.includes("order-received"), { waitUntil: "domcontentloaded" });
      assert.match(await page.locator("body").innerText(), /order received|order has been received/i);
      await page.context().close();
    } finally {
      await choose("redirect");
    }
  }),
  journey("a customer with an account finds the paid order in My account", async (rig) => {
    const { site, facts } = rig;
    await site.php("return wc_create_new_customer('carla@example.com', 'carla', 'carla-password');");
    const page = await newGuest(rig, wideScreen);
    await page.goto(`${site.url}/wp-login.php`);
    await page.fill("#user_login", "carla");
    await page.fill("#user_pass", "carla-password");
    await page.click("#wp-submit");
    await page.waitForURL((url) => !url.pathname.endsWith("wp-login.php"), { waitUntil: "domcontentloaded" });
    const id = await buy(rig, page, "blocks", "account-desktop");
    await page.goto(`${site.url}/?page_id=${facts.pages.account}&view-order=${id}`);
    assert.match(await page.locator("body").innerText(), /Processing/i);
    await picture(rig, page, "my-account");
    await page.context().close();
  }),
];
