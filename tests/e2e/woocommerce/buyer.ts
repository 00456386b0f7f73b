import { until } from "@daric/testing/until";
import type { Page, Request } from "playwright-core";
import type { Rig } from "./rig.ts";
import { ADDRESS } from "./shopper.ts";
import type { ShopIds } from "./wordpress.ts";

export const wideScreen = { viewport: { width: 1280, height: 900 } };
export const smallScreen = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const WAIT_MS = 60_000;
const IGNORED_MS = 4_000;
const GREY_MS = 15_000;
const MAX_CLICKS = 6;
/** The call that makes the order; others of the path compute sums. */
const STORE_CHECKOUT = /store\/v1\/checkout(?!.*calc_totals)/;

/** Opens a page of the shop with an empty cart, as a new guest. */
export async function newGuest(
  rig: Rig,
  device: typeof wideScreen | typeof smallScreen = wideScreen,
): Promise<Page> {
  const context = await rig.browser.newContext({ ...device, locale: "en-GB" });
  context.setDefaultTimeout(WAIT_MS);
  return context.newPage();
}

/** Puts a product into the cart by its button's link. */
export async function addToCart(
  { site, facts }: Rig,
  page: Page,
  product: keyof ShopIds["products"],
): Promise<void> {
  await page.goto(`${site.url}/?add-to-cart=${facts.products[product]}`);
}

/** Fills the classic checkout in, and chooses a method. */
export async function fillClassic({ site, facts }: Rig, page: Page, method = "daric"): Promise<void> {
  await page.goto(`${site.url}/?page_id=${facts.pages.classic}`);
  for (const [name, value] of Object.entries(ADDRESS))
    if (name !== "country") await page.fill(`#billing_${name}`, value);
  await page.locator(".blockUI.blockOverlay").first().waitFor({ state: "detached" });
  await page.locator(`label[for=payment_method_${method}]`).click();
}

/** Fills the block checkout in, and chooses a method. */
export async function fillBlocks({ site, facts }: Rig, page: Page, method = "daric"): Promise<void> {
  await page.goto(`${site.url}/?page_id=${facts.pages.blocks}`);
  await page.locator(".wc-block-components-checkout-place-order-button").waitFor();
  await page.fill("#email", ADDRESS.email);
  // A cart of downloads has no shipping address.
  const kind = (await page.locator("#shipping-first_name").count()) > 0 ? "shipping" : "billing";
  for (const name of ["first_name", "last_name", "address_1", "city", "postcode"] as const) {
    const field = page.locator(`#${kind}-${name}`);
    if (await field.isVisible()) await field.fill(ADDRESS[name]);
  }
  await page.locator(`label[for=radio-control-wc-payment-method-options-${method}]`).click();
  // The blocks send the address by themselves, and the sums follow.
  await page.waitForLoadState("networkidle");
}

/** Sends the order, and waits for the address that the shop sends the customer to. */
export async function placeOrder(page: Page, kind: "classic" | "blocks"): Promise<void> {
  const from = page.url();
  await (kind === "classic" ? page.locator("#place_order").click() : clickUntilSent(page));
  await page.waitForURL((url) => url.href !== from, { timeout: WAIT_MS, waitUntil: "domcontentloaded" });
}

/** The blocks ignore a click while they compute the sums, so a customer clicks again. */
async function clickUntilSent(page: Page): Promise<void> {
  let isSent = false;
  const look = (request: Request) => {
    isSent ||= request.method() === "POST" && STORE_CHECKOUT.test(request.url());
  };
  page.on("request", look);
  for (let click = 0; click < MAX_CLICKS; click += 1) {
    // A button that is grey may be so because of the click before.
    await page
      .locator(".wc-block-components-checkout-place-order-button")
      .click({ timeout: GREY_MS })
      .catch(() => undefined);
    await until("the order is sent", () => isSent, IGNORED_MS).catch(() => undefined);
    if (isSent) return;
  }
  throw new Error("the block checkout sends no order");
}
