import type { Locator, Page } from "playwright-core";
import { addToCart, fillClassic, newGuest } from "../buyer.ts";
import { openAdmin } from "../connect.ts";
import { orderWhen } from "../orders.ts";
import { purchase } from "../purchases.ts";
import { journey, type Rig } from "../rig.ts";

/** The width of a picture in the guide, of which a phone shows less. */
const VIEW = { width: 1_000, height: 900 };

/** Keeps a picture of one part of a page, with the addresses of the guide instead of this run's. */
async function pictureOf(
  rig: Rig,
  page: Page,
  { part, name }: { part: Locator; name: string },
): Promise<void> {
  const real = [rig.daric.baseUrl, rig.site.url, `http://localhost:${new URL(rig.daric.baseUrl).port}`];
  const shown = ["https://pay.example.com", "https://shop.example.com", "https://pay.example.com"];
  const script = `{
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) ${JSON.stringify(real)}.forEach((address, at) => {
      texts.currentNode.data = texts.currentNode.data.replaceAll(address, ${JSON.stringify(shown)}[at]);
    });
  }`;
  await page.evaluate(script);
  // Of the whole page, since WordPress paints nothing of a box of an order that is below the window.
  const clip = await part.boundingBox();
  if (clip === null) throw new Error(`there is no ${name} to take a picture of`);
  const path = `${rig.pictures}/woocommerce-${name}.png`;
  await page.screenshot({ path, clip, fullPage: true, animations: "disabled" });
}

async function pictureOfCode(rig: Rig): Promise<void> {
  const context = await rig.browser.newContext({ viewport: VIEW });
  const page = await context.newPage();
  const dashboard = `http://localhost:${new URL(rig.daric.baseUrl).port}/dashboard`;
  await page.goto(`${dashboard}/keys`);
  await page.locator("input[type=email]").fill(rig.owner.email);
  await page.locator("input[type=password]").fill(rig.owner.password);
  await page.locator("button[type=submit]").first().click();
  await page.getByRole("button", { name: "Connect a shop" }).first().click();
  await page.getByRole("button", { name: "Make a code" }).click();
  await page.getByText("Time left").waitFor();
  await pictureOf(rig, page, { part: page.getByRole("dialog"), name: "code" });
  await context.close();
}

export const guide = [
  journey("the pictures of docs/woocommerce.md are made anew", async (rig) => {
    if (rig.pictures === undefined) return;
    await pictureOfCode(rig);
    const { orderId, chargeId } = await purchase(rig);
    await rig.daric.pay(chargeId, "exact");
    await orderWhen(rig.site, orderId, "processing");
    const page = await openAdmin(rig, rig.site);
    await page.setViewportSize(VIEW);
    await pictureOf(rig, page, { part: page.locator(".daric-page"), name: "connected" });
    await page.setViewportSize({ ...VIEW, width: 1_280 });
    await page.goto(`${rig.site.url}/wp-admin/admin.php?page=wc-orders&action=edit&id=${orderId}`);
    await page.waitForLoadState("networkidle");
    await pictureOf(rig, page, { part: page.locator("#daric-order"), name: "order" });
    await page.context().close();
    const guest = await newGuest(rig, { viewport: VIEW });
    await addToCart(rig, guest, "mug");
    await fillClassic(rig, guest);
    await pictureOf(rig, guest, { part: guest.locator("#order_review"), name: "checkout" });
    await guest.context().close();
  }),
];
